"""ForceCheck: word overlap that pays for limiters which the claim drops and for words that raise it.

The paper describes two such evaluators, one of rules alone, one whose penalties know the axis. Their formulas are not
known here; these are reconstructions from the description. Both start from the word overlap of `coverage` and multiply
it by what each finding leaves, so that no number of findings can tie two claims at 0. Weights stand in
``data/lexicons/forcecheck.yml``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from ..schema import AXES, Axis
from .lexicon import weights
from .limiters import Mark, bare_numbers, find_limiters, find_raisers
from .overlap import coverage
from .words import content_stems, sentences, stem, tokens

_PHRASES = ("group", "place", "version")


@dataclass(frozen=True)
class Finding:
    """Why ForceCheck lowered a score: a limiter of the passage that the claim drops, or a word that raises the claim.

    Attributes
    ----------
    axis : Axis
        The axis on which the force differs.
    rule : {"dropped", "raised"}
        ``dropped``: `mark` lies in the passage. ``raised``: `mark` lies in the claim.
    mark : Mark
        The words, with their place.
    penalty : float
        The share of the score that the finding takes away.
    """

    axis: Axis
    rule: Literal["dropped", "raised"]
    mark: Mark
    penalty: float

    @property
    def text(self) -> str:
        """The finding in words, such as ``modality: dropped "may"``."""
        return f'{self.axis}: {self.rule} "{self.mark.text}"'


def explain(passage: str, claim: str) -> tuple[Finding, ...]:
    """List what Axis ForceCheck holds against a claim: at most one dropped limiter and one raiser an axis.

    Examples
    --------
    >>> findings = explain("Tea may lower blood pressure.", "Tea will lower blood pressure.")
    >>> [finding.text for finding in findings]
    ['modality: dropped "may"', 'modality: raised "will"']
    """
    findings = []
    for axis in AXES:
        weight = weights().axis[axis]
        if dropped := _dropped(axis, passage, claim):
            findings.append(Finding(axis, "dropped", dropped[0], weight.dropped))
        if raised := [mark for mark in _raisers(passage, claim) if mark.axis == axis]:
            findings.append(Finding(axis, "raised", raised[0], weight.raised))
    return tuple(findings)


def axis_forcecheck(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by its word overlap, less the penalty of each finding of `explain`."""
    # multiplied in one order whatever was found first, so that equal penalties give equal scores to the last bit
    left = (sorted(1 - finding.penalty for finding in explain(*case)) for case in zip(passages, claims, strict=True))
    overlap = (coverage(*case) for case in zip(passages, claims, strict=True))
    return [share * prod(kept) for share, kept in zip(overlap, left, strict=True)]


def rule_forcecheck(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by its word overlap and two rules that know no axis.

    The claim should carry as many limiters as the evidence does, and no raiser that the passage does not use.
    """
    scores, weight = [], weights().rule
    for passage, claim in zip(passages, claims, strict=True):
        missing, raised = rule_signals(passage, claim)
        scores.append(coverage(passage, claim) * (1 - weight.dropped * missing) * (1 - weight.raised * raised))
    return scores


def rule_signals(passage: str, claim: str) -> tuple[float, bool]:
    """The share of the evidence's limiters that the claim lacks, by count, and whether the claim has a raiser."""
    wanted, carried = len(_limiters_in_evidence(passage, claim)), len(find_limiters(claim))
    return max(0.0, 1 - carried / wanted) if wanted else 0.0, bool(_raisers(passage, claim))


def evidence(passage: str, claim: str) -> tuple[tuple[int, int], ...]:
    """Find the sentences that the claim rests on: those that cover about as much of its words as the best one does.

    Examples
    --------
    >>> passage = "Cray has two walls. In spring they may lean. They were built long ago."
    >>> [passage[start:end] for start, end in evidence(passage, "The walls lean in spring")]
    ['In spring they may lean.']
    """
    covered = {span: coverage(passage[slice(*span)], claim) for span in sentences(passage)}
    least = max(covered.values()) * weights().evidence_share
    return tuple(span for span, share in covered.items() if share >= least > 0)


def _limiters_in_evidence(passage: str, claim: str) -> list[Mark]:
    spans = evidence(passage, claim)
    return [mark for mark in find_limiters(passage) if any(start <= mark.start < end for start, end in spans)]


def _dropped(axis: Axis, passage: str, claim: str) -> list[Mark]:
    """List the limiters of one axis that stand in the evidence and are lost in the claim."""
    if axis == "numeric":
        return [mark for mark in find_limiters(passage) if mark.values and _stated_bare(mark, passage, claim)]
    stems = content_stems(claim)
    kept = any(mark.axis == axis and mark.kind not in _PHRASES for mark in find_limiters(claim))
    return [
        mark
        for mark in _limiters_in_evidence(passage, claim)
        if mark.axis == axis and (not content_stems(mark.text) <= stems if mark.kind in _PHRASES else not kept)
    ]


def _stated_bare(limited: Mark, passage: str, claim: str) -> bool:
    """Tell whether the claim states a number that the passage only gives within a limit."""
    low, high = min(limited.values), max(limited.values)
    inside = {value for value in bare_numbers(claim) - bare_numbers(passage) if low <= value <= high}
    return bool(inside) and not (low < high and {low, high} <= inside)


def _raisers(passage: str, claim: str) -> list[Mark]:
    """List the words that raise the claim and that the passage does not use itself."""
    used = {_stems(mark) for mark in find_raisers(passage)}
    return [mark for mark in find_raisers(claim) if _stems(mark) not in used]


def _stems(mark: Mark) -> tuple[str, ...]:
    return tuple(stem(word) for word in tokens(mark.text))
