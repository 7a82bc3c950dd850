"""The roster is every evaluator that needs no model, and the reader's own after them."""

import pandas as pd
import pytest

from forcebench_lib import evaluators
from forcebench_lib.corpus import load_edition
from forcebench_lib.schema import InputError

PAIRS = load_edition("open").evaluation[:3]


def test_own_evaluator_stands_last_and_scores_as_alone() -> None:
    own = "forcebench_lib.evaluators.overlap:token_overlap"
    scores = evaluators.score_roster(PAIRS, own=own)
    assert list(scores["evaluator"].unique()) == [*evaluators.BASELINES, *evaluators.CONTROLS, own]
    alone = evaluators.score_pairs(evaluators.token_overlap, PAIRS, name=own, passages=("cited", "licensing"))
    pd.testing.assert_frame_equal(scores[scores["evaluator"] == own].reset_index(drop=True), alone)


def test_controls_and_the_evidence_side_can_stay_out() -> None:
    scores = evaluators.score_roster(PAIRS, controls=False, passages=["cited"])
    assert set(scores["evaluator"]) == set(evaluators.BASELINES)
    assert len(scores) == len(evaluators.BASELINES) * len(PAIRS) * 2


def test_an_unknown_evaluator_is_named() -> None:
    with pytest.raises(InputError, match="no_such"):
        evaluators.score_roster(PAIRS, own="no_such:score")
