import csv
import importlib.metadata
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib import evaluators
from forcebench_lib.paths import REPORTED
from forcebench_lib.schema import InputError

FORCE = (
    "Tea may calm",
    "some 3 to 5",
    "older adults.",
    "In Cray",
    "about 40 %",
    "will always cause",
    "all",
    "in 2031,",
)
TEXT = st.text(max_size=200) | st.lists(st.sampled_from(FORCE)).map(" ".join)


def test_display_names_are_the_papers():
    with (REPORTED / "forcebench_table2.csv").open(encoding="utf8") as rows:
        printed = [row["evaluator"] for row in csv.DictReader(rows) if row["kind"] == "deterministic"]
    assert list(evaluators.BASELINES) == printed


@pytest.mark.parametrize("name", [*evaluators.BASELINES, *evaluators.CONTROLS])
@given(passages=st.lists(TEXT, max_size=3), data=st.data())
def test_scores_lie_in_the_unit_interval_and_repeat(name, passages, data):
    claims = data.draw(st.lists(TEXT, min_size=len(passages), max_size=len(passages)))
    score = evaluators.load(name)
    first = score(passages, claims)
    assert len(first) == len(claims)
    assert all(0 <= value <= 1 for value in first)
    assert score(passages, claims) == first


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module that can be imported for one test."""

    def write(text, name="my_module_under_test"):
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return name

    return write


def test_load_by_dotted_path(module):
    name = module(
        "class Judge:\n    @staticmethod\n    def score(passages, claims):\n        return [0.5] * len(claims)\n"
    )
    assert evaluators.load(f"{name}:Judge.score")(["p", "p"], ["a", "b"]) == [0.5, 0.5]


@pytest.mark.parametrize(
    ("text", "path", "sentence"),
    [
        ("", "no_such_module_anywhere:score", r"'no_such_module_anywhere' cannot be imported \(ModuleNotFoundError"),
        ("import no_such_thing_anywhere", "my_module_under_test:score", "No module named 'no_such_thing_anywhere'"),
        ("1 / 0", "my_module_under_test:score", r"cannot be imported \(ZeroDivisionError: division by zero\)"),
        ("", "my_module_under_test:score", "the module 'my_module_under_test' has no 'score'"),
        ("score = 0.5", "my_module_under_test:score", "found a float, expected a function of passages and claims"),
        ("", "my_module_under_test:", "expected a module and a function, such as 'my_module:score'"),
        ("", ":score", "expected a module and a function"),
        (
            "",
            "Tokn overlap",
            "there is none of this name, expected 'my_module:score' or one of Citation presence, Token",
        ),
    ],
)
def test_load_says_in_one_sentence_what_is_wrong(module, text, path, sentence):
    module(text)
    with pytest.raises(InputError, match=sentence) as caught:
        evaluators.load(path)
    assert path.strip(":") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_load_by_entry_point(module, monkeypatch):
    name = module("def score(passages, claims):\n    return [1.0] * len(claims)\n")
    point = importlib.metadata.EntryPoint("Mine", f"{name}:score", evaluators.ENTRY_POINT_GROUP)
    broken = importlib.metadata.EntryPoint("Broken", f"{name}:nothing", evaluators.ENTRY_POINT_GROUP)
    monkeypatch.setattr("forcebench_lib.evaluators.registry.entry_points", lambda group: [point, broken])
    assert evaluators.load("Mine")(["p"], ["c"]) == [1.0]
    with pytest.raises(
        InputError, match=r"entry point 'my_module_under_test:nothing' cannot be loaded \(AttributeError"
    ):
        evaluators.load("Broken")
