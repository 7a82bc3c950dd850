"""Claims with a changed value, and answers whose shape once hid a claim, each beside a twin that is right."""

import pytest

from forcebench_lib.gate import Claim, Source, check, rules, split_answer


def reason(content, text):
    (verdict,) = check([Claim(text=text, source_id="S")], [Source(id="S", content=content)]).verdicts
    return verdict.failure.reason if verdict.failure else None


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Refunds take 14 days.", "Refunds take 14 months."),
        ("The dose is 5 mg.", "The dose is 5 g."),
        ("Turnover was 3 million crowns.", "Turnover was 3 million dollars."),
        ("The fee is $5.", "The fee is €5."),
        ("Refunds take 14%.", "Refunds take 14 days."),
        ("Revenue was $1.5m.", "Revenue was $1.5bn."),
        ("Refunds take 14 days.", "Refunds take thirty days."),
        ("Refunds take 14 days.", "Refunds take twenty-one days."),
        ("Refunds take 14 days.", "Refunds take one day."),
        ("The law passed on 2031-06-12.", "The law passed on 1999-06-12."),
        ("The law passed on 2031-06-12.", "The law passed on 13 June 2031."),
        ("It closes at -5 degrees.", "It closes at 5 degrees."),
        ("It closes at 5 degrees.", "It closes at −5 degrees."),
        ("It opens at 9 a.m. daily.", "It opens at 9 p.m. daily."),
        ("Call 555-1234. Refunds take 14 days.", "Refunds take 600 days."),
    ],
)
def test_another_value_is_not_supported(passage, claim):
    assert rules.read(passage, claim).score == 0.0
    assert rules.read(claim, claim).score == 1.0


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Refunds take 14 working days.", "Refunds take 14 days."),
        ("Refunds take fourteen days.", "Refunds take 14 days."),
        ("The dose is 5 kg.", "The dose is 5 kilograms."),
        ("The rate is 5 percent.", "The rate is 5%."),
        ("The law passed on 2031-06-12.", "The law passed on 12 June 2031."),
        ("It closes at -5 degrees.", "It closes at −5 degrees."),
        ("Refunds take 10 to 14 days.", "Refunds take 10 to 14 days."),
        ("Revenue was $1.5m.", "Revenue was $1.5 million."),
    ],
)
def test_another_spelling_of_a_value_is_supported(passage, claim):
    assert "The claim says" not in rules.read(passage, claim).detail


@pytest.mark.parametrize(
    ("content", "wrong", "right"),
    [
        ("Refunds take 14 days.", "Refunds take 14 months.", "Refunds take 14 days."),
        ("Refunds take 14 working days.", "Refunds take 14 working hours.", "Refunds take 14 days."),
        ("It weighs 5 kilograms.", "It weighs 5 g.", "It weighs 5kg."),
        ("The bridge cost 3 million crowns.", "The bridge cost 3 million dollars.", "The bridge cost 3 million SEK."),
        ("Entry costs $5.", "Entry costs €5.", "Entry costs 5 dollars."),
        ("The fee rose by 14 percent.", "The fee rose by 14 days.", "The fee rose by 14%."),
        ("It cost $1.5m.", "It cost $1.5bn.", "It cost $1.5 million."),
        ("It weighs 5 to 10 mg.", "It weighs 7 g.", "It weighs 5–10 mg."),
        ("The lab is at 20 °C.", "The lab is at 20 °F.", "The lab is at 20 degrees Celsius."),
    ],
)
def test_a_value_of_another_measure_is_another_value(content, wrong, right):
    assert (reason(content, wrong), reason(content, right)) == ("claim_not_supported", None)


@pytest.mark.parametrize(
    ("content", "wrong", "right"),
    [
        ("Refunds take 14 days.", "Refunds take thirty days.", "Refunds take fourteen days."),
        ("It takes twenty-one days.", "It takes 20 days.", "It takes 21 days."),
        ("A dozen eggs were sold.", "Two dozen eggs were sold.", "12 eggs were sold."),
        (
            "The old bridge cost the town 250 crowns.",
            "The old bridge cost the town two hundred crowns.",
            "The old bridge cost the town two hundred and fifty crowns.",
        ),
        ("It takes three days.", "It takes one day.", "It takes 3 days."),
        ("It takes 30 days.", "It takes half of the days.", "It takes thirty days."),
    ],
)
def test_number_words_are_numbers(content, wrong, right):
    assert (reason(content, wrong), reason(content, right)) == ("claim_not_supported", None)


