"""Word overlap: how much of a claim's wording stands in the passage."""

from collections.abc import Sequence

from .words import content_stems


def coverage(passage: str, claim: str) -> float:
    """Share of the claim's different content stems that the passage holds; 0 for a claim without content words.

    Examples
    --------
    >>> coverage("Tea may lower blood pressure in adults.", "Tea lowers pressure for good")
    0.75
    """
    wanted = content_stems(claim)
    return len(wanted & content_stems(passage)) / len(wanted) if wanted else 0.0


def citation_presence(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score 1 wherever a passage is cited at all: the sanity check that cannot order any pair."""
    return [1.0 if passage.strip() else 0.0 for passage, _ in zip(passages, claims, strict=True)]


def token_overlap(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by its `coverage` in its passage."""
    return [coverage(passage, claim) for passage, claim in zip(passages, claims, strict=True)]
