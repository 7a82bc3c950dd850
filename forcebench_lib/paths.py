"""Where things are, seen from the package and never from the working folder."""

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
