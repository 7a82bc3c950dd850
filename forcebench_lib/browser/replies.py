"""The replies of a run as the browser shows them: made visible, cut to a budget, compressed."""

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..judging import Judgment
from ..judging.graded import expected_score, option_probabilities
from ..markup import visible
from ..metrics import Side
from ..panel import Entry

BUDGET = 400_000  # characters of the page for the replies of all runs
LENGTHS = (20_001, 2_000, 500, 100)  # the longest reply that is shown, given up one after the other to keep the budget


def lines(entry: Entry, *, longest: int = LENGTHS[0]) -> Iterator[dict[str, Any]]:
    """What a run said, one mapping a pair: the outcome on both sides, and its replies as they can be shown."""
    names: tuple[Side, ...] = ("claim", "evidence")
    frames = {name: entry.outcomes(name) for name in names}
    sides = {name: dict(zip(frame["pair_id"], frame["outcome"], strict=True)) for name, frame in frames.items()}
    said: dict[str, list[dict[str, Any]]] = {}
    for one in sorted(entry.judgments, key=lambda one: (one.repeat, one.passage, one.claim != "safe")):
        said.setdefault(one.pair_id, []).append(_reply(one, entry.manifest.prompt.labels, longest))
    for pair in entry.pairs:
        found = {f"{name}_side": outcomes[pair.id] for name, outcomes in sides.items() if pair.id in outcomes}
        yield {"pair": pair.id, **found, "replies": said.get(pair.id, [])}


def _reply(one: Judgment, labels: dict[str, float], longest: int) -> dict[str, Any]:
    score = labels.get(one.label)
    if one.options:
        score = expected_score(option_probabilities(one.logprobs or {}, one.options), labels)
    value = {
        "passage": one.passage,
        "claim": one.claim,
        "repeat": one.repeat,
        "options": ", ".join(one.options),
        "status": one.status,
        "label": one.label,
        "score": round(score, 3) if score is not None and score == score else None,
        "seconds": round(one.latency_s, 2),
        "reply": _cut(one.reply, longest, one.reply_chars),
        "earlier": "\n".join(_cut(text, longest) for text in one.earlier),
        "refusal": _cut(one.refusal, longest),
        "error": one.error,
    }
    return {
        name: visible(item) if isinstance(item, str) else item
        for name, item in value.items()
        if item or (name == "score" and item is not None)
    }


def _cut(text: str, longest: int, whole: int = 0) -> str:
    """The text, cut, with a word on how long it was."""
    length = max(len(text), whole)
    return text if length <= longest else f"{text[:longest]} … ({length:,} characters in all)"


def within_budget(known: Sequence[Entry]) -> tuple[list[str], int]:
    """The compressed lines of each run as base64, and the longest reply that the budget of the page allows."""
    packed: list[str] = []
    for longest in LENGTHS:
        packed = [_packed(lines(entry, longest=longest)) for entry in known]
        if sum(map(len, packed)) <= BUDGET:
            return packed, longest
    return packed, LENGTHS[-1]


def _packed(rows: Iterable[dict[str, Any]]) -> str:
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()  # without the time: two builds are equal
