"""Where things are, seen from the package and never from the working folder."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
OPEN = DATA / "open"
REPORTED = DATA / "reported"
LEXICONS = DATA / "lexicons"
RUNS = DATA / "runs"
PROMPTS = ROOT / "prompts"
NOTEBOOKS = ROOT / "notebooks"
BOOK = ROOT / "book"
EXECUTED = ROOT / "executed"


def found(path: Path | str) -> Path:
    """The path as given; from the project's root where the working folder has nothing there, as under a ``--cwd``."""
    given = Path(path)
    return ROOT / given if not os.path.exists(given) and os.path.exists(ROOT / given) else given
