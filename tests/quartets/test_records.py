import pytest
from pydantic import ValidationError

from forcebench_lib.quartets import VARIANTS, examples

from .rows import CONFLICT, SUPPORT, row


def test_four_contexts_hold_the_documents_that_the_design_names() -> None:
    for quartet in (row(f"q-{number}") for number in range(20)):
        texts = {one.variant: {source.text for source in one.documents} for one in examples([quartet])}
        near = {document.text for document in quartet.distractors}
        far = {document.text for document in quartet.unrelated}
        assert texts["sufficient"] == {SUPPORT}
        assert texts["conflicting"] == {SUPPORT, CONFLICT}
        assert SUPPORT in texts["noisy"]
        assert texts["noisy"] - {SUPPORT} <= near
        assert texts["insufficient"] <= far
        assert len(texts["noisy"]) - 1 == len(texts["insufficient"]) in (1, 2)


def test_the_number_of_documents_gives_no_context_away() -> None:
    asked = examples([row(f"q-{number}") for number in range(60)])
    counts = {variant: {len(one.documents) for one in asked if one.variant == variant} for variant in VARIANTS}
    assert counts == {"sufficient": {1}, "noisy": {2, 3}, "insufficient": {1, 2}, "conflicting": {2}}


def test_gold_names_the_documents_and_spans_of_each_context() -> None:
    sufficient, noisy, insufficient, conflicting = (one.gold for one in examples([row()]))
    assert [gold.action for gold in (sufficient, noisy, insufficient, conflicting)] == [
        "answer",
        "answer",
        "abstain",
        "flag_conflict",
    ]
    support = sufficient.supporting
    assert noisy.supporting == conflicting.supporting == support
    assert insufficient.supporting == insufficient.spans == insufficient.answers == ()
    assert conflicting.conflicting != support
    assert sufficient.spans == ((support[0], "A full cell lasts 14 hours in dry air."),)
    assert sufficient.answers == ("14 hours", "fourteen hours", "14 h")


def test_ids_are_fixed_by_the_quartet_and_its_place_tells_nothing() -> None:
    quartets = [row(f"q-{number}") for number in range(300)]
    assert [one.document_ids for one in quartets] == [row(one.id).document_ids for one in quartets]
    for one in quartets[:20]:
        assert sorted(one.document_ids.values()) == [f"DOC-{number}" for number in range(1, 7)]
    noisy = [[source.text for source in one.documents] for one in examples(quartets) if one.variant == "noisy"]
    for size in (2, 3):
        places = [texts.index(SUPPORT) for texts in noisy if len(texts) == size]
        assert all(places.count(place) >= 0.7 * len(places) / size for place in range(size))


def test_documents_stand_in_the_order_of_their_ids() -> None:
    for one in examples([row(f"q-{number}") for number in range(20)]):
        ids = [source.id for source in one.documents]
        assert ids == sorted(ids)
    assert [one.variant for one in examples([row("a"), row("b")])] == [*VARIANTS, *VARIANTS]


@pytest.mark.parametrize("span", ["A full cell lasts 15 hours", "cell"])
def test_a_span_that_is_not_in_its_passage_once_is_refused(span: str) -> None:
    with pytest.raises(ValidationError, match=r"support_span: .* times in its passage"):
        row(support_span=span)
