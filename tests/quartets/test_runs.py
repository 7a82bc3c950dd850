import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib import judging
from forcebench_lib.__main__ import main
from forcebench_lib.quartets import Quartet, QuartetSet, marks, quartet_rates, recorded, task
from forcebench_lib.quartets.dataset import Manifest
from forcebench_lib.schema import InputError

from .rows import row
from .server import PolicyServer

SETTINGS: dict[str, Any] = {"concurrency": 1, "retries": 0, "progress": False}


def careful(body: dict[str, Any]) -> str:
    """Reads the documents as a good system would, by the values of the test's own rows."""
    text = body["messages"][-1]["content"]
    found = dict(re.findall(r"id: (DOC-\d)\n.*\n.*(A full cell lasts \w+ hours)", text))
    said: dict[str, Any] = {"action": "abstain", "answer": "", "citations": []}
    if len(found) == 2:
        said["action"] = "flag_conflict"
    for id_, span in found.items() if len(found) == 1 else ():
        said = {"action": "answer", "answer": span.split("lasts ")[1], "citations": [{"id": id_, "quote": span}]}
    names = {"answer": "answerable", "abstain": "insufficient", "flag_conflict": "conflicting"}
    gate = "context" in body["response_format"]["json_schema"]["schema"]["required"]
    return json.dumps(({"context": names[said["action"]]} if gate else {}) | said)


def quartet_set(*rows: Quartet) -> QuartetSet:
    return QuartetSet(Manifest(name="toy", version="1"), rows)


@pytest.fixture
def serve() -> Iterator[Callable[..., PolicyServer]]:
    running: list[PolicyServer] = []

    def start(reply: Callable[[dict[str, Any]], str] = careful) -> PolicyServer:
        running.append(PolicyServer(reply))
        return running[-1]

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("policy", ["vanilla", "gate"])
def test_a_run_is_recorded_and_read_back(serve: Callable[..., PolicyServer], tmp_path: Path, policy: str) -> None:
    data, server = quartet_set(row("a"), row("b")), serve()
    one = task(data, model="openai/m", api_base=server.base, policy=policy, runs=tmp_path)
    run = judging.run(one, **SETTINGS)
    (found,) = quartet_rates(marks(run.outputs(data), data.quartets)).to_dict("records")
    assert (found["system"], found["policy"]) == ("m", policy.capitalize())
    assert (found["n"], found["quartet_consistency"]) == (2, 1)
    assert found["calls_each"] == 1
    assert found["tokens_each"] > 20
    assert [run.id for run in recorded(data, runs=tmp_path)] == [one.run_id]
    assert len(server.bodies) == 8
    judging.run(one, **SETTINGS)
    assert len(server.bodies) == 8


def test_a_larger_limit_continues_the_run(serve: Callable[..., PolicyServer], tmp_path: Path) -> None:
    data, server = quartet_set(row("a"), row("b")), serve()
    settings = {"model": "openai/m", "api_base": server.base, "policy": "vanilla", "runs": tmp_path}
    first = judging.run(task(data, limit=1, **settings), **SETTINGS)
    assert first.manifest.quartets == ("a",)
    assert recorded(data, runs=tmp_path) == []
    assert [one.status for one in first.outputs(data)] == ["ok"] * 4 + ["missing"] * 4
    assert judging.preview(task(data, **settings)).calls == 4
    assert judging.run(task(data, **settings), **SETTINGS).manifest.quartets == ("a", "b")
    assert len(server.bodies) == 8


def test_replies_that_cannot_be_read_are_failures(serve: Callable[..., PolicyServer], tmp_path: Path) -> None:
    replies = [
        '{"action": "refuse", "answer": "", "citations": []}',
        "The answer is 14 hours.",
        '{"action": "answer", "answer": "14 hours"}',
        '```json\n{"action": "flag_conflict", "answer": "", "citations": []}\n```',
    ]
    data = quartet_set(row("a"))
    asked: list[str] = []

    def reply(body: dict[str, Any]) -> str:
        text = body["messages"][-1]["content"]
        asked.extend([text] if text not in asked else [])
        return replies[asked.index(text)]

    one = task(data, model="openai/m", api_base=serve(reply).base, policy="vanilla", runs=tmp_path)
    run = judging.run(one, **SETTINGS)
    assert [one.status for one in run.replies()] == ["invalid_label", "invalid_json", "invalid_json", "fenced"]
    found = run.outputs(data)
    assert [one.status for one in found] == ["unreadable"] * 3 + ["ok"]
    assert [one.calls for one in found] == [2, 2, 2, 1]
    assert marks(found, data.quartets)["joint"].tolist() == [False, False, False, True]


def test_another_wording_of_a_row_is_another_run_and_keeps_the_replies_of_the_rest(
    serve: Callable[..., PolicyServer], tmp_path: Path
) -> None:
    server = serve()
    settings = {"model": "openai/m", "api_base": server.base, "policy": "vanilla", "runs": tmp_path}
    judging.run(task(quartet_set(row("a"), row("b")), **settings), **SETTINGS)
    changed = quartet_set(row("a"), row("b", question="For how long does one cell light the Tarn lamp in dry air?"))
    run = judging.run(task(changed, **settings), **SETTINGS)
    assert sum(run.manifest.carried.values()) == 4
    assert len(server.bodies) == 12


def test_a_broken_line_is_set_aside_and_asked_again(
    serve: Callable[..., PolicyServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, server = quartet_set(row("a")), serve()
    one = task(data, model="openai/m", api_base=server.base, policy="vanilla", runs=tmp_path)
    run = judging.run(one, **SETTINGS)
    path = run.folder / "judgments.jsonl"
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([first[:40] + "\n", *rest]), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: .*quartets repair"):
        run.replies()
    before = path.read_bytes()
    assert main(["judge", "--repair", str(run.folder)]) == 2  # it would take every line for broken
    assert path.read_bytes() == before
    assert main(["quartets", "repair", str(run.folder)]) == 0
    assert "1 broken lines set aside" in capsys.readouterr().out
    assert len(judging.run(one, **SETTINGS).replies()) == 4
    assert len(server.bodies) == 5
    assert main(["quartets", "repair", str(tmp_path)]) == 2


def test_parameters_are_checked_before_anything_is_asked(tmp_path: Path) -> None:
    data = quartet_set(row())
    with pytest.raises(InputError, match="limit: found 0, expected 1 or more"):
        task(data, model="openai/m", policy="vanilla", limit=0, runs=tmp_path)
    with pytest.raises(InputError, match="'messages'"):
        task(data, model="openai/m", policy="vanilla", parameters={"messages": []}, runs=tmp_path)
    with pytest.raises(InputError, match="there is no such policy"):
        task(data, model="openai/m", policy="careful", runs=tmp_path)


def test_a_name_shaped_like_a_key_is_refused_as_for_judges(tmp_path: Path) -> None:
    key = "sk-" + "abc1" * 8
    with pytest.raises(InputError, match="system: found a piece that is shaped like a key"):
        task(quartet_set(row()), model="openai/m", policy="vanilla", system=key, runs=tmp_path)
