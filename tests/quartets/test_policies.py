import re
from pathlib import Path

import pytest

from forcebench_lib.quartets import examples, load_policy
from forcebench_lib.quartets.policies import FOLDER, NAMES, messages, read
from forcebench_lib.quartets.records import Source
from forcebench_lib.schema import InputError

from .rows import row

VANILLA = load_policy("vanilla").fields
GATE = load_policy("gate").fields


def test_the_policies_differ_in_the_classification_alone() -> None:
    vanilla, gate = load_policy("vanilla"), load_policy("gate")
    assert vanilla.user == gate.user
    added = re.sub(r"First classify.*?\n\n", "", gate.system, flags=re.DOTALL).replace("Then choose", "Choose")
    assert added.replace('"context": "...", ', "") == vanilla.system
    properties = dict(gate.json_schema["properties"])
    assert next(iter(properties)) == "context"
    del properties["context"]
    assert properties == vanilla.json_schema["properties"]


@pytest.mark.parametrize("name", NAMES)
def test_the_system_part_is_short(name: str) -> None:
    assert len(load_policy(name).system.split()) < 160


def test_a_message_holds_ids_titles_and_texts_and_nothing_of_the_gold() -> None:
    quartet = row()
    for one in examples([quartet]):
        system, user = messages(load_policy("vanilla"), one.question, one.documents)
        assert system["content"] == load_policy("vanilla").system
        for source in one.documents:
            assert f"id: {source.id}\ntitle: {source.title}\ntext: {source.text}" in user["content"]
        assert user["content"].endswith(f"Question: {quartet.question}")
        assert one.variant not in user["content"]


def test_braces_in_a_document_stay_as_they_are() -> None:
    found = messages(load_policy("vanilla"), "Which?", [Source("DOC-1", "{question}", "{documents} {x}")])
    assert "title: {question}\ntext: {documents} {x}" in found[1]["content"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('{"action": "abstain", "answer": "", "citations": []}', "ok"),
        ('{"action": "answer", "answer": "x", "citations": [{"id": "DOC-1", "quote": "y"}]}', "ok"),
        ('```json\n{"action": "abstain", "answer": "", "citations": []}\n```', "fenced"),
        ('{"action": "refuse", "answer": "", "citations": []}', "invalid_label"),
        ('{"action": "abstain", "answer": ""}', "invalid_json"),
        ('{"action": "abstain", "answer": null, "citations": []}', "invalid_json"),
        ('{"action": "abstain", "answer": "", "citations": ["DOC-1"]}', "invalid_json"),
        ('{"action": "abstain", "answer": "", "citations": [], "reason": "none"}', "invalid_json"),
        ("[]", "invalid_json"),
        ("I cannot answer.", "refusal"),
        ("", "empty"),
    ],
)
def test_one_strict_reading(text: str, status: str) -> None:
    reading, said = read(text, VANILLA)
    assert reading.status == status
    assert (said is not None) == (status in ("ok", "fenced"))


def test_the_class_is_part_of_a_reply_of_the_gate_alone() -> None:
    classified = '{"context": "insufficient", "action": "answer", "answer": "x", "citations": []}'
    reading, said = read(classified, GATE)
    assert said is not None
    assert (reading.label, said.context) == ("answer", "insufficient")
    assert read(classified, VANILLA)[0].status == "invalid_json"
    assert read('{"action": "answer", "answer": "x", "citations": []}', GATE)[0].status == "invalid_json"


def test_a_policy_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    source = (FOLDER / "vanilla.md").read_text(encoding="utf-8")
    path.write_text(source.replace("{documents}", "the documents"), encoding="utf-8")
    with pytest.raises(InputError, match="placeholders"):
        load_policy(path)
    path.write_text(source.replace("required: [action, answer, citations]", "required: [answer]"), encoding="utf-8")
    with pytest.raises(InputError, match="expected 'action', 'answer' and 'citations'"):
        load_policy(path)
