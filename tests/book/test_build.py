import filecmp
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forcebench_lib.__main__ import main
from forcebench_lib.book.build import build
from forcebench_lib.book.execute import ExecutionError
from forcebench_lib.book.layout import Book
from forcebench_lib.book.scripts import write
from forcebench_lib.paths import ROOT
from forcebench_lib.schema import InputError

from .conftest import MakeBook, script
from .test_extension import CHART


def _build(book: Book, *, seed: str) -> None:
    """Build in a process of its own, as the hash seed and the renderers' state belong to a process."""
    command = [sys.executable, "-m", "forcebench_lib", "build", "--root", str(book.root)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "PYTHONHASHSEED": seed}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _differing(first: Path, second: Path) -> list[str]:
    assert _files(first) == _files(second)
    return filecmp.cmpfiles(first, second, _files(first), shallow=False)[1]


def test_two_builds_are_byte_identical_in_two_folders_and_after_an_edit(make_book: MakeBook) -> None:
    start = "# Start\n\n{num}`01_a::rate`\n\n$x^2$\n\n```{execution-times}\n```\n"
    before, after = script("record({'rate': 25})"), script("record({'rate': 50})" + CHART, title="A new title")
    edited, fresh = (make_book(start, folder=folder, n01_a=text) for folder, text in (("one", before), ("two", after)))
    _build(edited, seed="1")
    (edited.notebooks / "01_a.py").write_text(after)
    write(edited)
    _build(edited, seed="2")
    _build(fresh, seed="3")
    assert _differing(edited.html, fresh.html) == []


def test_a_notebook_that_fails_fails_the_build_with_code_1(
    make_book: MakeBook, capsys: pytest.CaptureFixture[str]
) -> None:
    book = make_book(n01_a=script("raise RuntimeError('no such thing')"))
    assert main(["build", "--root", str(book.root)]) == 1
    said = capsys.readouterr().err.strip()
    assert "01_a.ipynb, cell In [3] failed:" in said
    assert said.endswith("RuntimeError: no such thing")
    assert not book.html.exists()


def test_a_notebook_that_fails_later_takes_its_page_and_the_built_site_with_it(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"))
    build(book)
    (book.notebooks / "01_a.py").write_text(script("raise RuntimeError"))
    write(book)
    with pytest.raises(ExecutionError):
        build(book)
    assert not (book.executed / "01_a.ipynb").exists()
    assert not (book.build / "site.stamp").exists()


def test_a_notebook_that_differs_from_its_script_stops_the_build(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"))
    (book.notebooks / "01_a.py").write_text(script("x = 2"))
    with pytest.raises(InputError, match=r"01_a\.ipynb: it differs from its script.*\nRun `python -m forcebench_lib"):
        build(book)
    assert main(["notebooks", "--check", "--root", str(book.root)]) == 1
    assert main(["notebooks", "--root", str(book.root)]) == 0
    assert main(["notebooks", "--check", "--root", str(book.root)]) == 0


def test_files_that_are_no_pages_are_left_alone(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"))
    for path in (".venv/lib/stray.ipynb", "stray.md", "book/_build/old.md", "README.md"):
        (book.root / path).parent.mkdir(parents=True, exist_ok=True)
        (book.root / path).write_text("not a notebook")
    build(book)
    pages = {path for path in _files(book.html) if path.endswith(".html") and not path.startswith("_static")}
    assert pages == {"book/start.html", "executed/01_a.html", "genindex.html", "index.html", "search.html"}


def test_an_unchanged_book_is_not_rendered_again_and_a_changed_one_is(make_book: MakeBook) -> None:
    book = make_book()
    build(book)
    before = (book.html / "searchindex.js").stat().st_mtime_ns
    build(book)
    assert (book.html / "searchindex.js").stat().st_mtime_ns == before
    (book.root / "book" / "_static" / "companion.css").write_text("body {}")
    build(book)
    assert "body {}" in (book.html / "_static" / "companion.css").read_text()
