import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib import agreement, corpus
from tests.test_corpus import staged


def test_kappa_worked_by_hand() -> None:
    """50 items, 20 both yes, 15 both no, 5 and 10 split: observed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5."""
    first = ["yes"] * 20 + ["yes"] * 5 + ["no"] * 10 + ["no"] * 15
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = agreement.cohen_kappa(first=first, second=second)
    assert found.same.value == pytest.approx(0.7)
    assert found.kappa.value == pytest.approx(0.4)
    assert found.kappa.low < 0.4 < found.kappa.high


def test_weighted_kappa_worked_by_hand() -> None:
    """Severities 1, 2, 3 against 1, 2, 2: mean distance 1/3; by chance (0+1+1 + 1+0+0 + 2+1+1) / 9 = 7/9."""
    found = agreement.cohen_kappa(first=[1, 2, 3], second=[1, 2, 2], order=(1, 2, 3))
    assert found.kappa.value == pytest.approx(1 - (1 / 3) / (7 / 9))


def test_kappa_is_not_defined_where_one_label_is_all_there_is() -> None:
    found = agreement.cohen_kappa(first=["a", "a"], second=["a", "a"])
    assert found.same.value == 1
    assert math.isnan(found.kappa.value)


def test_perfect_agreement_has_no_made_up_interval() -> None:
    found = agreement.cohen_kappa(first=list("abab"), second=list("abab"))
    assert found.kappa.value == 1
    assert math.isnan(found.kappa.low)


def test_kappa_refuses_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="same items"):
        agreement.cohen_kappa(first=["a"], second=["a", "b"])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=40))
def test_kappa_is_symmetric_and_at_most_one(labels: list[tuple[str, str]]) -> None:
    first, second = zip(*labels, strict=True)
    one, other = (agreement.cohen_kappa(first=a, second=b).kappa.value for a, b in ((first, second), (second, first)))
    assert (math.isnan(one) and math.isnan(other)) or (one == pytest.approx(other) and one <= 1 + 1e-12)


@given(
    st.lists(st.sampled_from(["ab", "cd", "ef"]), max_size=3), st.lists(st.sampled_from(["ab", "cd", "ef"]), max_size=3)
)
def test_span_overlap_is_symmetric_and_between_0_and_1(first: list[str], second: list[str]) -> None:
    one = agreement.span_overlap("abcdef", first, second)
    assert one == agreement.span_overlap("abcdef", second, first)
    assert 0 <= one <= 1
    assert not first or agreement.span_overlap("abcdef", first, first) == 1


def test_tables_of_a_made_up_edition(tmp_path: Path) -> None:
    """Both made-up reviewers accept all 60 rows and call the axis modality, which was drafted for 12 of them."""
    stages = corpus.load_stages(staged(tmp_path))
    between = agreement.between_reviewers(stages).set_index("field")
    assert between.loc["Decision", ["n", "same"]].tolist() == [60, 1.0]
    assert between.loc["Boundary type", "n"] == 0
    intent = agreement.against_intent(stages).set_index(["reviewer", "field"])
    assert intent.loc[("sceptic", "Axis"), ["n", "same"]].tolist() == [60, 12 / 60]
    assert agreement.decision_by_axis(stages)["n"].tolist() == [12] * 5
    boundary = agreement.boundary_outcomes(stages).iloc[0]
    assert boundary.to_dict() == {"intent": "force_gap", "drafted": 60, "rejected": 5, "as_intended": 0, "accepted": 55}
