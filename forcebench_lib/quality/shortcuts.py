"""Ways to order the two claims that need no reading: what a liking for a wording wins, and what copied words win.

A benchmark that a shortcut solves does not measure warrant. So each shortcut must fail on a good part of the pairs, and
fail on every axis.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..evaluators import Evaluator, claim_length, find_raisers, hedge_count, score_pairs, token_overlap
from ..metrics import Side, outcomes, rates
from ..schema import Pair
from .finding import WHOLE, Bound, finding, findings, parts

SEED, FOLDS, SHUFFLES = 42, 5, 10
LEARNED = "Learned from the claims' words"
_UNIVERSAL = ("universals", "permanence")


def shorter_wins(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by its words, the shorter the higher."""
    return [1 - score for score in claim_length(passages, claims)]


def fewer_universals(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by the words such as *all* and *always* that it holds, ``n`` of them giving ``1 / (n + 1)``.

    Examples
    --------
    >>> fewer_universals(["", ""], ["All walls always lean.", "Walls lean."])
    [0.3333333333333333, 1.0]
    """
    counts = (sum(mark.kind in _UNIVERSAL for mark in find_raisers(claim)) for claim in claims)
    return [1 / (count + 1) for count in counts]


CLAIM_ONLY: dict[str, Evaluator] = {
    "More hedges win": hedge_count,
    "Longer wins": claim_length,
    "Shorter wins": shorter_wins,
    "Fewer universal words win": fewer_universals,
}


def claim_shortcuts(pairs: Sequence[Pair]) -> pd.DataFrame:
    """MVR of each control that sees the claims alone, whole and by axis: high is good here."""
    whole, axis = Bound("at least", 0.4), Bound("at least", 0.3)
    return pd.concat([_violations(name, control, pairs, "claim", whole, axis) for name, control in CLAIM_ONLY.items()])


def recall(pairs: Sequence[Pair]) -> pd.DataFrame:
    """MVR of content-word recall (the claim's words that stand in the passage), and how often it fails the mirror."""
    mirrored = [pair for pair in pairs if pair.licensing_passage.strip()]
    claim = _violations(
        "Content-word recall", token_overlap, pairs, "claim", Bound("at least", 0.3), Bound("at least", 0.2)
    )
    mirror = _violations(
        "Content-word recall, mirror", token_overlap, mirrored, "evidence", Bound("at least", 0.5), None
    )
    return pd.concat([claim, mirror])


def _violations(
    name: str, evaluator: Evaluator, pairs: Sequence[Pair], side: Side, whole: Bound, axis: Bound | None
) -> pd.DataFrame:
    scores = score_pairs(evaluator, pairs, name=name, passages=("cited", "licensing"))
    results = outcomes(scores, pairs, side=side)
    rows = []
    for part, mine in parts(pairs).items():
        chosen = results[results["pair_id"].isin([pair.id for pair in mine])]
        found = rates(chosen)["mvr"].iloc[0] if mine else float("nan")
        rows.append(finding(name, part, len(mine), found, whole if part == WHOLE else axis))
    return findings(rows)


def recall_hard(pairs: Sequence[Pair]) -> frozenset[str]:
    """Ids of the pairs that content-word recall does not order, so that copied words are no help on them."""
    results = outcomes(score_pairs(token_overlap, pairs, name="recall"), pairs)
    return frozenset(results.loc[results["outcome"] != "ordered", "pair_id"])


def ngram_classifier(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Share of pairs that a classifier orders which sees the words and word pairs of the claims, and no passage.

    A logistic regression learns from the difference of the two claims' counts, and is asked about pairs that it has not
    seen: cross-validation by pair, the mean of ten shuffles with fixed seeds. Half is chance. Axes have no bound.
    """
    ordered = _ordered_unseen(pairs) if len(pairs) >= FOLDS else np.full(len(pairs), np.nan)
    by_id = dict(zip([pair.id for pair in pairs], ordered, strict=True))
    rows = []
    for part, mine in parts(pairs).items():
        found = float(np.mean([by_id[pair.id] for pair in mine]))
        bound = Bound("at most", 0.65) if part == WHOLE else None
        rows.append(finding(LEARNED, part, len(mine), found, bound))
    return findings(rows)


def _ordered_unseen(pairs: Sequence[Pair]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """For each pair, the share of shuffles in which a classifier trained on others puts its calibrated claim first."""
    from scipy.sparse import vstack
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    counts = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+")
    counts.fit([claim for pair in pairs for claim in (pair.safe_claim, pair.raised_claim)])  # words alone, no labels
    safe = counts.transform([pair.safe_claim for pair in pairs])
    difference = (safe - counts.transform([pair.raised_claim for pair in pairs])).astype(float)
    ordered = np.zeros(len(pairs))
    for seed in range(SEED, SEED + SHUFFLES):
        folds = GroupKFold(FOLDS, shuffle=True, random_state=seed)
        for train, test in folds.split(difference, groups=[pair.id for pair in pairs]):
            # each pair once in either direction, so that neither order of the two claims can be learned
            both, labels = vstack([difference[train], -difference[train]]), np.repeat([1, 0], len(train))
            model = LogisticRegression(fit_intercept=False, max_iter=1000).fit(both, labels)
            ordered[test] += model.decision_function(difference[test]) > 0
    return ordered / SHUFFLES