@pytest.mark.parametrize(
    ("content", "wrong", "right"),
    [
        ("It opens on 2031-06-12.", "It opens with 500 guests.", "It opens on 12 June 2031."),
        ("It opens on 12 June 2031.", "It opens on 2031-06-13.", "It opens on 2031-06-12."),
        ("Call 555-1234 for help.", "Call 600 for help.", "Call for help."),
        ("Call from 9 to 5.", "Call at 7.", "Call at 9."),
        ("The shop opens at 9 a.m.", "The shop opens at 9 p.m.", "The shop opens at 9 am."),
        ("The lab is at -5 degrees.", "The lab is at 5 degrees.", "The lab is at −5 degrees."),
        ("The loss was 12 million.", "The loss was −12 million.", "The loss was 12 million."),
    ],
)
def test_dates_ranges_hours_and_signs(content, wrong, right):
    assert (reason(content, wrong), reason(content, right)) == ("claim_not_supported", None)


@pytest.mark.parametrize("word", ["without", "nobody", "none"])
def test_a_word_that_denies_turns_a_claim(word):
    content = f"The Orrel library lends tools {word} deposit."
    assert reason(content, "The Orrel library lends tools deposit.") == "claim_not_supported"
    assert reason(content, content) is None


def split(answer):
    found = split_answer(answer)
    return [(one.text, one.source_id) for one in found.claims], " ".join(note.why for note in found.notes)


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("The operation killed approx. 40 patients [1].", ["The operation killed approx. 40 patients."]),
        ("In the U.S. The firm pays [1].", ["In the U.S. The firm pays."]),
        ("Dr. Berg serves tea [1].", ["Dr. Berg serves tea."]),
        ("Is it hot? No. Tea is cold [1].", ["Tea is cold."]),
        ("Tea is hot [1] and [2].", ["Tea is hot."] * 2),
        ("Tea is hot [1], and [2].", ["Tea is hot."] * 2),
        ("Tea is hot [1] & [2]; milk is cold [3]/[4].", ["Tea is hot."] * 2 + ["milk is cold."] * 2),
        ('It says "tea is hot [1]."', ['It says "tea is hot."']),
        ("(Tea is hot [1]).", ["(Tea is hot)."]),
        ("# On tea\nTea is hot [1].", ["Tea is hot."]),
        ("– Tea is hot [1]\n– Milk is cold [2]", ["Tea is hot.", "Milk is cold."]),
        ("a) Tea is hot [1]\nb) Milk is cold [2]", ["Tea is hot.", "Milk is cold."]),
        ("Tea is hot\n[1]. Milk is cold [2].", ["Tea is hot.", "Milk is cold."]),
    ],
)
def test_a_claim_is_the_whole_sentence_and_nothing_else(answer, claims):
    assert [text for text, _ in split(answer)[0]] == claims


@pytest.mark.parametrize(
    ("answer", "claims", "why"),
    [
        ("Refunds [POLICY] take 30 days.", [], "inside a sentence"),
        ("According to [DOC-7], refunds take 30 days.", [], "inside a sentence"),
        ("Refunds [1] take 30 days [2]. Tea is hot [3].", ["Tea is hot."], "inside a sentence"),
        ("Refunds [1] and gifts [2] are free.", [], "inside a sentence"),
        ("Tea is hot [1].\n\nReferences:\n[1] Tea policy, 2031", ["Tea is hot."], "reference list"),
        ("Tea is hot [1].\n[1]: https://example.org/a", ["Tea is hot."], "reference list"),
        ("```\nx = a[1]\n```\nTea is hot [1].", ["Tea is hot."], "fenced code"),
        ("| Tea | hot [1] |\n\nTea is hot [1].", ["Tea is hot."], "row of a table"),
        ("Read [policy][1].", [], "another kind"),
        ("Tea is hot [sic].", [], "another kind"),
        ("Tea is hot [1-3] and milk is cold [4].", ["Tea is hot [1-3] and milk is cold."], "range of markers"),
        ("Tea is hot [^1] and milk is cold [4].", ["Tea is hot [^1] and milk is cold."], "another kind"),
        ("Tea (Brewer, 2031) is hot [4].", ["Tea (Brewer, 2031) is hot."], "another kind"),
    ],
)
def test_what_makes_no_claim_is_named(answer, claims, why):
    found, notes = split(answer)
    assert [text for text, _ in found] == claims
    assert why in notes
