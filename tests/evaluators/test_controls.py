import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.evaluators import CONTROLS, claim_length, hedge_count

CLAIM = st.text() | st.sampled_from(["It may cost about 40 crowns.", "All walls will lean."])


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS.keys())
@given(claim=CLAIM, passages=st.lists(st.text(), min_size=2, max_size=5))
def test_a_control_never_reads_the_passage(control, claim, passages):
    assert len(set(control(passages, [claim] * len(passages)))) == 1


def test_hedges_are_counted_and_dates_are_not():
    claims = ["It may cost 3 to 4 crowns.", "It may cost 4 crowns.", "In 2031 it cost 4 crowns in Cray.", ""]
    assert hedge_count([""] * 4, claims) == [pytest.approx(2 / 3), pytest.approx(1 / 2), 0.0, 0.0]


def test_longer_claims_score_higher():
    assert claim_length([""] * 3, ["", "one two", "one two three"]) == [
        0.0,
        pytest.approx(2 / 12),
        pytest.approx(3 / 13),
    ]
