"""A model that is served at the responses endpoint alone: the same statuses, in that endpoint's words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from forcebench_lib import judging
from forcebench_lib.judging import responses
from forcebench_lib.judging.scoring import reread

from .conftest import make_edition, warm
from .fault_server import FaultServer

EXPECTED = {
    "none": ("ok", 1),
    "fenced": ("fenced", 1),
    "429_once": ("ok", 2),
    "500": ("api_error", 2),
    "400": ("api_error", 1),
    "reset": ("api_error", 2),
    "drip": ("api_error", 2),
    "cut_body": ("api_error", 2),
    "body_not_json": ("api_error", 2),
    "empty": ("empty", 2),
    "not_json": ("invalid_json", 2),
    "hostile": ("invalid_json", 2),
    "wrong_label": ("invalid_label", 2),
    "thought_away": ("truncated", 1),
    "half_json": ("truncated", 1),
    "null_content": ("refusal", 1),
    "content_filter": ("refusal", 1),
    "other_model": ("ok", 1),
    "no_usage": ("ok", 1),
    "three_tokens": ("api_error", 1),
}


def make_task(server: FaultServer, runs: Path, *faults: str, **changes: object) -> judging.Task:
    edition = make_edition(max(1, len(faults)), faults=faults)
    fields = {"model": "openai/responses/toy", "prompt": "force_aware", "api_base": server.base, "runs": runs}
    return judging.task(edition, **(fields | {"passages": ["cited"]} | changes))  # type: ignore[arg-type]


def test_every_fault_has_its_status_in_its_row(server: FaultServer, tmp_path: Path) -> None:
    warm(server)
    task = make_task(server, tmp_path, *EXPECTED)
    run = judging.run(task, api_key="planted-key-0815", concurrency=8, timeout_s=2.0, retries=1, progress=False)
    rows = {(one.pair_id, one.claim): one for one in run.judgments()}
    assert len(rows) == 2 * len(EXPECTED)
    found = {
        fault: (rows[f"t-{number:03}", "safe"].status, rows[f"t-{number:03}", "safe"].attempts)
        for number, fault in enumerate(EXPECTED)
    }
    assert found == EXPECTED
    assert {(one.status, one.label) for (_, claim), one in rows.items() if claim == "raised"} == {("ok", "force_gap")}
    assert {body["path"] for body in server.bodies} == {"/v1/responses"}

    by_fault = {fault: rows[f"t-{number:03}", "safe"] for number, fault in enumerate(EXPECTED)}
    assert by_fault["null_content"].refusal == "I will not judge this."
    assert by_fault["other_model"].model == "somebody-else"
    assert (
        by_fault["thought_away"].usage["completion_tokens"] == by_fault["thought_away"].usage["reasoning_tokens"] == 256
    )
    assert reread(run) == []
    text = "".join(path.read_text(encoding="utf-8") for path in run.folder.iterdir())
    assert "planted" not in text


def test_what_was_asked_and_what_was_in_force_both_stand_in_the_manifest(server: FaultServer, tmp_path: Path) -> None:
    server.refuses = {"temperature"}
    task = make_task(server, tmp_path, parameters={"reasoning_effort": "low", "stop": ["x"]})
    manifest = judging.run(task, progress=False).manifest
    assert {"temperature", "seed", "stop"} <= manifest.requested.keys()
    assert manifest.effective.keys() == {"max_tokens", "response_format", "reasoning_effort"}
    assert manifest.dropped.keys() == {"temperature", "seed", "stop"}
    assert manifest.dropped["seed"] == responses.NONE_SUCH
    assert "not supported with this model" in manifest.dropped["temperature"]
    last = server.bodies[-1]
    assert (last["model"], last["max_output_tokens"], last["reasoning"]) == ("toy", 256, {"effort": "low"})
    assert last["text"]["format"]["name"] == "judgment"
    assert last["text"]["format"]["schema"]["properties"]["label"]["enum"][0] == "force_calibrated"
    assert not {"seed", "stop", "temperature"} & last.keys()


@pytest.mark.parametrize("model", ["openai/responses/toy", "openai/toy"])
def test_without_a_json_schema_the_parser_takes_over(server: FaultServer, tmp_path: Path, model: str) -> None:
    server.refuses = {"format", "response_format"}
    server.words = {"format": "Invalid value: 'text.format.type' json_schema is not supported"}
    run = judging.run(make_task(server, tmp_path, "fenced", model=model), progress=False)
    assert "response_format" in run.manifest.dropped
    assert [one.status for one in run.judgments()] == ["fenced", "ok"]
    assert all("text" not in body and "response_format" not in body for body in server.bodies[1:])


def test_a_refused_chat_endpoint_names_the_way_out(server: FaultServer, tmp_path: Path) -> None:
    server.chat = "This model is only supported in v1/responses and not in v1/chat/completions."
    with pytest.raises(judging.RunError, match="openai/responses/NAME asks for that endpoint"):
        judging.run(make_task(server, tmp_path, model="openai/toy"), progress=False)
    assert judging.run(make_task(server, tmp_path), progress=False).manifest.totals


def test_graded_scoring_reads_the_first_token(server: FaultServer, tmp_path: Path) -> None:
    run = judging.run(make_task(server, tmp_path, prompt="generic_support", scoring="graded"), progress=False)
    # In order: A supported 0.6 (score 1), B partly 0.3 (0.5): 0.75 / 0.9. Reversed: A contradicted, B not supported: 0.
    assert judging.scores(run)["score"].tolist() == pytest.approx([0.75 / 0.9 / 2] * 2, abs=1e-5)
    assert server.bodies[0]["include"] == ["message.output_text.logprobs"]


def test_of_known_models_the_list_says_where_they_are_served(client_library: Callable[[], object]) -> None:
    names = {model: responses.name(client_library(), model, None) for model in ("openai/o1-pro", "openai/gpt-5", "x")}
    assert names == {"openai/o1-pro": "openai/o1-pro", "openai/gpt-5": None, "x": None}


def test_a_reply_of_several_parts_is_one_text() -> None:
    parts = [{"type": "output_text", "text": text} for text in ('{"label":', ' "x"}')]
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "content": parts}, {"type": "unheard_of"}]
    said = responses.reply({"output": output})
    assert said == {"text": '{"label": "x"}', "refusal": "", "finish_reason": "stop", "logprobs": None}
