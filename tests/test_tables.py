import pandas as pd
import pytest

from forcebench_lib import corpus, evaluators, judging, metrics, reported, tables
from tests.test_metrics import HAND, PAIRS, scores

EDITION = corpus.load_edition("open")


@pytest.fixture(scope="module")
def claim_side() -> pd.DataFrame:
    """Two made-up judges under two prompts, over four pairs; worked by hand in `tests.test_metrics`."""
    better = HAND.assign(score=[0.9, 0.4, 0.6, 0.5, 0.9, 0.8, 0.3, 0.1, 0.7, 0.5, 0.1])
    runs = [HAND.assign(prompt="generic_support"), better.assign(prompt="force_aware")]
    return metrics.outcomes(pd.concat([*runs, *(run.assign(evaluator="other") for run in runs)]), PAIRS)


def test_table1_counts_every_evaluated_pair() -> None:
    table = tables.table1(EDITION)
    total = table.iloc[-1]
    assert total[(tables.OURS, "evaluated")] == len(EDITION.evaluation)
    assert total[(tables.OURS, "retained")] == len(EDITION.pairs)
    assert sum(total[(tables.OURS, f"severity {level}")] for level in (1, 2, 3)) == len(EDITION.evaluation)
    assert total[(tables.PUBLISHED, "evaluated")] == 198


def test_table2_keeps_published_and_recomputed_apart() -> None:
    found = evaluators.score_pairs(evaluators.BASELINES["Token overlap"], EDITION.evaluation, name="Token overlap")
    table = tables.table2(metrics.rates(metrics.outcomes(found, EDITION.evaluation)), EDITION).iloc[0]
    assert table[(tables.PUBLISHED, "MVR")] == 0.328
    wrong = found.pivot(index="pair_id", columns="claim", values="score").eval("safe <= raised").mean()
    assert table[(tables.OURS, "MVR")].startswith(f"{wrong:.3f} [")


def test_citation_presence_violates_every_pair() -> None:
    found = evaluators.score_pairs(
        evaluators.BASELINES["Citation presence"], EDITION.evaluation, name="Citation presence"
    )
    row = metrics.rates(metrics.outcomes(found, EDITION.evaluation)).iloc[0]
    assert (row["mvr"], row["fs"], row["tie"]) == (1.0, 0.0, len(EDITION.evaluation))


def test_table3_pools_the_judges(claim_side: pd.DataFrame) -> None:
    table = tables.table3(metrics.rates(claim_side, by=["prompt"]), EDITION, judges=2)
    ours = table.set_index(("prompt", ""))[tables.OURS]
    assert ours.loc["Generic support", "units"] == 8
    assert ours.loc["Generic support", "MVR"].startswith("0.750")
    assert ours.loc["Axis-list force-aware", "MVR"].startswith("0.000")
    assert table[(tables.PUBLISHED, "MVR")].tolist() == pytest.approx([0.472, 0.245])


def test_table4_follows_the_files() -> None:
    flow = corpus.select(corpus.load_stages("open"))
    table = tables.table4(flow, EDITION)
    assert table[tables.PUBLISHED].tolist() == reported.table4()["rows"].tolist()
    assert table[tables.OURS].tolist()[-1] == len(EDITION.evaluation)
    counts = tables.flow_table(flow, EDITION).set_index("step")["total"]
    accepted = counts["Accepted after adjudication and quality control"]
    assert counts["Candidates entering double review"] == accepted + counts["Rejected in adjudication"] + len(
        flow.failed_control
    )
    assert accepted == counts["Surplus of an axis, capped"] + counts[
        "Retained after the cap and the locality audit"
    ] + len(flow.removed)


