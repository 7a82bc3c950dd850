from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forcebench_lib import reported
from forcebench_lib.quartets import VARIANTS, compare, marks, quartet_rates, successes
from forcebench_lib.quartets.contrasts import MEASURES
from forcebench_lib.schema import InputError

from .rows import right, row

Held = Sequence[Sequence[bool]]


def marked(held: Held, *, policy: str = "vanilla", calls: float = 1, tokens: float = 10) -> pd.DataFrame:
    """Marks with the given successes in the four contexts of each quartet."""
    rows = [
        {"system": "m", "policy": policy, "quartet": f"q{number:02}", "variant": variant, "joint": joint}
        | {"calls": calls, "tokens": tokens, "latency_s": 0.5, "cost_usd": np.nan}
        for number, quartet in enumerate(held)
        for variant, joint in zip(VARIANTS, quartet, strict=True)
    ]
    return pd.DataFrame(rows)


def test_measures_are_conjunctions_of_contexts() -> None:
    found = successes(marked([(1, 1, 1, 1), (1, 0, 1, 0), (0, 1, 1, 1), (1, 1, 0, 1)]))
    assert found["evidence_removal_sensitivity"].tolist() == [True, True, False, False]
    assert found["noise_robustness"].tolist() == [True, False, False, True]
    assert found["conflict_sensitivity"].tolist() == [True, False, False, True]
    assert found["quartet_consistency"].tolist() == [True, False, False, False]


def test_rates_and_prices_by_hand() -> None:
    (found,) = quartet_rates(marked([(1, 1, 1, 1), (1, 0, 1, 0)], calls=2)).to_dict("records")
    assert found["n"] == 2
    assert [found[name] for name in MEASURES] == [1, 0.5, 0.5, 0.5]
    assert found["grounded_utility"] == 6 / 8 / 2
    assert found["calls_each"] == 16 / 6
    assert found["tokens_each"] == 80 / 6
    assert found["seconds_each"] == 4 / 6
    assert np.isnan(found["usd_each"])


def test_nothing_right_has_no_price() -> None:
    (found,) = quartet_rates(marked([(0, 0, 0, 0)])).to_dict("records")
    assert found["grounded_utility"] == 0
    assert np.isnan(found["tokens_each"])


def test_right_outputs_give_a_whole_quartet() -> None:
    quartet = row()
    (found,) = quartet_rates(marks(right(quartet), [quartet])).to_dict("records")
    assert [found[name] for name in MEASURES] == [1, 1, 1, 1]


@pytest.mark.parametrize("published", reported.eviscope_paired().to_dict("records"), ids=lambda one: one["model"])
def test_published_discordant_counts_give_the_published_p_and_difference(published: dict[str, float]) -> None:
    vanilla, gate = published["discordant_favour_vanilla"], published["discordant_favour_gate"]
    n = published["quartets"]
    whole, broken = (True,) * 4, (False,) * 4
    first = [whole] * vanilla + [broken] * gate + [whole] * (n - vanilla - gate)
    second = [broken] * vanilla + [whole] * gate + [whole] * (n - vanilla - gate)
    both = pd.concat([marked(first), marked(second, policy="gate")])
    found = compare(both, first=("m", "vanilla"), second=("m", "gate"))
    assert (found.test.only_first, found.test.only_second, found.n) == (vanilla, gate, n)
    assert found.test.p == pytest.approx(published["mcnemar_exact_p"], rel=0.02)
    assert found.differences["quartet_consistency"].value == pytest.approx(published["qcs_difference"], abs=5e-4)


def test_the_interval_of_one_quartet_in_which_nothing_changes_is_zero() -> None:
    both = pd.concat([marked([(1, 1, 1, 1)] * 5), marked([(1, 1, 1, 1)] * 5, policy="gate")])
    for one in compare(both, first=("m", "vanilla"), second=("m", "gate")).differences.values():
        assert (one.value, one.low, one.high) == (0, 0, 0)


def test_an_unknown_policy_is_named() -> None:
    with pytest.raises(InputError, match="m, other: found no output"):
        compare(marked([(1, 1, 1, 1)]), first=("m", "vanilla"), second=("m", "other"))


SETS = st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=6)


@settings(max_examples=15, deadline=None)
@given(SETS)
def test_all_four_hold_no_oftener_than_two(held: Held) -> None:
    found = successes(marked(held))[list(MEASURES)].mean()
    assert (found["quartet_consistency"] <= found).all()


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.tuples(*[st.booleans()] * 4), st.tuples(*[st.booleans()] * 4)), min_size=1, max_size=6))
def test_swapping_the_policies_negates_the_differences(pairs: list[tuple[tuple[bool, ...], tuple[bool, ...]]]) -> None:
    one, other = zip(*pairs, strict=True)
    both = pd.concat([marked(one), marked(other, policy="gate")])
    there = compare(both, first=("m", "vanilla"), second=("m", "gate"))
    back = compare(both, first=("m", "gate"), second=("m", "vanilla"))
    for name, found in there.differences.items():
        mirror = back.differences[name]
        assert (mirror.value, mirror.low, mirror.high) == pytest.approx((-found.value, -found.high, -found.low))
    assert there.test.p == back.test.p
