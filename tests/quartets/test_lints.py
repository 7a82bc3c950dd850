"""One row for each constraint that it breaks and no other; the whole row breaks none."""

from typing import Any

import pytest

from forcebench_lib.quartets import check, load
from forcebench_lib.quartets.lints import CONSTRAINTS, shared_words

from .rows import CONFLICT, SUPPORT, document, row

FORM = "length"  # the rows of these tests are short


def found(**changes: Any) -> list[tuple[str, str]]:
    return [(one.constraint, one.message) for one in check([row(**changes)]) if one.constraint != FORM]


def conflict(text: str, span: str, answer: str = "9 hours", title: str = "Lamp manual") -> dict[str, Any]:
    return {"conflict": document(title, text), "conflict_span": span, "conflict_answer": answer}


SPAN = "A full cell lasts 9 hours in dry air."


def test_a_good_row_has_no_finding() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("constraint", "words", "changes"),
    [
        ("grammatical", "does not begin with a capital", conflict(CONFLICT.replace("The switch", "the switch"), SPAN)),
        ("grammatical", "full stop", conflict(CONFLICT[:-1], SPAN)),
        ("grammatical", "'is' is doubled", conflict(CONFLICT.replace("is at", "is is at"), SPAN)),
        ("grammatical", "not balanced", conflict(CONFLICT.replace("the back", "the (back"), SPAN)),
        ("answers the question with the same type", "does not hold", conflict(CONFLICT, "The switch is at the back.")),
        (
            "answers the question with the same type",
            "not of the type",
            conflict(CONFLICT.replace("9 hours", "9 metres"), "A full cell lasts 9 metres in dry air.", "9 metres"),
        ),
        (
            "contradicts the support",
            "the support span holds the conflict answer",
            {
                "support": document("Lamp manual", SUPPORT.replace("dry air.", "dry air, 9 hours in wet air.")),
                "support_span": "A full cell lasts 14 hours in dry air, 9 hours in wet air.",
            },
        ),
        (
            "excludes the original answer",
            "'fourteen hours'",
            conflict(CONFLICT.replace("The switch is", "In fourteen hours the switch is"), SPAN),
        ),
        (
            "modifies the answer-bearing claim",
            "of its words",
            conflict(f"{SPAN} Nobody at the works has ever written down who first built the Tarn, or where.", SPAN),
        ),
        (
            "no conflict cue",
            "cue word 'however'",
            conflict(CONFLICT.replace("The switch", "However, the switch"), SPAN),
        ),
        ("no conflict cue", "cue word 'revised'", conflict(CONFLICT, SPAN, title="Revised lamp manual")),
        ("no conflict cue", "the year 2031", conflict(CONFLICT, SPAN, title="Lamp manual 2031")),
        (
            "answer in the support alone",
            "unrelated 1 holds '14 hours'",
            {"unrelated": [document("Tent", "The tent dries in 14 hours."), document("Stove", "It burns spirit.")]},
        ),
        (
            "answer in the support alone",
            "distractor 2 holds '14 h'",
            {"distractors": [document("Wet air", "It runs 3 hours."), document("Old lamp", "The Fell lamp: 14 h.")]},
        ),
        ("answer in the support alone", "question holds", {"question": "Does a full cell last 14 hours in dry air?"}),
        ("answer in the support alone", "neither the answer", {"support_span": "The switch is at the back."}),
        ("titles", "different titles", conflict(CONFLICT, SPAN, title="Lamp leaflet")),
        (
            "titles",
            "2 documents have the title 'Tent'",
            {"unrelated": [document("Tent", "The tent sleeps two."), document("Tent", "The stove burns spirit.")]},
        ),
    ],
)
def test_each_constraint_is_named_with_a_sentence(constraint: str, words: str, changes: dict[str, Any]) -> None:
    broken = [one for one in found(**changes) if one[0] != "titles" or constraint == "titles"]
    assert [name for name, message in broken if words in message] == [constraint]
    assert {name for name, _ in broken} == {constraint}


def test_an_answer_that_the_conflict_also_gives_does_not_contradict() -> None:
    same = found(
        **conflict(CONFLICT.replace("9 hours", "14 hours or so"), "A full cell lasts 14 hours or so", "14 hours")
    )
    assert {"contradicts the support", "excludes the original answer"} <= {name for name, _ in same}


def test_a_cue_that_the_support_has_too_is_no_cue() -> None:
    text = "The Tarn lamp runs on one cell. A full cell lasts {} hours in dry air. It is not for use in rain."
    changes = conflict(text.format(9), SPAN) | {"support": document("Lamp manual", text.format(14))}
    assert found(**changes) == []


def test_lengths_are_counted_in_words() -> None:
    messages = [one.message for one in check([row()]) if one.constraint == FORM]
    assert "the text of support has 22 words, expected 35 to 75" in messages
    assert len(messages) == 6


def test_the_set_may_not_repeat_ids_texts_or_a_source_too_often() -> None:
    four = [row(f"q-{number}", source="One manual") for number in range(4)]
    messages = [str(one) for one in check(four) if one.constraint == "set"]
    assert "q-3: set: 4 quartets have the source 'One manual', expected at most 3" in messages
    assert "q-1: set: 'Lamp manual' has the text of a document of q-0" in messages
    assert "q-0: set: the id stands in two rows" in [str(one) for one in check([row("q-0"), row("q-0")])]


def test_shared_words_by_hand() -> None:
    changes = conflict("A full cell lasts 9 hours.", "A full cell lasts 9 hours.") | {
        "support": document("Lamp manual", "A full cell lasts 14 hours."),
        "support_span": "A full cell lasts 14 hours.",
    }
    assert shared_words(row(**changes)) == pytest.approx(8 / 10)  # four of five words without the article


def test_the_quartets_of_the_book_keep_all_constraints_on_conflicts() -> None:
    data = load()
    assert [str(one) for one in check(data.quartets)] == []
    assert len(CONSTRAINTS) == 6
    assert len(data.quartets) >= 40