def test_the_aggregate_pools_both_sides(claim_side: pd.DataFrame) -> None:
    evidence = claim_side.assign(outcome="tie", margin=0.0)
    table = tables.with_aggregate(tables.evaluator_rates(claim_side, evidence), claim_side, evidence)
    pooled = table[table["evaluator"] == "Model aggregate"].set_index("prompt")
    assert pooled["mvr"].to_dict() == {"generic_support": 0.75, "force_aware": 0.0}
    assert pooled["mirror"].tolist() == [1.0, 1.0]
    assert pooled["both"].tolist() == [0.0, 0.0]
    assert len(table) == 6


def test_prompt_comparisons_by_hand(claim_side: pd.DataFrame) -> None:
    table = tables.prompt_comparisons(
        claim_side, EDITION, baseline="generic_support", prompts=["force_aware", "dummy_axis"]
    )
    assert table["judge"].tolist() == ["judge", "other"]
    assert table["violated under the baseline alone"].tolist() == [3, 3]
    assert table["p"].tolist() == ["0.250", "0.250"]
    assert table["p (Holm)"].tolist() == ["0.500", "0.500"]


def test_pooled_comparison_over_two_equal_judges_is_that_of_one(claim_side: pd.DataFrame) -> None:
    kwargs = {"baseline": "generic_support", "prompts": ["force_aware"]}
    both = tables.pooled_comparisons(claim_side, EDITION, **kwargs).iloc[0]
    one = tables.pooled_comparisons(claim_side[claim_side["evaluator"] == "judge"], EDITION, **kwargs).iloc[0]
    assert both["MVR difference"] == one["MVR difference"]
    assert both["MVR difference"].startswith("−0.750 [")
    assert both["odds ratio (GEE)"] == "–"  # the second prompt violates nothing


def test_three_readings_of_a_tie(claim_side: pd.DataFrame) -> None:
    row = tables.tie_policies(claim_side, EDITION).iloc[0]
    assert (row["tie is a violation"], row["tie is half a violation"], row["tie is none"]) == (0.75, 0.625, 0.5)


def test_policies_show_both(claim_side: pd.DataFrame) -> None:
    row = tables.policies(claim_side, EDITION).iloc[0]
    assert row["MVR, counted as violation"].startswith("0.750")
    assert row["MVR, left out"].startswith("0.667")


def test_sources_left_out_in_turn(claim_side: pd.DataFrame) -> None:
    claim_side = claim_side.assign(source=claim_side["pair_id"].map({"a": "x", "b": "x", "c": "y", "d": "y"}))
    row = tables.source_sensitivity(claim_side, metrics.leave_one_source_out(claim_side), EDITION).iloc[0]
    assert (row["MVR"], row["lowest"], row["highest"]) == (0.75, 0.5, 1.0)


def test_label_counts_name_unreadable_replies_by_their_status() -> None:
    judgments = pd.DataFrame(
        {
            "evaluator": "j",
            "prompt": "generic_support",
            "passage": ["cited", "cited", "licensing"],
            "claim": ["safe", "raised", "raised"],
            "label": ["supported", "", "supported"],
            "status": ["ok", "refusal", "ok"],
            "repeat": 0,
        }
    )
    table = tables.label_counts(judgments, EDITION).set_index("label")
    assert table["evidence-calibrated"].to_dict() == {"supported": 1, "refusal": 0}
    assert table["force-raised"].to_dict() == {"supported": 0, "refusal": 1}


def test_every_table_says_what_it_shows() -> None:
    for table in (
        tables.table1(EDITION),
        tables.limiters(EDITION),
        tables.sources(EDITION),
        tables.detectable(EDITION),
    ):
        assert table.attrs["caption"]
        assert table.attrs["name"]


def test_limiters_add_up() -> None:
    table = tables.limiters(EDITION)
    assert (table["overt"] + table["implicit"] == table["pairs"]).all()
    assert (table[["first third", "middle third", "last third"]].sum(axis=1) == table["pairs"]).all()


def test_missing_values_are_dashes() -> None:
    assert tables.with_interval(float("nan"), 0, 1) == "–"
    assert tables.with_interval(0.5, float("nan"), float("nan")) == "0.500"
    assert tables.with_interval(-0.5, -0.6, -0.4, digits=1) == "−0.5 [−0.6, −0.4]"


