import pytest

from forcebench_lib.quartets import READERS, ask, marks, overlap_reader, row_rates

from .rows import row

ASKED = "When does the Tarn ferry sail on Sundays?"
NEAR = {"id": "DOC-1", "text": "It is blue. On Sundays the Tarn ferry sails at noon."}
FAR = {"id": "DOC-2", "text": "The tent sleeps two."}


@pytest.mark.parametrize(
    ("documents", "action"),
    [([NEAR, FAR], "answer"), ([FAR], "abstain"), ([NEAR, NEAR | {"id": "DOC-3"}], "flag_conflict")],
)
def test_words_in_common_decide(documents: list[dict[str, str]], action: str) -> None:
    found = overlap_reader(ASKED, documents)
    assert found["action"] == action
    if action == "answer":
        assert found["citations"] == [{"id": "DOC-1", "quote": "On Sundays the Tarn ferry sails at noon."}]


def test_abstaining_is_right_in_one_context_of_four() -> None:
    found = row_rates(marks(ask(READERS["Always abstain"], [row()]), [row()])).iloc[0]
    assert (found["joint_success"], found["abstention_recall"], found["abstention_precision"]) == (0.25, 1, 0.25)
