"""What the evaluation set is made of: implicit limiters, limiters late in the passage, mechanisms."""

from collections.abc import Callable, Sequence

import pandas as pd

from ..schema import MECHANISMS, Pair
from .finding import WHOLE, Bound, finding, findings, parts


def limiter_third(pair: Pair) -> int:
    """The third of the passage (0, 1 or 2) with the middle of the last evidence span, where the limit is complete."""
    start, length = max((pair.passage.find(span), len(span)) for span in pair.evidence_spans)
    return min(2, int(3 * (start + length / 2) / len(pair.passage)))


def composition(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Shares of implicit and of late limiters, and the rarest mechanism of each axis.

    Pairs without a marker or a mechanism are not counted; where no pair has one, the check is left out.
    """
    marked = [pair for pair in pairs if pair.marker]
    late = "Limit complete only in the last third"
    checks = [
        _shares("Implicit limiters", marked, lambda pair: pair.marker == "implicit", Bound("at least", 0.4)),
        _shares(late, pairs, lambda pair: limiter_third(pair) == 2, Bound("at least", 0.25)),
        _rarest_mechanism([pair for pair in pairs if pair.mechanism]),
    ]
    return pd.concat([check for check in checks if len(check)])


def _shares(check: str, pairs: Sequence[Pair], holds: Callable[[Pair], bool], bound: Bound) -> pd.DataFrame:
    return findings(
        finding(check, part, len(mine), sum(map(holds, mine)) / len(mine), bound if part == WHOLE else None)
        for part, mine in parts(pairs).items()
        if mine
    )


def _rarest_mechanism(pairs: Sequence[Pair]) -> pd.DataFrame:
    rows = []
    for part, mine in parts(pairs).items():
        if part != WHOLE:
            used = [pair.mechanism for pair in mine]
            fewest = min(used.count(name) for name in MECHANISMS[part])
            rows.append(finding("Pairs of the rarest mechanism", part, len(mine), float(fewest), Bound("at least", 2)))
    return findings(rows)
