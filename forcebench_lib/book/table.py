"""One way from a frame to an accessible HTML table with its CSV."""

import base64
import re
from typing import TYPE_CHECKING, Any

from forcebench_lib.markup import escape, visible
from forcebench_lib.schema import InputError

if TYPE_CHECKING:
    import pandas as pd

MISSING = "–"
NOTHING = "There is no row to show yet."
_INTERVAL = re.compile(r"\s*(\[[^\[\]]*\])$")
# a number may be < 0.001, 34/65536 or nothing at all
_NUMBER = re.compile(r"(?:[<>] )?[-−+]?[\d.,]+(/[\d,]+)?\s?%?(\s*\[[^\[\]]*\])?|–|")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")  # the wide signs too: some spreadsheets read them as the narrow ones
_SIGNED = re.compile(r"[-+]?[\d.,]*\s?%?(\s*\[[-−+\d.,\s%]*\])?")
_GUARDED = "In the CSV, an apostrophe stands before text that a spreadsheet would take for a formula."


def table_html(
    frame: "pd.DataFrame",
    *,
    caption: str = "",
    note: str = "",
    name: str = "",
    formats: dict[str, str] | None = None,
) -> str:
    """Return a frame as an HTML table: words left, numbers right, intervals in lighter ink, its CSV below.

    Parameters
    ----------
    frame : DataFrame
        A named or textual index becomes the first columns; two levels of columns become two rows of heads. Cells are
        escaped, except those with an ``__html__`` method in a column of objects. A text such as
        ``"0.43 [0.39, 0.47]"`` counts as a number with its interval. In the CSV, text that a spreadsheet would take for
        a formula gets an apostrophe in front, and the note says so.
    caption : str
        What the table says, on which edition, N, what the interval is. Default ``frame.attrs["caption"]``.
    note : str, optional
        A sentence below the table. Default ``frame.attrs["note"]``.
    name : str, optional
        The name of its CSV and, after ``table-``, its id on the page. Default ``frame.attrs["name"]``.
    formats : dict, optional
        Column → format of its numbers, such as ``".1%"``. Default ``frame.attrs["formats"]``, then ``".3f"`` for
        fractions and ``",d"`` for whole numbers.

    Raises
    ------
    InputError
        Where there is no caption.
    """
    caption = caption or str(frame.attrs.get("caption", ""))
    if not caption.strip():
        raise InputError("table: the caption is empty, expected a sentence that says what the table shows.")
    name = name or str(frame.attrs.get("name", ""))
    note = note or str(frame.attrs.get("note", ""))
    identity = f' id="table-{escape(name)}"' if name else ""
    if frame.columns.empty:
        return f'<figure class="table-figure"{identity}><figcaption>{escape(caption)} {NOTHING}</figcaption></figure>'
    flat = _with_index(frame)
    texts = _texts(flat, formats or frame.attrs.get("formats", {}))
    numeric = [all(_NUMBER.fullmatch(_plain(cell)) for cell in column) for column in texts]
    wide = " wide" if len(texts) > 5 else ""
    plain = _with_plain_heads(flat)
    csv = _csv(plain.map(_guarded).rename(columns=_guarded))
    notes = [note, "" if csv == _csv(plain) else _GUARDED]
    foot = "".join(f"<span>{escape(one)}</span> " for one in notes if one)
    return "\n".join(
        [
            f'<figure class="table-figure"{identity}>',
            f'<div class="table-scroll" role="region" tabindex="0" aria-label="Table: {escape(caption)}">',
            f'<table class="data-table{wide}"><caption><span>{escape(caption)}</span></caption>',
            _head(flat, numeric),
            _body(texts, numeric),
            "</table></div>",
            f"<figcaption>{foot}{_csv_link(csv, name or 'table')}</figcaption>",
            "</figure>",
        ]
    )


def _with_index(frame: "pd.DataFrame") -> "pd.DataFrame":
    numbered = frame.index.nlevels == 1 and frame.index.name is None and frame.index.inferred_type == "integer"
    return frame if numbered else frame.reset_index()


