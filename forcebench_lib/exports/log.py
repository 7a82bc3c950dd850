"""What a tool's log states, in one shape for all tools."""

import json
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from ..schema import Record


def _storable(values: Mapping[str, Any]) -> Mapping[str, Any]:
    json.dumps(values, allow_nan=False)
    return values


class Answer(Record, strict=True):
    """One reply of a log. What the log does not state is empty; an `error` means that no reply came."""

    question: str
    messages: list[dict[str, Any]]
    reply: str
    finish_reason: str = ""
    usage: dict[str, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    latency_s: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    model: str = ""
    error: str = ""
    at: str = ""


class Log(Record, strict=True):
    """One model's part of a log.

    `parameters` are those of sampling, by the names that the tool gives them. `concurrency` is 0 where the log does
    not state it, `label` the name that tells two of one model apart.
    """

    tool: str
    model: str
    label: str = ""
    api_base: str | None
    parameters: Annotated[dict[str, Any], AfterValidator(_storable)]
    packages: dict[str, str]
    started: str
    ended: str
    concurrency: int = Field(ge=0)
    answers: tuple[Answer, ...]


def bare(url: str | None) -> str | None:
    """An address without user, password and query, which a log may hold and a run may not.

    >>> bare("https://me:secret@example.org:8000/v1?key=abc")
    'https://example.org:8000/v1'
    """
    if not url:
        return None
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without those that are not set.

    >>> given({"temperature": 0, "top_p": None})
    {'temperature': 0}
    """
    return {name: value for name, value in values.items() if value is not None}
