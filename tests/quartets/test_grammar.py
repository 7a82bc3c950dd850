import pytest

from forcebench_lib.quartets.grammar import faults


@pytest.mark.parametrize(
    "text",
    [
        "An 8 kg load, an hour, an honest man, an 18-year lease, an 11 a.m. start and an 80-page report.",
        "A unit, a one-way road, a European firm, a 100 kg load, a useful tool and a university.",
        "An uninformed guess, an MV-8 pump or a UV lamp; Hall A opens at nine.",
        "Mr. Tarn said that that was so. He had had two (or three) cells: “none left”.",
        "It cost .5 p and ended “here.”",
    ],
)
def test_sound_sentences_have_no_fault(text: str) -> None:
    assert list(faults(text)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("A 8 kg load.", "'A 8'"),
        ("It is an useful tool.", "'an useful'"),
        ("It takes a hour.", "'a hour'"),
        ("It is an 100 kg load.", "'an 100'"),
        ("It is a 18-year lease.", "'a 18-year'"),
        ("The the lamp.", "'The' is doubled"),
        ("The lamp “glows.", "“ and ” are not balanced"),
        ('The "lamp glows.', "a quotation mark is not closed"),
        ("The lamp , glows.", "there is a space too many"),
        ("The lamp glows", "the text ends with 'The lamp glows', expected a full stop"),
        ("It glows. then it dies.", "the sentence 'then it dies.' does not begin with a capital"),
    ],
)
def test_each_fault_is_named(text: str, fault: str) -> None:
    assert list(faults(text)) == [fault]
