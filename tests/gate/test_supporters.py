import asyncio

import pytest

from forcebench_lib import paths
from forcebench_lib.gate import Judge, check, supporter
from forcebench_lib.schema import InputError
from tests.judging.fault_server import FaultServer

from .conftest import claim, source

PASSAGE = "The raised tea may calm sleepers. " * 10


@pytest.fixture
def server():
    running = FaultServer()
    yield running
    running.shutdown()
    running.server_close()


def judged(server, *texts, **options):
    judge = supporter("openai/toy", api_base=server.base, **options)
    return check([claim(text) for text in texts], [source(PASSAGE)], supporter=judge)


def test_a_force_judge_names_force_and_the_rules_add_the_axis(server):
    report = judged(server, "Tea may calm.", "The raised tea will calm sleepers.")
    assert [one.passed for one in report.verdicts] == [True, False]
    failure = report.failures[0].failure
    assert (failure.reason, failure.axis) == ("force_exceeds_source", "modality")
    assert 'The judge openai/toy says "force_gap"' in failure.detail
    assert server.asked("Tea may calm.") == 1


def test_where_a_force_judge_is_content_no_word_list_overrules_it(server):
    assert judged(server, "Tea will calm sleepers.").passed


def test_a_support_judge_leaves_force_to_the_rules(server):
    report = judged(server, "Tea will calm sleepers.", "The raised claim.", prompt="generic_support")
    assert [one.failure.reason for one in report.failures] == ["force_exceeds_source", "claim_not_supported"]


@pytest.mark.parametrize("fault", ["not_json", "refusal", "content_filter", "empty", "wrong_label", "400"])
def test_a_reply_that_cannot_be_read_supports_nothing(server, fault):
    report = judged(server, "Tea may calm.", f"Tea may calm. FAULT={fault}")
    assert [one.passed for one in report.verdicts] == [True, False]
    assert report.failures[0].failure.reason == "claim_not_supported"
    assert "no answer" in report.failures[0].failure.detail


def test_a_refused_key_or_an_empty_address_is_an_input_error(server):
    with pytest.raises(InputError, match="first question brought no answer"):
        judged(server, "Tea may calm. FAULT=401")
    judge = Judge(model="openai/toy", api_base="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(InputError, match="first question brought no answer"):
        check([claim("Tea may calm.")], [source(PASSAGE)], supporter=judge)


def test_nothing_is_asked_where_no_source_can_be_read(server):
    judge = supporter("openai/toy", api_base=server.base)
    assert not check([claim("Tea.", "DOC-0")], [source(PASSAGE)], supporter=judge).passed
    assert server.bodies == []


def test_a_judge_works_inside_a_running_event_loop(server):
    async def inside():
        return judged(server, "Tea may calm.")

    assert asyncio.run(inside()).passed


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("nobody", {}, "evaluator 'nobody': there is none of this name"),
        ("rules", {"threshold": 1.1}, "threshold: found 1.1"),
        ("rules", {"threshold": float("nan")}, "threshold: found nan"),
    ],
)
def test_an_unknown_name_or_threshold_is_one_sentence(name, options, sentence):
    with pytest.raises(InputError, match=sentence):
        supporter(name, **options)


def test_a_missing_prompt_is_one_sentence():
    judge = supporter("openai/toy", prompt="nope")
    with pytest.raises(InputError, match="nope"):
        check([claim("Tea may calm.")], [source(PASSAGE)], supporter=judge)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("raise OSError('no disk')", "the evaluator raised OSError: no disk for claim 1"),
        ("return [2.0]", "found the score 2.0, expected a number"),
        ("return []", "returned 0 scores, expected 1"),
        ("return ['x']", "found 'x' as score"),
    ],
)
def test_a_strangers_evaluator_that_breaks_is_one_sentence(tmp_path, monkeypatch, body, sentence):
    name = f"stranger_{abs(hash(body))}"
    (tmp_path / f"{name}.py").write_text(f"def score(passages, claims):\n    {body}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=sentence):
        check([claim("Tea.")], [source(PASSAGE)], supporter=supporter(f"{name}:score"))


def test_every_prompt_of_the_book_can_judge():
    for path in sorted(paths.PROMPTS.glob("*_*.md")):
        assert Judge(model="openai/toy", prompt=path.stem)._prompt.id == path.stem
