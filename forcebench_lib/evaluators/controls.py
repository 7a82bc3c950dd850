"""Two controls that never read the passage: what a liking for cautious or long wording wins by itself.

Nothing such a control scores can be judgement. An evaluator that does not beat both has shown nothing.
"""

from collections.abc import Sequence

from .limiters import find_limiters
from .words import tokens

_NO_HEDGES = ("date", "version", "place", "group")


def hedge_count(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by the hedges ``n`` that it holds, as ``n / (n + 1)``; dates, places and groups do not count.

    Examples
    --------
    >>> hedge_count(["", ""], ["It may cost about 40 crowns.", "It costs 40 crowns."])
    [0.6666666666666666, 0.0]
    """
    counts = (sum(mark.kind not in _NO_HEDGES for mark in find_limiters(claim)) for claim in claims)
    return [count / (count + 1) for count in counts]


def claim_length(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by its words ``n``, the longer the higher, as ``n / (n + 10)``.

    Examples
    --------
    >>> claim_length([""], ["It costs 40 crowns a year in all ten towns."])
    [0.5]
    """
    return [count / (count + 10) for count in (len(tokens(claim)) for claim in claims)]
