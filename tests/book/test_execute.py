import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from papermill.cli import papermill

from forcebench_lib.__main__ import main
from forcebench_lib.book.execute import ExecutionError, execute, stale
from forcebench_lib.book.layout import Book
from forcebench_lib.book.recording import MIMETYPE, read
from forcebench_lib.book.scripts import write
from forcebench_lib.paths import ROOT
from forcebench_lib.schema import InputError

from .conftest import MakeBook, script

CHANCE = """
import os, random, sys, time

print({"a", "b", "c", "d", "e"}, os.path.basename(os.getcwd()))
print("a" + " warning", time.time(), file=sys.stderr)
record({"limit": limit})
"""


def _notebook(book: Book, name: str = "01_a") -> dict[str, Any]:
    return dict(json.loads((book.executed / f"{name}.ipynb").read_text()))


def test_two_runs_are_byte_identical(make_book: MakeBook, capfd: pytest.CaptureFixture[str]) -> None:
    book = make_book(n01_a=script(CHANCE))
    execute(book)
    first = (book.executed / "01_a.ipynb").read_bytes()
    execute(book, force=True)
    assert (book.executed / "01_a.ipynb").read_bytes() == first
    assert b"a warning" not in first
    assert "01_a: stderr\na warning" in capfd.readouterr().err


def test_an_executed_notebook_is_folded_timeless_and_readable(make_book: MakeBook) -> None:
    book = make_book(n01_a=script(CHANCE + '\n# %% tags=["remove-cell"]\n1'))
    execute(book)
    notebook = _notebook(book)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["metadata"]["tags"] for cell in code] == [
        ["parameters", "hide-input"],
        ["hide-input"],
        ["hide-input"],
        ["remove-cell"],
    ]
    assert "papermill" not in notebook["metadata"]
    assert code[2]["outputs"][0]["text"][0].endswith(" notebooks\n")  # the working folder
    assert list(code[2]["outputs"][1]["data"]) == [MIMETYPE]  # nothing that a page would show
    assert read(book.executed / "01_a.ipynb") == {"limit": 5}
    assert json.loads((book.executed / "times.json").read_text()).keys() == {"01_a"}


def test_injected_values_are_tagged_and_stay_in_sight(make_book: MakeBook) -> None:
    book = make_book(n01_a=script(CHANCE))
    execute(book, parameters={"limit": 9})
    injected = _notebook(book)["cells"][2]
    assert injected["metadata"]["tags"] == ["injected-parameters"]
    assert "".join(injected["source"]).split("\n")[:2] == ["# Parameters", "limit = 9"]
    assert read(book.executed / "01_a.ipynb") == {"limit": 9}


