import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.judging.reply import MAX_CHARS, STATUSES, USABLE, read

LABELS = ("supported", "not_supported")

CASES = [
    ('{"label": "supported"}', "stop", "ok"),
    (' \n{"label":"not_supported"}\n', "stop", "ok"),
    ('{"reason": "it says so", "label": "supported"}', "stop", "ok"),
    ('{"label": "supported"}', "length", "ok"),
    ('```json\n{"label": "supported"}\n```', "stop", "fenced"),
    ('```\n{"label": "supported"}```\n', "stop", "fenced"),
    ('```json\n{"label": "Supported"}\n```', "stop", "invalid_label"),
    ('```json\n{"label": "supported",}\n```', "stop", "invalid_json"),
    ('{"label": "Supported"}', "stop", "invalid_label"),
    ('{"label": "supported "}', "stop", "invalid_label"),
    ('{"label": null}', "stop", "invalid_label"),
    ('{"label": ["supported"]}', "stop", "invalid_label"),
    ('{"label": "supported", "label": "not_supported"}', "stop", "invalid_json"),
    ('{"label": "supported", "score": 1}', "stop", "invalid_json"),
    ('{"verdict": "supported"}', "stop", "invalid_json"),
    ('"supported"', "stop", "invalid_json"),
    ("supported", "stop", "invalid_json"),
    ('{"label": "supported"}{"label": "supported"}', "stop", "invalid_json"),
    ('{"label": "supported",}', "stop", "invalid_json"),
    ('Sure! {"label": "supported"}', "stop", "invalid_json"),
    ("[" * 5000, "stop", "invalid_json"),
    ('{"label": "supported"}' + " " * MAX_CHARS, "stop", "invalid_json"),
    ("", "stop", "empty"),
    (" \n", "stop", "empty"),
    ("", "length", "truncated"),
    ('{"label": "supp', "length", "truncated"),
    ('{"label": "supported"}', "content_filter", "refusal"),
    ("I'm sorry, but I can't help.", "stop", "refusal"),
    ("I cannot judge this claim.", "stop", "refusal"),
    ("I’m unable to assist.", "stop", "refusal"),
    ("I can see that the label is supported.", "stop", "invalid_json"),
]


@pytest.mark.parametrize(("text", "finish", "status"), CASES)
def test_each_form_of_reply_has_its_status(text: str, finish: str, status: str) -> None:
    reading = read(text, labels=LABELS, finish_reason=finish)
    assert reading.status == status
    assert bool(reading.label) == (status in USABLE)


def test_a_refusal_field_wins_over_the_text() -> None:
    assert read('{"label": "supported"}', labels=LABELS, refusal="no").status == "refusal"


@given(st.text(), st.sampled_from(["stop", "length", "content_filter", ""]))
def test_any_text_has_one_status_and_never_an_unknown_label(text: str, finish: str) -> None:
    reading = read(text, labels=LABELS, finish_reason=finish)
    assert reading.status in STATUSES
    assert reading.label in ("", *LABELS)


@given(st.sampled_from(LABELS), st.text(alphabet=" \t\r\n"), st.text(alphabet=" \t\r\n"))
def test_blanks_around_the_object_change_nothing(label: str, before: str, after: str) -> None:
    assert read(before + json.dumps({"label": label}) + after, labels=LABELS).label == label