def test_by_group_shows_the_size_of_each_part() -> None:
    outcomes = metrics.outcomes(scores([("a", "cited", "safe", 1.0), ("a", "cited", "raised", 0.0)]), PAIRS)
    table = tables.by_group(outcomes, "marker", EDITION)
    assert table.columns.tolist() == ["evaluator", "overt (n = 4)"]
    assert table.iloc[0, 1].startswith("0.75 [")


def test_by_group_puts_the_evidence_side_below_the_claim_side() -> None:
    """Pair a is ordered on the claim side; its licensing passage does not raise the score, so it fails the mirror."""
    rows = [("a", "cited", "safe", 1.0), ("a", "cited", "raised", 0.5), ("a", "licensing", "raised", 0.5)]
    found = scores(rows)
    claim, evidence = metrics.outcomes(found, PAIRS[:1]), metrics.outcomes(found, PAIRS[:1], side="evidence")
    table = tables.by_group(claim, "marker", EDITION, evidence_side=evidence)
    assert table["side"].tolist() == ["claim (MVR)", "evidence"]
    assert [value[:4] for value in table.iloc[:, 2]] == ["0.00", "1.00"]


def test_pooled_rates_hold_both_sides() -> None:
    """Two judges, one pair: one sees the better evidence, the other does not, so both orderings hold on half."""
    rows = [("a", "cited", "safe", 1.0), ("a", "cited", "raised", 0.5), ("a", "licensing", "raised", 0.9)]
    sees = scores(rows).assign(prompt="generic_support")
    blind = sees.assign(evaluator="blind", score=[1.0, 0.5, 0.5])
    both = pd.concat([sees, blind])
    claim, evidence = metrics.outcomes(both, PAIRS[:1]), metrics.outcomes(both, PAIRS[:1], side="evidence")
    row = tables.pooled_rates(claim, evidence).iloc[0]
    assert (row["mvr"], row["mirror"], row["both"]) == (0.0, 0.5, 0.5)
    shown = tables.table3(tables.pooled_rates(claim, evidence), EDITION, judges=2).iloc[0]
    assert shown[(tables.OURS, "both hold")].startswith("0.500")


def test_deviations_name_the_judges_of_both_studies() -> None:
    found = judging.recorded()
    table = tables.deviations(found, EDITION).set_index("")
    assert table.loc["judges", "the paper"] == "gpt-5.5, claude-sonnet-4-6, glm-5.1, qwen3.6-flash"
    assert all(run.manifest.evaluator in table.loc["judges", "here"] for run in found)
    assert table.loc["evaluated pairs"].tolist() == ["198", str(len(EDITION.evaluation))]
    assert tables.deviations([], EDITION).shape == table.reset_index().shape


def test_judges_are_compared_on_the_same_pairs() -> None:
    """The first judge violates one pair of eight and the second six others: of 7 discordant pairs p is 2 * 8 / 2**7."""
    names = [f"p{number}" for number in range(8)]
    rows = {"axis": "scope", "margin": 0.0, "prompt": "force_aware"}
    wrong = {"one": {"p0"}, "two": {"p1", "p2", "p3", "p4", "p5", "p6"}}
    claim = pd.DataFrame(
        [
            {"pair_id": pair, "evaluator": judge, "outcome": "tie" if pair in bad else "ordered", **rows}
            for judge, bad in wrong.items()
            for pair in names
        ]
    )
    table = tables.judge_comparisons(claim, EDITION, prompts=["generic_support", "force_aware"])
    [row] = table.to_dict("records")
    assert (row["first"], row["second"]) == ("one", "two")
    assert (row["violated by the first alone"], row["by the second alone"]) == (1, 6)
    assert row["MVR difference"].startswith("0.625")
    assert row["p (Holm)"] == f"{2 * (1 + 7) / 2**7:.3f}"


