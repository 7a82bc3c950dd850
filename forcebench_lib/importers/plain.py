"""Your own answers: a CSV, TSV or JSONL file, with a mapping that says which column is which field."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from ..files import read_yaml
from ..schema import InputError, json_lines
from .context import CitedClaim, Reference
from .formats import table_rows

MappedField = Literal["question", "passage", "claim", "url", "source", "original_label", "original_id", "system"]
_NEEDED: tuple[MappedField, ...] = ("question", "passage", "claim")


def _separator(sign: str) -> str:
    if len(sign) > 1 or sign in ('"', "\r", "\n"):
        raise ValueError("expected one sign, no quotation mark and no end of line")
    return sign


class Mapping(BaseModel):
    """The content of a mapping file.

    Attributes
    ----------
    fields : dict
        From a field of a context to the name of a column.
    defaults : dict
        From a field to a value that holds for every row.
    delimiter : str
        What separates the cells of a table; a comma, or a tab in a ``.tsv`` file, where it is left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    fields: dict[MappedField, str]
    defaults: dict[MappedField, str] = {}
    delimiter: Annotated[str, AfterValidator(_separator)] = ""


def read_mapping(path: Path) -> Mapping:
    """Read and check a mapping file.

    Raises
    ------
    InputError
        For a missing file, text that is not YAML, an unknown field, or a needed field that is neither mapped nor given
        a default.
    """
    mapping = read_yaml(path, Mapping, expected="a mapping with 'fields'")
    for name in _NEEDED:
        if name not in mapping.fields and name not in mapping.defaults:
            raise InputError(f"{path}: fields: {name!r} is missing, expected the name of its column.")
    return mapping


def read(path: Path, mapping: Mapping) -> Iterator[CitedClaim]:
    """Yield one claim a row. Columns that are not mapped go into ``details``.

    In JSONL the passage may be a list of texts, one a reference. An empty cell is a blank value and no error.
    """
    if ".jsonl" in path.suffixes:
        rows: Iterator[tuple[int, dict[str, Any]]] = json_lines(path)
    else:
        rows = table_rows(path, delimiter=mapping.delimiter or ("\t" if path.suffix == ".tsv" else ","))
    mapped = set(mapping.fields.values())
    for line, row in rows:
        for name, column in mapping.fields.items():
            if column not in row:
                raise InputError(
                    f"{path}, line {line}: the column {column!r} is missing, expected it for {name!r} "
                    f"(found {', '.join(row)})."
                )
        value = {**mapping.defaults, **{name: row[column] for name, column in mapping.fields.items()}}
        cited = value.pop("passage")
        text = {name: _text(item, f"{path}, line {line}: {name}") for name, item in value.items()}
        passages = cited if isinstance(cited, list) else [cited] if cited or text.get("url") else []
        yield CitedClaim(
            line=line,
            question=text["question"],
            claim=text["claim"],
            references=tuple(
                Reference(text=_text(passage, f"{path}, line {line}: passage"), url=text.get("url", ""))
                for passage in passages
            ),
            source=text.get("source") or path.name.partition(".")[0],
            original_label=text.get("original_label", ""),
            original_id=text.get("original_id", ""),
            system=text.get("system", ""),
            details={key: str(item) for key, item in row.items() if key not in mapped and item not in (None, "")},
        )


def _text(value: Any, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        return str(value)
    raise InputError(f"{where}: found a {type(value).__name__}, expected a text.")
