from fractions import Fraction

import pytest

from forcebench_lib.evaluators import citation_presence, token_overlap
from forcebench_lib.evaluators.words import content_stems, sentences, stopwords, tokens

PASSAGE = "The Cray bridge was closed in 2031. Two of its 14 piers may be unsafe, the council's engineer said."


@pytest.mark.parametrize(
    ("claim", "share"),
    [
        ("Two piers may be unsafe.", Fraction(4, 4)),  # two, pier, may, unsaf
        ("Two piers are unsafe.", Fraction(3, 3)),
        ("All piers are unsafe.", Fraction(2, 3)),  # all is missing
        ("Piers of the bridges will collapse soon.", Fraction(2, 5)),  # pier, bridg of pier, bridg, will, collaps, soon
        ("unsafe, unsafe, unsafe roads", Fraction(1, 2)),  # a word counts once
        ("It is what it is.", Fraction(0)),  # function words only
        ("", Fraction(0)),
        ("Closing the bridge", Fraction(1)),  # closing and closed share a stem
    ],
)
def test_token_overlap_fractions(claim, share):
    assert token_overlap([PASSAGE], [claim]) == [pytest.approx(float(share))]


def test_citation_presence_is_one_whatever_is_claimed():
    assert citation_presence([PASSAGE, PASSAGE, "  "], ["Two piers", "", "Two piers"]) == [1.0, 1.0, 0.0]


def test_lengths_must_match():
    with pytest.raises(ValueError, match="shorter"):
        token_overlap([PASSAGE, PASSAGE], ["one"])


def test_tokens_keep_numbers_and_split_hyphens():
    assert tokens("12.5% of 1,400 well-kept files: v2") == ["12.5", "of", "1400", "well", "kept", "files", "v", "2"]


def test_negations_and_modals_carry_content():
    assert {"not", "no", "may", "will", "must", "all"} & stopwords() == set()
    assert content_stems("It may not be so") == {"may", "not"}


def test_sentences_do_not_break_at_decimals_and_keep_every_word():
    text = 'It rose 1.5 m. "Done." Then it fell! 14 piers stand.'
    assert [text[start:end] for start, end in sentences(text)] == [
        "It rose 1.5 m.",
        '"Done.',
        "Then it fell!",
        "14 piers stand.",
    ]
