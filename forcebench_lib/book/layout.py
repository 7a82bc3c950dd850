"""Where the parts of a book lie, for the project's own book and for the tiny books of the tests."""

from dataclasses import dataclass
from pathlib import Path

from forcebench_lib.files import make_folder, write_files
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
    make_folder(path.parent)
    write_files({path: text})
