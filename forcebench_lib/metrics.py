"""From scores to outcomes and from outcomes to rates: MVR, FS, their split, and the evidence-side twins.

The claim side holds the cited passage fixed and raises the claim: the evidence-calibrated claim must score strictly
higher (ForceBench, section 2). The evidence side (the mirror test) holds the raised claim fixed and swaps in the
licensing passage: support must rise. Both are computed by the same code from two scores a pair, `safe` and `raised` on
the claim side, and the licensing and the cited score of the raised claim on the evidence side.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from .schema import Pair
from .stats import bootstrap_mean, mcnemar, wilson

Side = Literal["claim", "evidence"]
Policy = Literal["violation", "leave_out"]

OUTCOMES = ("ordered", "tie", "inversion", "unusable")
SCORE_COLUMNS = ("pair_id", "evaluator", "prompt", "passage", "claim", "score", "status")
MEMBERS: dict[Side, tuple[tuple[str, str], tuple[str, str]]] = {
    "claim": (("cited", "safe"), ("cited", "raised")),
    "evidence": (("licensing", "raised"), ("cited", "raised")),
}


def outcomes(scores: pd.DataFrame, pairs: Iterable[Pair], *, side: Side = "claim") -> pd.DataFrame:
    """The outcome of every pair under every evaluator and prompt.

    Parameters
    ----------
    scores : DataFrame
        Scores frame: ``pair_id, evaluator, prompt, passage, claim, score, status``. A missing row counts as unusable.
    pairs : iterable of Pair
        The evaluation set. Every evaluator and prompt in `scores` gets one row for each of these pairs, so the number
        of pairs is that of the evaluation set whatever failed. On the evidence side one without any row for the
        licensing passage was not asked, and gets none.
    side : {"claim", "evidence"}
        Which ordering is asked for.

    Returns
    -------
    DataFrame
        ``pair_id, axis, severity, source, marker, evaluator, prompt, safe, raised, margin, outcome``. On the evidence
        side ``safe`` holds the score under the licensing passage and ``raised`` that under the cited one. ``margin`` is
        ``safe - raised``, and 0 where the pair is unusable.
    """
    duplicated = scores.duplicated(["pair_id", "evaluator", "prompt", "passage", "claim"])
    if duplicated.any():
        row = scores.loc[duplicated].iloc[0]
        raise ValueError(
            f"{row.evaluator} has two scores for the {row.claim} claim of {row.pair_id} under {row.passage}"
        )
    facts = pd.DataFrame(
        [(p.id, p.axis, p.severity, p.source, p.marker) for p in pairs],
        columns=["pair_id", "axis", "severity", "source", "marker"],
    ).astype({"pair_id": object})
    asked = scores if side == "claim" else scores[scores["passage"] == "licensing"]
    runs = asked[["evaluator", "prompt"]].drop_duplicates()
    frame = runs.merge(facts, how="cross")
    for name, (passage, claim) in zip(("safe", "raised"), MEMBERS[side], strict=True):
        member = scores.loc[(scores["passage"] == passage) & (scores["claim"] == claim)]
        member = member[["pair_id", "evaluator", "prompt", "score"]].rename(columns={"score": name})
        member = member.astype({"pair_id": object})  # an empty frame has no type of its own
        frame = frame.merge(member, how="left", on=["pair_id", "evaluator", "prompt"])
    margin = frame["safe"] - frame["raised"]
    frame["margin"] = margin.fillna(0.0)
    frame["outcome"] = np.select([margin.isna(), margin > 0, margin == 0], ["unusable", "ordered", "tie"], "inversion")
    order = [
        "pair_id",
        "axis",
        "severity",
        "source",
        "marker",
        "evaluator",
        "prompt",
        "safe",
        "raised",
        "margin",
        "outcome",
    ]
    return frame[order]


def rates(
    results: pd.DataFrame, by: Sequence[str] = ("evaluator", "prompt"), *, policy: Policy = "violation"
) -> pd.DataFrame:
    """MVR and FS with their intervals and the split of the violations, for each group.

    MVR is the share of pairs that are not strictly ordered; FS is the mean margin (ForceBench, section 2).

    Parameters
    ----------
    results : DataFrame
        Outcomes frame.
    by : sequence of str
        Columns that make a group. Groups that hold a pair more than once, such as several judges pooled, are resampled
        by pairs, and MVR gets a bootstrap interval; the others get Wilson's.
    policy : {"violation", "leave_out"}
        What an unusable pair is: a violation with margin 0 (the paper's policy), or left out of the group.

    Returns
    -------
    DataFrame
        The columns of `by`, then ``n, violations, tie, inversion, unusable, mvr, mvr_low, mvr_high, fs, fs_low,
        fs_high``. ``n`` counts units: pairs, or pair and judge where judges are pooled.

    Examples
    --------
    >>> frame = pd.DataFrame({"pair_id": ["a", "b"], "evaluator": "x", "margin": [0.5, 0.0]})
    >>> frame["outcome"] = ["ordered", "tie"]
    >>> rates(frame, by=["evaluator"])[["n", "violations", "mvr", "fs"]].iloc[0].to_dict()
    {'n': 2.0, 'violations': 1.0, 'mvr': 0.5, 'fs': 0.25}
    """
    rows = []
    for key, group in results.groupby(list(by), sort=False, dropna=False):
        used = group if policy == "violation" else group[group["outcome"] != "unusable"]
        rows.append(dict(zip(by, key, strict=True)) | _rates(used))
    return pd.DataFrame(rows)


def _rates(group: pd.DataFrame) -> dict[str, float]:
    violation = group["outcome"] != "ordered"
    violations, n = int(violation.sum()), len(group)
    by_pair = group.assign(violation=violation).groupby("pair_id", sort=False)[["violation", "margin"]].mean()
    mvr = wilson(violations, n) if len(by_pair) == n else bootstrap_mean(by_pair["violation"].to_numpy(dtype=float))
    fs = bootstrap_mean(by_pair["margin"].to_numpy(dtype=float))
    split = {name: int((group["outcome"] == name).sum()) for name in OUTCOMES[1:]}
    intervals = {
        "mvr": mvr.value,
        "mvr_low": mvr.low,
        "mvr_high": mvr.high,
        "fs": fs.value,
        "fs_low": fs.low,
        "fs_high": fs.high,
    }
    return {"n": n, "violations": violations, **split, **intervals}


def joint(claim_side: pd.DataFrame, evidence_side: pd.DataFrame) -> pd.DataFrame:
    """Pairs on which both orderings hold: the outcomes of the two sides side by side.

    Returns
    -------
    DataFrame
        ``pair_id, axis, evaluator, prompt, claim, evidence, both``: the outcome of each side, and whether both are
        ordered.
    """
    keys = ["pair_id", "axis", "evaluator", "prompt"]
    left = claim_side[[*keys, "outcome"]].rename(columns={"outcome": "claim"})
    right = evidence_side[[*keys, "outcome"]].rename(columns={"outcome": "evidence"})
    frame = left.merge(right, on=keys, validate="one_to_one")
    frame["both"] = (frame["claim"] == "ordered") & (frame["evidence"] == "ordered")
    return frame


def compare(*, first: pd.DataFrame, second: pd.DataFrame) -> dict[str, float]:
    """Paired comparison of two conditions on the same pairs: difference in MVR and FS, and the exact McNemar test.

    Parameters
    ----------
    first, second : DataFrame
        Outcomes frames of one evaluator and prompt each, over the same pairs.

    Returns
    -------
    dict
        ``n``, ``mvr_difference`` and ``fs_difference`` (second minus first) with ``_low`` and ``_high``, ``only_first``
        and ``only_second`` (pairs violated under that condition alone), ``p``.
    """
    a, b = first.set_index("pair_id"), second.set_index("pair_id")
    if set(a.index) != set(b.index) or not a.index.is_unique or not b.index.is_unique:
        raise ValueError("the two conditions do not hold the same pairs once each")
    b = b.loc[a.index]
    violated_a, violated_b = a["outcome"] != "ordered", b["outcome"] != "ordered"
    mvr = bootstrap_mean(violated_b.to_numpy(dtype=float) - violated_a.to_numpy(dtype=float))
    fs = bootstrap_mean((b["margin"] - a["margin"]).to_numpy(dtype=float))
    test = mcnemar(first=violated_a.tolist(), second=violated_b.tolist())
    return {
        "n": len(a),
        "mvr_difference": mvr.value,
        "mvr_difference_low": mvr.low,
        "mvr_difference_high": mvr.high,
        "fs_difference": fs.value,
        "fs_difference_low": fs.low,
        "fs_difference_high": fs.high,
        "only_first": test.only_first,
        "only_second": test.only_second,
        "p": test.p,
    }


def leave_one_source_out(results: pd.DataFrame) -> pd.DataFrame:
    """MVR and FS of every evaluator and prompt with each source left out in turn.

    Returns
    -------
    DataFrame
        As `rates`, with the column ``left_out`` in front.
    """
    sources = sorted(results["source"].unique())
    rests = {source: results[results["source"] != source] for source in sources}
    parts = [rates(rest).assign(left_out=source) for source, rest in rests.items() if not rest.empty]
    frame = pd.concat(parts or [rates(results).assign(left_out="none")], ignore_index=True)
    return frame[["left_out", *[column for column in frame.columns if column != "left_out"]]]


def over_caution(scores: pd.DataFrame, pairs: Sequence[Pair], *, threshold: float = 0.5) -> pd.DataFrame:
    """How often each evaluator denies support to the raised claim although the licensing passage licenses it in full.

    Parameters
    ----------
    scores : DataFrame
        Scores frame with rows for the licensing passage.
    pairs : sequence of Pair
        The evaluation set; a pair without a usable score counts as denied.
    threshold : float
        A score below it denies support.

    Returns
    -------
    DataFrame
        ``evaluator, prompt, n, denied, over_caution, over_caution_low, over_caution_high``, intervals by Wilson.

    Examples
    --------
    >>> columns = ["pair_id", "evaluator", "prompt", "passage", "claim", "score", "status"]
    >>> rows = [("a", "x", "", "licensing", "raised", 0.9, "ok"), ("b", "x", "", "licensing", "raised", 0.2, "ok")]
    >>> from types import SimpleNamespace as Row
    >>> found = over_caution(pd.DataFrame(rows, columns=columns), [Row(id="a"), Row(id="b"), Row(id="c")])
    >>> found[["n", "denied"]].iloc[0].tolist()
    [3, 2]
    """
    columns = ["evaluator", "prompt", "n", "denied", "over_caution", "over_caution_low", "over_caution_high"]
    licensed = scores[(scores["passage"] == "licensing") & (scores["claim"] == "raised")]
    rows = []
    for (evaluator, prompt), group in licensed.groupby(["evaluator", "prompt"], sort=False):
        given = group.set_index("pair_id")["score"].reindex([pair.id for pair in pairs])
        denied = int((~(given >= threshold)).sum())
        share = wilson(denied, len(given))
        rows.append((evaluator, prompt, len(given), denied, share.value, share.low, share.high))
    return pd.DataFrame(rows, columns=columns)