def _texts(frame: "pd.DataFrame", formats: dict[str, str]) -> list[list[Any]]:
    """The cells as shown, column by column."""
    columns = []
    for place, label in enumerate(frame.columns):
        keys = [label, *(label if isinstance(label, tuple) else ())]
        spec = next((formats[key] for key in keys if key in formats), "")
        columns.append([_text(value, spec) for value in frame.iloc[:, place]])
    return columns


def _text(value: Any, spec: str) -> Any:
    if hasattr(value, "__html__"):
        return value
    if value is None or value != value or str(value) == "<NA>":  # NaN alone differs from itself
        return MISSING
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, str) or not hasattr(value, "__float__"):
        return str(value)
    whole = hasattr(value, "__index__")
    text = format(value, spec or (",d" if whole else ".3f"))
    return text.replace("-", "−", 1) if text.startswith("-") else text


def _plain(cell: Any) -> str:
    return re.sub(r"<[^>]*>", "", cell.__html__()).strip() if hasattr(cell, "__html__") else str(cell)


def _head(frame: "pd.DataFrame", numeric: list[bool]) -> str:
    labels = [label if isinstance(label, tuple) else (label,) for label in frame.columns]
    if len(labels[0]) == 1:
        return f"<thead><tr>{''.join(map(_column_head, (label[0] for label in labels), numeric))}</tr></thead>"
    groups, place = [], 0
    while place < len(labels):
        top = labels[place][0]
        width = next((n for n, label in enumerate(labels[place:]) if label[0] != top), len(labels) - place)
        if not (labels[place][0] and labels[place][-1]):  # it stands under no group
            groups.append(f'<th scope="col" rowspan="2">{escape("".join(map(str, labels[place])))}</th>')
            width = 1
        else:
            groups.append(f'<th scope="colgroup" colspan="{width}">{escape(str(top))}</th>')
        place += width
    second = [
        _column_head(label[-1], right) for label, right in zip(labels, numeric, strict=True) if label[0] and label[-1]
    ]
    return f"<thead><tr>{''.join(groups)}</tr><tr>{''.join(second)}</tr></thead>"


def _column_head(label: Any, right: bool) -> str:
    text = escape(str(label)) or '<span class="visually-hidden">row</span>'
    return f'<th scope="col"{_side(right)}>{text}</th>'


def _body(columns: list[list[Any]], numeric: list[bool]) -> str:
    rows = []
    for cells in zip(*columns, strict=True):
        row = [f'<th scope="row"{_side(numeric[0])}>{_cell(cells[0])}</th>']
        row += [f"<td{_side(right)}>{_cell(cell)}</td>" for cell, right in zip(cells[1:], numeric[1:], strict=True)]
        rows.append(f"<tr>{''.join(row)}</tr>")
    return "<tbody>" + "\n".join(rows) + "</tbody>"


def _side(right: bool) -> str:
    return ' class="num"' if right else ""


def _cell(cell: Any) -> str:
    text = visible(cell.__html__()) if hasattr(cell, "__html__") else escape(cell)
    return _INTERVAL.sub(r' <span class="ci">\1</span>', text)


def _with_plain_heads(frame: "pd.DataFrame") -> "pd.DataFrame":
    flat = frame.copy()
    flat.columns = [
        " ".join(str(part) for part in label if str(part)) if isinstance(label, tuple) else str(label)
        for label in frame.columns
    ]
    return flat


def _guarded(cell: Any) -> Any:
    """A cell of a CSV; what else would run as a formula where the file is opened is text there too."""
    if not isinstance(cell, str) or not _FORMULA.match(cell) or _SIGNED.fullmatch(cell):
        return cell
    return f"'{cell}"


def _csv(frame: "pd.DataFrame") -> bytes:
    return frame.to_csv(index=False, lineterminator="\r\n").encode(errors="replace")


def _csv_link(content: bytes, name: str) -> str:
    data = base64.b64encode(content).decode()
    return f'<a class="csv" download="{escape(name)}.csv" href="data:text/csv;charset=utf-8;base64,{data}">CSV</a>'