def test_quality_checks_stand_in_rows_with_whole_and_axes_in_columns() -> None:
    found = pd.DataFrame(
        [
            ("Longer wins", "all", 10, 0.5, "at least 0.4", True),
            ("Longer wins", "scope", 5, 0.2, "at least 0.3", False),
            ("Alike", "all", 10, 0.0, "at most 0", True),
            ("Told", "all", 10, 3.0, "", None),
        ],
        columns=["check", "part", "n", "found", "bound", "holds"],
    )
    table = tables.quality_checks(found, EDITION).set_index("check")
    assert table["holds"].to_dict() == {"Longer wins": "no", "Alike": "yes", "Told": "–"}
    assert table.loc["Longer wins", ["whole", "scope"]].tolist() == [0.5, 0.2]
    assert table.loc["Longer wins", ["asked", "of an axis"]].tolist() == ["≥ 0.4", "≥ 0.3"]
    assert table.loc["Told", "asked"] == "–"


def test_locality_by_axis_has_quartiles_and_the_pairs_that_keep_all() -> None:
    found = pd.DataFrame(
        {
            "axis": ["scope"] * 3 + ["numeric"],
            "edit_share": [0.1, 0.2, 0.3, 0.6],
            "names_kept": [1.0, 0.5, float("nan"), 1.0],
            "numbers_kept": [float("nan")] * 3 + [0.5],
        }
    )
    table = tables.locality_by_axis(found, EDITION).set_index("axis")
    assert table.loc["scope", ["pairs", "median", "most", "all names kept"]].tolist() == [3, 0.2, 0.3, 0.5]
    assert table.loc["all", "all names kept"] == pytest.approx(2 / 3)
    assert table.loc["numeric", "all numbers kept"] == 0.0


def test_taste_is_what_the_evidence_side_does_not_confirm() -> None:
    claim, evidence = metrics.outcomes(HAND, PAIRS), metrics.outcomes(HAND, PAIRS, side="evidence")
    row = tables.ordered_but_blind(claim, evidence, EDITION).iloc[0]
    assert (row["ordered on the claim side"], row["of these, evidence seen"], row["of these, taste alone"]) == (1, 1, 0)
    blind = tables.ordered_but_blind(claim, evidence.assign(outcome="tie"), EDITION).iloc[0]
    assert (blind["of these, evidence seen"], blind["share of taste"]) == (0, 1.0)


def test_a_control_that_reads_nothing_is_all_taste() -> None:
    hedges = evaluators.score_pairs(
        evaluators.CONTROLS["Hedge count"], EDITION.evaluation, name="Hedge count", passages=("cited", "licensing")
    )
    claim, evidence = (metrics.outcomes(hedges, EDITION.evaluation, side=side) for side in ("claim", "evidence"))
    assert tables.ordered_but_blind(claim, evidence, EDITION).iloc[0]["share of taste"] == 1.0


def test_a_judge_without_an_evidence_side_has_a_dash_and_leaves_the_pool_alone() -> None:
    cited = HAND[HAND["passage"] == "cited"]
    alone = pd.concat([cited.assign(evaluator="cited"), cited.assign(evaluator="cited", prompt="axis_free")])
    claim, evidence = (metrics.outcomes(pd.concat([HAND, alone]), PAIRS, side=side) for side in ("claim", "evidence"))
    table = tables.with_aggregate(tables.evaluator_rates(claim, evidence), claim, evidence)
    rows = table.set_index(["evaluator", "prompt"])[["mirror", "both"]]
    assert rows.loc[("Model aggregate", "")].to_list() == rows.loc[("judge", "")].to_list()
    assert rows.loc[[("Model aggregate", "axis_free"), ("cited", "")]].isna().all(axis=None)
    shown = tables.table2(table, EDITION)
    assert set(shown.loc[shown["evaluator", ""] == "cited"].iloc[0].tail(2)) == {"–"}
