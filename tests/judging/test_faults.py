"""Each fault of a provider: the right status, in the right row, and no other row touched."""

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from forcebench_lib import judging
from forcebench_lib.judging.reply import MAX_CHARS
from forcebench_lib.judging.scoring import reread

from .conftest import make_edition, warm
from .fault_server import HOSTILE, FaultServer


@dataclass(frozen=True)
class Expected:
    status: str
    requests: int = 1
    error: str = ""


ASKED_TWICE = 2
FAULTS = {
    "none": Expected("ok"),
    "429_once": Expected("ok", 2),
    "429": Expected("api_error", 2, "RateLimitError"),
    "500": Expected("api_error", 2, "InternalServerError"),
    "500_once": Expected("ok", 2),
    "400": Expected("api_error", 1, "too long"),
    "401": Expected("api_error", 1, "AuthenticationError"),
    "reset": Expected("api_error", 2, "Connection error"),
    "reset_once": Expected("ok", 2),
    "timeout": Expected("api_error", 2, "imed out"),
    "drip": Expected("api_error", 2, "timed out"),
    "cut_body": Expected("api_error", 2),
    "body_not_json": Expected("api_error", 2),
    "no_choices": Expected("api_error", 2),
    "not_json": Expected("invalid_json", ASKED_TWICE),
    "not_json_once": Expected("ok", ASKED_TWICE),
    "fenced": Expected("fenced"),
    "two_objects": Expected("invalid_json", ASKED_TWICE),
    "trailing_comma": Expected("invalid_json", ASKED_TWICE),
    "preamble": Expected("invalid_json", ASKED_TWICE),
    "wrong_label": Expected("invalid_label", ASKED_TWICE),
    "control": Expected("invalid_json", ASKED_TWICE),
    "hostile": Expected("invalid_json", ASKED_TWICE),
    "empty": Expected("empty", ASKED_TWICE),
    "length": Expected("truncated"),
    "half_json": Expected("truncated"),
    "refusal": Expected("refusal"),
    "null_content": Expected("refusal"),
    "content_filter": Expected("refusal"),
    "other_model": Expected("ok"),
    "no_usage": Expected("ok"),
    "three_tokens": Expected("api_error", 1, "the server counted 3 prompt tokens"),
}
KEY = "planted-secret-4711"
NAMES = list(FAULTS)


@dataclass(frozen=True)
class Outcome:
    run: judging.Run
    server: FaultServer
    rows: dict[tuple[str, str, str], judging.Judgment]
    shown: str


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    server = FaultServer()
    warm(server)
    edition = make_edition(len(NAMES), faults=tuple(NAMES))
    task = judging.task(
        edition,
        model="openai/toy",
        prompt="force_aware",
        api_base=server.base,
        passages=["cited"],
        runs=tmp_path_factory.mktemp("runs"),
    )
    shown = io.StringIO()
    with contextlib.redirect_stderr(shown), contextlib.redirect_stdout(shown):
        run = judging.run(task, api_key=KEY, concurrency=8, timeout_s=2.0, retries=1)
    rows = {(one.pair_id, one.passage, one.claim): one for one in run.judgments()}
    yield Outcome(run, server, rows, shown.getvalue())
    server.shutdown()
    server.server_close()


def row(outcome: Outcome, fault: str) -> judging.Judgment:
    return outcome.rows[f"t-{NAMES.index(fault):03}", "cited", "safe"]


@pytest.mark.parametrize("fault", NAMES)
def test_a_fault_has_its_status_and_its_number_of_requests(outcome: Outcome, fault: str) -> None:
    expected, found = FAULTS[fault], row(outcome, fault)
    assert (found.status, found.attempts) == (expected.status, expected.requests)
    assert expected.error in found.error
    assert bool(found.error) == (expected.status == "api_error")
    assert outcome.server.asked(f"Claim {NAMES.index(fault)}:") == expected.requests


