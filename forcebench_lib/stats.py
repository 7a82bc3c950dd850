"""Intervals and tests. Every random step is vectorised, with 10,000 resamples and seed 42."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

RESAMPLES = 10_000
SEED = 42
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval and the number of units behind it."""

    value: float
    low: float
    high: float
    n: int


def wilson(successes: int, n: int) -> Estimate:
    """Share of successes with its Wilson score interval (Wilson 1927), as statsmodels computes it.

    Examples
    --------
    >>> rate = wilson(65, 198)
    >>> round(rate.value, 3), round(rate.low, 3), round(rate.high, 3)
    (0.328, 0.267, 0.396)
    """
    from statsmodels.stats.proportion import proportion_confint

    if n == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    low, high = proportion_confint(successes, n, alpha=1 - LEVEL, method="wilson")
    return Estimate(successes / n, float(low), float(high), n)


def bootstrap_mean(values: Sequence[float] | np.ndarray[Any, Any]) -> Estimate:
    """Mean with the percentile bootstrap interval over units (Efron and Tibshirani 1993, chapter 13).

    The units are resampled as a whole. To pool several judges over the same pairs, pass one mean a pair: as every judge
    has every pair, this is the bootstrap over pairs as clusters.

    Parameters
    ----------
    values : array of shape (n_units,)
        One number a unit.
    """
    units = np.asarray(values, dtype=float)
    if units.size == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    low, high = np.quantile(bootstrap_draws(units).mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(units.mean()), float(low), float(high), units.size)


def bootstrap_draws(units: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Resampled units, shape ``(RESAMPLES, n_units)``; the same number of units gives the same draws."""
    draws = np.random.default_rng(SEED).integers(0, len(units), size=(RESAMPLES, len(units)))
    resampled: np.ndarray[Any, Any] = units[draws]
    return resampled


@dataclass(frozen=True)
class McNemar:
    """Exact McNemar test on paired yes-no outcomes: the two discordant counts and the two-sided p."""

    only_first: int
    only_second: int
    p: float


def mcnemar(*, first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """Exact two-sided McNemar test (binomial on the discordant pairs), as statsmodels computes it.

    Parameters
    ----------
    first, second : sequences of shape (n_pairs,)
        The outcomes of the same pairs, in the same order, under two conditions.

    Examples
    --------
    >>> test = mcnemar(first=[True] * 15 + [False] + [True] * 24, second=[False] * 15 + [True] + [True] * 24)
    >>> (test.only_first, test.only_second, round(test.p, 5))
    (15, 1, 0.00052)
    """
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

    a, b = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if a.shape != b.shape:
        raise ValueError(f"first has {a.size} outcomes and second {b.size}, expected the same pairs in both")
    only_first, only_second = int((a & ~b).sum()), int((~a & b).sum())
    table = [[int((a & b).sum()), only_first], [only_second, int((~a & ~b).sum())]]
    return McNemar(only_first, only_second, float(statsmodels_mcnemar(table, exact=True).pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values (Holm 1979), in the order given.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    from statsmodels.stats.multitest import multipletests

    return [float(p) for p in multipletests(list(p_values), method="holm")[1]] if len(p_values) else []


@dataclass(frozen=True)
class Gee:
    """Odds ratio of a violation between two prompts, from a logistic GEE with pairs as clusters."""

    odds_ratio: float
    low: float
    high: float
    p: float


def gee_odds_ratio(units: pd.DataFrame) -> Gee:
    """Odds ratio of a violation, second prompt against first, by a logistic GEE (Liang and Zeger 1986).

    Parameters
    ----------
    units : DataFrame
        One row a unit (a pair under one judge and prompt): ``pair_id`` (the cluster), ``evaluator``, ``second``
        (0 or 1, which prompt) and ``violation`` (0 or 1). Judges enter as fixed effects, the working correlation is
        exchangeable.

    Returns
    -------
    Gee
        With missing numbers where a prompt has no violation or nothing else: the odds ratio is then 0 or infinite.
    """
    import statsmodels.api as sm
    import statsmodels.formula.api as smf

    shares = units.groupby("second")["violation"].mean()
    if len(shares) < 2 or shares.isin([0.0, 1.0]).any():
        return Gee(np.nan, np.nan, np.nan, np.nan)
    formula = "violation ~ second" + (" + C(evaluator)" if units["evaluator"].nunique() > 1 else "")
    data = units.sort_values("pair_id", kind="stable")
    model = smf.gee(formula, "pair_id", data, family=sm.families.Binomial(), cov_struct=sm.cov_struct.Exchangeable())
    fit = model.fit()
    low, high = fit.conf_int().loc["second"]
    ratio, low, high = (float(np.exp(x)) for x in (fit.params["second"], low, high))
    return Gee(ratio, low, high, float(fit.pvalues["second"]))


def smallest_detectable(n: int, *, discordant: float, power: float = 0.8) -> float:
    """Smallest difference of two paired rates that an exact McNemar test at 5% finds with the given power.

    Parameters
    ----------
    n : int
        Number of pairs.
    discordant : float
        Share of pairs on which the two conditions differ, in either direction.
    power : float
        Wanted chance of a significant result.

    Returns
    -------
    float
        The difference, at most ``discordant``; NaN where even that cannot be found.

    Notes
    -----
    Exact, by summing over the binomial number of discordant pairs; the difference is searched in steps of 0.001.
    """
    from scipy.stats import binom

    counts = np.arange(n + 1)
    weights = binom.pmf(counts, n, discordant)
    critical = binom.ppf(0.025, counts, 0.5)
    # The largest count k with P(X <= k) <= 0.025; ppf gives the smallest with P >= 0.025.
    critical = np.where(binom.cdf(critical, counts, 0.5) <= 0.025, critical, critical - 1)
    for difference in np.arange(0.001, discordant + 5e-4, 0.001):
        towards = min(1.0, (1 + difference / discordant) / 2)
        reject = binom.cdf(critical, counts, 1 - towards) + binom.sf(counts - critical - 1, counts, 1 - towards)
        if float((weights * np.where(critical >= 0, reject, 0)).sum()) >= power:
            return float(difference)
    return float("nan")
