"""Asking from several processes: the same run, whatever process asked."""

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from forcebench_lib import judging
from forcebench_lib.judging import callers

from .conftest import make_edition
from .fault_server import FaultServer


def test_few_questions_at_once_need_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert [callers.processes(at_once) for at_once in (1, 9, 32, 33, 64, 1000)] == [1, 1, 1, 2, 2, 8]


def test_where_a_system_names_no_cores_of_the_process_all_cores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert callers.processes(1000) == 2
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert callers.processes(1000) == 1


def test_helpers_ask_take_their_share_and_die_without_harm(
    server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCEBENCH_API_KEY", "planted-helper-key")
    faults = ("none", "fenced", "hostile", "500", "no_usage")
    item = [{"role": "user", "content": "Claim: warm up"}]

    async def ask() -> tuple[list[str], int, list[str]]:
        client = callers.Callers("openai/toy", helpers=1, api_base=server.base, timeout_s=60.0, retries=0)
        [helper] = client._helpers
        await asyncio.gather(client.ask(item, {}), client.ask(item, {}))
        while not helper.ready:
            await asyncio.sleep(0.05)
        questions = [[{"role": "user", "content": f"Claim: x FAULT={fault}"}] for fault in faults]
        replies = await asyncio.gather(*(helper.ask(question, {}) for question in questions))
        server.delay = 5.0
        share = asyncio.gather(*(client.ask(item, {}) for _ in range(4)))
        await asyncio.sleep(0.2)
        busy = helper.busy
        assert helper._process
        os.kill(helper._process.pid, signal.SIGKILL)
        lost = await share
        await client.close()
        return [one.text or one.error for one in replies], busy, [one.error for one in lost]

    texts, busy, errors = asyncio.run(ask())
    assert texts[0] == '{"label": "force_calibrated"}'
    assert texts[1].startswith("```json")
    assert "\x1b[31m \u202e" in texts[2]
    assert texts[3].startswith("InternalServerError")
    assert "planted" not in "".join(texts)
    assert busy == 2
    assert Counter(errors) == {"": 2, "the process that asked has ended": 2}
    assert {headers["authorization"] for headers in server.headers} == {"Bearer planted-helper-key"}


def test_a_run_from_two_processes_is_the_run_of_one(server: FaultServer, tmp_path: Path) -> None:
    server.delay = 0.2
    task = judging.task(
        make_edition(40, faults=("none", "not_json")),
        model="openai/toy",
        prompt="axis_free",
        api_base=server.base,
        runs=tmp_path,
    )
    run = judging.run(task, concurrency=4, processes=2, progress=False)
    assert run.covers(task.edition)
    assert [one.status for one in run.judgments()].count("ok") == 119
    assert len({body["messages"][-1]["content"] for body in server.bodies}) == 120
    assert len(server.bodies) == 121
    assert {one.pair_id for one in run.judgments() if one.status == "invalid_json"} == {"t-001"}
