import json
import re

import pytest

from forcebench_lib.book import scripts
from forcebench_lib.book.layout import Book
from forcebench_lib.schema import InputError

from .conftest import MakeBook, script


def test_generating_again_changes_no_byte(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1\n\n# %%\nx\n\n# %%\nx"))
    before = (book.notebooks / "01_a.ipynb").read_bytes()
    assert scripts.write(book) == []
    (book.notebooks / "01_a.ipynb").unlink()
    scripts.write(book)
    assert (book.notebooks / "01_a.ipynb").read_bytes() == before


def test_ids_follow_the_text_and_are_unique(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1\n\n# %%\nx\n\n# %%\nx"), n02_b=script("y = 1\n\n# %%\nx"))
    first, second = ([cell["id"] for cell in _cells(book, name)] for name in ("01_a", "02_b"))
    assert len(set(first)) == len(first)
    assert first[-2] == second[-1]
    assert first[-1] == f"{first[-2]}-2"


def test_a_notebook_has_no_outputs_and_one_kernel(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"))
    notebook = json.loads((book.notebooks / "01_a.ipynb").read_text())
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert all(not cell.get("outputs") for cell in notebook["cells"])
    assert [cell["metadata"] for cell in notebook["cells"]][1] == {"tags": ["parameters"]}


def test_drift_is_reported(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"), n02_b=script("x = 2"))
    assert scripts.check(book) == []
    (book.notebooks / "01_a.py").write_text(script("x = 3"))
    (book.notebooks / "02_b.ipynb").unlink()
    (book.notebooks / "stray.ipynb").write_text("{}")
    found = "\n".join(scripts.check(book))
    assert re.search(r"01_a\.ipynb: it differs", found)
    assert re.search(r"02_b\.ipynb: there is no such file", found)
    assert re.search(r"stray\.ipynb: it has no script", found)


@pytest.mark.parametrize("line", ["limit = 2 * 5", "limit = len('a')", "import os", "a, b = 1, 2", "limit: int"])
def test_the_defaults_cell_holds_literals_only(make_book: MakeBook, line: str) -> None:
    with pytest.raises(InputError, match=r"01_a\.py: the defaults cell holds .*expected only `name = literal`"):
        make_book(n01_a=script("x = 1").replace("limit = 5", line))


def test_parameters_are_checked_right_after_the_defaults(make_book: MakeBook) -> None:
    with pytest.raises(InputError, match=r"must call parameters\.check"):
        make_book(n01_a=script("x = 1").replace("parameters.check(globals(), limit=int)", "x = limit"))


def test_the_projects_notebooks_agree_with_their_scripts() -> None:
    assert scripts.check(Book()) == []


def _cells(book: Book, name: str) -> list[dict[str, str]]:
    return list(json.loads((book.notebooks / f"{name}.ipynb").read_text())["cells"])
