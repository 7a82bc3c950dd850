"""The manifest of a run in words."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..markup import escape, visible
from ..panel import Entry


def title(entry: Entry) -> str:
    """A run in words: its number, judge, prompt and size."""
    pairs = len(entry.manifest.pairs)
    return visible(f"{entry.number} · {entry.judge} · {entry.manifest.prompt.title} · {pairs} pairs")


def manifests(listed: Iterable[Entry]) -> str:
    """The manifest of each run, folded."""
    return f'<div class="run-manifests">{"".join(map(_manifest, listed))}</div>'


def _manifest(entry: Entry) -> str:
    facts = _asked(entry) | _answered(entry)
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value)
    head = f'<details class="run-manifest" id="run-{entry.number}"><summary>{escape(title(entry))}</summary>'
    return f"{head}<dl>{rows}</dl></details>"


def _asked(entry: Entry) -> dict[str, str]:
    """What was asked of whom, in words."""
    one = entry.manifest
    times = "once" if one.repeats == 1 else f"{one.repeats} times"
    text = "on another text than today's" if entry.edition is None else f"{len(entry.edition.evaluation)} pairs"
    return {
        "Run": one.run,
        "Model": " · ".join(filter(None, [one.model, one.model_file])),
        "Address": one.api_base or "the provider's own",
        "Prompt": f"{one.prompt.title} ({one.prompt.id}, version {one.prompt.version}), SHA-256 {one.prompt.sha256}",
        "Labels": _listed(one.prompt.labels),
        "Edition": f"{one.edition.name} {one.edition.version}, {text}, SHA-256 {one.edition.sha256}",
        "Asked": f"{len(one.pairs)} pairs, {' and '.join(one.passages)} passages, {one.scoring}, {times}",
        "Requested": _listed(one.requested),
        "In force": "as requested" if one.effective == one.requested else _listed(one.effective),
        "Dropped": _listed(one.dropped) or "nothing",
        "Made from": one.imported and f"a log of {one.imported}",
        "Packages": _listed({"Python": one.python, **one.packages}),
    }


def _answered(entry: Entry) -> dict[str, str]:
    """What came back, when and at what price, in words."""
    totals, (low, middle, high) = entry.totals, entry.seconds
    sessions = [
        (f"{one.started} to {one.ended}, {one.asked} asked" if one.ended else f"{one.started} on")
        + f", {one.concurrency} at once"
        + (f", stopped: {one.stopped}" if one.stopped else "")
        for one in entry.manifest.sessions
    ]
    return {
        "Replies": _listed(entry.statuses),
        "Requests": f"{totals.requests:,}, {totals.retries:,} of them again",
        "Tokens": f"{totals.prompt_tokens:,} sent, {totals.completion_tokens:,} received",
        "Cost": "unknown: no price is listed" if totals.cost_usd is None else f"US$ {totals.cost_usd:.4f}",
        "Seconds to a reply": f"median {middle:.2f}, middle half {low:.2f} to {high:.2f}" if middle == middle else "",
        "Models that answered": _listed(totals.models),
        "Carried over": _listed(entry.manifest.carried),
        "Sessions": "; ".join(sessions),
    }


def _listed(values: Mapping[str, Any]) -> str:
    """A mapping as a list in words; what is nested stands as JSON."""
    return ", ".join(
        f"{name} {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in values.items()
    )
