"""Outputs of promptfoo: ``promptfoo eval -o out.json``."""

import json
from pathlib import Path
from typing import Any

from ..files import read_json
from ..schema import InputError
from .log import Answer, Log, bare, given

_OF_SAMPLING = (
    *("temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "stop", "frequency_penalty"),
    *("presence_penalty", "reasoning_effort", "passthrough"),
)
_ADDRESSES = ("apiBaseUrl", "url")
_USAGE = {"prompt": "prompt_tokens", "completion": "completion_tokens"}


def read(path: Path) -> list[Log]:
    """Read an output; each of its providers, by id and label, is a log of its own.

    Raises
    ------
    InputError
        Where promptfoo has parsed a reply, so that its text is lost, or providers cannot be told apart.
    """
    output = read_json(path, expected="an output of promptfoo as JSON")
    rows, stated = output["results"]["results"], output["metadata"]
    names = dict.fromkeys(_name(row["provider"]) for row in rows)
    configs = _configs(output["config"]["providers"], path)
    return [
        Log(
            tool=f"promptfoo {stated['promptfooVersion']}",
            model=name[0],
            label=name[1],
            api_base=bare(next((configs[name][key] for key in _ADDRESSES if configs.get(name, {}).get(key)), None)),
            parameters=given({key: configs.get(name, {}).get(key) for key in _OF_SAMPLING}),
            packages={"promptfoo": stated["promptfooVersion"], "node": stated["nodeVersion"]},
            started=stated["evaluationCreatedAt"],
            ended=stated["exportedAt"],
            concurrency=output.get("runtimeOptions", {}).get("maxConcurrency") or 0,
            answers=tuple(_answer(row, path) for row in rows if _name(row["provider"]) == name),
        )
        for name in names
    ]


def _name(provider: dict[str, Any]) -> tuple[str, str]:
    return provider["id"], provider.get("label") or ""


def _configs(providers: Any, path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    configs: dict[tuple[str, str], dict[str, Any]] = {}
    for one in providers:
        if isinstance(one, dict) and configs.setdefault(_name(one), one.get("config") or {}) != (
            one.get("config") or {}
        ):
            raise InputError(
                f"{path}: found two providers of one id with differing configs, expected a label for each, "
                "so that their replies can be told apart."
            )
    return configs


def _answer(row: dict[str, Any], path: Path) -> Answer:
    question, response = row["testCase"]["metadata"]["id"], row.get("response") or {}
    output, usage = response.get("output"), response.get("tokenUsage") or {}
    if not isinstance(output, str | None):
        raise InputError(
            f"{path}: {question}: promptfoo has parsed the reply and its text is lost, expected a run without "
            "response_format and without a transform."
        )
    failed = response.get("error") or ((row.get("error") or "the log holds no reply") if output is None else "")
    return Answer(
        question=question,
        messages=json.loads(row["prompt"]["raw"]),
        reply=output or "",
        finish_reason=response.get("finishReason") or "",
        usage=given({ours: usage.get(theirs) for theirs, ours in _USAGE.items()}),
        cost_usd=response.get("cost"),
        latency_s=(row.get("latencyMs") or 0) / 1000,
        error=failed,
    )
