import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.quartets import contains, normalised


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("The answer is 14 hours.", "14 hours"),
        ("1,250 kPa", "1250 kPa"),
        ("It is the Marlow Hall", "Marlow hall"),
        ("-5 °C", "−5 °C"),
        ("the caretaker’s key", "caretaker's key"),
        ("14kg", "14 kg"),
        ("code P-7", "P7"),
        ("at 10-day intervals", "10 day intervals"),
        ("Café", "Cafe\u0301"),
        ("Go to Hall A and wait.", "Hall A"),
        ("go to hall a and wait", "Hall A"),
        ("It needs vitamin A.", "A"),
        ("It is A Blue Door", "a blue door"),
        ("a door", "the door"),
    ],
)
def test_ways_to_write_the_same(whole: str, part: str) -> None:
    assert contains(whole, part)


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("3.5 kg", "5 kg"),
        ("2-5 days", "5 days"),
        ("-5 °C", "5 °C"),
        ("114 hours", "14 hours"),
        ("10:30", "30"),
        ("21,250 kPa", "1250 kPa"),
        ("fourteenth", "fourteen"),
        ("hours 14", "14 hours"),
        ("anything", ""),
        ("anything", "the ..."),
        ("Hall B", "Hall A"),
        ("the hall", "Hall A"),
        ("A dog barked", "A"),
    ],
)
def test_texts_that_only_look_alike(whole: str, part: str) -> None:
    assert not contains(whole, part)


@given(st.text())
def test_a_text_contains_itself_if_it_has_a_word(text: str) -> None:
    assert contains(text, text) == bool(normalised(text))


@given(st.lists(st.sampled_from(["14", "hours", "valve", "3.5", "kg"]), min_size=1), st.text("abc ", max_size=9))
def test_words_around_do_not_hide_what_is_contained(words: list[str], around: str) -> None:
    inner = " ".join(words)
    assert contains(f"{around} {inner} {around}", inner)
