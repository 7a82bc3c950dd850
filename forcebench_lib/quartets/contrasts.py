"""Quartet metrics: what holds over the contexts of one question together, what it costs, and two policies compared.

S, N, I and C are a system's success in the sufficient, noisy, insufficient and conflicting context of a quartet
(EviScope, arXiv:2609.17081).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..schema import InputError
from ..stats import LEVEL, Estimate, McNemar, bootstrap_draws, mcnemar, wilson
from .records import VARIANTS
from .scoring import POLICY, by_policy

MEASURES = {
    "evidence_removal_sensitivity": ("sufficient", "insufficient"),
    "noise_robustness": ("sufficient", "noisy"),
    "conflict_sensitivity": ("sufficient", "conflicting"),
    "quartet_consistency": VARIANTS,
}


def successes(marked: pd.DataFrame) -> pd.DataFrame:
    """Which quartet metrics hold on each quartet.

    Parameters
    ----------
    marked : DataFrame
        The result of `scoring.marks`.

    Returns
    -------
    DataFrame
        One row a system, policy and quartet; a column of booleans for each of `VARIANTS` and `MEASURES`.
    """
    keys = [*POLICY, "quartet"]
    wide = marked.pivot_table(index=keys, columns="variant", values="joint", aggfunc="all", sort=False)
    held = wide[list(VARIANTS)].astype(bool).rename_axis(columns=None)
    return held.assign(**{name: held[list(parts)].all(axis=1) for name, parts in MEASURES.items()}).reset_index()


def quartet_rates(marked: pd.DataFrame) -> pd.DataFrame:
    """The quartet metrics of each system and policy, and what a grounded outcome costs.

    Returns
    -------
    DataFrame
        ``system, policy, n`` (quartets); each of `MEASURES` with its Wilson interval in ``_low`` and ``_high``;
        ``grounded_utility`` (joint success over mean calls); and the spending on all contexts for each joint success:
        ``calls_each, tokens_each, seconds_each, usd_each``. A price that one row does not know is missing for all, and
        so is any price where nothing succeeded.
    """
    held = by_policy(successes(marked), _quartet_rates)
    return held.merge(by_policy(marked, _prices), on=POLICY)


def _quartet_rates(held: pd.DataFrame) -> dict[str, float]:
    found: dict[str, float] = {"n": len(held)}
    for name in MEASURES:
        rate = wilson(int(held[name].sum()), len(held))
        found |= {name: rate.value, f"{name}_low": rate.low, f"{name}_high": rate.high}
    return found


def _prices(rows: pd.DataFrame) -> dict[str, float]:
    spent = {
        "calls_each": "calls",
        "tokens_each": "tokens",
        "seconds_each": "latency_s",
        "usd_each": "cost_usd",
    }
    right, calls = int(rows["joint"].sum()), rows["calls"].mean()
    prices = {name: rows[column].sum(skipna=False) / right if right else np.nan for name, column in spent.items()}
    return {"grounded_utility": rows["joint"].mean() / calls if calls else np.nan} | prices


@dataclass(frozen=True)
class Comparison:
    """Two policies on the same quartets: second minus first, each with its interval, and the test on all four contexts.

    `differences` has a value for each of `MEASURES` and for ``joint_success``.
    """

    n: int
    differences: dict[str, Estimate]
    test: McNemar


def compare(marked: pd.DataFrame, *, first: tuple[str, str], second: tuple[str, str]) -> Comparison:
    """Compare two policies quartet by quartet.

    The intervals are percentiles of a paired bootstrap over quartets (10,000 samples, seed 42). The test is the exact
    two-sided McNemar test on quartet consistency.

    Parameters
    ----------
    marked : DataFrame
        The result of `scoring.marks`, with both.
    first, second : pair of str
        System and policy.

    Raises
    ------
    InputError
        If one of them is not in the frame.
    """
    sides = [_by_quartet(marked, *names) for names in (first, second)]
    one, other = sides[0], sides[1].loc[sides[0].index]
    gained = other.astype(float) - one.astype(float)
    low, high = np.quantile(bootstrap_draws(gained.to_numpy()).mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    differences = {
        name: Estimate(float(gained[name].mean()), float(low[at]), float(high[at]), len(gained))
        for at, name in enumerate(gained.columns)
    }
    whole = "quartet_consistency"
    return Comparison(len(gained), differences, mcnemar(first=one[whole].tolist(), second=other[whole].tolist()))


def _by_quartet(marked: pd.DataFrame, system: str, policy: str) -> pd.DataFrame:
    rows = marked[(marked["system"] == system) & (marked["policy"] == policy)]
    if rows.empty:
        raise InputError(f"{system}, {policy}: found no output, expected a system and policy of the frame.")
    held = successes(rows).set_index("quartet")[list(MEASURES)]
    return held.assign(joint_success=rows.groupby("quartet", sort=False)["joint"].mean())
