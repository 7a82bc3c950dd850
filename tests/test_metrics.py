import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib import metrics
from forcebench_lib.schema import Pair

PASSAGE = "Rain may fall. It is dry now."


def pair(pair_id: str, axis: str = "modality", source: str = "news-report") -> Pair:
    return Pair(
        id=pair_id,
        source=source,
        domain="weather",
        question="Will it rain?",
        passage=PASSAGE,
        evidence_spans=("may fall",),
        safe_claim="Rain may fall.",
        raised_claim="Rain will fall.",
        repair="Rain may fall.",
        rationale="It says may.",
        axis=axis,
        severity=2,
        marker="overt",
    )


def scores(rows: list[tuple], evaluator: str = "judge", prompt: str = "") -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["pair_id", "passage", "claim", "score"])
    return frame.assign(evaluator=evaluator, prompt=prompt, status="ok")


HAND = scores(
    [
        ("a", "cited", "safe", 0.9),
        ("a", "cited", "raised", 0.4),
        ("b", "cited", "safe", 0.5),
        ("b", "cited", "raised", 0.5),
        ("c", "cited", "safe", 0.2),
        ("c", "cited", "raised", 0.8),
        ("d", "cited", "safe", np.nan),
        ("d", "cited", "raised", 0.1),
        ("a", "licensing", "raised", 0.7),
        ("b", "licensing", "raised", 0.5),
        ("c", "licensing", "raised", 0.1),
    ]
)
PAIRS = [pair(name) for name in "abcd"]


def test_each_outcome_is_told_apart() -> None:
    found = metrics.outcomes(HAND, PAIRS).set_index("pair_id")
    assert found["outcome"].to_dict() == {"a": "ordered", "b": "tie", "c": "inversion", "d": "unusable"}
    assert found["margin"].round(6).to_dict() == {"a": 0.5, "b": 0.0, "c": -0.6, "d": 0.0}


def test_rates_worked_by_hand() -> None:
    row = metrics.rates(metrics.outcomes(HAND, PAIRS)).iloc[0]
    assert (row["n"], row["violations"], row["tie"], row["inversion"], row["unusable"]) == (4, 3, 1, 1, 1)
    assert row["mvr"] == 0.75
    assert row["fs"] == pytest.approx((0.5 + 0 - 0.6 + 0) / 4)


def test_leaving_unusable_pairs_out_is_another_policy() -> None:
    row = metrics.rates(metrics.outcomes(HAND, PAIRS), policy="leave_out").iloc[0]
    assert (row["n"], row["violations"], row["unusable"]) == (3, 2, 0)
    assert row["fs"] == pytest.approx(-0.1 / 3)


def test_the_evidence_side_compares_the_raised_claim_under_two_passages() -> None:
    found = metrics.outcomes(HAND, PAIRS, side="evidence").set_index("pair_id")
    assert found["outcome"].to_dict() == {"a": "ordered", "b": "tie", "c": "inversion", "d": "unusable"}
    assert found.loc["a", "margin"] == pytest.approx(0.3)


def test_both_orderings_must_hold_for_the_joint_rate() -> None:
    held = metrics.joint(metrics.outcomes(HAND, PAIRS), metrics.outcomes(HAND, PAIRS, side="evidence"))
    assert held.set_index("pair_id")["both"].to_dict() == {"a": True, "b": False, "c": False, "d": False}


def test_a_second_score_for_one_claim_is_refused() -> None:
    with pytest.raises(ValueError, match="two scores for the safe claim of a"):
        metrics.outcomes(pd.concat([HAND, HAND.head(1)]), PAIRS)


def test_compare_by_hand() -> None:
    second = HAND.assign(score=[0.9, 0.4, 0.6, 0.5, 0.9, 0.8, 0.3, 0.1, 0.7, 0.5, 0.1])
    found = metrics.compare(first=metrics.outcomes(HAND, PAIRS), second=metrics.outcomes(second, PAIRS))
    assert (found["only_first"], found["only_second"]) == (3, 0)
    assert found["p"] == pytest.approx(0.25)  # 2 * (1/2)**3
    assert found["mvr_difference"] == -0.75


