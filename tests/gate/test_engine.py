import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.gate import REASONS, Answers, Scored, as_json, check
from forcebench_lib.gate.store import PASSAGE_CHARS, Store, plain

from .conftest import claim, source

HOURS = "The Orrel library lends tools for 14 days."


def reason(one, sources, **options):
    (verdict,) = check([one], sources, **options).verdicts
    return verdict.failure.reason if verdict.failure else None


@pytest.mark.parametrize(
    ("cited", "sources", "expected"),
    [
        ({"source_id": "DOC-8"}, [source(HOURS)], "source_not_found"),
        ({"source_id": "doc-7"}, [source(HOURS)], "source_not_found"),
        ({}, [source(HOURS, status="deleted")], "source_unavailable"),
        ({}, [source(HOURS, status="inaccessible")], "source_unavailable"),
        ({}, [source("")], "source_unavailable"),
        ({}, [source("<p>&nbsp;</p><!-- 14 days -->")], "source_unavailable"),
        (
            {"source_version": "1"},
            [source(HOURS, version="1", status="deleted"), source(HOURS, version="2")],
            "source_unavailable",
        ),
        ({"source_version": "3"}, [source(HOURS, version="1"), source(HOURS, version="2")], "version_mismatch"),
        ({"source_version": "1"}, [source(HOURS)], "version_mismatch"),
        (
            {"source_version": "1"},
            [source(HOURS, version="1", status="superseded"), source(HOURS, version="2")],
            "version_mismatch",
        ),
        ({}, [source(HOURS, version="1"), source(HOURS, version="2")], "version_mismatch"),
        ({}, [source(HOURS, version="1", status="superseded")], "version_mismatch"),
        ({}, [source(HOURS, version="1", status="superseded"), source(HOURS, version="2")], None),
        ({}, [source("", version="1", status="deleted"), source(HOURS, version="2")], None),
        ({"source_version": 2}, [source(HOURS, version="1"), source(HOURS, version="2")], None),
        ({}, [source(HOURS, version="9")], None),
    ],
)
def test_a_source_is_found_readable_and_of_the_cited_version(cited, sources, expected):
    one = claim(HOURS, **({"source_id": "DOC-7"} | cited))
    assert reason(one, sources) == expected


def test_reasons_come_in_their_order():
    """One claim with every fault at once, mended from the first reason to the last."""
    wrong = "The Orrel library will lend tools for 21 days."
    old = source("The Orrel library may lend tools for 21 days.", version="1", status="deleted")
    new = old.model_copy(update={"version": "2", "status": "current"})
    rival = source("The Orrel library may lend tools for 14 days.", id="DOC-9")
    other = source("Ferries sail at noon.", version="3")
    steps = [
        (claim(wrong, "DOC-0"), [old, rival]),
        (claim(wrong, source_version="1"), [old, rival]),
        (claim(wrong, source_version="1"), [new, rival]),
        (claim(wrong, source_version="3"), [other, rival]),
        (claim(wrong, source_version="2"), [new, rival]),
        (claim(new.content, source_version="2"), [new, rival]),
    ]
    assert tuple(reason(one, sources) for one, sources in steps) == REASONS
    assert reason(claim(new.content, source_version="2"), [new]) is None


@pytest.mark.parametrize(
    ("text", "rival", "disagree"),
    [
        ("The museum charges 12 crowns for entry.", "The museum charges 15 crowns for entry.", True),
        ("The museum charges 12 crowns for entry.", "The museum charges 12 crowns for entry.", False),
        ("The museum charges 12 crowns for entry.", "The museum charges 10 to 14 crowns for entry.", False),
        ("The museum charges 12 crowns for entry.", "The museum has 15 rooms; entry is in crowns.", False),
        ("The museum charges 12 crowns for entry.", "The theatre charges 15 crowns for lunch.", False),
        ("The museum charged 12 crowns in 2030.", "The museum charged 15 crowns in 2031.", False),
        ("The museum charged 12 crowns in 2030.", "The museum charged 15 crowns in 2030.", True),
        ("The museum opens its hall on 3 May 2031.", "The museum opens its hall on 10 May 2031.", True),
        ("The museum opens its hall on 3 May 2031.", "The museum opens its hall in May 2031.", False),
        ("The museum opens its hall to visitors.", "The museum opens its hall to 30 visitors.", False),
    ],
)
def test_current_sources_disagree_where_the_same_thing_has_another_value(text, rival, disagree):
    sources = [source(text), source(rival, id="DOC-9")]
    assert reason(claim(text), sources) == ("sources_disagree" if disagree else None)
    stale = [source(text), source(rival, id="DOC-9", status="superseded")]
    assert reason(claim(text), stale) is None


