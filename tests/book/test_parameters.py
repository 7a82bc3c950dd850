"""papermill's ways with parameters, each through papermill's own command line and a real kernel, and once without."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from click.testing import CliRunner
from papermill.cli import papermill
from pydantic import Field

from forcebench_lib.book.parameters import ParameterError, check
from forcebench_lib.paths import ROOT

from .conftest import MakeBook

NOTEBOOK = """
# %% tags=["parameters"]
evaluator = ""
limit = 5
models = ["a"]
strict = False
few = None

# %%
from forcebench_lib.book import parameters

parameters.check(globals(), evaluator=str, limit=int, models=list[str], strict=bool, few=int | None)

# %%
print(evaluator, limit, models, strict)
""".lstrip()

TRAPS = [
    ("-p evalutor x", r"evalutor: this notebook has no such parameter, expected .*; did you mean 'evaluator'\?"),
    ("-p limit 1e5", r"limit: found 100000\.0, expected a whole number; write digits\."),
    ("-p limit nan", r"limit: found nan, expected a whole number; write digits\."),
    ("-p limit inf", r"limit: found inf, expected a whole number; write digits\."),
    ("-p strict true", r"strict: found 'true', expected True or False\."),
    ("-p models b", r"models: found 'b', expected a list of texts; give a list with -y, as in -y 'models: \[a, b\]'\."),
    ("-p parameters x", r"parameters: this notebook has no such parameter, expected .*"),
    ("-p _hidden x", r"_hidden: this notebook has no such parameter, expected .*"),
    ("-p _parameters_checked True", r"_parameters_checked: this notebook has no such parameter, expected .*"),
    ("-p get_ipython x", r"get_ipython: this notebook has no such parameter, expected .*"),
    ("-p In x", r"In: this notebook has no such parameter, expected .*"),
    ("-p few many", r"few: found 'many', expected a whole number or None\."),
    ("-p evaluator 7", r"evaluator: found 7, expected a text; give text that looks like something else with -r\."),
]


def _papermill(make_book: MakeBook, monkeypatch: pytest.MonkeyPatch, *options: str) -> tuple[Any, Path]:
    book = make_book(n01_a=NOTEBOOK)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    out = book.root / "out.ipynb"
    arguments = [str(book.notebooks / "01_a.ipynb"), str(out), "--no-progress-bar", *options]
    return CliRunner().invoke(papermill, arguments), out


@pytest.mark.parametrize(("option", "sentence"), TRAPS)
def test_papermill_with_a_wrong_parameter_ends_in_one_sentence(
    make_book: MakeBook, monkeypatch: pytest.MonkeyPatch, option: str, sentence: str
) -> None:
    result, _ = _papermill(make_book, monkeypatch, *option.split())
    assert result.exit_code != 0
    said = str(result.exception).strip()
    assert re.fullmatch(f"ParameterError: {sentence}", said.splitlines()[-1])
    assert "Traceback" not in said


def test_papermill_with_right_parameters_runs(make_book: MakeBook, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["-p", "evaluator", "my_module:score", "-p", "limit", "7", "-y", "{models: [b, c], strict: true}"]
    result, out = _papermill(make_book, monkeypatch, *options)
    assert result.exit_code == 0, result.exception
    assert "my_module:score 7 ['b', 'c'] True" in out.read_text()


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (str | None, [None, "a"], [1]),
        (float, [0.5, 1], [float("nan"), float("inf"), "0.5", True]),
        (int, [0, -3], [1.0, True, "1", None]),
        (bool, [True], ["True", 1]),
        (list[str], [[], ["a"]], ["a", ["a", 1]]),
        (Literal["open", "reported"], ["open"], ["opne"]),
        (Annotated[int, Field(ge=1)], [1], [0]),
    ],
)
def test_values_are_of_their_type_and_never_converted(kind: Any, right: list[Any], wrong: list[Any]) -> None:
    for value in right:
        check({"x": value}, x=kind)
    for value in wrong:
        with pytest.raises(ParameterError, match=r"^x: found .*, expected .*\.$"):
            check({"x": value}, x=kind)


def test_a_parameter_without_default_is_named() -> None:
    with pytest.raises(ParameterError, match="limit: the defaults cell does not set it"):
        check({}, limit=int)


def test_modules_and_functions_are_no_parameters_but_any_literal_is() -> None:
    check({"pytest": pytest, "f": check, "__name__": "a", "x": 1}, x=int)
    for literal in ("a", 1, 1.5, None, [], {}, (), True):
        with pytest.raises(ParameterError, match="stray: this notebook has no such parameter, it has none"):
            check({"stray": literal})


def test_a_type_is_said_in_words() -> None:
    with pytest.raises(ParameterError, match=r"^x: found 'a', expected a whole number or None\.$"):
        check({"x": "a"}, x=int | None)
    with pytest.raises(ParameterError, match=r"^x: found 'c', expected 'a' or 'b' \(must be 'a' or 'b'\)\.$"):
        check({"x": "c"}, x=Literal["a", "b"])


def test_the_cell_may_run_again_after_the_rest_of_the_notebook() -> None:
    namespace: dict[str, Any] = {"x": 1}
    check(namespace, x=int)
    namespace |= {"y": 2, "_z": 3}
    check(namespace, x=int)
    namespace["x"] = "1"
    with pytest.raises(ParameterError):
        check(namespace, x=int)
