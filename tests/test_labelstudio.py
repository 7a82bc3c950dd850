import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as Xml

import pytest

from forcebench_lib import corpus, human, labelstudio
from forcebench_lib.__main__ import main
from forcebench_lib.corpus import Stages
from forcebench_lib.schema import AXES, BoundaryType, Decision, InputError, Review, Severity
from tests.test_corpus import staged

ANSWERS = {
    "annotation_safe_claim": ("yes", "no"),
    "annotation_raised_claim": ("same", "different"),
    "annotation_decision": get_args(Decision),
    "annotation_axis": AXES,
    "annotation_severity": tuple(map(str, get_args(Severity))),
    "annotation_licensing_ok": ("yes", "no"),
    "annotation_boundary_type": get_args(BoundaryType),
}


def choice(field: str, answer: str) -> dict[str, Any]:
    value = {"choices": [answer]}
    return {"value": value, "id": field[-6:], "from_name": field, "to_name": "passage", "type": "choices"}


def text(field: str, words: str) -> dict[str, Any]:
    return {"value": {"text": [words]}, "from_name": field, "to_name": "passage", "type": "textarea"}


def span(passage: str, words: str) -> dict[str, Any]:
    start = passage.index(words)
    value = {"start": start, "end": start + len(words), "text": words, "labels": ["limit"]}
    return {"value": value, "from_name": labelstudio.SPANS, "to_name": "passage", "type": "labels"}


def exported(stages: Stages) -> list[dict[str, Any]]:
    """An export as Label Studio 1.23 writes it: a row accepted, one skipped, one rejected, one not yet labelled."""
    tasks = [
        {"data": task["data"], "drafts": [], "predictions": []} for task in labelstudio.tasks(stages.candidates)[:4]
    ]
    accepted, _, rejected, _ = (task["data"]["passage"] for task in tasks)
    accept = [
        span(accepted, "dry"),
        span(accepted, "may fall"),
        choice("annotation_safe_claim", "yes"),
        choice("annotation_raised_claim", "same"),
        choice("annotation_decision", "accept_force_gap"),
        choice("annotation_axis", "scope"),
        choice("annotation_severity", "3"),
        choice("annotation_licensing_ok", "no"),
        text("annotation_repair", "Rain may fall."),
    ]
    reject = [
        span(rejected, "may fall"),
        choice("annotation_safe_claim", "no"),
        choice("annotation_raised_claim", "different"),
        choice("annotation_decision", "reject_not_force_gap"),
        choice("annotation_boundary_type", "nonlocal"),
        text("annotation_notes", "The place changes."),
    ]
    for task, result, cancelled in ((0, accept, False), (1, [], True), (2, reject, False)):
        tasks[task]["annotations"] = [{"completed_by": 7, "result": result, "was_cancelled": cancelled}]
    tasks[3]["annotations"] = []
    return tasks


@pytest.fixture
def stages(tmp_path: Path) -> Stages:
    return corpus.load_stages(staged(tmp_path))


def read(folder: Path, stages: Stages, content: object) -> tuple[Review, ...]:
    path = folder / "export.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return labelstudio.reviews(path, stages, reviewer="anna")


def test_each_answer_of_a_review_can_be_given() -> None:
    controls = {one.get("name"): one for one in Xml.parse(labelstudio.CONFIG).iter() if one.get("toName")}
    given = {name: tuple(one.get("value") for one in controls[name].iter("Choice")) for name in ANSWERS}
    assert given == ANSWERS
    assert controls.keys() == Review.model_fields.keys() - {"id", "reviewer"}


def test_what_a_decision_needs_is_asked_under_it() -> None:
    """A review that answers all required questions is one that `Review` takes."""
    views = [view for view in Xml.parse(labelstudio.CONFIG).iter("View") if view.get("whenTagName")]
    assert {view.get("whenTagName") for view in views} == {"annotation_decision"}
    asked = {(view.get("whenChoiceValue"), control.get("name")) for view in views for control in view.iter("Choices")}
    accepting = ("annotation_axis", "annotation_severity", "annotation_licensing_ok")
    assert asked == {("accept_force_gap", name) for name in accepting} | {
        ("reject_not_force_gap", "annotation_boundary_type")
    }
    assert {one.get("required") for one in Xml.parse(labelstudio.CONFIG).iter("Choices")} == {"true"}


def test_a_task_shows_what_the_reviewers_saw_and_nothing_of_the_draft() -> None:
    candidates = corpus.load_stages("open").candidates
    tasks = labelstudio.tasks(candidates)
    fields = {"id", "question", "passage", "safe_claim", "raised_claim", "licensing_passage"}
    assert all(task.keys() == {"data"} and task["data"].keys() == fields for task in tasks)
    assert sorted(task["data"]["id"] for task in tasks) == [row.id for row in candidates]
    shown = {one.get("value") for one in Xml.parse(labelstudio.CONFIG).iter("Text")}
    assert shown == {f"${field}" for field in fields - {"id"}}


