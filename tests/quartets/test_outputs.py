import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib.quartets import VARIANTS, ask, marks, quartet_rates, read_outputs
from forcebench_lib.schema import InputError

from .rows import right, row

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def lines(*values: dict[str, Any]) -> Path:
        path = tmp_path / "outputs.jsonl"
        path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
        return path

    return lines


def abstaining(quartet: str = "q-1") -> list[dict[str, Any]]:
    return [{"quartet": quartet, "variant": variant, "action": "abstain"} for variant in VARIANTS]


def test_a_file_of_outputs_is_read_and_scored(write: Write) -> None:
    quartet = row()
    path = write(*(one.model_dump() for one in right(quartet, system="ours", tokens=50)))
    (found,) = quartet_rates(marks(read_outputs(path, [quartet]), [quartet])).to_dict("records")
    assert (found["system"], found["quartet_consistency"], found["tokens_each"]) == ("ours", 1, 50)


def test_bare_ids_are_citations(write: Write) -> None:
    lines = abstaining()
    lines[0] |= {"action": "answer", "answer": "14 hours", "citations": ["DOC-2"]}
    assert read_outputs(write(*lines), [row()])[0].citations[0].id == "DOC-2"


def test_a_null_answer_is_none_unless_something_is_answered(write: Write) -> None:
    first, *rest = abstaining()
    assert read_outputs(write(first | {"answer": None}, *rest), [row()])[0].answer == ""
    with pytest.raises(InputError, match="line 1: answer: found None"):
        read_outputs(write(first | {"action": "answer", "answer": None}, *rest), [row()])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"quartet": "q-9"}, r"line 1: quartet: found 'q-9', expected the id of a quartet"),
        ({"variant": "hard"}, r"line 1: variant: found 'hard', expected 'sufficient', 'noisy'"),
        ({"action": "refuse"}, r"line 1: action: found 'refuse', expected 'answer', 'abstain' or 'flag_conflict'"),
        ({"variant": "noisy"}, r"line 2: found a second output for q-1, noisy"),
        ({"tokens": -1}, r"line 1: tokens: found -1"),
        ({"note": "x"}, r"line 1: found an unknown field 'note'"),
        ({"action": None}, r"line 1: action: found None where the status is 'ok'"),
    ],
)
def test_a_wrong_line_is_named(write: Write, change: dict[str, Any], sentence: str) -> None:
    first, *rest = abstaining()
    with pytest.raises(InputError, match=sentence):
        read_outputs(write(first | change, *rest), [row()])


def test_missing_outputs_are_an_error_or_on_request_failures(write: Write) -> None:
    quartets = [row("q-1"), row("q-2")]
    path = write(*abstaining(), *abstaining("q-2")[:2])
    with pytest.raises(InputError, match="2 of 8 contexts have no output, the first is q-2, insufficient"):
        read_outputs(path, quartets)
    found = read_outputs(path, quartets, partial=True)
    assert [one.status for one in found] == ["ok"] * 6 + ["missing"] * 2
    assert marks(found, quartets)["joint"].sum() == 1


def test_outputs_of_nobody_or_of_another_question_are_said(write: Write) -> None:
    with pytest.raises(InputError, match="outputs: found none"):
        marks([], [row()])
    found = read_outputs(write(*abstaining("q-2")), [row("q-2")])
    with pytest.raises(InputError, match="found one for the quartet 'q-2', expected one of the 1 asked"):
        marks(found, [row("q-1")])


def test_a_name_with_a_bracket_is_named_whole(write: Write) -> None:
    first, *rest = abstaining()
    with pytest.raises(InputError, match=r"unknown field 'a\[1\]'"):
        read_outputs(write(first | {"a[1]": 1}, *rest), [row()])


def test_an_empty_file_and_a_missing_one_are_said(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no output in it"):
        read_outputs(write(), [row()])
    with pytest.raises(InputError, match="there is no such file"):
        read_outputs(tmp_path / "none.jsonl", [row()])


def test_a_callable_is_asked_in_every_context() -> None:
    seen = []

    def system(question: str, documents: list[dict[str, str]]) -> dict[str, Any]:
        seen.append((question, sorted(documents[0])))
        lasting = [one for one in documents if "A full cell lasts" in one["text"]]
        if len(lasting) != 1:
            return {"action": "flag_conflict" if lasting else "abstain"}
        return {"action": "answer", "answer": "14 hours", "citations": [lasting[0]["id"]], "tokens": 7}

    found = ask(system, [row()], system="ours")
    assert seen == [(row().question, ["id", "text", "title"])] * 4
    assert quartet_rates(marks(found, [row()]))["quartet_consistency"].item() == 1
    assert all(one.latency_s is not None for one in found)


def test_what_a_callable_raises_or_misshapes_is_a_failure_of_that_context_alone() -> None:
    answers = iter([{"action": "abstain"}, {"action": "shrug"}, ["abstain"], {"action": "flag_conflict"}])
    found = ask(lambda question, documents: next(answers), [row()])  # type: ignore[arg-type, return-value]
    assert [one.status for one in found] == ["ok", "unreadable", "unreadable", "ok"]
    assert "action: found 'shrug'" in found[1].error


def test_a_callable_that_never_works_is_said_at_once() -> None:
    def broken(question: str, documents: list[dict[str, str]]) -> dict[str, Any]:
        raise ConnectionError("nobody answers")

    with pytest.raises(InputError, match="your system: no output could be read; the first: ConnectionError: nobody"):
        ask(broken, [row()])
