import json
import shutil

import pytest

from forcebench_lib.gate import REASONS, SUITE, read_answers, read_suite, run_suite, supporter
from forcebench_lib.schema import InputError

CASES = read_suite()


def test_ten_cases_ship_under_the_names_of_their_design():
    assert [case.expected.title for case in CASES] == [
        "Two versions of one policy",
        "A source that supports half of a sentence",
        "A true fact attached to the wrong document",
        "A citation to a deleted source",
        "“May” in the source, “will” in the answer",
        "Two documents that disagree",
        "A range cited for a point",
        "A dated statement cited as current",
        "A subgroup cited for everyone",
        "A quote that is not in the source",
    ]
    assert {case.expected.reason for case in CASES} == set(REASONS) - {"source_not_found"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_case_fails_for_its_reason_and_passes_repaired(case):
    failing, repaired = case.report("failing"), case.report("repaired")
    assert [(one.failure.reason, one.failure.axis) for one in failing.failures] == [
        (case.expected.reason, case.expected.axis)
    ]
    assert failing.failures[0].failure.detail
    assert repaired.passed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_repair_changes_the_answer_or_the_sources_and_not_both(case):
    changed = [
        (case.folder / "failing" / name).read_bytes() != (case.folder / "repaired" / name).read_bytes()
        for name in ("answers.json", "sources.json")
    ]
    assert sorted(changed) == [False, True]


def test_an_evaluator_that_reads_nothing_does_not_hold():
    table = run_suite(CASES, supporter("Citation presence"))
    assert not table["holds"].all()
    assert table.set_index("case").loc["03-true-fact-wrong-document", "found"] == "passed"


def test_a_copied_folder_is_a_suite_of_ones_own(tmp_path):
    shutil.copytree(SUITE / "05-may-becomes-will", tmp_path / "mine")
    (case,) = read_suite(tmp_path)
    assert run_suite((case,))["holds"].all()
    expected = json.loads((tmp_path / "mine" / "case.json").read_text(encoding="utf-8")) | {"axis": "scope"}
    (tmp_path / "mine" / "case.json").write_text(json.dumps(expected), encoding="utf-8")
    assert not run_suite(read_suite(tmp_path))["holds"].any()


def test_a_folder_without_cases_and_a_broken_case_are_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"no folder with a case\.json"):
        read_suite(tmp_path)
    (tmp_path / "one").mkdir()
    for text, sentence in (("[]", "no JSON object"), ('{"title": "x", "reason": "y"}', "reason: found 'y'")):
        (tmp_path / "one" / "case.json").write_text(text)
        with pytest.raises(InputError, match=sentence):
            read_suite(tmp_path)


def test_no_case_has_a_claim_that_stands_in_another():
    texts = [one.text for case in CASES for one in read_answers(case.folder / "failing" / "answers.json").claims]
    assert len(set(texts)) == len(texts)
