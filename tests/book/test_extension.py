import re

import pytest
from bs4 import BeautifulSoup

from forcebench_lib.book.build import RenderError, build
from forcebench_lib.book.extension import shown
from forcebench_lib.book.layout import Book
from forcebench_lib.book.scripts import write
from forcebench_lib.schema import InputError

from .conftest import MakeBook, script

VALUES = {"rate": 0.4286, "n": 12345, "margin": -0.125, "name": "open", "a:b": 1, "none": None, "-x": "-1"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rate:.3f", "0.429"),
        ("rate:.1%", "42.9%"),
        ("n:,d", "12,345"),
        ("n", "12345"),
        ("margin:.3f", "−0.125"),
        ("name", "open"),
        ("a:b", "1"),
        ("a:b:.2f", "1.00"),
        ("-x", "-1"),
    ],
)
def test_values_are_shown_as_asked(text: str, expected: str) -> None:
    assert shown(VALUES, text) == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rates:.3f", "there is no recorded value 'rates'"),
        ("rate:,d", "'rate' is 0.4286, which the format ',d' does not fit"),
        ("name:.3f", "'name' is 'open', which"),
        ("none:.3f", "'none' has no value"),
        ("", "there is no recorded value ''"),
    ],
)
def test_what_cannot_be_shown_is_said(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        shown(VALUES, text)


def _page(book: Book, name: str) -> BeautifulSoup:
    return BeautifulSoup((book.html / f"{name}.html").read_text(), "html.parser")


def test_a_changed_number_reaches_every_page_without_a_full_build(make_book: MakeBook) -> None:
    start = "# Start\n\n| a | b |\n|---|---|\n| rate | {num}`01_a::rate:.1%` |\n\n**{num}`01_a::rate:.2f`**\n"
    book = make_book(start, n01_a=script('record({"rate": 0.25})'))
    build(book)
    assert [number.get_text() for number in _page(book, "book/start").select(".num")] == ["25.0%", "0.25"]
    (book.notebooks / "01_a.py").write_text(script('record({"rate": 0.5})'))
    write(book)
    build(book)
    assert [number.get_text() for number in _page(book, "book/start").select(".num")] == ["50.0%", "0.50"]


MISSING = {
    "{num}`01_a::rates:.1%`": "there is no recorded value 'rates'",
    "{num}`09_z::rate`": r"09_z\.ipynb: there is no such file",
    "```{pair} no-such-pair\n```": "there is no pair 'no-such-pair'",
    "```{library-table} no_such_table\n```": "tables has no function 'no_such_table'",
    "[there](nowhere.md)": "nowhere",
    "{py:func}`nothing.here`": r"reference target not found: nothing\.here",
}


def test_whatever_is_missing_fails_the_build_and_is_named(
    make_book: MakeBook, capfd: pytest.CaptureFixture[str]
) -> None:
    book = make_book("# Start\n\n" + "\n\n".join(MISSING), n01_a=script('record({"rate": 0.25})'))
    with pytest.raises(RenderError, match="did not render"):
        build(book)
    said = capfd.readouterr().err
    assert [sentence for sentence in MISSING.values() if not re.search(sentence, said)] == []
    assert not (book.build / "site.stamp").exists()


CHART = """
import altair as alt
import pandas as pd

show.chart(alt.Chart(pd.DataFrame({"n": [1, 2]})).mark_bar().encode(x="n:Q"), description="Two bars.")
"""


def test_chart_scripts_are_loaded_only_where_a_chart_is(make_book: MakeBook) -> None:
    book = make_book(n01_a=script(CHART), n02_b=script("x = 1"))
    build(book)
    scripts = {name: str(_page(book, f"executed/{name}").select("script[src]")) for name in ("01_a", "02_b")}
    assert "charts.js" in scripts["01_a"]
    assert "vega-" in scripts["01_a"]
    assert "charts.js" not in scripts["02_b"]
    assert "vega-" not in scripts["02_b"]


def test_a_chapter_links_its_notebook_as_it_is_in_the_project(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"))
    build(book)
    link = _page(book, "executed/01_a").select_one("h1 + .notebook-links a[download]")
    assert link is not None
    target = (book.html / "executed" / str(link["href"])).resolve()
    assert target.read_bytes() == (book.notebooks / "01_a.ipynb").read_bytes()


def test_recorded_values_are_not_on_the_page(make_book: MakeBook) -> None:
    book = make_book(n01_a=script('record({"hidden_key": 0.25})\nrecord({"other_key": 1})'))
    build(book)
    outputs = _page(book, "executed/01_a").select(".cell_output")
    assert outputs == []


def test_execution_times_are_shown_except_in_a_reproducible_build(
    make_book: MakeBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = make_book("# Start\n\n```{execution-times}\n```\n", n01_a=script("x = 1"))
    build(book)
    assert [cell.get_text() for cell in _page(book, "book/start").select("tbody th")] == ["01_a"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    build(book, clean=True)
    assert _page(book, "book/start").select("tbody") == []
