"""From recorded runs to scores: pure, free, and repeatable at any time."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from ..schema import InputError
from . import manifest as manifests
from .graded import expected_score, option_probabilities
from .graded import read as read_options
from .reply import USABLE, Reading, read
from .store import Judgment
from .task import Run

SCORE_COLUMNS = ["pair_id", "evaluator", "prompt", "passage", "claim", "score", "status"]


def scores(runs: Run | Iterable[Run], *, repeat: int = 0) -> pd.DataFrame:
    """The scores frame of one run or of several.

    With ``labels`` scoring a label's score is that of the prompt as recorded in the manifest. With ``graded`` scoring
    it is the mean, over the orders of the options, of the expected label score; the evaluator's name says so. A
    fenced reply counts as ``ok`` here. A question without a reply has no row, which metrics take as unusable.

    Returns
    -------
    DataFrame
        ``pair_id, evaluator, prompt, passage, claim, score, status``, ordered by run and pair.

    Raises
    ------
    InputError
        If two runs score the same claims under one name of evaluator and prompt, which no frame can tell apart.
    """
    listed = [runs] if isinstance(runs, Run) else list(runs)
    rows: list[dict[str, Any]] = []
    holders: dict[tuple[str, ...], Run] = {}
    for run in listed:
        found = list(_rows(run, repeat))
        places = [tuple(row[name] for name in SCORE_COLUMNS[:5]) for row in found]
        if taken := next((place for place in places if place in holders), None):
            raise InputError(
                f"{holders[taken].folder.name} and {run.folder.name}: found two runs of {taken[1]} under the prompt "
                f"{taken[2]} on the same pairs, expected another evaluator name in the {manifests.FILE} of one of them."
            )
        holders |= dict.fromkeys(places, run)
        rows += found
    return pd.DataFrame(rows, columns=SCORE_COLUMNS).astype({"score": float})


def _rows(run: Run, repeat: int) -> Iterable[dict[str, Any]]:
    manifest = run.manifest
    groups: dict[tuple[str, str, str], list[Judgment]] = defaultdict(list)
    for one in run.judgments():
        if one.repeat == repeat:
            groups[one.pair_id, one.passage, one.claim].append(one)
    place = {pair: number for number, pair in enumerate(manifest.pairs)}
    graded = manifest.scoring == "graded"
    for (pair, passage, claim), group in sorted(groups.items(), key=lambda found: (place[found[0][0]], found[0][1:])):
        values = [_score(one, manifest.prompt.labels) for one in group]
        bad = next((one.status for one in group if one.status not in USABLE), None)
        status = bad or ("ok" if len(group) == (2 if graded else 1) else "missing")
        yield {
            "pair_id": pair,
            "evaluator": manifest.judge,
            "prompt": manifest.prompt.id,
            "passage": passage,
            "claim": claim,
            "score": sum(values) / len(values) if status == "ok" else math.nan,
            "status": status,
        }


def _score(one: Judgment, labels: dict[str, float]) -> float:
    if one.options:
        return expected_score(option_probabilities(one.logprobs or {}, one.options), labels)
    return labels.get(one.label, math.nan)


def judgments(runs: Run | Iterable[Run]) -> pd.DataFrame:
    """One row for each recorded judgment, with reply, status, usage, latency and, if graded, the label mass.

    `mass` is the probability that the first token is one of the options; under 0.9 a graded score is noise.
    """
    listed = [runs] if isinstance(runs, Run) else list(runs)
    rows = []
    for run in listed:
        for one in run.judgments():
            mass = sum(option_probabilities(one.logprobs or {}, one.options).values()) if one.options else math.nan
            fields = one.model_dump(exclude={"logprobs", "usage", "earlier", "carried"})
            rows.append(
                {
                    "run": run.id,
                    "evaluator": run.manifest.evaluator,
                    "prompt": run.manifest.prompt.id,
                    **fields,
                    **one.usage,
                    "mass": mass,
                }
            )
    return pd.DataFrame(rows)


def reread(run: Run) -> list[str]:
    """The keys of recorded replies that are read differently today.

    A provider's refusal that came instead of a reply leaves nothing to read.
    """
    labels = run.manifest.prompt.labels
    readings = ((one, _reading(one, labels)) for one in run.judgments() if one.answered and not _came_refused(one))
    return [one.key for one, now in readings if (now.status, now.label) != (one.status, one.label)]


def _reading(one: Judgment, labels: dict[str, float]) -> Reading:
    if one.options:
        return read_options(one.logprobs, one.options)
    return read(one.reply, labels=labels, finish_reason=one.finish_reason, refusal=one.refusal)


def _came_refused(one: Judgment) -> bool:
    return one.status == "refusal" and bool(one.error) and not (one.reply or one.label or one.logprobs)


def summary(runs: Sequence[Run]) -> pd.DataFrame:
    """One row for each run: how much was asked, how it went, what it cost."""
    rows = []
    for run in runs:
        totals = run.manifest.totals
        statuses = totals.statuses if totals else {}
        rows.append(
            {
                "run": run.id,
                "evaluator": run.manifest.evaluator,
                "prompt": run.manifest.prompt.id,
                "scoring": run.manifest.scoring,
                "pairs": len(run.manifest.pairs),
                "judgments": totals.recorded if totals else 0,
                "unusable": sum(count for status, count in statuses.items() if status not in USABLE),
                "requests": totals.requests if totals else 0,
                "latency_s": totals.latency_s_median if totals else None,
                "cost_usd": totals.cost_usd if totals else None,
            }
        )
    return pd.DataFrame(rows)
