import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, bootstrap

from forcebench_lib import stats


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (65, 198), (10, 10), (374, 792)])
def test_wilson_is_scipys(successes: int, n: int) -> None:
    found = stats.wilson(successes, n)
    expected = binomtest(successes, n).proportion_ci(method="wilson")
    assert (found.low, found.high) == (pytest.approx(expected.low, abs=1e-9), pytest.approx(expected.high, abs=1e-9))


def test_wilson_of_nothing_is_missing() -> None:
    assert math.isnan(stats.wilson(0, 0).value)


def test_bootstrap_agrees_with_scipys() -> None:
    values = np.random.default_rng(1).normal(0.3, 0.5, size=150)
    found = stats.bootstrap_mean(values)
    expected = bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=5).confidence_interval
    assert found.low == pytest.approx(expected.low, abs=0.01)
    assert found.high == pytest.approx(expected.high, abs=0.01)


def test_bootstrap_is_the_same_every_time() -> None:
    assert stats.bootstrap_mean([0.0, 1.0, 0.5]) == stats.bootstrap_mean([0.0, 1.0, 0.5])


@pytest.mark.parametrize(
    ("b", "c", "p"), [(15, 1, Fraction(34, 65536)), (13, 2, Fraction(242, 32768)), (0, 1, Fraction(1))]
)
def test_mcnemar_gives_the_published_p_values(b: int, c: int, p: Fraction) -> None:
    """EviScope prints 15:1, 13:2 and 0:1 of 40 quartets; the fractions are counted from the binomial."""
    first = [True] * b + [False] * (40 - b)
    second = [False] * b + [True] * c + [False] * (40 - b - c)
    found = stats.mcnemar(first=first, second=second)
    assert (found.only_first, found.only_second) == (b, c)
    assert found.p == pytest.approx(float(p))


def test_mcnemar_refuses_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="same pairs"):
        stats.mcnemar(first=[True], second=[True, False])


def test_holm_by_hand() -> None:
    # sorted 0.01 * 3, max(0.03, 0.02 * 2) and 0.04 * 1 raised to the one before
    assert stats.holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert stats.holm([]) == []


def test_gee_of_one_judge_is_the_odds_ratio_of_the_table() -> None:
    """With one judge the point estimate is the marginal odds ratio: (30/70) / (60/40)."""
    units = pd.DataFrame(
        {
            "pair_id": [*range(100), *range(100)],
            "evaluator": "judge",
            "second": [0] * 100 + [1] * 100,
            "violation": [1] * 60 + [0] * 40 + [1] * 30 + [0] * 70,
        }
    )
    found = stats.gee_odds_ratio(units)
    assert found.odds_ratio == pytest.approx((30 / 70) / (60 / 40), rel=1e-6)
    assert found.low < found.odds_ratio < found.high < 1
    assert found.p < 0.001


def test_gee_says_nothing_where_a_prompt_has_no_violation() -> None:
    units = pd.DataFrame({"pair_id": [1, 2, 1, 2], "evaluator": "j", "second": [0, 0, 1, 1], "violation": [0, 1, 0, 0]})
    assert math.isnan(stats.gee_odds_ratio(units).odds_ratio)


def test_smallest_detectable_difference_matches_a_simulation() -> None:
    n, discordant = 100, 0.4
    difference = stats.smallest_detectable(n, discordant=discordant)
    rng = np.random.default_rng(3)
    towards = (1 + difference / discordant) / 2
    counts = rng.binomial(n, discordant, size=4000)
    first = rng.binomial(counts, towards)
    p = np.array([binomtest(int(k), int(m)).pvalue if m else 1.0 for k, m in zip(first, counts, strict=True)])
    assert (p < 0.05).mean() == pytest.approx(0.8, abs=0.03)


def test_no_difference_is_detectable_in_very_few_pairs() -> None:
    assert math.isnan(stats.smallest_detectable(5, discordant=0.4))
