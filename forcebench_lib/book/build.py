"""The whole way to the site: check the notebooks against their scripts, run what is stale, render."""

import functools
import hashlib
import importlib
import os
import shutil
from pathlib import Path

from filelock import FileLock

from forcebench_lib.book import scripts, stamps
from forcebench_lib.book.execute import execute
from forcebench_lib.book.layout import Book, write_text
from forcebench_lib.schema import InputError

# Imported while the first notebooks run; together they take longer to import than a light chapter takes to run.
_RENDERERS = ("jupyter_book.sphinx", "myst_nb.sphinx_ext", "sphinx_book_theme", "sphinx_external_toc", "vl_convert")


class RenderError(InputError):
    """Sphinx ended with an error, or with a warning where warnings count as errors."""


def build(book: Book | None = None, *, strict: bool = True, jobs: int = 2, clean: bool = False) -> Path:
    """Build the book and return the folder of the site.

    Parameters
    ----------
    book : Book, optional
        Default the project's own.
    strict : bool
        A warning fails the build, a missing reference too.
    jobs : int
        How many notebooks run at once, and how many processes Sphinx uses.
    clean : bool
        Read every page anew.

    Raises
    ------
    InputError
        Where a notebook differs from its script, a notebook fails, or the rendering fails. The site is then gone or
        incomplete and never counts as built.
    """
    book = book or Book()
    book.build.mkdir(parents=True, exist_ok=True)
    with FileLock(book.build / "build.lock"):  # a second build of the same book waits, and then finds its work done
        done = book.build / "site.stamp"
        before = done.read_text() if done.is_file() and (book.html / "index.html").is_file() else ""
        done.unlink(missing_ok=True)
        execute(book, jobs=jobs, meanwhile=functools.partial(_prepare, book))
        stamp = f"{site_digest(book)} strict={strict}"
        if clean or before != stamp:
            # Sphinx leaves pages and search words of before in the site; it reads what changed but writes all anew
            shutil.rmtree(book.html, ignore_errors=True)
            if clean:
                shutil.rmtree(book.build / ".doctrees", ignore_errors=True)
            _render(book, strict=strict, jobs=jobs)
        write_text(done, stamp)
    return book.html


def _prepare(book: Book, running: bool) -> None:
    """What can be done while notebooks run: check them against their scripts, and import what renders."""
    drift = scripts.check(book)
    if drift:
        raise InputError("\n".join([*drift, "Run `python -m forcebench_lib notebooks` to generate the notebooks."]))
    for name in _RENDERERS if running else ():
        importlib.import_module(name)


def site_digest(book: Book) -> str:
    """Return the digest of everything that a page may show; the same digest means that no page can differ."""
    pages = [path for name in ("_config.yml", "_toc.yml") for path in [book.root / name] if path.is_file()]
    for folder in ("book", "executed", "notebooks"):
        pages += sorted(path for path in (book.root / folder).rglob("*") if path.is_file() and path.suffix != ".stamp")
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        pages = [path for path in pages if path.name != "times.json"]
    parts = [stamps.digest_of(pages, book.root), stamps.digest_of(stamps.inputs(book, rendering=True), book.root)]
    return hashlib.sha256(f"{parts} {epoch}".encode()).hexdigest()


def _render(book: Book, *, strict: bool, jobs: int) -> None:
    from jupyter_book.sphinx import build_sphinx

    overrides = {
        "external_toc_path": str(book.root / "_toc.yml"),
        "latex_individualpages": False,
        "nitpicky": strict,
    }
    result = build_sphinx(
        str(book.root),
        str(book.html),
        noconfig=True,
        path_config=book.root / "_config.yml",
        confoverrides=overrides,
        warningiserror=strict,
        keep_going=True,
        jobs=jobs,
        quiet=True,
    )
    if result:
        raise RenderError(f"{book.root}: the book did not render, see the messages above.")