def test_compare_refuses_other_pairs() -> None:
    with pytest.raises(ValueError, match="same pairs"):
        metrics.compare(first=metrics.outcomes(HAND, PAIRS), second=metrics.outcomes(HAND, PAIRS[:3]))


UNIT = st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


@given(st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=12))
def test_swapping_the_claims_negates_fs(values: list[tuple[float | None, float | None]]) -> None:
    pairs = [pair(str(number)) for number in range(len(values))]
    rows = [
        (str(number), "cited", claim, math.nan if value is None else value)
        for number, both in enumerate(values)
        for claim, value in zip(("safe", "raised"), both, strict=True)
    ]
    frame = scores(rows)
    swapped = frame.assign(claim=frame["claim"].map({"safe": "raised", "raised": "safe"}))
    one, other = (metrics.rates(metrics.outcomes(f, pairs)).iloc[0] for f in (frame, swapped))
    assert one["fs"] == pytest.approx(-other["fs"])
    assert one["tie"] == other["tie"]
    assert one["inversion"] == len(values) - other["violations"]


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["safe", "raised"])), unique=True))
def test_n_never_shrinks_whatever_is_missing(present: list[tuple[str, str]]) -> None:
    frame = scores(
        [(pair_id, "cited", claim, 0.5) for pair_id, claim in present] or [("a", "licensing", "raised", 0.5)]
    )
    row = metrics.rates(metrics.outcomes(frame, PAIRS)).iloc[0]
    assert row["n"] == 4
    assert row["violations"] == row["tie"] + row["inversion"] + row["unusable"]


def test_judges_pooled_over_the_same_pairs_are_resampled_by_pairs() -> None:
    """Two identical judges add no information, so the interval is that of one judge."""
    rng = np.random.default_rng(7)
    rows = [(str(n), "cited", claim, float(rng.integers(0, 3)) / 2) for n in range(60) for claim in ("safe", "raised")]
    pairs = [pair(str(n)) for n in range(60)]
    one = scores(rows, evaluator="one")
    both = pd.concat([one, one.assign(evaluator="two")])
    pooled = metrics.rates(metrics.outcomes(both, pairs), by=["prompt"]).iloc[0]
    single = metrics.rates(metrics.outcomes(one, pairs), by=["prompt"]).iloc[0]
    assert pooled["n"] == 120
    assert pooled["fs_low"] == pytest.approx(single["fs_low"])
    assert pooled["mvr"] == single["mvr"]
    assert pooled["mvr_high"] - pooled["mvr_low"] > 0.9 * (single["mvr_high"] - single["mvr_low"])


def test_leaving_a_source_out_drops_its_pairs_alone() -> None:
    pairs = [pair("a"), pair("b"), pair("c", source="statute-or-policy"), pair("d", source="statute-or-policy")]
    found = metrics.leave_one_source_out(metrics.outcomes(HAND, pairs)).set_index("left_out")
    assert found["violations"].to_dict() == {"news-report": 2, "statute-or-policy": 1}


def test_over_caution_counts_denied_and_missing_scores() -> None:
    found = metrics.over_caution(HAND, PAIRS).iloc[0]
    assert (found["n"], found["denied"]) == (4, 2)  # a 0.7 and b 0.5 are granted, c 0.1 is denied, d has no score
    assert metrics.over_caution(HAND, PAIRS, threshold=0.6).iloc[0]["denied"] == 3


def test_one_source_alone_cannot_be_left_out() -> None:
    found = metrics.leave_one_source_out(metrics.outcomes(HAND, PAIRS))
    assert found["left_out"].tolist() == ["none"]
    assert found["n"].tolist() == [4]


def test_no_pairs_give_no_rows() -> None:
    assert metrics.outcomes(HAND, []).empty


def test_an_evidence_side_that_was_not_asked_is_no_violation() -> None:
    cited = HAND[HAND["passage"] == "cited"]
    assert metrics.outcomes(cited, PAIRS, side="evidence").empty
    both = pd.concat([HAND, cited.assign(evaluator="cited alone")])
    assert set(metrics.outcomes(both, PAIRS, side="evidence")["evaluator"]) == {"judge"}
    assert metrics.over_caution(cited, PAIRS).columns.to_list() == metrics.over_caution(HAND, PAIRS).columns.to_list()
