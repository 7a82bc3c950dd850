"""The project's own book as it was built."""

import base64
import csv
import filecmp
import importlib.metadata
import io
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from sphinx_external_toc.parsing import parse_toc_yaml

from forcebench_lib.book.execute import execute
from forcebench_lib.book.layout import Book
from forcebench_lib.paths import BOOK, DATA, EXECUTED, NOTEBOOKS, PROMPTS, ROOT

PAGES = sorted(parse_toc_yaml(ROOT / "_toc.yml"))
CHAPTERS = [page for page in PAGES if page.startswith("executed/")]
GENERATED = {"genindex", "py-modindex", "search", "index"}  # beside the pages of the table of contents


@cache
def _page(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def _built(site: Path) -> Iterator[tuple[str, BeautifulSoup]]:
    for path in sorted(site.rglob("*.html")):
        if "_static" not in path.parts:
            yield path.relative_to(site).with_suffix("").as_posix(), _page(path)


def test_the_pages_are_those_of_the_table_of_contents(site: Path) -> None:
    assert {name for name, _ in _built(site)} - GENERATED == set(PAGES) - GENERATED


def test_the_bare_address_leads_to_the_first_page_and_has_the_title(site: Path) -> None:
    index = _page(site / "index.html")
    assert "Relevant Is Not Warranted" in index.title.get_text()  # type: ignore[union-attr]
    assert index.select("h1")


def test_each_chapter_of_the_notebooks_is_in_the_book() -> None:
    assert {f"executed/{path.stem}" for path in NOTEBOOKS.glob("*.ipynb")} == set(CHAPTERS)


def test_every_link_inside_the_site_leads_somewhere(site: Path) -> None:
    broken = []
    for name, page in _built(site):
        for link in page.select("[href], [src]"):
            address = urlsplit(str(link.get("href") or link.get("src")))
            if address.scheme or address.netloc:
                continue
            target = (site / name).parent / unquote(address.path) if address.path else site / f"{name}.html"
            if not target.is_file() or not _has(target.resolve(), address.fragment):
                broken.append(f"{name}: {address.geturl()}")
    assert broken == []


def _has(path: Path, fragment: str) -> bool:
    return not fragment or path.suffix != ".html" or _page(path).find(id=unquote(fragment)) is not None


def test_no_page_or_style_names_another_host_as_a_source(site: Path) -> None:
    outside = re.compile(r"^(https?:)?//")
    found = [
        f"{name}: {source}"
        for name, page in _built(site)
        for element in page.select("script, link, img, iframe, source, object, embed, audio, video")
        for source in [str(element.get("src") or element.get("href") or element.get("data") or "")]
        if outside.match(source)
    ]
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        found += [
            f"{style}: {url}" for url in re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')]+)""", text)
        ]
    assert found == []


def test_every_image_is_described_in_words(site: Path) -> None:
    poor = [
        f"{name}: {image.get('alt')!r}"
        for name, page in _built(site)
        for image in page.select("img")
        if len(re.findall(r"[^\W\d_]{2,}", str(image.get("alt", "")))) < 3
        or re.search(r"\.\w{3,4}$", str(image["alt"]))
    ]
    assert poor == []


def test_every_number_in_the_prose_is_resolved(site: Path) -> None:
    unresolved = [
        name for name, page in _built(site) if "??" in [found.get_text() for found in page.select("span.num")]
    ]
    literal = [name for name, page in _built(site) for text in page.select("p, li, td") if "{num}" in _prose(text)]
    assert (unresolved, literal) == ([], [])
    assert any(page.select("span.num") for _, page in _built(site))


def _prose(element: BeautifulSoup) -> str:
    return "".join(str(text) for text in element.find_all(string=True) if text.find_parent(("code", "pre")) is None)


def test_every_table_of_a_chapter_has_a_caption_and_its_csv(site: Path) -> None:
    tables = [(name, table) for name, page in _built(site) for table in page.select("table.data-table")]
    assert tables
    for name, table in tables:
        assert table.select_one("caption"), name
        link = table.find_parent("figure").select_one("a.csv[download$='.csv']")  # type: ignore[union-attr]
        assert link is not None, name
        text = base64.b64decode(str(link["href"]).partition(",")[2]).decode()
        rows = list(csv.reader(io.StringIO(text)))
        assert len(rows) == 1 + len(table.select("tbody tr")), name
        assert len({len(row) for row in rows}) == 1, name


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_offers_its_notebook_and_folds_its_code(site: Path, chapter: str) -> None:
    page = _page(site / f"{chapter}.html")
    link = page.select_one(".notebook-links a[download]")
    assert link is not None
    target = (site / chapter).parent / str(link["href"])
    assert target.read_bytes() == (NOTEBOOKS / f"{Path(chapter).name}.ipynb").read_bytes()
    assert [cell for cell in page.select(".cell_input") if cell.find_parent("details") is None] == []


def test_no_page_shows_an_error_a_warning_or_a_raw_object(site: Path) -> None:
    for name, page in _built(site):
        assert page.select(".stderr, .traceback, .problematic, .system-message") == [], name
        assert re.search(r"<[\w.]+ (object )?at 0x[0-9a-f]+>", page.get_text()) is None, name


def test_ids_are_unique_on_each_page(site: Path) -> None:
    twice = {
        name: doubled
        for name, page in _built(site)
        if (doubled := [key for key, n in Counter(str(found["id"]) for found in page.select("[id]")).items() if n > 1])
    }
    assert twice == {}


def test_the_site_names_its_authors_and_no_machine(site: Path) -> None:
    for name, page in _built(site):
        assert str(ROOT) not in str(page), name
        if name != "index":
            assert "© Copyright 2026" in page.get_text(), name
            assert page.html["lang"] == "en", name  # type: ignore[index]


def test_keys_of_the_bibliography_are_unique_and_all_are_cited() -> None:
    keys = re.findall(r"^@\w+\{\s*([^,\s]+)", (BOOK / "references.bib").read_text(encoding="utf-8"), re.MULTILINE)
    sources = [path for folder in (BOOK, NOTEBOOKS, DATA, PROMPTS) for path in folder.rglob("*.[mp][dy]")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    cited = {key.strip() for group in re.findall(r"\{cite[\w:]*\}`([^`]+)`", text) for key in group.split(",")}
    assert Counter(keys) == Counter(set(keys))
    assert cited == set(keys)


def test_the_installed_jupyter_book_is_the_one_that_renders_html() -> None:
    assert importlib.metadata.version("jupyter-book").startswith("1.")


def test_the_notebooks_give_the_same_bytes_when_they_run_again(site: Path, tmp_path: Path) -> None:
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    execute(Book(tmp_path))
    names = [f"{Path(chapter).name}.ipynb" for chapter in CHAPTERS]
    assert filecmp.cmpfiles(EXECUTED, tmp_path / "executed", names, shallow=False) == (names, [], [])