def test_the_order_of_tasks_depends_on_the_ids_alone(stages: Stages) -> None:
    order = [task["data"]["id"] for task in labelstudio.tasks(stages.candidates)]
    assert order == [task["data"]["id"] for task in labelstudio.tasks(stages.candidates[::-1])]
    assert order != sorted(order)


def test_results_become_reviews(tmp_path: Path, stages: Stages) -> None:
    accepted, rejected = read(tmp_path, stages, exported(stages))
    tasks = labelstudio.tasks(stages.candidates)
    assert accepted == Review(
        id=tasks[0]["data"]["id"],
        reviewer="anna",
        annotation_decision="accept_force_gap",
        annotation_evidence_spans=("may fall", "dry"),
        annotation_safe_claim="yes",
        annotation_raised_claim="same",
        annotation_repair="Rain may fall.",
        annotation_axis="scope",
        annotation_severity=3,
        annotation_licensing_ok="no",
    )
    assert rejected == Review(
        id=tasks[2]["data"]["id"],
        reviewer="anna",
        annotation_decision="reject_not_force_gap",
        annotation_evidence_spans=("may fall",),
        annotation_safe_claim="no",
        annotation_raised_claim="different",
        annotation_boundary_type="nonlocal",
        annotation_notes="The place changes.",
    )


def test_several_annotators_are_told_apart_without_their_addresses(tmp_path: Path, stages: Stages) -> None:
    content = exported(stages)
    other = content[0]["annotations"][0] | {"completed_by": {"id": 9, "email": "ben@example.org"}}
    content[0]["annotations"].append(other)
    found = read(tmp_path, stages, content)
    assert [row.reviewer for row in found] == ["anna-7", "anna-9", "anna-7"]


def drop(field: str) -> Callable[[list[dict[str, Any]]], object]:
    def change(content: list[dict[str, Any]]) -> object:
        annotation = content[0]["annotations"][0]
        annotation["result"] = [region for region in annotation["result"] if region["from_name"] != field]
        return content

    return change


def put(region: dict[str, Any]) -> Callable[[list[dict[str, Any]]], object]:
    def change(content: list[dict[str, Any]]) -> object:
        content[0]["annotations"][0]["result"].append(region)
        return content

    return change


def instead(region: dict[str, Any]) -> Callable[[list[dict[str, Any]]], object]:
    return lambda content: put(region)(drop(region["from_name"])(content))  # type: ignore[arg-type]  # the same list


def region(field: str, **value: object) -> dict[str, Any]:
    return {"value": value, "from_name": field, "to_name": "passage", "type": "choices"}


def annotation(**changes: object) -> Callable[[list[dict[str, Any]]], object]:
    def change(content: list[dict[str, Any]]) -> object:
        content[0]["annotations"][0] |= changes
        return content

    return change


def other_passage(content: list[dict[str, Any]]) -> object:
    content[0]["data"]["passage"] += " Or not."
    return content


def twice(content: list[dict[str, Any]]) -> object:
    return [*content, content[0]]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (drop("annotation_decision"), "task 1: the field 'annotation_decision' is missing"),
        (drop("annotation_axis"), "task 1: annotation_axis: it is empty"),
        (put(choice("colour", "red")), "task 1: found an unknown field 'colour'"),
        (instead(choice("annotation_axis", "mood")), "task 1: annotation_axis: found 'mood'"),
        (put(span("It will rain", "will")), "task 1: annotation_evidence_spans: 'will' is not in the passage"),
        (other_passage, "task 1: passage: it is not that of candidate"),
        (twice, "found a second review of"),
        (lambda content: content[3:], "there is no review in it"),
        (lambda content: content[0], "found a dict, expected Label Studio's export format JSON, a list"),
        (lambda content: [{"id": 1, "passage": "x"}], "task 1: the field 'data' is missing"),
        (lambda content: [{"data": {"id": "x-1"}, "annotations": []}], "task 1: the field 'data.passage' is missing"),
        (lambda content: [{"data": content[0]["data"]}], "task 1: the field 'annotations' is missing"),
        (lambda content: ["x"], "task 1: found a str, expected Label Studio's export format JSON"),
        (put(region("annotation_axis", choices=[])), "value.choices: found [], "),
        (put(region("annotation_axis", choices=[None])), "value.choices.0: found None, "),
        (put(region("annotation_axis", choices=["scope", "numeric"])), "value.choices: found ['scope', 'numeric'], "),
        (put(region("annotation_axis", choices="scope")), "value.choices: found 'scope', "),
        (
            instead(region("annotation_severity", choices=["²"])),
            "task 1: annotation_severity: found '²', expected 1, 2 or 3",
        ),
        (put(choice("annotation_axis", "numeric")), "task 1: annotation_axis: found two answers in one annotation"),
        (put(region(labelstudio.SPANS, text=None)), "value.text: found None, "),
        (put(region(labelstudio.SPANS, start="x", text="dry")), "value.start: found 'x', "),
        (put({"from_name": "annotation_axis", "value": "scope"}), "value: found 'scope', "),
        (put({"value": {}}), "from_name' is missing"),
        (annotation(result={}), "annotations.0.result: found {}, "),
        (annotation(result=None), "annotations.0.result: found None, "),
        (
            annotation(completed_by="ben@example.org"),
            "task 1: completed_by: found 'ben@example.org', expected the number",
        ),
        (annotation(completed_by={"email": "ben@example.org"}), "task 1: completed_by: found"),
        (annotation(completed_by=None), "task 1: completed_by: found 'None', expected the number"),
        (annotation(completed_by=True), "task 1: completed_by: found 'True', expected the number"),
        (lambda content: [content[0] | {"annotations": content[0]["annotations"] * 2}], "found a second review of"),
    ],
)
def test_what_does_not_fit_is_named_in_a_sentence(
    tmp_path: Path, stages: Stages, change: Callable[[list[dict[str, Any]]], object], expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, stages, change(exported(stages)))
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("level", ["2", 2])
def test_a_level_may_be_text_or_number(tmp_path: Path, stages: Stages, level: object) -> None:
    content = drop("annotation_severity")(exported(stages))
    read_back = read(tmp_path, stages, put(region("annotation_severity", choices=[level]))(content))  # type: ignore[arg-type]  # the same list
    assert read_back[0].annotation_severity == 2


