"""What the README tells a reader to type works, and its figure and numbers are those of the executed notebooks."""

import re
import shlex
from pathlib import Path

import pytest

from forcebench_lib.book import readme
from forcebench_lib.book.layout import Book
from forcebench_lib.paths import NOTEBOOKS, ROOT
from forcebench_lib.schema import InputError

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in TEXT.splitlines() if line.startswith("    ")]


def marks(svg: str) -> list[str]:
    """What each mark of a drawing stands for, in the words that it carries for screen readers."""
    return sorted(re.findall(r'aria-label="([^"]*)"', svg))


def test_the_two_commands_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^(\w+):.*## ", makefile, re.MULTILINE)
    assert [command for command in COMMANDS if command.startswith("make ")] == ["make book", "make test"]
    assert {"book", "test"} <= set(targets)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert "sed -n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^ *make test$", TEXT, re.MULTILINE)


def test_the_papermill_line_names_a_notebook_and_its_parameters() -> None:
    [line] = [command for command in COMMANDS if "papermill" in command]
    words = shlex.split(line)
    notebook = next(word for word in words if word.endswith(".ipynb") and "/" in word)
    script = (NOTEBOOKS / Path(notebook).with_suffix(".py").name).read_text(encoding="utf-8")
    names = [words[place + 1] for place, word in enumerate(words) if word == "-p"]
    names += re.findall(r"`-p (\w+) ", TEXT)
    assert "model" in names
    for name in names:
        assert re.search(rf"^{name} = ", script, re.MULTILINE), name


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\((?!http)([^)]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_the_numbers_are_those_of_the_executed_notebooks(site: Path) -> None:
    assert readme.with_numbers(TEXT, readme.numbers(Book())) == TEXT, "run `python -m forcebench_lib readme`"


def test_the_figure_is_that_of_the_executed_notebook(site: Path) -> None:
    shown = (ROOT / readme.FIGURE).read_text(encoding="utf-8")
    assert marks(shown)
    assert marks(shown) == marks(readme.figure(Book())), "run `python -m forcebench_lib readme`"


def test_a_readme_without_its_block_is_refused() -> None:
    with pytest.raises(InputError, match="the block of numbers is missing"):
        readme.with_numbers("# Title\n", "numbers")
