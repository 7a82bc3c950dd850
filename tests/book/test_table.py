import base64
import csv
import io

import pandas as pd
import pytest
from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from forcebench_lib.book.table import table_html
from forcebench_lib.schema import InputError


def _parsed(frame: pd.DataFrame, **options: object) -> BeautifulSoup:
    return BeautifulSoup(table_html(frame, **{"caption": "A table.", **options}), "html.parser")  # type: ignore[arg-type]


def _csv_text(soup: BeautifulSoup) -> str:
    link = soup.select_one("a.csv")
    assert isinstance(link, Tag)
    return base64.b64decode(str(link["href"]).split(",", 1)[1]).decode()


def _csv(soup: BeautifulSoup) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(_csv_text(soup)))


def _texts(soup: BeautifulSoup, selector: str) -> list[str]:
    return [found.get_text() for found in soup.select(selector)]


def test_words_stand_left_and_numbers_right() -> None:
    frame = pd.DataFrame({"name": ["a", "b"], "rate": ["0.43 [0.39, 0.47]", "–"], "n": [1200, -3], "x": [0.1234, -2.5]})
    soup = _parsed(frame)
    assert _texts(soup, "thead th") == ["name", "rate", "n", "x"]
    assert _texts(soup, "thead th.num") == ["rate", "n", "x"]
    assert _texts(soup, "tbody tr:first-child > *") == ["a", "0.43 [0.39, 0.47]", "1,200", "0.123"]
    assert _texts(soup, "tbody tr:last-child > *") == ["b", "–", "−3", "−2.500"]
    assert _texts(soup, ".ci") == ["[0.39, 0.47]"]


def test_a_bound_on_a_number_stands_with_the_numbers() -> None:
    soup = _parsed(pd.DataFrame({"name": ["a", "b"], "p": ["< 0.001", "0.459"], "said": ["< x", "0.5"]}))
    assert _texts(soup, "tbody td.num") == ["< 0.001", "0.459"]


def test_every_head_has_its_scope_and_each_row_a_head() -> None:
    soup = _parsed(pd.DataFrame({"name": ["a", "b"], "n": [1, 2]}))
    assert [head["scope"] for head in soup.select("th")] == ["col", "col", "row", "row"]
    assert _texts(soup, "caption") == ["A table."]


def test_a_named_index_becomes_the_first_column() -> None:
    frame = pd.DataFrame({"n": [1, 2]}, index=pd.Index(["x", "y"], name="axis"))
    assert _texts(_parsed(frame), "thead th") == ["axis", "n"]
    assert list(_csv(_parsed(frame)).columns) == ["axis", "n"]


def test_two_levels_of_columns_become_two_rows_of_heads() -> None:
    columns = pd.MultiIndex.from_tuples([("", "axis"), ("Published", "n"), ("Published", "MVR"), ("Ours", "n")])
    soup = _parsed(pd.DataFrame([["scope", 3, 0.5, 4]], columns=columns))
    first, second = soup.select("thead tr")
    heads = [(head.get_text(), head.get("colspan"), head.get("rowspan")) for head in first.select("th")]
    assert heads == [("axis", None, "2"), ("Published", "2", None), ("Ours", "1", None)]
    assert [head.get_text() for head in second.select("th")] == ["n", "MVR", "n"]
    assert list(_csv(soup).columns) == ["axis", "Published n", "Published MVR", "Ours n"]


def test_the_csv_holds_the_frame_and_not_its_roundings() -> None:
    frame = pd.DataFrame({"name": ["a,b", 'c"d', "é"], "x": [0.123456789, 2.0, -1.5]})
    pd.testing.assert_frame_equal(_csv(_parsed(frame, name="t1")), frame)


def test_cells_heads_and_captions_are_escaped() -> None:
    evil = "<script>alert(1)</script>"
    soup = BeautifulSoup(table_html(pd.DataFrame({evil: [evil]}), caption=evil, note=evil, name='"><i>'), "html.parser")
    assert not soup.select("script, i")
    assert _texts(soup, "caption") == [evil]
    assert _texts(
        _parsed(pd.DataFrame({"a": ["x"], "b": pd.Series([Markup("<b>0.5</b>")], dtype=object)})), "td.num b"
    ) == ["0.5"]


def test_formats_captions_and_notes_may_come_with_the_frame() -> None:
    frame = pd.DataFrame({"share": [0.125, None], "seen": [True, False]})
    frame.attrs |= {"caption": "From the frame.", "note": "A note.", "name": "t9", "formats": {"share": ".1%"}}
    soup = BeautifulSoup(table_html(frame), "html.parser")
    assert _texts(soup, "tbody tr > *") == ["12.5%", "yes", "–", "no"]
    assert _texts(soup, "caption") == ["From the frame."]
    assert soup.select_one("figure#table-t9 figcaption span").get_text() == "A note."  # type: ignore[union-attr]
    assert soup.select_one("a.csv")["download"] == "t9.csv"  # type: ignore[index]


FORMULAS = ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "\t=1", " =1", "\r=1", "＝1", "=", "-x"]
HARMLESS = ["-0.02", "+1", "-1,234", "-12.5%", "-0.02 [-0.05, 0.01]", "-", "–", "−0.5", "a=b", "", "'=1", "1-2"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_cell_or_head_is_no_formula_in_the_csv_and_the_note_says_so(text: str) -> None:
    for frame in (pd.DataFrame({"a": [text, "b"]}), pd.DataFrame({text: ["a"]})):
        soup = BeautifulSoup(table_html(frame, caption="C.", note="N."), "html.parser")
        cells = list(csv.reader(io.StringIO(_csv_text(soup), newline="")))
        assert [f"'{text}"] in cells
        assert _texts(soup, "figcaption span")[1].startswith("In the CSV, an apostrophe stands before text")
        assert "'" not in _texts(soup, "tbody, thead")[0].replace(text, "")


def test_numbers_and_plain_text_stay_as_they_are_in_the_csv() -> None:
    frame = pd.DataFrame({"text": HARMLESS, "number": [-1.5] * len(HARMLESS), "whole": range(-3, len(HARMLESS) - 3)})
    soup = _parsed(frame)
    assert _csv_text(soup) == frame.to_csv(index=False, lineterminator="\r\n")
    assert not soup.select("figcaption span")


@pytest.mark.parametrize("sign", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u200b", "\u202e", "\u2066", "\ufeff"])
def test_signs_that_nobody_would_see_are_shown_in_every_part_of_a_table(sign: str) -> None:
    text = f"a{sign}b"
    html = table_html(pd.DataFrame({text: [text, Markup(text)]}), caption=text, note=text, name=text)
    assert sign not in html
    assert html.count(f"a⟨U+{ord(sign):04X}⟩b") == 8


def test_signs_that_a_script_needs_stay() -> None:
    text = "a\u200d\u200c\u00ad\t\nb"
    assert text in table_html(pd.DataFrame({"x": [text]}), caption="C.")


def test_a_table_needs_a_caption() -> None:
    with pytest.raises(InputError, match="the caption is empty"):
        table_html(pd.DataFrame({"a": [1]}), caption=" ")


def test_a_frame_without_columns_says_that_there_is_nothing() -> None:
    html = table_html(pd.DataFrame(), caption="Judges <compared>.", name="none")
    assert 'id="table-none"' in html
    assert "Judges &lt;compared&gt;. There is no row to show yet." in html
    assert "<table" not in html
