"""Hand-worked outputs; the rates of the published tables follow from counts."""

import math
from typing import Any

import pandas as pd
import pytest

from forcebench_lib import reported
from forcebench_lib.quartets import Output, Quartet, Quote, examples, marks, row_rates

from .rows import right, row


def said(quartet: Quartet, variant: str, **fields: Any) -> Output:
    return Output.model_validate({"quartet": quartet.id, "variant": variant, **fields})


def ids(quartet: Quartet) -> dict[str, str]:
    return quartet.document_ids


def rates(outputs: list[Output], *quartets: Quartet) -> dict[str, float]:
    (found,) = row_rates(marks(outputs, quartets)).to_dict("records")
    return found


def test_right_outputs_are_right_throughout() -> None:
    quartet = row()
    found = rates(right(quartet, tokens=100, latency_s=2.0), quartet)
    whole = ["answer_accuracy", "source_accuracy", "span_f1", "abstention_f1", "conflict_accuracy", "joint_success"]
    assert [found[name] for name in whole] == [1] * 6
    none = ["hallucination", "unsupported_citation", "wrong_non_answer", "unreadable", "right_answer_wrong_source"]
    assert [found[name] for name in none] == [0] * 5
    assert (found["tokens"], found["calls"], found["latency_s"]) == (100, 1, 2)
    assert math.isnan(found["cost_usd"])


def test_hand_worked_answers() -> None:
    quartet = row()
    own = ids(quartet)
    outputs = [
        # right answer inside a sentence; cites the support with half of the span, and a document that is not there
        said(
            quartet,
            "sufficient",
            action="answer",
            answer="It lasts fourteen hours.",
            citations=[{"id": own["support"], "quote": "lasts 14 hours"}, {"id": "DOC-9", "quote": "lasts 14 hours"}],
        ),
        # wrong answer from a distractor, while the support alone is cited, with a quote that is not in it
        said(
            quartet,
            "noisy",
            action="answer",
            answer="3 hours",
            citations=[{"id": own["support"], "quote": "runs for 3 hours"}],
        ),
        said(quartet, "insufficient", action="answer", answer="14 hours", citations=[own["unrelated 1"]]),
        said(quartet, "conflicting", action="abstain"),
    ]
    found = rates(outputs, quartet)
    assert found["answer_accuracy"] == 1 / 2
    assert found["source_accuracy"] == 1 / 2  # exact: a second document spoils the first
    assert found["right_answer_wrong_source"] == 1 / 2
    assert found["right_source_wrong_answer"] == 1 / 2
    assert found["unsupported_citation"] == pytest.approx(1 / 3)  # three citations in the answerable contexts
    assert found["span_precision"] == pytest.approx(1 / 3)
    assert found["span_recall"] == 1 / 2
    assert found["span_f1"] == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
    assert (found["abstention_precision"], found["abstention_recall"], found["abstention_f1"]) == (0, 0, 0)
    assert (found["conflict_accuracy"], found["conflict_answered"]) == (0, 0)
    assert found["hallucination"] == 1 / 2  # one of the two contexts without an answer
    assert found["insufficient_answered"] == 1
    assert found["joint_success"] == 0


def test_abstention_has_a_precision_over_all_contexts_and_a_recall_over_the_insufficient_ones() -> None:
    first, second = row("a"), row("b")
    outputs = [
        *(said(first, variant, action="abstain") for variant in ("sufficient", "noisy", "insufficient", "conflicting")),
        *(said(second, variant, action="flag_conflict") for variant in ("sufficient", "noisy", "insufficient")),
        said(second, "conflicting", action="answer", answer="9 hours"),
    ]
    found = rates(outputs, first, second)
    assert (found["abstention_precision"], found["abstention_recall"]) == (1 / 4, 1 / 2)
    assert found["abstention_f1"] == pytest.approx(1 / 3)
    assert found["wrong_non_answer"] == 1
    assert (found["conflict_accuracy"], found["conflict_answered"], found["hallucination"]) == (0, 1 / 2, 1 / 4)
    assert math.isnan(found["unsupported_citation"])


def test_a_right_answer_under_another_action_is_none() -> None:
    quartet = row()
    (support,) = examples([quartet])[0].gold.supporting
    output = said(quartet, "sufficient", action="abstain", answer="14 hours", citations=[support])
    (first, *_) = marks([output], [quartet]).to_dict("records")
    assert not first["answer_right"]
    assert not first["source_right"]


def test_citing_again_changes_no_rate() -> None:
    quartet = row()
    support, span = ids(quartet)["support"], "A full cell lasts 14 hours in dry air."
    citations = [{"id": support, "quote": span}] * 50 + [{"id": "DOC-9", "quote": "x"}]
    outputs = [said(quartet, "sufficient", action="answer", answer="14 hours", citations=citations)]
    found = rates(outputs, quartet)
    assert (found["unsupported_citation"], found["span_precision"], found["span_recall"]) == (1 / 2, 1 / 2, 1 / 2)


def test_two_quotes_of_a_document_are_one_document() -> None:
    quartet = row()
    support = ids(quartet)["support"]
    citations = [{"id": support, "quote": quote} for quote in ("lasts 14 hours", "The switch is at the back.")]
    output = said(quartet, "sufficient", action="answer", answer="14 hours", citations=[*citations, "DOC-9"])
    found = rates([output], quartet)
    assert found["unsupported_citation"] == 1 / 2
    assert found["span_precision"] == pytest.approx(1 / 3)


def test_a_quote_must_stand_in_the_right_document() -> None:
    quartet = row()
    wrong = Quote(id=ids(quartet)["distractor 1"], quote="A full cell lasts 14 hours in dry air.")
    output = Output(quartet=quartet.id, variant="noisy", action="answer", answer="14 hours", citations=(wrong,))
    found = marks([output], [quartet]).set_index("variant").loc["noisy"]
    assert (found["answer_right"], found["source_right"], found["quotes_right"]) == (True, False, 0)


def test_missing_and_unreadable_outputs_are_failures_and_stay_in_n() -> None:
    quartets = [row("a"), row("b")]
    outputs = [*right(quartets[0])[:3], Output(quartet="a", variant="conflicting", status="unreadable", error="?")]
    found = marks(outputs, quartets)
    assert len(found) == 8
    assert found["joint"].tolist() == [True] * 3 + [False] * 5
    rates_ = row_rates(found).iloc[0]
    assert rates_["n"] == 8
    assert rates_["unreadable"] == 5 / 8
    assert rates_["hallucination"] == 0


def test_a_price_that_one_row_does_not_know_is_not_known() -> None:
    quartet = row()
    outputs = right(quartet, tokens=10, cost_usd=0.5)
    half = [outputs[0].model_copy(update={"tokens": None}), *outputs[1:]]
    found = rates(half, quartet)
    assert math.isnan(found["tokens"])
    assert found["cost_usd"] == 0.5


def test_published_joint_success_is_the_sum_of_its_parts() -> None:
    """Of 160 contexts, 80 are answerable: so every right answer that is printed had the right source."""
    table = reported.eviscope_table3().merge(
        reported.eviscope_table4().drop(columns="conflict_answered"), on=["model", "policy"]
    )
    parts = (2 * table["answer_accuracy"] + table["insufficient_abstained"] + table["conflict_flagged"]) / 4
    pd.testing.assert_series_equal(parts, table["joint_success"], check_names=False, atol=0.0011)
