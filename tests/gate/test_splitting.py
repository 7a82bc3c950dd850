import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.gate import split_answer
from forcebench_lib.schema import InputError


def pairs(answer, **options):
    return [(one.text, one.source_id) for one in split_answer(answer, **options).claims]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Tea is hot [DOC-7].", [("Tea is hot.", "DOC-7")]),
        ("Tea is hot. [DOC-7]", [("Tea is hot.", "DOC-7")]),
        ("Tea is hot.[1] Milk is cold.[2]", [("Tea is hot.", "1"), ("Milk is cold.", "2")]),
        ("Tea is hot [1][2].", [("Tea is hot.", "1"), ("Tea is hot.", "2")]),
        ("Tea is hot [1], [2].", [("Tea is hot.", "1"), ("Tea is hot.", "2")]),
        ("Tea is hot [1, DOC-7; 3].", [("Tea is hot.", "1"), ("Tea is hot.", "DOC-7"), ("Tea is hot.", "3")]),
        ("Tea is hot [1][1].", [("Tea is hot.", "1")]),
        ("Tea is hot [1], and milk is cold [2].", [("Tea is hot.", "1"), ("milk is cold.", "2")]),
        ("Hello there. Tea is hot [1].", [("Tea is hot.", "1")]),
        ("Is tea hot? [1] Yes! [2]", [("Is tea hot?", "1"), ("Yes!", "2")]),
        ("- Tea is\n  hot [1]\n- Milk is cold [2]", [("Tea is hot.", "1"), ("Milk is cold.", "2")]),
        ("1. Tea is hot. [1]\n2. Milk is cold. [2]", [("Tea is hot.", "1"), ("Milk is cold.", "2")]),
        ("It rose by 1.5 m in 2031 [a/b.pdf#p3].", [("It rose by 1.5 m in 2031.", "a/b.pdf#p3")]),
        ("He said “tea is hot.” [1]", [("He said “tea is hot.”", "1")]),
        ("Tea is hot [ 1 ] .", [("Tea is hot.", "1")]),
    ],
)
def test_the_common_shapes(answer, expected):
    assert pairs(answer) == expected


def test_markers_become_ids_and_versions():
    split = split_answer("Tea is hot [1]. Milk is cold [POLICY@2].", references={"1": "DOC-7"})
    assert [(one.source_id, one.source_version) for one in split.claims] == [("DOC-7", ""), ("POLICY", "2")]


@pytest.mark.parametrize(
    ("answer", "text", "why"),
    [
        ("Tea is hot. Milk is cold [1].", "Tea is hot.", "no citation marker"),
        ("Tea is hot [1-3].", "Tea is hot [1-3].", "range of markers"),
        ("Tea is hot [1–3].", "Tea is hot [1–3].", "range of markers"),
        ("Tea is hot [page](https://example.org).", "Tea is hot [page](https://example.org).", "another kind"),
        ("Tea is hot (Brewer, 2031).", "Tea is hot (Brewer, 2031).", "another kind"),
        ("Tea is hot.¹", "Tea is hot.¹", "another kind"),
        ("Tea is hot [^1].", "Tea is hot [^1].", "another kind"),
        ("[1] Tea is hot [2].", "", "follows no words"),
    ],
)
def test_what_cannot_be_split_is_said(answer, text, why):
    assert any(note.text == text and why in note.why for note in split_answer(answer).notes)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Green tea calms sleepers, and cold milk wakes small children [1].", "two statements"),
        ("It also calms sleepers [1].", "leans on the sentence before"),
    ],
)
def test_what_is_doubtful_is_kept_and_said(answer, why):
    split = split_answer(answer)
    assert len(split.claims) == 1
    assert why in split.notes[0].why


def test_an_answer_has_a_bound():
    with pytest.raises(InputError, match="1,000,001 characters"):
        split_answer("a" * 1_000_001)


WORDS = ["tea", "hot", "milk", "1.5", "[1]", "[DOC-7]", "[1-3]", "[", "]", ".", ",", "and", "\n", "(a 2031)"]


@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_no_word_is_lost(words):
    split = split_answer(" ".join(words))
    found = [f"{one.text} {one.source_id}" for one in split.claims] + [f"{one.text} {one.why}" for one in split.notes]
    kept = " ".join(found)
    for word in set(words) & {"tea", "hot", "milk"}:
        assert word in kept


@given(st.lists(st.sampled_from(["Tea is hot", "Milk is cold", "Rain falls"]), min_size=1, max_size=5), st.booleans())
def test_each_sentence_with_a_marker_becomes_its_claim(texts, after):
    shape = "{}. [D{}]" if after else "{} [D{}]."
    answer = " ".join(shape.format(text, number) for number, text in enumerate(texts))
    assert pairs(answer) == [(f"{text}.", f"D{number}") for number, text in enumerate(texts)]


@pytest.mark.parametrize("unit", [" ", "[", "[1", "[1 ", "[1,", "[a, ", "\t", "\n ", " ;", "[1]("])
def test_hostile_text_is_read_once_and_not_from_each_of_its_signs(unit):
    """Each of these would take hours where the time grows with the square of the length."""
    answer = "Tea is hot [1]" + unit * (400_000 // len(unit)) + "X"
    assert pairs(answer) == [("Tea is hot.", "1")]
