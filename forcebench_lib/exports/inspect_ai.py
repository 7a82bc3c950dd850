"""Logs of inspect_ai, as JSON: ``inspect eval … --log-format json``, or ``inspect log dump`` of an ``.eval`` file."""

from pathlib import Path
from typing import Any

from ..files import read_json
from ..schema import InputError
from .log import Answer, Log, bare, given

_OF_SAMPLING = (
    *("temperature", "top_p", "top_k", "max_tokens", "seed", "stop_seqs", "frequency_penalty", "presence_penalty"),
    *("reasoning_effort", "reasoning_tokens", "response_schema", "extra_body"),
)
_FINISH = {"max_tokens": "length", "model_length": "length"}
_USAGE = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "input_tokens_cache_read": "cached_tokens",
    "reasoning_tokens": "reasoning_tokens",
}


def read(path: Path) -> list[Log]:
    """Read a log of one model.

    Raises
    ------
    InputError
        For an ``.eval`` file, and where fields that every log has are missing.
    """
    if path.suffix == ".eval":
        raise InputError(f"{path}: found the packed format, expected JSON: inspect log dump {path.name} > log.json.")
    log = read_json(path, expected="a log of inspect_ai as JSON")
    one, stats = log["eval"], log.get("stats") or {}
    config = (one.get("model_generate_config") or {}) | (log["plan"].get("config") or {})
    return [
        Log(
            tool=f"inspect_ai {one['packages']['inspect_ai']}",
            model=one["model"],
            api_base=bare(one.get("model_base_url")),
            parameters=given({name: config.get(name) for name in _OF_SAMPLING}),
            packages=one["packages"],
            started=stats.get("started_at") or one["created"],
            ended=stats.get("completed_at") or one["created"],
            concurrency=config.get("max_connections") or 0,
            answers=tuple(_answer(sample) for sample in _in_order(log.get("samples") or [])),
        )
    ]


def _in_order(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(samples, key=lambda sample: int(sample["epoch"]))


def _answer(sample: dict[str, Any]) -> Answer:
    output = sample.get("output") or {}
    choice: dict[str, Any] = next(iter(output.get("choices") or []), {})
    stop, usage, error = choice.get("stop_reason") or "", output.get("usage") or {}, sample.get("error") or {}
    failed = error.get("message") or output.get("error") or ("" if choice else "the log holds no reply")
    return Answer(
        question=sample["id"],
        messages=_sent(sample),
        reply=_text(choice["message"]["content"], sample) if choice else "",
        finish_reason=_FINISH.get(stop, stop),
        usage=given({ours: usage.get(theirs) for theirs, ours in _USAGE.items()}),
        latency_s=output.get("time") or 0.0,
        model=output.get("model") or "",
        error=failed,
        at=sample.get("completed_at") or "",
    )


def _sent(sample: dict[str, Any]) -> list[dict[str, str]]:
    """All messages before the reply, so that a prompt which the command line changed is seen as well."""
    messages = sample["messages"]
    if messages and messages[-1]["role"] == "assistant":
        messages = messages[:-1]
    return [{"role": message["role"], "content": _text(message["content"], sample)} for message in messages]


def _text(content: Any, sample: dict[str, Any]) -> str:
    """The text of a message, whose parts may be a list, and which long logs keep aside; reasoning is passed over."""
    if isinstance(content, list):
        return "".join(_text(_part(part, sample), sample) for part in content)
    if not isinstance(content, str):
        raise InputError(f"{sample['id']}: found a {type(content).__name__} as a message, expected text.")
    return str((sample.get("attachments") or {}).get(content.removeprefix("attachment://"), content))


def _part(part: dict[str, Any], sample: dict[str, Any]) -> Any:
    if part["type"] not in ("text", "reasoning"):
        raise InputError(f"{sample['id']}: found {part['type']!r} as a part of a message, expected text.")
    return part["text"] if part["type"] == "text" else ""
