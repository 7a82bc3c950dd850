import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.gate import FORMATS, PROVES, Answers, as_github, as_json, as_junit, as_text, check
from forcebench_lib.gate.reports import one_line

from .conftest import claim, source

HOSTILE = "]]></failure><x/>\n::error::owned\r\n##[error]x \x1b[31m<script>alert(1)</script> \u202e % tea, 40 crowns"


def report(*texts, content="Tea may calm sleepers."):
    claims = tuple(claim(text) for text in texts)
    return check(Answers(claims, tuple(range(10, 10 + len(claims)))), [source(content)])


@pytest.mark.parametrize(
    "sign", ["\x00", "\x85", "\u061c", "\u200b", "\u2028", "\u202e", "\u2060", "\ufeff", "\ud800", "\U000e0041"]
)
def test_no_sign_that_nobody_would_see_stays_in_a_line(sign):
    assert one_line(f"a{sign}{sign}b\n{sign}c") == "a b c"


GOOD, BOLD, FALSE = "Tea may calm sleepers.", "Tea will calm sleepers.", "Ferries sail at noon."


def test_json_has_the_keys_that_the_page_names():
    found = json.loads(as_json(report(GOOD, BOLD)))
    assert found["passed"] is False
    assert found["claims"][0] == {
        "text": GOOD,
        "source_id": "DOC-7",
        "passed": True,
        "reason": None,
        "axis": None,
        "detail": "",
    }
    assert (found["claims"][1]["reason"], found["claims"][1]["axis"]) == ("force_exceeds_source", "modality")
    assert '"may"' in found["claims"][1]["detail"]
    assert json.loads(as_json(report(GOOD)))["passed"] is True


def test_text_shows_claim_passage_and_reason_and_what_is_proved():
    shown = as_text(report(GOOD, BOLD), "answers.json")
    assert "claim 2 (answers.json, line 11): force_exceeds_source (modality)" in shown
    assert f"claim:   {BOLD}" in shown
    assert "passage: Tea may calm sleepers." in shown
    assert '"may"' in shown
    assert "1 of 2 claims pass, judged by rules." in shown
    assert shown.endswith(PROVES)
    assert "claim 1" not in shown


def test_junit_has_a_case_for_each_claim():
    root = ElementTree.fromstring(as_junit(report(GOOD, BOLD, FALSE), "answers.json"))
    suite = root[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "2", "0")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [f"claim 1: {GOOD}", f"claim 2: {BOLD}", f"claim 3: {FALSE}"]
    failures = [case.find("failure") for case in cases]
    assert [None if one is None else one.get("type") for one in failures] == [
        None,
        "force_exceeds_source",
        "claim_not_supported",
    ]


def test_github_points_at_the_line_of_the_claim():
    lines = as_github(report(GOOD, BOLD), "a,b.json").split("\n")
    start = "::error file=a%2Cb.json,line=11,title=force_exceeds_source (modality)::claim:   Tea will calm sleepers. | "
    assert lines[0].startswith(start)
    assert lines[-1].startswith("::notice title=citation gate::1 of 2 claims pass.")
    assert len(lines) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_texts_stay_in_their_place(name):
    shown = FORMATS[name](report(HOSTILE, content=HOSTILE.replace("40", "50")), "answers.json")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    if name == "json":
        assert json.loads(shown)["claims"][0]["text"] == HOSTILE
        return
    assert "##[" not in shown
    commands = [line for line in shown.split("\n") if re.match(r"\s*::", line)]
    assert len(commands) == (2 if name == "github" else 0)
    assert shown.count("::") == 2 * len(commands)
    if name == "junit":
        root = ElementTree.fromstring(shown)
        assert {node.tag for node in root.iter()} == {"testsuites", "testsuite", "testcase", "failure", "system-out"}


@given(st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_any_text_makes_a_report_that_can_be_read(text, content):
    found = report(text, content=content)
    json.loads(as_json(found))
    ElementTree.fromstring(as_junit(found))
    for name in ("text", "junit", "github"):
        FORMATS[name](found, "answers.json").encode()
    assert len(as_github(found).split("\n")) == 1 + len(found.failures)
