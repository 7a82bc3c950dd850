"""A tiny book for the tests of the machinery, and the project's own site for the tests of the book."""

import shutil
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from forcebench_lib.book import scripts
from forcebench_lib.book.build import build
from forcebench_lib.book.layout import Book
from forcebench_lib.paths import ROOT

CHECKED = """
# %% [markdown]
# # {title}

# %% tags=["parameters"]
limit = 5

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), limit=int)

# %%
{body}
"""


def script(body: str, title: str = "A chapter") -> str:
    return CHECKED.format(title=title, body=textwrap.dedent(body).strip()).lstrip()


MakeBook = Callable[..., Book]


@pytest.fixture
def make_book(tmp_path: Path) -> MakeBook:
    """Make a book of a start page and notebooks, with the project's own configuration."""

    def make(start: str = "# Start\n", *, folder: str = "book", **bodies: str) -> Book:
        book = Book(tmp_path / folder)
        (book.root / "book").mkdir(parents=True)
        book.notebooks.mkdir()
        shutil.copy(ROOT / "_config.yml", book.root)
        shutil.copytree(ROOT / "book" / "_static", book.root / "book" / "_static")
        (book.root / "book" / "references.bib").write_text("% none\n")
        (book.root / "book" / "start.md").write_text(start)
        for name, body in bodies.items():
            (book.notebooks / f"{name.removeprefix('n')}.py").write_text(body)
        chapters = "".join(f"\n  - file: executed/{path.stem}" for path in book.scripts())
        toc = f"format: jb-book\nroot: book/start\n{f'chapters:{chapters}' if chapters else ''}\n"
        (book.root / "_toc.yml").write_text(toc)
        scripts.write(book)
        return book

    return make


@pytest.fixture(scope="session")
def site() -> Path:
    """The project's own site, built once where something of it has changed."""
    return build(Book())
