"""What every check returns: what was found, what was asked for, and whether it holds."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from ..schema import AXES, Pair

FINDING_COLUMNS = ("check", "part", "n", "found", "bound", "holds")
WHOLE = "all"


@dataclass(frozen=True)
class Bound:
    """What a check asks for.

    Examples
    --------
    >>> Bound("at least", 0.4).holds(0.4), str(Bound("at most", 2)), Bound("at least", 1).holds(float("nan"))
    (True, 'at most 2', False)
    """

    sense: Literal["at least", "at most"]
    value: float

    def holds(self, found: float) -> bool:
        return found >= self.value if self.sense == "at least" else found <= self.value

    def __str__(self) -> str:
        return f"{self.sense} {self.value:g}"


def finding(check: str, part: str, n: int, found: float, bound: Bound | None) -> dict[str, Any]:
    """One row of a frame of findings; without a bound the figure is shown and not judged, and ``holds`` is missing."""
    holds = None if bound is None or math.isnan(found) else bound.holds(found)
    return dict(zip(FINDING_COLUMNS, (check, part, n, found, str(bound or ""), holds), strict=True))


def findings(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Rows of `finding` as a frame."""
    return pd.DataFrame(list(rows), columns=list(FINDING_COLUMNS))


def parts(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """The pairs as a whole and by axis; an axis without pairs is left out."""
    by_axis = {str(axis): [pair for pair in pairs if pair.axis == axis] for axis in AXES}
    return {WHOLE: list(pairs)} | {axis: mine for axis, mine in by_axis.items() if mine}
