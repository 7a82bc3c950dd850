import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.importers import citation

LONG = 200_000
WORDS = st.lists(st.sampled_from(["dam", "leaks", "in", "1921", "(often)", "x[i]y"]), min_size=1).map(" ".join)


@pytest.mark.parametrize(
    ("written", "claim"),
    [
        ("  Tides rise twice a day [1].", "Tides rise twice a day."),
        ("Tides rise[1][2], and fall [3, 4].", "Tides rise, and fall."),
        ("Tides [1] rise", "Tides rise"),
        ("[1]Tides rise [2]Often.", "Tides rise Often."),
        ("Tides rise. [", "Tides rise."),
        ("Tides rise. [12, ", "Tides rise."),
        ("Tides rise. [1–3]", "Tides rise."),
        ("In [2019] tides rose by a[i] metres", "In [2019] tides rose by a[i] metres"),
        ("line\n one\t [1]", "line one"),
        ("[1][2]", ""),
    ],
)
def test_markers_come_off_a_claim_and_nothing_else_does(written: str, claim: str) -> None:
    assert citation.without_markers(written) == claim


@given(WORDS, st.lists(st.integers(1, 99), min_size=1))
def test_a_claim_with_markers_behind_it_is_the_claim_that_cites_them(claim: str, cited: list[int]) -> None:
    written = claim + " " + "".join(f"[{number}]" for number in cited)
    assert citation.without_markers(written) == claim
    assert citation.numbers(written.replace("x[i]y", "xy")) == list(dict.fromkeys(cited))


@pytest.mark.parametrize(
    ("text", "cited"),
    [("a [2][1] b [2].", [2, 1]), ("a [1, 4;6]", [1, 4, 6]), ("a [2-4]", [2, 3, 4]), ("a [4–2]", [2, 3, 4]), ("a", [])],
)
def test_the_numbers_of_markers(text: str, cited: list[int]) -> None:
    assert citation.numbers(text) == cited


@pytest.mark.parametrize(
    ("answer", "sentences"),
    [
        ("", []),
        (" \n\n ", []),
        ("Dr. Ahn of the U.S. team agrees [1]. It is e.g. 1.5 m [2].", 2),
        ("It fell. [1][2] Then it rose.", ["It fell. [1][2]", "Then it rose."]),
        ("It fell [1].\n\nFinal answer: no. [2]", ["It fell [1].", "Final answer: no. [2]"]),
        ("1. Open it [1]. 2. Shut it [2].", ["1. Open it [1].", "2. Shut it [2]."]),
        ("1986 [3]", ["1986 [3]"]),
    ],
)
def test_an_answer_falls_into_sentences_that_keep_their_markers(answer: str, sentences: list[str] | int) -> None:
    found = list(citation.sentences(answer))
    assert (len(found) if isinstance(sentences, int) else found) == sentences


@given(st.lists(st.sampled_from(["It fell [1].", "It rose.", "2. ", "\n\n", "Was it so? [2, 3]"])).map(" ".join))
def test_no_word_and_no_marker_is_lost_between_sentences(answer: str) -> None:
    assert " ".join(citation.sentences(answer)).split() == answer.split()


@pytest.mark.parametrize(
    ("reference", "url", "text"),
    [
        ("[3] https://example.org/a?b=[1]\n\n  Low tide.\n", "https://example.org/a?b=[1]", "Low tide."),
        ("[3] https://example.org/a", "https://example.org/a", ""),
        ("https://example.org/a…\nWeb Low tide.", "https://example.org/a…", "Web Low tide."),
        ("www.example.org/a \nLow tide.", "www.example.org/a", "Low tide."),
        ("[12] Low tide.", "", "Low tide."),
        ("https://example.org/a says low tide.", "", "https://example.org/a says low tide."),
        ("Title: Tides\n\nLow tide [2].", "", "Title: Tides\n\nLow tide [2]."),
        ("  ", "", ""),
    ],
)
def test_a_reference_is_an_address_and_a_text(reference: str, url: str, text: str) -> None:
    assert citation.split_reference(reference) == (url, text)


@pytest.mark.parametrize(
    "hostile", [" " * LONG, "[1]" * LONG, "[" * LONG, "[1, " * LONG, "\n[1" * LONG, "x" + " [" * LONG]
)
def test_hostile_text_is_read_once_and_not_from_each_of_its_signs(hostile: str) -> None:
    """Each of these would take hours where the time grows with the square of the length."""
    assert "[1]" not in citation.without_markers(f"{hostile}!")
    assert citation.numbers(hostile) in ([], [1])
