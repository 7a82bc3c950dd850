"""Agreement of the two reviewers with each other and with the drafter's intent, on the reviews as first written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .corpus import REVIEWERS, Stages
from .schema import AXES, Candidate, Review
from .stats import Estimate, bootstrap_mean, wilson

ACCEPT = "accept_force_gap"
REJECT = "reject_not_force_gap"


@dataclass(frozen=True)
class Agreement:
    """Two sequences of labels compared: how many items, the share of equal labels and Cohen's kappa, with intervals."""

    n: int
    same: Estimate
    kappa: Estimate


def cohen_kappa(
    *, first: Sequence[object], second: Sequence[object], order: Sequence[object] | None = None
) -> Agreement:
    """Share of equal labels (Wilson interval) and Cohen's kappa (Cohen 1960, interval by its asymptotic variance).

    Parameters
    ----------
    first, second : sequences of shape (n_items,)
        The labels that two readers gave to the same items, in the same order.
    order : sequence, optional
        All labels from lowest to highest. If given, kappa is weighted linearly by their distance.

    Returns
    -------
    Agreement
        Kappa is NaN where both readers gave one and the same label throughout: chance then agrees as well, and kappa is
        not defined. Its interval is NaN where all labels agree, since the asymptotic variance is 0 there; it ends at 1.

    Examples
    --------
    >>> found = cohen_kappa(first=list("aabb"), second=list("aaba"))
    >>> found.same.value, found.kappa.value
    (0.75, 0.5)
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    if len(first) != len(second):
        raise ValueError(
            f"first has {len(first)} labels and second {len(second)}, expected one each for the same items"
        )
    same = wilson(sum(a == b for a, b in zip(first, second, strict=True)), len(first))
    both = list(zip(first, second, strict=True))
    labels = list(order) if order is not None else sorted({*first, *second}, key=str)
    if len({*first, *second}) < 2:
        return Agreement(len(first), same, Estimate(np.nan, np.nan, np.nan, len(first)))
    table = np.array([[sum(pair == (a, b) for pair in both) for b in labels] for a in labels])
    result = cohens_kappa(table, wt="linear" if order is not None else None)
    low, high = (result.kappa_low, min(1.0, result.kappa_upp)) if same.value < 1 else (np.nan, np.nan)
    return Agreement(len(first), same, Estimate(float(result.kappa), float(low), float(high), len(first)))


@dataclass(frozen=True)
class Reviewed:
    """One candidate with two of its reviews."""

    candidate: Candidate
    first: Review
    second: Review


def reviewed(stages: Stages) -> list[Reviewed]:
    """Every candidate with the licence's and the sceptic's review, in the order of the candidates."""
    reviews: dict[tuple[str, str], Review] = {(review.id, review.reviewer): review for review in stages.reviews}
    return [Reviewed(row, *(reviews[row.id, reviewer] for reviewer in REVIEWERS)) for row in stages.candidates]


def between_reviewers(stages: Stages) -> pd.DataFrame:
    """Agreement of the two reviewers on every field, each on the rows where both could answer.

    Returns
    -------
    DataFrame
        ``field, rows, n, same, same_low, same_high, kappa, kappa_low, kappa_high``. ``rows`` says which rows were
        compared. Severity has linear weights. Span overlap has no kappa: it is the mean of `span_overlap`.
    """
    return by_field(reviewed(stages))


def by_field(rows: Sequence[Reviewed]) -> pd.DataFrame:
    """Agreement of the first and the second review on every field; columns as in `between_reviewers`."""
    both_accept = [row for row in rows if _decided(row, ACCEPT)]
    both_reject = [row for row in rows if _decided(row, REJECT)]
    everything, accept, reject = "all candidates", "both accept", "both reject"
    comparisons = [
        ("Decision", everything, _compare(rows, lambda review: review.annotation_decision)),
        ("Safe claim warranted", everything, _compare(rows, lambda review: review.annotation_safe_claim)),
        ("Same proposition", everything, _compare(rows, lambda review: review.annotation_raised_claim)),
        ("Axis", accept, _compare(both_accept, lambda review: review.annotation_axis)),
        ("Severity", accept, _compare(both_accept, lambda review: review.annotation_severity, order=(1, 2, 3))),
        ("Licensing passage", accept, _compare(both_accept, lambda review: review.annotation_licensing_ok)),
        ("Boundary type", reject, _compare(both_reject, lambda review: review.annotation_boundary_type)),
    ]
    table = pd.DataFrame([{"field": name, "rows": which, **_columns(found)} for name, which, found in comparisons])
    overlaps = bootstrap_mean(
        [
            span_overlap(
                row.candidate.passage, row.first.annotation_evidence_spans, row.second.annotation_evidence_spans
            )
            for row in both_accept
        ]
    )
    span = {"field": "Evidence span (overlap)", "rows": accept, "n": overlaps.n}
    span |= {"same": overlaps.value, "same_low": overlaps.low, "same_high": overlaps.high}
    return pd.concat([table, pd.DataFrame([span])], ignore_index=True)


def decision_by_axis(stages: Stages) -> pd.DataFrame:
    """Agreement of the two reviewers on the decision, by drafted axis; columns as in `between_reviewers`."""
    rows = reviewed(stages)
    return pd.DataFrame(
        [
            {
                "axis": axis,
                **_columns(
                    _compare(
                        [row for row in rows if row.candidate.axis == axis], lambda review: review.annotation_decision
                    )
                ),
            }
            for axis in AXES
        ]
    )


def against_intent(stages: Stages) -> pd.DataFrame:
    """Each reviewer against what the drafter meant and hid: decision, axis, severity, boundary type and evidence span.

    Returns
    -------
    DataFrame
        ``reviewer, field, rows`` and the columns of `between_reviewers`. The decision compares with whether the drafter
        meant a force gap; the other fields use the rows where reviewer and drafter agree on that.
    """
    rows = []
    for reviewer, place in zip(REVIEWERS, ("first", "second"), strict=True):
        pairs = [(row.candidate, getattr(row, place)) for row in reviewed(stages)]
        meant = [(c, r) for c, r in pairs if c.intent == "force_gap" and r.annotation_decision == ACCEPT]
        faulty = [(c, r) for c, r in pairs if c.intent != "force_gap" and r.annotation_decision == REJECT]
        found = {
            ("Decision", "all candidates"): cohen_kappa(
                first=[ACCEPT if c.intent == "force_gap" else REJECT for c, _ in pairs],
                second=[r.annotation_decision for _, r in pairs],
            ),
            ("Axis", "force gaps accepted"): cohen_kappa(
                first=[c.axis for c, _ in meant], second=[r.annotation_axis for _, r in meant]
            ),
            ("Severity", "force gaps accepted"): cohen_kappa(
                first=[c.severity for c, _ in meant], second=[r.annotation_severity for _, r in meant], order=(1, 2, 3)
            ),
            ("Boundary type", "boundary rows rejected"): cohen_kappa(
                first=[c.intent for c, _ in faulty], second=[r.annotation_boundary_type for _, r in faulty]
            ),
        }
        rows += [{"reviewer": reviewer, "field": f, "rows": w, **_columns(a)} for (f, w), a in found.items()]
        overlap = bootstrap_mean(
            [span_overlap(c.passage, c.evidence_spans, r.annotation_evidence_spans) for c, r in meant]
        )
        span = {"reviewer": reviewer, "field": "Evidence span (overlap)", "rows": "force gaps accepted", "n": overlap.n}
        rows.append(span | {"same": overlap.value, "same_low": overlap.low, "same_high": overlap.high})
    return pd.DataFrame(rows)


def boundary_outcomes(stages: Stages) -> pd.DataFrame:
    """What became of the rows that were drafted on or over the boundary, by intended type.

    Returns
    -------
    DataFrame
        ``intent, drafted, rejected, as_intended, accepted``: adjudicated rejections, those under the intended type, and
        rows that were accepted as force gaps after all.
    """
    settled = {row.id: row for row in stages.adjudications}
    rows = [(row.intent, settled[row.id]) for row in stages.candidates]
    table = []
    for intent in dict.fromkeys(intent for intent, _ in rows):
        verdicts = [verdict for meant, verdict in rows if meant == intent]
        rejected = [verdict for verdict in verdicts if verdict.decision == REJECT]
        table.append(
            {
                "intent": intent,
                "drafted": len(verdicts),
                "rejected": len(rejected),
                "as_intended": sum(verdict.boundary_type == intent for verdict in rejected),
                "accepted": len(verdicts) - len(rejected),
            }
        )
    return pd.DataFrame(table).sort_values("drafted", ascending=False, kind="stable", ignore_index=True)


def span_overlap(passage: str, first: Iterable[str], second: Iterable[str]) -> float:
    """Overlap of two sets of evidence spans: shared characters of the passage over all that either marks (Jaccard).

    Examples
    --------
    >>> span_overlap("abcdef", ["abcd"], ["cdef"])
    0.3333333333333333
    """
    a, b = _marked(passage, first), _marked(passage, second)
    return len(a & b) / len(a | b) if a | b else 0.0


def _marked(passage: str, spans: Iterable[str]) -> set[int]:
    places = [(passage.find(span), len(span)) for span in spans if span and span in passage]
    return {position for start, length in places for position in range(start, start + length)}


def _decided(row: Reviewed, decision: str) -> bool:
    return row.first.annotation_decision == decision and row.second.annotation_decision == decision


def _compare(
    rows: Sequence[Reviewed], label: Callable[[Review], object], order: Sequence[object] | None = None
) -> Agreement:
    return cohen_kappa(
        first=[label(row.first) for row in rows], second=[label(row.second) for row in rows], order=order
    )


def _columns(found: Agreement) -> dict[str, float]:
    same, kappa = found.same, found.kappa
    columns = {"n": found.n, "same": same.value, "same_low": same.low, "same_high": same.high}
    return columns | {"kappa": kappa.value, "kappa_low": kappa.low, "kappa_high": kappa.high}
