"""Logs of the lm-evaluation-harness: the samples file of ``--log_samples``, and the results file beside it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..files import read_json
from ..schema import InputError, json_lines
from .log import Answer, Log, bare, given


def read(path: Path) -> list[Log]:
    """Read the samples of one model.

    Raises
    ------
    InputError
        Where the results file that states model and parameters does not stand beside the samples, under the same
        time, or the prompts are text without roles.
    """
    results = path.with_name(f"results_{path.stem.rpartition('_')[2]}.json")
    stated = read_json(results, expected="the results file of the same run beside the samples")
    config, arguments = stated["config"], _arguments(stated["config"]["model_args"])
    samples = [value for _, value in json_lines(path)]
    parameters = _parameters(samples, path)
    time = datetime.fromtimestamp(stated["date"], UTC).isoformat(timespec="seconds")
    versions = {"lm_eval": stated["lm_eval_version"], "transformers": stated.get("transformers_version")}
    return [
        Log(
            tool=f"lm_eval {stated['lm_eval_version']}",
            model=f"{config['model']}/{stated['model_name']}",
            api_base=bare(arguments.get("base_url")),
            parameters=given(parameters),
            packages={name: found for name, found in given(versions).items() if found != "N/A"},
            started=time,
            ended=time,
            concurrency=int(arguments.get("num_concurrent") or 1),
            answers=tuple(answer for sample in samples for answer in _answers(sample, path)),
        )
    ]


def _arguments(stated: Any) -> dict[str, Any]:
    """Arguments of the model, which older versions state as text."""
    if isinstance(stated, dict):
        return stated
    return dict(part.split("=", 1) for part in str(stated or "").split(",") if "=" in part)


def _parameters(samples: list[dict[str, Any]], path: Path) -> dict[str, Any]:
    """The arguments of generation, which are those of all samples."""
    first, *others = [sample["arguments"]["gen_args_0"]["arg_1"] for sample in samples] or [{}]
    if any(other != first for other in others):
        raise InputError(f"{path}: found samples with differing generation arguments, expected one run's.")
    return dict(first)


def _answers(sample: dict[str, Any], path: Path) -> list[Answer]:
    """One answer for each repeat of a question."""
    question, sent, replies = sample["doc"]["id"], sample["arguments"]["gen_args_0"]["arg_0"], sample["resps"]
    if not isinstance(replies, list) or not all(isinstance(one, list) for one in replies):
        raise InputError(f"{path}: {question}: resps: found no list of lists, expected the replies of the question.")
    try:
        messages = json.loads(sent[0] if isinstance(sent, list) else sent)
    except json.JSONDecodeError:
        raise InputError(
            f"{path}: {question}: the prompt is text without roles, expected a run with --apply_chat_template "
            "and a model that takes messages."
        ) from None
    return [
        Answer(question=question, messages=messages, reply="" if text is None else text)
        for texts in replies
        for text in texts
    ]
