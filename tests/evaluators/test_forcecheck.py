import pytest

from forcebench_lib.evaluators import axis_forcecheck, explain, rule_forcecheck
from forcebench_lib.evaluators.forcecheck import evidence
from forcebench_lib.evaluators.lexicon import weights
from forcebench_lib.evaluators.overlap import coverage

# axis, passage, claim that keeps the limiter, claim that drops it, the limiter dropped
MINIMAL_PAIRS = [
    ("modality", "Tea may calm sleepers.", "Tea might calm sleepers.", "Tea calms sleepers.", "may"),
    ("modality", "The fund plans to buy a mill.", "The fund plans to buy a mill.", "The fund buys a mill.", "plans to"),
    ("numeric", "Repairs take 3 to 5 weeks.", "Repairs take 3 to 5 weeks.", "Repairs take 5 weeks.", "3 to 5"),
    ("numeric", "Repairs take 3 to 5 weeks.", "Repairs take 3 to 5 weeks.", "Repairs take 4 weeks.", "3 to 5"),
    ("numeric", "Up to 40 wells ran dry.", "Up to 40 wells ran dry.", "40 wells ran dry.", "Up to 40"),
    ("numeric", "It sold a mean of 12 lambs.", "It sold 12 lambs on average.", "It sold 12 lambs.", "a mean of 12"),
    ("numeric", "About forty of 90 and about 7 ran dry.", "About 7 ran dry.", "7 ran dry.", "about 7"),
    (
        "temporal",
        "The pass was open in June 2031.",
        "In June 2031 the pass was open.",
        "The pass is open.",
        "in June 2031",
    ),
    ("temporal", "The line is expected to open.", "The line is expected to open.", "The line opens.", "expected"),
    ("scope", "Some roofs leak.", "Some roofs leak.", "Roofs leak.", "Some"),
    ("scope", "Older adults slept longer.", "Older adults slept longer.", "Adults slept longer.", "Older adults"),
    (
        "scope",
        "Landlords owe interest in Ferrand.",
        "In Ferrand landlords owe interest.",
        "Landlords owe interest.",
        "in Ferrand",
    ),
    ("scope", "Sync fails on version 3.2.", "Sync fails on version 3.2.", "Sync fails.", "version 3.2"),
    ("relation", "Tea was associated with sleep.", "Tea was linked to sleep.", "Tea brought sleep.", "associated"),
    ("relation", "Members should rest.", "Members should rest.", "Members rest.", "should"),
]


@pytest.mark.parametrize(("axis", "passage", "kept", "dropped", "limiter"), MINIMAL_PAIRS)
def test_each_penalty_on_its_minimal_pair(axis, passage, kept, dropped, limiter):
    assert explain(passage, kept) == ()
    (finding,) = explain(passage, dropped)
    assert (finding.axis, finding.rule, finding.mark.text) == (axis, "dropped", limiter)
    assert passage[finding.mark.start : finding.mark.end] == limiter
    assert axis_forcecheck([passage] * 2, [kept, dropped]) == [
        pytest.approx(coverage(passage, kept)),
        pytest.approx(coverage(passage, dropped) * (1 - weights().axis[axis].dropped)),
    ]


RAISED = [
    ("modality", "Tea calms sleepers.", "Tea will calm sleepers.", "will"),
    ("relation", "Tea came before sleep.", "Tea caused sleep.", "caused"),
    ("relation", "Members rest at noon.", "Members must rest at noon.", "must"),
    ("scope", "Roofs leak.", "All roofs leak.", "All"),
    ("temporal", "The pass was open.", "The pass is still open.", "still"),
    ("numeric", "40 wells ran dry.", "Exactly 40 wells ran dry.", "Exactly"),
]


@pytest.mark.parametrize(("axis", "passage", "claim", "word"), RAISED)
def test_a_raiser_costs_where_the_passage_has_none(axis, passage, claim, word):
    (finding,) = explain(passage, claim)
    assert (finding.axis, finding.rule, finding.mark.text) == (axis, "raised", word)
    assert claim[finding.mark.start : finding.mark.end] == word
    assert explain(claim, claim) == ()


def test_two_findings_multiply():
    passage, claim = "Tea may calm some sleepers.", "Tea will calm all sleepers."
    found = {(finding.axis, finding.rule) for finding in explain(passage, claim)}
    assert found == {("modality", "dropped"), ("modality", "raised"), ("scope", "dropped"), ("scope", "raised")}
    per_axis = [weights().axis[axis] for axis in ("modality", "scope")]
    left = 1.0
    for weight in per_axis:
        left *= (1 - weight.dropped) * (1 - weight.raised)
    assert axis_forcecheck([passage], [claim]) == [pytest.approx(3 / 5 * left)]  # tea, calm, sleeper of five


def test_a_limiter_outside_the_evidence_costs_nothing():
    passage = "Tea calms sleepers. Coffee may wake bakers in winter."
    assert explain(passage, "Tea calms sleepers.") == ()


def test_a_number_that_the_passage_also_gives_bare_is_no_point_of_a_range():
    assert explain("Repairs take 3 to 5 weeks; the last took 4 weeks.", "Repairs took 4 weeks.") == ()


def test_the_licensing_passage_lifts_the_raised_claim():
    cited, licensing = "Tea may calm some sleepers.", "Tea will calm all sleepers."
    raised = "Tea will calm all sleepers."
    low, high = axis_forcecheck([cited, licensing], [raised, raised])
    assert low < high == 1.0


def test_rule_forcecheck_counts_limiters_and_knows_no_axis():
    passage = "Tea may calm some sleepers."  # two limiters
    claims = ["Tea may calm some sleepers.", "Tea may calm sleepers.", "Tea calms sleepers.", "Tea will calm sleepers."]
    dropped, raised = weights().rule.dropped, weights().rule.raised
    assert rule_forcecheck([passage] * 4, claims) == [
        pytest.approx(1.0),
        pytest.approx(1 - dropped / 2),
        pytest.approx(1 - dropped),
        pytest.approx(3 / 4 * (1 - dropped) * (1 - raised)),
    ]


def test_rule_forcecheck_is_fooled_where_the_axis_one_is_not():
    passage, swapped = "Tea may calm sleepers.", "Some tea calms sleepers."  # a limiter, on another axis
    assert rule_forcecheck([passage], [swapped]) == [pytest.approx(coverage(passage, swapped))]
    assert axis_forcecheck([passage], [swapped])[0] < coverage(passage, swapped)


def test_evidence_is_the_sentence_that_the_claim_rests_on():
    passage = "Cray has two walls. In spring they may lean. They were built long ago."
    spans = evidence(passage, "The walls of Cray were built long ago")
    assert [passage[start:end] for start, end in spans] == ["They were built long ago."]
    assert evidence(passage, "coffee") == ()
