import pytest

from forcebench_lib import corpus, evaluators, metrics, tuning
from forcebench_lib.__main__ import main
from forcebench_lib.evaluators.lexicon import weights
from forcebench_lib.schema import InputError, Pair
from tests.test_corpus import row


def pair(row_id: str, **changes: object) -> Pair:
    return Pair.model_validate(row(row_id, **changes))


# Three of the four content words of either claim stand in the passage (not "gently", not "always"), so the two tie
# until the raiser costs something. The licensing passage has all words of the raised claim and uses the raiser itself.
NARROW = {
    "passage": "Tea will calm adults.",
    "evidence_spans": ["calm"],
    "safe_claim": "Tea calms adults gently.",
    "raised_claim": "Tea always calms adults.",
    "licensing_passage": "Tea will always calm adults.",
}


@pytest.mark.parametrize("pairs", [[], [pair("x-1", licensing_passage=" ")]])
def test_pairs_without_a_licensing_passage_can_tune_nothing(pairs: list[Pair]) -> None:
    with pytest.raises(InputError, match=f"^tune: none of {len(pairs)} development pairs has a licensing passage"):
        tuning.tune(pairs)


def test_the_smallest_penalty_that_orders_the_pair_comes_first() -> None:
    frame = tuning.tune([pair("x-1", **NARROW)]).set_index("evaluator")
    for name in ("Axis ForceCheck", "Rule ForceCheck"):
        best = frame.loc[name].iloc[0]
        assert (best["dropped"], best["raised"]) == (0.1, 0.1)
        assert (best["mvr"], best["mirror"], best["total"]) == (0.0, 0.0, 0.0)


def test_a_grid_point_is_what_the_evaluator_itself_gives() -> None:
    pairs = corpus.load_edition("open").development[:30]
    frame = tuning.tune(pairs).set_index(["evaluator", "dropped", "raised"])
    now = {"Rule ForceCheck": weights().rule, "Axis ForceCheck": weights().axis["scope"]}
    for name, weight in now.items():
        scores = evaluators.score_pairs(evaluators.load(name), pairs, name=name, passages=("cited", "licensing"))
        point = frame.loc[(name, weight.dropped, weight.raised)]
        assert point["mvr"] == pytest.approx(metrics.rates(metrics.outcomes(scores, pairs))["mvr"].iloc[0])
        mirror = metrics.rates(metrics.outcomes(scores, pairs, side="evidence"))["mvr"].iloc[0]
        assert point["mirror"] == pytest.approx(mirror)


def test_a_pair_without_licensing_passage_is_left_out() -> None:
    both = tuning.tune([pair("x-1", **NARROW), pair("x-2", licensing_passage="")])
    assert both.equals(tuning.tune([pair("x-1", **NARROW)]))


def test_the_command_reads_development_pairs_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Pair] = []
    tune = tuning.tune
    monkeypatch.setattr(tuning, "tune", lambda pairs: (seen.extend(pairs), tune(pairs[:5]))[1])
    assert main(["tune"]) == 0
    assert seen
    assert {one.split for one in seen} == {"development"}
    assert f"{len(seen)} development pairs" in capsys.readouterr().out