def test_no_other_row_is_touched_and_none_is_missing(outcome: Outcome) -> None:
    assert len(outcome.rows) == 2 * len(NAMES)
    raised = [one for (_, _, claim), one in outcome.rows.items() if claim == "raised"]
    assert {(one.status, one.label, one.attempts) for one in raised} == {("ok", "force_gap", 1)}


def test_replies_are_kept_as_they_came(outcome: Outcome) -> None:
    assert row(outcome, "hostile").reply == HOSTILE
    assert row(outcome, "not_json_once").earlier == ("label: force_gap",)
    assert row(outcome, "other_model").model == "somebody-else"
    assert row(outcome, "no_usage").usage == {}
    assert row(outcome, "none").usage["completion_tokens"] == 8
    assert row(outcome, "half_json").finish_reason == "length"


def test_of_a_huge_reply_the_beginning_is_kept(server: FaultServer, tmp_path: Path) -> None:
    task = judging.task(
        make_edition(1, faults=("huge",)),
        model="openai/toy",
        prompt="force_aware",
        api_base=server.base,
        passages=["cited"],
        runs=tmp_path,
    )
    huge, other = judging.run(task, concurrency=1, progress=False).judgments()
    assert (huge.status, huge.attempts) == ("invalid_json", 2)
    assert (huge.reply_chars, len(huge.reply)) == (10_000_000, MAX_CHARS + 1)
    assert other.status == "ok"


def test_the_manifest_counts_every_status_and_request(outcome: Outcome) -> None:
    totals = outcome.run.manifest.totals
    assert totals
    assert totals.recorded == 2 * len(NAMES)
    assert totals.requests == len(outcome.server.bodies)
    assert totals.statuses["api_error"] == sum(one.status == "api_error" for one in FAULTS.values())
    assert totals.models["somebody-else"] == 1
    assert totals.cost_usd is None


def test_scores_have_a_row_for_every_claim_whatever_failed(outcome: Outcome) -> None:
    scores = judging.scores(outcome.run)
    assert len(scores) == 2 * len(NAMES)
    assert set(scores.columns) == {"pair_id", "evaluator", "prompt", "passage", "claim", "score", "status"}
    safe = scores[scores["claim"] == "safe"].set_index("pair_id")
    for number, fault in enumerate(NAMES):
        status, score = safe.loc[f"t-{number:03}", ["status", "score"]]
        usable = FAULTS[fault].status in ("ok", "fenced")
        assert (status == "ok") == usable
        assert (score == score) == usable


def test_recorded_replies_read_the_same_today(outcome: Outcome) -> None:
    assert reread(outcome.run) == []


def test_no_planted_secret_is_in_any_file_or_on_the_terminal(outcome: Outcome) -> None:
    sent = {headers["authorization"] for headers in outcome.server.headers}
    assert sent == {f"Bearer {KEY}"}
    texts = [path.read_text(encoding="utf-8") for path in outcome.run.folder.rglob("*") if path.is_file()]
    assert len(texts) == 2
    assert "planted" not in "".join([*texts, outcome.shown, outcome.run.id, repr(outcome.run)])


def test_starting_again_asks_only_for_what_failed(outcome: Outcome) -> None:
    task = judging.task(
        make_edition(len(NAMES), faults=tuple(NAMES)),
        model="openai/toy",
        prompt="force_aware",
        api_base=outcome.server.base,
        passages=["cited"],
        runs=outcome.run.folder.parent,
    )
    assert task.run_id == outcome.run.id
    failed = [name for name, expected in FAULTS.items() if expected.status == "api_error"]
    before = len(outcome.server.bodies)
    with pytest.raises(judging.RunError, match="10 questions in a row"):
        judging.run(task, concurrency=len(failed), timeout_s=2.0, retries=0, progress=False)
    asked = [body["messages"][-1]["content"].rpartition("FAULT=")[2] for body in outcome.server.bodies[before:]]
    assert sorted(asked) == sorted(failed)
    again = judging.read_run(task.run_id, runs=task.runs)
    assert len(again.judgments()) == 2 * len(NAMES)
    assert len(again.manifest.sessions) == 2
