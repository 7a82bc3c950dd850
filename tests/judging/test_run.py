import asyncio
import json
import math
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from forcebench_lib import judging
from forcebench_lib.corpus import Edition
from forcebench_lib.judging import manifest as manifests
from forcebench_lib.judging import store
from forcebench_lib.judging.client import _retry_after
from forcebench_lib.judging.session import dearest
from forcebench_lib.schema import InputError

from ..planted import plant, says
from . import fault_server
from .fault_server import FaultServer

MakeEdition = Callable[..., Edition]


def make_task(edition: Edition, server: FaultServer, runs: Path, **changes: Any) -> judging.Task:
    fields: dict[str, Any] = {"model": "openai/toy", "prompt": "force_aware", "api_base": server.base, "runs": runs}
    return judging.task(edition, **fields | changes)


def ask(task: judging.Task, **changes: Any) -> judging.Run:
    return judging.run(task, **{"progress": False, "timeout_s": 5.0, "retries": 1} | changes)


def claims(server: FaultServer) -> list[str]:
    return [body["messages"][-1]["content"] for body in server.bodies]


def test_the_order_of_the_questions_is_fixed(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    run = ask(make_task(edition(2), server, tmp_path), concurrency=1)
    order = [(one.pair_id, one.passage, one.claim) for one in run.judgments()]
    triple = [("cited", "safe"), ("cited", "raised"), ("licensing", "raised")]
    assert order == [(pair, *rest) for pair in ("t-000", "t-001") for rest in triple]
    assert "says that it will rain" in claims(server)[2]
    assert "Claim: The raised claim 0" in claims(server)[2]


def test_a_finished_run_asks_nothing_again(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    task = make_task(edition(3), server, tmp_path)
    first = ask(task)
    content = (first.folder / "judgments.jsonl").read_bytes()
    assert ask(task) == judging.read_run(first.id, runs=tmp_path)
    assert len(server.bodies) == 9
    assert (first.folder / "judgments.jsonl").read_bytes() == content


def test_a_larger_limit_or_more_passages_extend_a_run(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    data = edition(3)
    small = ask(make_task(data, server, tmp_path, limit=1, passages=["cited"]))
    assert not small.covers(data)
    assert judging.covering(data, needed=False, runs=tmp_path) == []
    with pytest.raises(InputError, match="no recorded run covers its 3 evaluated pairs yet"):
        judging.covering(data, runs=tmp_path)
    whole = ask(make_task(data, server, tmp_path))
    assert whole.id == small.id
    assert judging.covering(data, runs=tmp_path) == [whole]
    assert whole.manifest.pairs == ("t-000", "t-001", "t-002")
    assert len(claims(server)) == len(set(claims(server))) == 9
    assert ask(make_task(data, server, tmp_path, limit=1)).manifest.pairs == whole.manifest.pairs


@pytest.mark.parametrize(
    "change",
    [
        {"model": "openai/other"},
        {"prompt": "axis_free"},
        {"temperature": 0.5},
        {"max_tokens": 9},
        {"parameters": {"top_p": 0.9}},
        {"scoring": "graded"},
        {"api_base": "http://127.0.0.1:1/v1"},
    ],
)
def test_any_change_of_what_is_asked_is_another_run(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, change: dict[str, Any]
) -> None:
    assert make_task(edition(1), server, tmp_path, **change).run_id != make_task(edition(1), server, tmp_path).run_id


def test_another_edition_is_another_run(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    one, other = (make_task(edition(1, note=note), server, tmp_path) for note in ("", "really"))
    assert one.run_id != other.run_id
    run = ask(one)
    assert judging.recorded(tmp_path, edition=edition(1)) == [run]
    assert judging.recorded(tmp_path, edition=edition(1, note="really")) == []


def test_what_a_provider_refuses_is_given_up_and_said(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    server.refuses = {"temperature", "seed"}
    task = make_task(edition(2), server, tmp_path)
    manifest = ask(task).manifest
    assert {"temperature", "seed"} <= manifest.requested.keys()
    assert manifest.effective.keys() == {"max_tokens", "response_format"}
    assert manifest.dropped.keys() == {"temperature", "seed"}
    assert "not supported with this model" in manifest.dropped["seed"]
    assert len(server.bodies) == 6 + 2
    assert all(not server.refuses & body.keys() for body in server.bodies[2:])
    ask(task)
    assert len(server.bodies) == 8


def test_litellm_knows_models_that_refuse_temperature_zero(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    manifest = ask(make_task(edition(1), server, tmp_path, model="openai/gpt-5")).manifest
    assert "temperature" not in manifest.effective
    assert manifest.dropped.keys() == {"temperature"}
    assert {body.get("max_completion_tokens") for body in server.bodies} == {256}


def test_a_refused_key_stops_the_run_before_anything_is_written(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    with pytest.raises(judging.RunError, match="AuthenticationError") as caught:
        ask(make_task(edition(3, faults=("401",)), server, tmp_path), api_key="planted-secret")
    assert "planted" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.bodies) == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"]


def test_an_address_where_nobody_answers_is_one_sentence(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    task = make_task(edition(1), server, tmp_path, api_base="http://127.0.0.1:1/v1")
    with pytest.raises(
        judging.RunError, match=r"openai/toy: the first question brought no usable answer: .*Connection"
    ):
        ask(task, retries=0)


def test_ten_failures_in_a_row_stop_the_run_and_keep_it(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    data = edition(20, faults=("none", *["400"] * 12))
    silent = [pair.model_copy(update={"raised_claim": pair.raised_claim + " FAULT=length"}) for pair in data.pairs]
    task = make_task(Edition(data.manifest, data.folder, tuple(silent)), server, tmp_path, passages=["cited"])
    with pytest.raises(judging.RunError, match="10 questions in a row brought no answer"):
        ask(task, concurrency=1)
    kept = judging.read_run(task.run_id, runs=tmp_path)
    assert len(kept.judgments()) == 11
    assert kept.manifest.sessions[0].stopped.startswith("openai/toy: 10 questions")


def test_retry_after_is_waited_for(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    ask(make_task(edition(1, faults=("429_once",)), server, tmp_path, passages=["cited"]), concurrency=1)
    assert len(server.times) == 3
    assert server.times[1] - server.times[0] >= 1.0


def test_retry_after_is_read_in_seconds_and_as_a_date() -> None:
    def seconds(value: str) -> float | None:
        return _retry_after(SimpleNamespace(response=SimpleNamespace(headers={"retry-after": value})))  # type: ignore[arg-type]

    assert seconds("2.5") == 2.5
    assert seconds("soon") is None
    assert seconds("") is None
    later = seconds(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True))
    assert later is not None
    assert 50 < later <= 60


def test_retries_do_not_multiply(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    data = edition(2, faults=("none", "500"))
    ask(make_task(data, server, tmp_path, passages=["cited"]), retries=2)
    assert server.asked("FAULT=500") == 3


def test_a_cap_stops_before_it_is_passed_and_a_higher_one_goes_on(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    task = make_task(edition(10), server, tmp_path, max_tokens=10)
    first = ask(task, max_cost_usd=3.0, price_per_million=(1000.0, 0.0), concurrency=2)
    totals = first.manifest.totals
    assert totals
    assert totals.cost_usd == pytest.approx(totals.prompt_tokens / 1000)
    assert 0 < totals.cost_usd <= 3.0
    assert 0 < totals.recorded < 30
    assert "cap of $3.00" in first.manifest.sessions[0].stopped
    whole = ask(task, max_cost_usd=1000.0, price_per_million=(1000.0, 0.0))
    assert whole.covers(edition(10))
    assert len(server.bodies) == 30


def test_a_cap_without_a_price_is_refused(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="price of openai/toy is not known"):
        ask(make_task(edition(1), server, tmp_path), max_cost_usd=1.0)
    assert server.bodies == []


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_cap_holds_where_the_server_counts_no_tokens(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, concurrency: int
) -> None:
    silent = edition(4, faults=("no_usage",) * 4)
    pairs = [pair.model_copy(update={"raised_claim": pair.raised_claim + " FAULT=no_usage"}) for pair in silent.pairs]
    task = make_task(Edition(silent.manifest, silent.folder, tuple(pairs)), server, tmp_path, max_tokens=10)
    options: dict[str, Any] = {"price_per_million": (0.0, 1e6), "max_cost_usd": 60.0, "concurrency": concurrency}
    first = ask(task, **options)  # each reply of 10 tokens at $1, asked at most twice: $20
    assert len(server.bodies) == 3
    assert "the cap of $60.00" in first.manifest.sessions[0].stopped
    ask(task, **options)
    assert len(server.bodies) == 3
    ask(task, **options | {"max_cost_usd": 100.0})
    assert len(server.bodies) == 5


@pytest.mark.parametrize(
    "change",
    [
        {"max_cost_usd": float("nan"), "price_per_million": (1.0, 1.0)},
        {"max_cost_usd": float("inf"), "price_per_million": (1.0, 1.0)},
        {"max_cost_usd": -1.0, "price_per_million": (1.0, 1.0)},
        {"price_per_million": (float("nan"), 1.0)},
        {"price_per_million": (1.0, -1.0)},
        {"timeout_s": float("nan")},
        {"retries": -1},
    ],
)
def test_a_number_that_makes_no_sense_is_one_sentence(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, change: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match=f"{next(iter(change))}: found .*, expected a finite number, 0 or more"):
        ask(make_task(edition(1), server, tmp_path), **change)
    assert server.bodies == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", ["openai/toy", "openai/responses/toy"])
def test_no_key_lands_in_the_file_as_a_token(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(first: float) -> dict[str, Any]:
        top = [{"token": token, "logprob": -0.7, "bytes": None} for token in ("A", "planted-key-0815")]
        return {"token": "A", "logprob": -0.7, "bytes": None, "top_logprobs": top}

    monkeypatch.setattr(fault_server, "option_logprobs", leaking)
    task = make_task(edition(1), server, tmp_path, model=model, scoring="graded", passages=["cited"])
    run = ask(task, api_key="planted-key-0815")
    assert run.judgments()[0].logprobs == {"A": -0.7, "[redacted]": -0.7}
    assert "planted" not in "".join(path.read_text(encoding="utf-8") for path in run.folder.iterdir())


def test_the_estimate_counts_what_is_left(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    task = make_task(edition(2), server, tmp_path, max_tokens=10)
    ask(make_task(edition(2), server, tmp_path, max_tokens=10, limit=1))
    found = judging.preview(task, price_per_million=(2.0, 5.0))
    chars = sum(item.chars for item in task.items[3:])
    assert (found.calls, found.done, found.reply_tokens_at_most) == (3, 3, 30)
    assert found.prompt_tokens == chars // 4
    assert found.cost_usd_at_most == pytest.approx((chars // 4 * 2.0 + 30 * 5.0) / 1e6)
    assert "cost unknown" in str(judging.preview(task))
    assert len(server.bodies) == 3


def test_graded_scoring_is_the_expected_score_over_both_orders(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    run = ask(make_task(edition(1), server, tmp_path, prompt="generic_support", scoring="graded"))
    assert len(server.bodies) == 6
    assert {(body["max_tokens"], body["top_logprobs"]) for body in server.bodies} == {(1, 20)}
    scores = judging.scores(run)
    # In order: A supported 0.6 (score 1), B partly 0.3 (0.5): 0.75 / 0.9. Reversed: A contradicted, B not supported: 0.
    assert scores["score"].tolist() == pytest.approx([0.75 / 0.9 / 2] * 3, abs=1e-5)
    assert set(scores["evaluator"]) == {"toy (graded)"}
    assert judging.judgments(run)["mass"].tolist() == pytest.approx([0.9] * 6, abs=1e-5)


def test_graded_scoring_without_log_probabilities_says_so(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    server.refuses = {"logprobs", "top_logprobs"}
    with pytest.raises(judging.RunError, match="gives no log probabilities, which graded scoring needs"):
        ask(make_task(edition(1), server, tmp_path, scoring="graded"))


@pytest.mark.parametrize("impossible", [0.5, math.nan, -math.inf])
def test_impossible_log_probabilities_are_no_answer(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, impossible: float
) -> None:
    server.logprob = impossible
    with pytest.raises(judging.RunError, match="gives no log probabilities"):
        ask(make_task(edition(1), server, tmp_path, scoring="graded"))


def test_repeats_are_asked_and_scored_apart(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    run = ask(make_task(edition(1), server, tmp_path, passages=["cited"], repeats=2))
    assert sorted(one.repeat for one in run.judgments()) == [0, 0, 1, 1]
    assert len(judging.scores(run, repeat=1)) == 2


def test_it_runs_inside_a_running_event_loop(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    async def notebook() -> judging.Run:
        return ask(make_task(edition(2), server, tmp_path))

    assert len(asyncio.run(notebook()).judgments()) == 6


def test_an_interrupt_records_the_replies_on_their_way(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.delay = 0.05
    waited = Future.result

    def interrupted(self: "Future[None]", timeout: float | None = None) -> None:
        monkeypatch.setattr(Future, "result", waited)
        while len(server.bodies) < 4:
            pass
        raise KeyboardInterrupt

    monkeypatch.setattr(Future, "result", interrupted)
    task = make_task(edition(20), server, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        ask(task, concurrency=2)
    run = judging.read_run(task.run_id, runs=tmp_path)
    assert len(run.judgments()) == len(server.bodies) < 60
    assert run.manifest.sessions[0].stopped == "interrupted"


def test_a_full_disk_is_one_sentence_and_keeps_what_was_there(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = store.os.write, [4]

    def write(file: int, content: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            real(file, bytes(content)[:20])
            raise OSError(28, "No space left on device")
        return real(file, content)

    monkeypatch.setattr(store.os, "write", write)
    task = make_task(edition(5), server, tmp_path)
    with pytest.raises(judging.RunError, match="No space left on device"):
        ask(task, concurrency=1)
    monkeypatch.setattr(store.os, "write", real)
    assert len(judging.read_run(task.run_id, runs=tmp_path).judgments()) == 4
    assert len(ask(task).judgments()) == 15


def test_a_key_for_openai_is_never_sent_to_another_host(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-openai-key")
    monkeypatch.delenv("FORCEBENCH_API_KEY", raising=False)
    ask(make_task(edition(1), server, tmp_path))
    assert {headers["authorization"] for headers in server.headers} == {"Bearer no-key"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"limit": 0}, "limit: found 0"),
        ({"repeats": 0}, "repeats: found 0"),
        ({"repeats": 1001}, "repeats: found 1001, expected at most 1000"),
        ({"scoring": "stars"}, "scoring: found 'stars'"),
        ({"parameters": {"api_key": "x"}}, "found 'api_key'"),
        ({"parameters": {"messages": []}}, "found 'messages'"),
        ({"prompt": "force_awre"}, "there is no such prompt"),
        ({"api_base": "https://me:planted@host.example/v1"}, "found a user, a password or a query"),
        ({"api_base": "https://host.example/v1?code=planted"}, "found a user, a password or a query"),
        ({"api_base": "127.0.0.1:8080"}, "expected an address such as"),
        ({"api_base": "http://[::1/v1"}, "expected an address such as"),
        ({"parameters": {"max_tokens": "many"}}, "parameters.max_tokens: found 'many', expected a whole number"),
        ({"parameters": {"max_completion_tokens": math.inf}}, "parameters.max_completion_tokens: found inf, expected"),
        ({"parameters": {"stop": "\ud800"}}, "'stop': found a value that JSON cannot hold"),
        ({"model_file": "\udcff.gguf"}, "'model_file': found a value that JSON cannot hold"),
        ({"evaluator": "\ud800"}, "'evaluator': found a value that JSON cannot hold"),
        ({"temperature": math.nan}, "'temperature': found a value that JSON cannot hold"),
    ],
)
def test_wrong_settings_fail_at_the_door(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        make_task(edition(1), server, tmp_path, **change)
    assert "planted" not in str(caught.value)


def test_a_misspelt_passage_fails_before_anything_is_asked(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    for passages in (["citd"], ["cited", "cited"]):
        with pytest.raises(InputError, match=rf"passages: found \['{passages[0]}'"):
            ask(make_task(edition(1), server, tmp_path, passages=passages))
    assert server.bodies == []


def test_importing_the_library_opens_no_socket_and_loads_no_litellm() -> None:
    script = (
        "import socket, sys\n"
        "def refuse(*a, **k): raise SystemExit('a socket was opened')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import forcebench_lib, forcebench_lib.judging, forcebench_lib.judging.command\n"
        "print([name for name in ('litellm', 'openai', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_manifest_is_plain_json_that_names_what_took_part(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    run = ask(make_task(edition(1), server, tmp_path, model_file="toy.gguf sha256:00"))
    manifest = json.loads((run.folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["model_file"] == "toy.gguf sha256:00"
    assert manifest["packages"]["litellm"] == "1.110.2"
    assert manifest["prompt"]["labels"]["force_gap"] == 0
    assert manifest["edition"]["sha256"] == edition(1).sha256
    assert manifest["sessions"][0]["started"] <= manifest["sessions"][0]["ended"]


def test_an_edition_that_grows_is_asked_only_about_its_new_pairs(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    server.refuses = {"seed"}
    small = ask(make_task(edition(2), server, tmp_path))
    assert len(server.bodies) == 6 + 1
    whole = ask(make_task(edition(3), server, tmp_path))
    assert whole.id != small.id
    assert len(server.bodies) == 7 + 3
    assert whole.covers(edition(3))
    assert whole.manifest.carried == {small.id: 6}
    assert whole.manifest.dropped == small.manifest.dropped
    shrunk = ask(make_task(edition(1), server, tmp_path))
    assert len(server.bodies) == 10
    assert shrunk.manifest.totals
    assert shrunk.manifest.totals.recorded == 3
    assert judging.scores(shrunk)["score"].tolist() == judging.scores(small)["score"].tolist()[:3]


def test_nothing_is_carried_over_to_another_model_or_parameter(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    ask(make_task(edition(1), server, tmp_path))
    for change in ({"model": "openai/other"}, {"temperature": 0.5}, {"prompt": "axis_free"}):
        assert ask(make_task(edition(1, note=""), server, tmp_path, **change)).manifest.carried == {}
    assert len(server.bodies) == 4 * 3


def test_a_name_that_no_manifest_takes_is_refused_before_anything_is_asked(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    assert make_task(edition(1), server, tmp_path, evaluator="x" * 200).evaluator == "x" * 200
    with pytest.raises(InputError, match="evaluator: found a name of 201 characters, expected at most 200"):
        make_task(edition(1), server, tmp_path, evaluator="x" * 201)
    assert not server.bodies


def shortened(run: judging.Run, keep: Callable[[judging.Judgment], bool]) -> judging.Run:
    """A run as it is where the asking stopped early."""
    lines = (run.folder / store.FILE).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if keep(judging.Judgment.model_validate_json(line))]
    (run.folder / store.FILE).write_text("".join(kept), encoding="utf-8")
    return run


def test_a_run_that_stopped_half_way_does_not_cover(edition: MakeEdition, tmp_path: Path) -> None:
    data = edition(2)
    graded = plant(tmp_path, data, lambda item: {"status": "ok", "logprobs": {"A": -0.1}}, scoring="graded")
    assert graded.covers(data)
    first = graded.judgments()[0].options
    assert not shortened(graded, lambda one: one.options == first or one.pair_id == "t-000").covers(data)
    labels = plant(tmp_path, data, lambda item: says("force_gap"))
    assert labels.covers(data)
    assert not shortened(labels, lambda one: one.passage == "cited" or one.pair_id == "t-000").covers(data)
    cited = plant(tmp_path / "cited", data, lambda item: says("force_gap"), passages=["cited"])
    assert cited.covers(data)


def test_the_longest_reply_is_the_larger_of_two_limits(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    task = make_task(edition(1), server, tmp_path, max_tokens=5, parameters={"max_completion_tokens": 50})
    assert task.longest_reply == 50


def test_a_cap_without_a_longest_reply_is_refused(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    task = make_task(edition(1), server, tmp_path, parameters={"max_tokens": None})
    with pytest.raises(InputError, match="max_cost_usd: the longest reply is not known"):
        ask(task, max_cost_usd=1.0, price_per_million=(1.0, 1.0))
    assert server.bodies == []


def test_what_another_run_paid_counts_against_no_cap(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    price = (1000.0, 0.0)
    small = ask(make_task(edition(2), server, tmp_path), price_per_million=price)
    part = ask(make_task(edition(4), server, tmp_path, limit=1), price_per_million=price)
    assert part.manifest.totals
    assert (part.manifest.carried, part.manifest.totals.cost_usd) == ({small.id: 3}, 0.0)
    part = ask(make_task(edition(4), server, tmp_path, limit=3), price_per_million=price)
    assert part.manifest.carried == {small.id: 6}
    own = [one for one in part.judgments() if not one.carried]
    paid = sum(one.cost_usd or 0.0 for one in own)
    assert len(own) == 3
    assert part.manifest.totals
    assert part.manifest.totals.cost_usd == pytest.approx(paid)
    task = make_task(edition(4), server, tmp_path)
    cap = paid + sum(dearest(item, task.longest_reply, price) for item in task.items[9:]) + 1e-9
    assert ask(task, price_per_million=price, max_cost_usd=cap, concurrency=1).covers(edition(4))


def test_a_run_killed_after_its_last_reply_gets_its_totals(
    edition: MakeEdition, server: FaultServer, tmp_path: Path
) -> None:
    task = make_task(edition(1), server, tmp_path)
    run = ask(task)
    manifests.write(run.manifest.model_copy(update={"totals": None}), run.folder)
    assert ask(task).manifest.totals == run.manifest.totals
    assert judging.read_run(run.folder).manifest.totals == run.manifest.totals
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"processes": -3}, "processes: found -3, expected 1 or more"),
        ({"timeout_s": 0.0}, "timeout_s: found 0, expected more than 0 seconds"),
    ],
)
def test_no_process_and_no_time_ask_nothing(
    edition: MakeEdition, server: FaultServer, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        ask(make_task(edition(1), server, tmp_path), **change)
    assert server.bodies == []


def test_runs_that_are_a_file_are_one_sentence(edition: MakeEdition, server: FaultServer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file: File exists, expected a folder for the runs\."):
        ask(make_task(edition(1), server, tmp_path / "file"))