def test_our_own_executor_refuses_a_misspelt_parameter(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"))
    with pytest.raises(ExecutionError, match=r"limt: this notebook has no such parameter.*did you mean 'limit'"):
        execute(book, parameters={"limt": 9})


def test_a_failing_cell_leaves_no_output_and_the_others_run(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("x = 1"), n02_b=script("print('b')"))
    execute(book)
    (book.notebooks / "01_a.py").write_text(script("y = 0\n1 / y"))
    (book.notebooks / "02_b.py").write_text(script("print('c')"))
    write(book)
    with pytest.raises(ExecutionError) as failure:
        execute(book)
    lines = str(failure.value).splitlines()
    assert lines[0].endswith("01_a.ipynb, cell In [3] failed:")
    assert lines[1:] == ["    y = 0", "    1 / y", "ZeroDivisionError: division by zero"]
    left = sorted(path.name for path in book.executed.iterdir())
    assert left == ["02_b.ipynb", "02_b.stamp", "times.json"]
    assert list(stale(book)) == ["01_a"]


def test_a_kernel_that_dies_is_a_failure(make_book: MakeBook) -> None:
    book = make_book(n01_a=script("import os\nos._exit(3)"))
    with pytest.raises(ExecutionError, match=r"01_a\.ipynb: DeadKernelError"):
        execute(book)
    assert not (book.executed / "01_a.ipynb").exists()


def test_a_wrong_name_is_one_sentence(make_book: MakeBook) -> None:
    with pytest.raises(InputError, match="03_x: there is no such notebook, expected one of 01_a"):
        execute(make_book(n01_a=script("x = 1")), names=["03_x"])


@pytest.fixture
def executed(make_book: MakeBook, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A book with a library, data and prompts of its own, marked as executed without running anything."""
    book = make_book(n01_a=script("x = 1"), n02_b=script("x = 2"))
    for path in ("forcebench_lib/a.py", "forcebench_lib/book/extension.py", "data/open/a.jsonl", "prompts/a.md"):
        (book.root / path).parent.mkdir(parents=True, exist_ok=True)
        (book.root / path).write_text("one\n")
    (book.root / "requirements.txt").write_text("a==1\n")
    book.executed.mkdir()
    for name, stamp in stale(book).items():
        (book.executed / f"{name}.ipynb").write_text("{}")
        (book.executed / f"{name}.stamp").write_text(stamp)
    assert stale(book) == {}
    return book


@pytest.mark.parametrize(
    "path", ["forcebench_lib/a.py", "forcebench_lib/new.py", "data/open/a.jsonl", "prompts/a.md", "requirements.txt"]
)
def test_an_edit_of_library_data_prompts_or_pins_makes_every_notebook_stale(executed: Book, path: str) -> None:
    (executed.root / path).write_text("two\n")
    assert list(stale(executed)) == ["01_a", "02_b"]


def test_an_edit_of_one_notebook_makes_it_alone_stale(executed: Book) -> None:
    (executed.notebooks / "02_b.py").write_text(script("x = 3"))
    write(executed)
    assert list(stale(executed)) == ["02_b"]


def test_other_parameters_make_it_stale(executed: Book) -> None:
    assert list(stale(executed, {"limit": 7})) == ["01_a", "02_b"]


def test_a_missing_output_or_stamp_makes_it_stale(executed: Book) -> None:
    (executed.executed / "01_a.ipynb").unlink()
    (executed.executed / "02_b.stamp").unlink()
    assert list(stale(executed)) == ["01_a", "02_b"]


@pytest.mark.parametrize(
    "path", ["forcebench_lib/book/extension.py", "forcebench_lib/__pycache__/a.pyc", "data/.x.swp"]
)
def test_what_no_kernel_reads_makes_nothing_stale(executed: Book, path: str) -> None:
    (executed.root / path).parent.mkdir(exist_ok=True)
    (executed.root / path).write_text("two\n")
    assert stale(executed) == {}


def test_touching_without_a_change_makes_nothing_stale(executed: Book) -> None:
    os.utime(executed.root / "data/open/a.jsonl", (1, 1))
    assert stale(executed) == {}


def test_papermill_alone_finds_the_data_from_any_folder(
    make_book: MakeBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = make_book(n01_a=script("from forcebench_lib.paths import PROMPTS\nprint(PROMPTS.is_dir())"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for place, folder in enumerate([book.root, book.notebooks, tmp_path]):
        monkeypatch.chdir(folder)
        out = tmp_path / f"out{place}.ipynb"
        arguments = [os.path.relpath(book.notebooks / "01_a.ipynb"), str(out), "--no-progress-bar"]
        assert CliRunner().invoke(papermill, arguments).exit_code == 0
        assert '"True\\n"' in out.read_text()


@pytest.mark.parametrize("text", ["[", "a", "- a", "3: x", "at: 2026-13-45"])
def test_parameters_that_are_no_mapping_are_one_sentence(
    make_book: MakeBook, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    book = make_book(n01_a=script("x = 1"))
    assert main(["execute", "--root", str(book.root), "-y", text]) == 2
    said = capsys.readouterr().err
    assert said.startswith("--yaml: found ")
    assert said.count("\n") == 1


def test_no_process_is_too_few(make_book: MakeBook, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["execute", "--root", str(make_book(n01_a=script("x = 1")).root), "--jobs", "0"])
    assert "found 0, expected at least 1" in capsys.readouterr().err
