"""What a tool's log states, in one shape for all tools."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ..judging.prompt import Message


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One reply of a log. What the log does not state is empty; an `error` means that no reply came."""

    question: str
    messages: list[Message]
    reply: str
    finish_reason: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    cost_usd: float | None = None
    latency_s: float = 0.0
    model: str = ""
    error: str = ""
    at: str = ""


@dataclass(frozen=True, kw_only=True)
class Log:
    """One model's part of a log.

    `parameters` are those of sampling, by the names that the tool gives them. `concurrency` is 0 where the log does
    not state it.
    """

    tool: str
    model: str
    api_base: str | None
    parameters: Mapping[str, Any]
    packages: Mapping[str, str]
    started: str
    ended: str
    concurrency: int
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