def test_a_disagreement_names_the_other_source_and_its_value():
    sources = [source("Entry costs adults 12 crowns."), source("Entry costs adults 15 crowns.", id="X", version="4")]
    (verdict,) = check([claim("Entry costs adults 12 crowns.")], sources).verdicts
    assert verdict.failure.detail == 'X (version 4) says "15 crowns": Entry costs adults 15 crowns.'


def test_two_current_versions_of_one_id_can_disagree():
    sources = [
        source("Entry costs adults 12 crowns.", version="1"),
        source("Entry costs adults 9 crowns.", version="2"),
    ]
    assert reason(claim("Entry costs adults 12 crowns.", source_version="1"), sources) == "sources_disagree"


def scored(score: float) -> Scored:
    def evaluator(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
        return [score for _ in claims]

    return Scored("constant", evaluator, 0.6)


@pytest.mark.parametrize(
    ("score", "expected"), [(0.59, "claim_not_supported"), (0.6, None), (math.nan, "claim_not_supported")]
)
def test_any_evaluator_supports_at_its_threshold(score, expected):
    assert reason(claim(HOURS), [source(HOURS)], supporter=scored(score)) == expected


def test_force_is_compared_after_an_evaluator_too():
    one, sources = claim("Tea will calm sleepers."), [source("Tea may calm sleepers.")]
    assert reason(one, sources, supporter=scored(1.0)) == "force_exceeds_source"


def test_markup_is_read_as_a_reader_sees_it():
    text = '<p>Refunds take <b>14</b> days &amp; cost nothing.</p><script>let days = "30 days"</script><!-- 21 days'
    assert plain(text) == "Refunds take 14 days & cost nothing."
    assert reason(claim("Refunds take 14 days."), [source(text)]) is None
    assert reason(claim("Refunds take 30 days."), [source(text)]) == "claim_not_supported"
    assert reason(claim("Refunds take 21 days."), [source(text)]) == "claim_not_supported"
    assert plain("a < b and b > c") == "a < b and b > c"


def test_in_a_long_source_the_sentences_near_the_claim_are_read():
    filler = " ".join(f"The ferry number {number} sails past the island." for number in range(2000))
    store = Store([source(f"{filler} Returned tools are oiled by hand. {filler}")])
    passage = store.passage(0, "Returned tools are oiled by hand.")
    assert "Returned tools are oiled by hand." in passage
    assert len(passage) <= PASSAGE_CHARS
    assert reason(claim("Returned tools are oiled by hand."), store.sources) is None


@given(
    st.lists(st.sampled_from(["Tea may calm.", "Tea will calm.", "Ferries sail.", "Tea costs 3 crowns."]), max_size=6)
)
def test_a_claim_is_judged_alone(texts):
    sources = [source("Tea may calm. Tea costs 2 crowns.")]
    together = check([claim(text) for text in texts], sources).verdicts
    assert [one.failure for one in together] == [check([claim(text)], sources).verdicts[0].failure for text in texts]


def test_the_same_input_gives_the_same_report():
    claims = [claim(f"The museum charges {number} crowns.") for number in range(30)]
    sources = [source(f"The museum charges {number} crowns.", id=f"D{number}") for number in range(30)]
    sources.append(source("The museum charges 7 crowns."))
    assert as_json(check(claims, sources)) == as_json(check(claims, sources))


def test_ten_thousand_claims_get_a_verdict_each():
    claims = [claim(HOURS if number % 2 else "Ferries sail at noon.") for number in range(10_000)]
    report = check(Answers(tuple(claims), tuple(range(10_000))), [source(HOURS)])
    assert len(report.verdicts) == 10_000
    assert len(report.failures) == 5_000


@pytest.mark.parametrize(
    "sign", ["<!--", "<script", "<a ", "&amp;", "“", ". A", "1,", "about 1 to 2 may 2031 adults ", ", and ", "a"]
)
def test_a_hostile_source_is_read_to_its_end(sign):
    content, text = (sign * 200_000)[:200_000], (sign * 5_000)[:4_990]
    assert len(check([claim(text)], [source(content)]).verdicts) == 1


def test_a_model_that_judges_itself_is_warned_about():
    judge = Scored("openai/Model-X", lambda passages, claims: [1.0] * len(claims))
    for generator, warned in (("anthropic/model-x", 1), ("openai/model-y", 0), ("", 0)):
        report = check([claim(HOURS)], [source(HOURS)], supporter=judge, generator=generator)
        assert len(report.warnings) == warned
    answers = Answers((claim(HOURS),), (1,), generator="model-x")
    assert check(answers, [source(HOURS)], supporter=judge).warnings
