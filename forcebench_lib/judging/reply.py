"""From the text of a reply to what it says: one strict parser with a status for every way to fail."""

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal, get_args

Status = Literal["ok", "fenced", "invalid_label", "invalid_json", "empty", "truncated", "refusal", "api_error"]

STATUSES: tuple[Status, ...] = get_args(Status)
USABLE: tuple[Status, ...] = ("ok", "fenced")
PARSER_VERSION = 1
MAX_CHARS = 20_000

_FENCE = re.compile(r"\s*```(?:json)?[ \t]*\n(?P<inside>.*?)\n?```\s*", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"\s*(?:(?:i['’]?m|i am)\s+(?:(?:very\s+)?sorry|unable)|sorry,"
    r"|i\s+(?:can(?:no|['’])?t|can not|won['’]?t|will not|must decline))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """What a reply was read as. `label` is set where `status` is one of `USABLE`; `error` says why there is none."""

    status: Status
    label: str = ""
    error: str = ""


class _TwiceNamedError(ValueError):
    """A JSON object that names a key twice answers twice."""


def read(text: str, *, labels: Collection[str], finish_reason: str = "stop", refusal: str = "") -> Reading:
    """Read a reply.

    A reply is ``ok`` if it is one JSON object whose only key is ``label`` (``reason`` may stand beside it) with one of
    the labels, letter by letter. It is ``fenced`` if that object is all there is inside one code fence: the label is
    used and the fence is counted. Nothing is mended: two objects, a preamble, a trailing comma are ``invalid_json``.

    Parameters
    ----------
    text : str
        The reply as it came.
    labels : collection of str
        The labels of the prompt.
    finish_reason : str
        The provider's word for why the reply ended. ``length`` turns what cannot be read into ``truncated``.
    refusal : str
        The text of the provider's refusal field, if any.

    Examples
    --------
    >>> read('{"label": "supported"}', labels=["supported"])
    Reading(status='ok', label='supported', error='')
    >>> read('{"label": "supp', labels=["supported"], finish_reason="length").status
    'truncated'
    """

    def label(value: dict[str, Any]) -> Reading:
        if "label" not in value or set(value) - {"label", "reason"}:
            return Reading("invalid_json")
        found = value["label"]
        return Reading("ok", found) if isinstance(found, str) and found in labels else Reading("invalid_label")

    return read_object(text, label, finish_reason=finish_reason, refusal=refusal)


def read_object(
    text: str, understand: Callable[[dict[str, Any]], Reading], *, finish_reason: str = "stop", refusal: str = ""
) -> Reading:
    """Read a reply that is to be one JSON object, whatever its fields; `understand` reads the object itself.

    >>> read_object('{"action": "answer"}', lambda found: Reading("ok", found["action"]))
    Reading(status='ok', label='answer', error='')
    """
    if refusal or finish_reason == "content_filter":
        return Reading("refusal")
    if not text.strip():
        return Reading("truncated" if finish_reason == "length" else "empty")
    if len(text) > MAX_CHARS:
        return Reading("invalid_json")
    reading = _object(text, understand)
    fence = _FENCE.fullmatch(text)
    if reading is None and fence:
        inner = _object(fence["inside"], understand)
        reading = Reading("fenced", inner.label) if inner and inner.status == "ok" else inner
    if reading:
        return reading
    if finish_reason == "length":
        return Reading("truncated")
    return Reading("refusal" if _REFUSAL.match(text) else "invalid_json")


def _object(text: str, understand: Callable[[dict[str, Any]], Reading]) -> Reading | None:
    """The reading of a text that is one JSON value, or None if it is not one."""
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except _TwiceNamedError:
        return Reading("invalid_json")
    except (ValueError, RecursionError):
        return None
    return understand(value) if isinstance(value, dict) else Reading("invalid_json")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _TwiceNamedError
    return value
