"""Where the parts of a book lie, for the project's own book and for the tiny books of the tests."""

import os
from dataclasses import dataclass
from pathlib import Path

from forcebench_lib.paths import ROOT


@dataclass(frozen=True)
class Book:
    """A book: a root folder with ``_config.yml``, ``_toc.yml``, ``notebooks/`` and what is generated from them.

    Parameters
    ----------
    root : Path
        The folder; by default the project's own.
    """

    root: Path = ROOT

    @property
    def notebooks(self) -> Path:
        return self.root / "notebooks"

    @property
    def executed(self) -> Path:
        return self.root / "executed"

    @property
    def build(self) -> Path:
        return self.root / "_build"

    @property
    def html(self) -> Path:
        return self.build / "html"

    def scripts(self) -> list[Path]:
        """Return the percent scripts ``notebooks/NN_name.py`` in reading order."""
        return sorted(self.notebooks.glob("[0-9][0-9]_*.py"))


def write_text(path: Path, text: str) -> None:
    """Write a file whole: to a temporary name first, then moved over the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
