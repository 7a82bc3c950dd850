"""Tables of the run browser and the leaderboard, on four pairs whose outcomes are set by hand."""

from pathlib import Path
from typing import Any

import pytest

from forcebench_lib import panel, tables
from forcebench_lib.corpus import Edition
from forcebench_lib.judging.plan import Item

from .judging.conftest import make_edition
from .planted import Said, plant, says

EDITION = make_edition(4)
YES, NO = says("force_calibrated"), says("force_gap")
BAD = {"status": "invalid_json", "reply": "?", "reply_chars": 1}


def judge(*claims: str, licensed: str = "1111") -> Said:
    """A judge that gives pair after pair the labels of "calibrated raised", as 10; x is a reply that cannot be read."""

    def said(item: Item) -> dict[str, Any]:
        place = int(item.pair.id[-1])
        written = licensed[place] if item.passage == "licensing" else claims[place][item.claim == "raised"]
        return {"1": YES, "0": NO, "x": BAD}[written]

    return said


def entry(number: int, runs: Path, said: Said, *, edition: Edition | None = EDITION, **asked: Any) -> panel.Entry:
    return panel.Entry(number, plant(runs, EDITION, said, **asked), edition)


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> list[panel.Entry]:
    runs = tmp_path_factory.mktemp("runs")
    first = judge("11", "11", "01", "x0", licensed="1010")  # tie, tie, inversion, unusable
    second = judge("10", "10", "11", "x0")  # ordered, ordered, tie, unusable
    return [
        entry(1, runs, first, model="openai/a"),
        entry(2, runs, second, model="openai/b"),
        entry(3, runs, second, model="openai/trial", limit=2),
        entry(4, runs, second, model="openai/stranger", edition=None),
        entry(5, runs, second, model="openai/cited", passages=["cited"]),
    ]


def test_the_overview_counts_what_cannot_be_used(listed: list[panel.Entry]) -> None:
    table = tables.runs_overview(listed)
    assert table["run"].iloc[1].__html__() == '<a href="#run-2">2</a>'
    assert table["replies"].to_list() == [12, 12, 6, 12, 8]
    assert table["unusable"].to_list() == [1, 1, 0, 1, 1]
    assert table["seconds"].iloc[0] == "2.00 [1.25, 2.75]"
    assert tables.runs_overview([])["run"].to_list() == ["none yet"]


def test_the_matrix_says_in_words_and_signs_how_each_pair_fared(listed: list[panel.Entry]) -> None:
    table = tables.outcome_matrix(listed, EDITION).set_index("pair")
    assert table.columns.to_list() == ["axis", "violated by", "1", "2", "3", "5"]
    assert table["1"].to_list() == ["tie", "tie", "inversion", "unusable"]
    assert table["3"].to_list() == ["ordered", "ordered", None, None]
    assert table["violated by"].to_list() == ["1/4", "1/4", "3/3", "3/3"]
    assert table["1"].iloc[0].__html__() == '<span role="img" aria-label="tie">=</span>'


def test_only_runs_that_can_be_compared_share_a_leaderboard(listed: list[panel.Entry]) -> None:
    both, cited = tables.leaderboards(listed)
    assert both["judge"].to_list() == ["b", "a"]
    assert [cell.split()[0] for cell in both["MVR"]] == ["0.500", "1.000"]
    # licensed 1 against raised 0, 0, 1, 0: pairs 0, 1 and 3 rise; both sides hold on 0 and 1
    assert [cell.split()[0] for cell in both["both hold"]] == ["0.500", "0.000"]
    assert [cell.split()[0] for cell in both["evidence side"]] == ["0.250", "1.000"]
    assert both["run"].to_list() == [listed[1].run.id[-8:], listed[0].run.id[-8:]]
    assert both.attrs["caption"].startswith(
        "2 runs of 2 judges with labels, cited and licensing passages, toy edition 1"
    )
    assert cited["judge"].to_list() == ["cited"]
    assert "evidence side" not in cited
    assert both.attrs["name"] != cited.attrs["name"]
    assert tables.leaderboards([]) == []


def test_the_comparison_is_paired(listed: list[panel.Entry]) -> None:
    table = tables.run_comparison(listed[0], listed[1]).set_index("side")
    claim = table.loc["claim"]
    assert (claim["run 1"], claim["run 2"], claim["run 1 alone"], claim["run 2 alone"]) == (1.0, 0.5, 2, 0)
    assert claim["difference"].startswith("−0.500 [")
    assert claim["p"] == "0.500"  # two of two discordant pairs on one side: 2 · (1/2)²
    assert tables.run_comparison(listed[0], listed[4])["side"].to_list() == ["claim"]


def test_flips_are_counted_from_outcome_to_outcome(listed: list[panel.Entry]) -> None:
    table = tables.outcome_flips(listed[0], listed[1])
    assert table.iloc[:, 0].to_list() == table.columns[1:].to_list() == ["ordered", "tie", "inversion", "unusable"]
    assert table.iloc[:, 1:].to_numpy().tolist() == [[0, 0, 0, 0], [2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert "3 of 4 pairs changed. The label changed on 5 of 12 questions" in table.attrs["note"]


def test_repeats_that_disagree_are_counted(tmp_path: Path) -> None:
    def said(item: Item) -> dict[str, Any]:
        flips = item.repeat == 1 and item.pair.id == "t-000" and item.passage == "cited" and item.claim == "safe"
        return NO if flips or item.claim == "raised" else YES

    once, twice = (entry(n, tmp_path, said, model=f"openai/{n}", repeats=n) for n in (1, 2))
    [row] = tables.repeat_rates([once, twice]).to_dict("records")
    assert (row["run"], row["asked"]) == (2, "2 times")
    assert row["label changes"].startswith("0.083 [")  # one of twelve questions
    assert row["outcome changes"].startswith("0.250 [")  # one of four pairs
    assert tables.repeat_rates([once]).empty
