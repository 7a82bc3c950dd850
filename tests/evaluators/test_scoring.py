import math
import subprocess
import sys

import numpy as np
import pytest

from forcebench_lib import evaluators
from forcebench_lib.schema import InputError

COLUMNS = ["pair_id", "evaluator", "prompt", "passage", "claim", "score", "status"]


@pytest.fixture
def pairs(pair):
    return [
        pair("Tea may calm.", "Tea may calm.", "Tea calms.", licensing="Tea calms.", id="p-1"),
        pair("Tea might calm.", "Tea might calm.", "Tea will calm.", id="p-2"),
    ]


def test_frame_holds_each_claim_in_the_order_of_the_pairs(pairs):
    frame = evaluators.score_pairs(evaluators.token_overlap, pairs, name="Token overlap")
    assert list(frame.columns) == COLUMNS
    assert list(zip(frame["pair_id"], frame["claim"], strict=True)) == [
        ("p-1", "safe"),
        ("p-1", "raised"),
        ("p-2", "safe"),
        ("p-2", "raised"),
    ]
    assert frame["score"].tolist() == [1.0, 1.0, 1.0, pytest.approx(2 / 3)]
    assert set(frame["evaluator"]) == {"Token overlap"}
    assert set(frame["prompt"]) == {""}
    assert set(frame["status"]) == {"ok"}


def test_licensing_adds_the_raised_claim_and_drops_no_row(pairs):
    frame = evaluators.score_pairs(
        evaluators.token_overlap, pairs, name="Token overlap", passages=("cited", "licensing")
    )
    extra = frame[frame["passage"] == "licensing"]
    assert extra["claim"].tolist() == ["raised", "raised"]
    assert extra["status"].tolist() == ["ok", "no_passage"]
    assert extra["score"].tolist()[0] == 1.0
    assert math.isnan(extra["score"].tolist()[1])
    assert len(frame) == 6


def test_the_right_texts_reach_the_evaluator(pairs):
    seen = []

    def spy(passages, claims):
        seen.extend(zip(passages, claims, strict=True))
        return [0.5] * len(claims)

    evaluators.score_pairs(spy, pairs[:1], name="spy", passages=("cited", "licensing"))
    assert seen == [("Tea may calm.", "Tea may calm."), ("Tea may calm.", "Tea calms."), ("Tea calms.", "Tea calms.")]


def test_not_a_number_is_kept_as_no_answer(pairs):
    frame = evaluators.score_pairs(lambda p, c: np.array([0.25, np.nan, 1, 0]), pairs, name="mine")
    assert frame["status"].tolist() == ["ok", "no_answer", "ok", "ok"]
    assert frame["score"].tolist()[0] == 0.25


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        ([0.5, 0.5, 0.5], "mine: the evaluator returned 3 scores, expected 4"),
        (0.5, "mine: the evaluator returned a float, expected a sequence of 4 scores"),
        (None, "mine: the evaluator returned a NoneType"),
        ([0.5, 1.5, 0.5, 0.5], "mine: pair p-1, raised claim, cited passage: found the score 1.5"),
        ([0.5, 0.5, -0.1, 0.5], "mine: pair p-2, safe claim, cited passage: found the score -0.1"),
        ([0.5, 0.5, 0.5, math.inf], "found the score inf"),
        ([0.5, 0.5, 0.5, "0.5"], "found '0.5' as score, expected a number"),
        ([0.5, 0.5, 0.5, None], "found None as score, expected a number"),
    ],
)
def test_what_an_evaluator_returns_is_checked(pairs, returned, sentence):
    with pytest.raises(InputError, match=sentence):
        evaluators.score_pairs(lambda p, c: returned, pairs, name="mine")


class Odd:
    def __float__(self):
        raise RuntimeError("a tensor\nof two numbers")

    def __repr__(self):
        return "odd\nthing"


@pytest.mark.parametrize("score", [Odd(), 10**400, np.array([0.5, 0.5])])
def test_what_cannot_be_a_number_is_named_on_one_line(pairs, score):
    with pytest.raises(InputError, match=r"pair p-1, safe claim, cited passage: found .* as score") as caught:
        evaluators.score_pairs(lambda p, c: [score] * 4, pairs, name="mine")
    assert "\n" not in str(caught.value)


def raising(error, when):
    def score(passages, claims):
        if when(claims):
            raise error
        return [0.5] * len(claims)

    return score


@pytest.mark.parametrize("error", [ZeroDivisionError("no\nwords"), SystemExit(3), TypeError()])
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_an_evaluator_that_raises_is_named_with_the_pair_and_the_error(pairs, error, place):
    texts = [claim for pair in pairs for claim in (pair.safe_claim, pair.raised_claim)]
    claims = [f"{number} {text}" for number, text in enumerate(texts)]
    pairs = [
        pair.model_copy(update={"safe_claim": claims[2 * n], "raised_claim": claims[2 * n + 1]})
        for n, pair in enumerate(pairs)
    ]
    with pytest.raises(InputError) as caught:
        evaluators.score_pairs(raising(error, lambda seen: claims[place] in seen), pairs, name="mine")
    what = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
    which = f"pair {pairs[place // 2].id}, {('safe', 'raised')[place % 2]} claim, cited passage"
    assert str(caught.value) == f"mine: the evaluator raised {what} for {which}."
    assert caught.value.__cause__ is error


def test_an_evaluator_that_raises_on_no_claim_alone_is_named_too(pairs):
    with pytest.raises(InputError, match="mine: the evaluator raised MemoryError for 4 claims at once and for none of"):
        evaluators.score_pairs(raising(MemoryError(), lambda seen: len(seen) > 1), pairs, name="mine")


def test_scores_that_break_off_are_an_error_of_the_evaluator(pairs):
    with pytest.raises(InputError, match="mine: the evaluator raised ZeroDivisionError: division by zero for pair p-1"):
        evaluators.score_pairs(lambda p, c: (1 / 0 for _ in c), pairs, name="mine")


def test_an_unknown_passage_is_named(pairs):
    with pytest.raises(InputError, match="passages: found 'other'"):
        evaluators.score_pairs(evaluators.token_overlap, pairs, name="mine", passages=("other",))


def test_no_pairs_give_an_empty_frame():
    frame = evaluators.score_pairs(evaluators.token_overlap, [], name="mine")
    assert list(frame.columns) == COLUMNS
    assert frame.empty


def test_importing_the_evaluators_loads_no_model_client_and_opens_no_socket():
    code = (
        "import socket, sys; socket.socket = None; import forcebench_lib.evaluators; sys.exit('litellm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_evaluator_is_not_called_without_texts(pair):
    pairs = [pair("Tea may calm.", "Tea may calm.", "Tea calms.")]
    frame = evaluators.score_pairs(lambda p, c: 1 / 0, pairs, name="mine", passages=("licensing",))
    assert frame["status"].tolist() == ["no_passage"]
