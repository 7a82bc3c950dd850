import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from forcebench_lib import reported
from forcebench_lib.paths import REPORTED
from forcebench_lib.schema import InputError


def sign_test(x: int, y: int) -> Fraction:
    """The exact two-sided McNemar p, summed by hand."""
    total = x + y
    tail = sum(math.comb(total, k) for k in range(min(x, y) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**total))


@pytest.fixture
def copy(tmp_path):
    """A copy of the figures that a test may damage: ``copy(name, old, new)``."""
    for path in REPORTED.glob("*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())

    def edit(name, old, new):
        path = tmp_path / f"{name}.csv"
        text = path.read_text("utf8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf8")
        return tmp_path

    return edit


def test_types_of_table_2():
    table = reported.table2()
    assert table["violations"].tolist()[-2:] == [374, 194]
    assert table["violations"].isna().sum() == 4
    assert (table["prompt"].tolist()[0], table["units"].tolist()[0], table["mvr"].tolist()[0]) == ("", 198, 1.0)


def test_every_file_has_a_reader():
    readers = {name.removeprefix("forcebench_"): name for name in (path.stem for path in REPORTED.glob("*.csv"))}
    assert len(readers) == 9
    for reader in readers:
        assert len(getattr(reported, reader)()) > 0


def test_counts_behind_the_deterministic_rows():
    rates = reported.rates().set_index("evaluator")
    names = ["Citation presence", "Token overlap", "Entity overlap", "Rule ForceCheck", "Axis ForceCheck"]
    assert rates.loc[names, "violations"].tolist() == [198, 65, 72, 59, 46]
    assert rates.loc["Axis ForceCheck, numeric", ["violations", "units"]].tolist() == [14, 40]
    assert rates.loc["Axis ForceCheck, temporal", ["violations", "units"]].tolist() == [17, 39]
    assert sorted(rates.loc["Model aggregate", "violations"]) == [194, 194, 374, 403]


@given(st.integers(1, 999), st.data())
def test_counts_behind_finds_the_count_that_was_rounded(units, data):
    count = data.draw(st.integers(0, units))
    fitting = reported.counts_behind(round(count / units, 3), units)
    assert count in fitting
    assert all(abs(k / units - count / units) <= 0.001 + 1e-8 for k in fitting)


def test_wilson_intervals_agree_with_scipy():
    for row in reported.rates().itertuples():
        low, high = binomtest(row.violations, row.units).proportion_ci(method="wilson")
        assert (row.low, row.high) == (pytest.approx(low), pytest.approx(high))


def test_reversed_units_by_hand():
    # 598 of 792 are ordered, and 597/792 = 0.7538, 596/792 = 0.7525; 389 are ordered, and 380/792 = 0.4798
    rows = {row.prompt: (row.reversed_least, row.reversed_most) for row in reported.reversals().itertuples()}
    assert rows == {"force_aware": (1, 1), "axis_free": (2, 2), "dummy_axis": (9, 9)}


@pytest.mark.parametrize(
    ("x", "y", "p"), [(15, 1, Fraction(34, 65536)), (13, 2, Fraction(242, 32768)), (0, 1, 1), (0, 0, 1)]
)
def test_exact_mcnemar(x, y, p):
    assert sign_test(x, y) == p
    assert reported.Discordance(x, y).p == pytest.approx(float(p), rel=1e-12)


def test_generic_against_force_aware():
    least, most = reported.discordance_bounds(first=374, second=194, units=792)
    assert (least.only_first, least.only_second) == (180, 0)
    assert (most.only_first, most.only_second) == (374, 194)
    assert least.p == pytest.approx(float(Fraction(2, 2**180)))
    ps = [sign_test(180 + y, y) for y in range(195)]
    assert ps == sorted(ps)  # p grows with the discordance, so the two ends are bounds
    assert most.p == pytest.approx(float(ps[-1]))
    assert ps[-1] < Fraction(1, 10**13)


@given(st.integers(1, 6), st.data())
def test_discordance_bounds_against_all_ways_to_overlap(units, data):
    first, second = data.draw(st.integers(0, units)), data.draw(st.integers(0, units))
    possible = {
        (sum(a > b for a, b in cells), sum(a < b for a, b in cells))
        for cells in product(product((0, 1), repeat=2), repeat=units)
        if sum(a for a, _ in cells) == first and sum(b for _, b in cells) == second
    }
    least, most = reported.discordance_bounds(first=first, second=second, units=units)
    assert min(possible) == (least.only_first, least.only_second)
    assert max(possible) == (most.only_first, most.only_second)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_clustered_bound_is_above_the_exact_sign_flip_test(differences):
    total, flips = abs(sum(differences)), list(product((-1, 1), repeat=len(differences)))
    at_least = sum(abs(sum(s * d for s, d in zip(flip, differences, strict=True))) >= total for flip in flips)
    discordant = sum(map(abs, differences))
    bound = reported.clustered_p_bound(difference=total, discordant=discordant, models=4)
    assert at_least / len(flips) <= bound + 1e-12


def test_paired_covers_what_the_paper_compares():
    rows = {(row.first, row.second): row for row in reported.paired().itertuples()}
    headline = rows["generic_support", "force_aware"]
    assert headline.p_clustered == pytest.approx(2 * math.exp(-(180**2) / (2 * 4 * 568)))
    baselines = rows["Token overlap", "Axis ForceCheck"]
    assert baselines.p_most == baselines.p_clustered == pytest.approx(float(sign_test(65, 46)))
    assert rows["axis_free", "force_aware"].p_least == 1


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"forcebench_table1\.csv: there is no such file"):
        reported.table1(tmp_path)


def test_a_renamed_column_is_named(copy):
    with pytest.raises(InputError, match="found the columns axis, retained, evaluated"):
        reported.table1(copy("forcebench_table1", "retained,eval", "retained,evaluated"))


def test_a_word_in_place_of_a_count_is_named(copy):
    with pytest.raises(InputError, match=r"forcebench_table4\.csv: rows: .*many"):
        reported.table4(copy("forcebench_table4", "433", "many"))


def test_a_rate_that_fits_no_count_is_named(copy):
    with pytest.raises(InputError, match=r"Axis ForceCheck, numeric: the rate 0.36 of 40 fits 0 counts"):
        reported.rates(copy("forcebench_other", "0.350", "0.360"))