def test_annotators_stand_under_the_names_given_for_their_number_or_address(tmp_path: Path, stages: Stages) -> None:
    content = exported(stages)
    content[2]["annotations"][0]["completed_by"] = {"email": "ben@example.org"}
    path = tmp_path / "export.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    names = {"ben@example.org": "ben"}
    found = labelstudio.reviews(path, stages, reviewer="anna", names=names)
    assert [row.reviewer for row in found] == ["anna-7", "ben"]
    found = labelstudio.reviews(path, stages, reviewer="anna", names=names | {"7": "eve"})
    assert [row.reviewer for row in found] == ["eve", "ben"]


@pytest.mark.parametrize("content", [b"\xff\xfe[\x00", b"{", b"[" * 100_000, b'["\\ud800"]'])
def test_what_is_no_json_is_named_in_a_sentence(tmp_path: Path, stages: Stages, content: bytes) -> None:
    (tmp_path / "export.json").write_bytes(content)
    for path in (tmp_path / "export.json", tmp_path, tmp_path / "none.json"):
        with pytest.raises(InputError, match=re.escape(str(path))) as caught:
            labelstudio.reviews(path, stages, reviewer="anna")
        assert "\n" not in str(caught.value)


def test_no_command_writes_over_what_it_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = staged(tmp_path)
    export = tmp_path / "export.json"
    export.write_text(json.dumps(exported(corpus.load_stages(folder))), encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    back = ["labelstudio", "import", str(export), str(folder), "--reviewer", "anna", "--out"]
    for out in (export, folder / "r.jsonl", folder / "edition.yml", folder, folder / "none" / "out.jsonl"):
        assert main([*back, str(out)]) == 2
    for names in (["7"], ["7=anna", "9=anna"], ["7=", "9=b"], ["7=a", "7=b"]):
        assert main([*back, str(tmp_path / "new"), *(part for name in names for part in ("--name", name))]) == 2
    there = ["labelstudio", "export", str(folder), "--out"]
    assert main([*there, str(export)]) == 2
    assert main([*there, str(labelstudio.CONFIG.parent)]) == 2
    assert main([*there, str(tmp_path / "x"), "--limit", "-1"]) == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert capsys.readouterr().err.count("\n") == 12


def test_the_commands_go_there_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = staged(tmp_path)
    assert main(["labelstudio", "export", str(folder), "--out", str(tmp_path / "review"), "--limit", "3"]) == 0
    assert len(json.loads((tmp_path / "review/tasks.json").read_text(encoding="utf-8"))) == 3
    assert (tmp_path / "review/config.xml").read_bytes() == labelstudio.CONFIG.read_bytes()
    own = corpus.load_stages(folder)
    (tmp_path / "export.json").write_text(json.dumps(exported(own)), encoding="utf-8")
    out = tmp_path / "anna.jsonl"
    back = ["labelstudio", "import", str(tmp_path / "export.json"), str(folder), "--reviewer", "anna"]
    assert main([*back, "--out", str(out)]) == 0
    assert "2 reviews by 1 reviewer" in capsys.readouterr().out
    assert [row.reviewer for row in human.read_reviews(out, own)] == ["anna", "anna"]
    assert main([*back[:-1], "sceptic", "--out", str(tmp_path / "none.jsonl")]) == 2
    assert not (tmp_path / "none.jsonl").exists()


def test_label_studios_own_sdk_accepts_config_tasks_and_results(stages: Stages) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface", reason="label-studio-sdk is not installed")
    config = interface.LabelInterface(labelstudio.CONFIG.read_text(encoding="utf-8"))
    config.validate()
    content = exported(stages)
    assert all(config.validate_task({"data": task["data"]}) for task in content)
    assert all(config.validate_annotation(one) for task in content for one in task["annotations"])
    assert not config.validate_annotation({"result": [choice("colour", "red")]})
