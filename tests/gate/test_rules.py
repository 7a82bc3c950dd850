import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.corpus import load_edition
from forcebench_lib.evaluators.words import content_stems
from forcebench_lib.gate.rules import parts, read, too_strong

PASSAGE = (
    "The Orrel library lends tools for 14 days. About 300 members paid 2.5 million crowns, or 40 per cent, by "
    "12 June 2031. It is not open on Sundays. The keeper said that “nobody ever lost a hammer”. "
    "Repairs take 3 to 5 weeks."
)


@pytest.mark.parametrize(
    "claim",
    [
        "The Orrel library lends tools for fourteen... 14 days.",
        "Members paid 2,500,000 crowns.",
        "Members paid 40% by 12 June 2031.",
        "Members paid 40 percent by June 2031.",
        "The library is not open on Sundays.",
        'The keeper said that "nobody ever lost a hammer".',
        "The keeper said that “Nobody … lost a hammer”.",
        "Repairs take 3 to 5 weeks.",
        "Repairs take 4 weeks.",  # within the range: too strong, yet not unsupported
    ],
)
def test_values_that_agree_pass(claim):
    assert read(PASSAGE, claim).score >= 0.5


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("The Orrel library lends tools for 15 days.", "15 days"),
        ("The Orrel library lends tools for 300 days.", "300 days"),  # 300 counts members
        ("Members paid 2.5 billion crowns.", "2.5 billion crowns"),
        ("Members paid 14% of it.", "14%"),
        ("Members paid by 13 June 2031.", "13 June 2031"),
        ("Members paid by July 2031.", "July 2031"),
        ("Members paid in 2032.", "2032"),
        ("Repairs take 6 weeks.", "6 weeks"),
        ("Seven members paid crowns.", "Seven members"),
    ],
)
def test_a_value_that_the_source_does_not_give_fails_by_name(claim, value):
    found = read(PASSAGE, claim)
    assert found.score == 0
    assert value in found.detail


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("The library is open on Sundays.", 'Source and claim differ by "not".'),
        ("The Orrel library never lends tools.", 'Source and claim differ by "never".'),
        ("The keeper said that “nobody lost a hammer”.", 'The quote "nobody lost a hammer" is not in the source.'),
        ("The keeper said that “nobody … broke”.", 'The quote "broke" is not in the source.'),
        ("Ferries sail to the island at noon.", "does not speak of"),
        ("The library lends tools, and ferries sail to the island.", '"ferries sail to the island"'),
        ("...", "does not speak of"),
    ],
)
def test_what_is_not_in_the_source_fails_with_its_reason(claim, why):
    found = read(PASSAGE, claim)
    assert found.score < 0.5
    assert why in found.detail


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Tea warms old hands; milk cools hot tea.", ("Tea warms old hands", "milk cools hot tea")),
        ("Tea warms old hands, and milk cools hot tea, but salt spoils good soup.", 3),
        ("Tea, and milk, and warm bread.", 1),
        ("Tea, and milk cools hot soup.", 1),
        ("Tea warms old hands, and milk.", 1),
        ("", ("",)),
    ],
)
def test_parts(claim, expected):
    found = parts(claim)
    assert found == expected if isinstance(expected, tuple) else len(found) == expected


@given(st.text(alphabet="abc ,;.and but\n1", max_size=80))
def test_parts_lose_no_content_word(claim):
    connectives = content_stems("and but")
    together = frozenset().union(*(content_stems(part) for part in parts(claim)))
    assert content_stems(claim) - together <= connectives


def test_the_axis_with_the_heavier_findings_is_named():
    axis, why = too_strong("Tea may calm sleepers in Ferrand.", "Tea will calm sleepers.")
    assert axis == "modality"
    assert why == 'The source says "may", the claim does not; the claim says "will", the source does not.'
    assert too_strong("Tea may calm sleepers.", "Tea may calm sleepers.") is None


def test_a_calibrated_claim_is_supported_more_often_than_one_from_elsewhere():
    pairs = load_edition("open").development
    own = [read(pair.passage, pair.safe_claim).score >= 0.5 for pair in pairs]
    elsewhere = [read(pairs[number - 1].passage, pair.safe_claim).score >= 0.5 for number, pair in enumerate(pairs)]
    assert sum(own) > 0.8 * len(pairs)
    assert sum(elsewhere) <= 0.02 * len(pairs)


@given(st.text(max_size=200), st.text(max_size=100))
def test_any_two_texts_get_a_score_from_0_to_1(passage, claim):
    assert 0 <= read(passage, claim).score <= 1
