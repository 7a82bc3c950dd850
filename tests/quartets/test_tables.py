from typing import Any

import pytest

from forcebench_lib import charts, tables
from forcebench_lib.quartets import Output, QuartetSet, failure_rates, load, load_stages, marks
from forcebench_lib.quartets.dataset import Manifest
from forcebench_lib.tables.quartets import both

from .rows import right, row

DATA = QuartetSet(Manifest(name="toy", version="1"), (row("a"), row("b")))


def outputs(policy: str, *, wrong: dict[str, Any] | None = None) -> list[Output]:
    """Right throughout, but for what `wrong` changes in the second quartet."""
    names = {"system": "m", "policy": policy, "tokens": 30, "latency_s": 2.0}
    second = [one.model_copy(update=(wrong or {}).get(one.variant, {})) for one in right(DATA.quartets[1], **names)]
    return [*right(DATA.quartets[0], **names), *second]


@pytest.fixture
def marked() -> Any:
    answered = {"action": "answer", "answer": "14 hours"}
    wrong = {"insufficient": answered, "conflicting": answered, "noisy": {"action": "abstain", "citations": ()}}
    return marks([*outputs("Vanilla"), *outputs("Gate", wrong=wrong)], DATA.quartets)


def test_table3_sets_ours_below_the_published_rows(marked: Any) -> None:
    found = tables.quartet_table3(marked, DATA)
    assert found["from"].tolist() == ["published"] * 6 + ["this edition"] * 2
    vanilla, gate = found.tail(2).to_dict("records")
    assert (vanilla["answers"], vanilla["joint"]) == (1, 1)
    assert vanilla["QCS"].startswith("1.000 [")
    assert (gate["answers"], gate["joint"]) == (0.75, 5 / 8)
    assert [gate[name][:5] for name in ("ERS", "NR", "CS", "QCS")] == ["0.500"] * 4
    assert found.iloc[0]["QCS"] == "0.500"


def test_table4_and_outcomes_keep_the_failures_apart(marked: Any) -> None:
    found = tables.quartet_table4(marked, DATA)
    assert found.iloc[-1, 3:].tolist() == [0.5, 0.5, 0.5]
    counts = tables.quartet_outcomes(marked, DATA).set_index("policy").loc["Gate"]
    assert counts["right"] == 5
    assert counts[["no support", "conflict", "withheld"]].tolist() == [1, 1, 1]
    assert counts[["wrong answer", "wrong source", "unreadable"]].tolist() == [0, 0, 0]


def test_comparisons_are_gate_minus_vanilla(marked: Any) -> None:
    published, ours = tables.quartet_comparisons(marked, DATA).iloc[[0, -1]].to_dict("records")
    assert (published["QCS"], published["only vanilla"], published["only gate"]) == ("−0.350", 15, 1)
    assert ours["QCS"].startswith("−0.500 [−1.000, 0.000]")
    assert (ours["only vanilla"], ours["only gate"], ours["p"]) == (1, 0, "1.000")
    assert list(both(marked)) == ["m"]


def test_costs_are_for_each_success(marked: Any) -> None:
    vanilla, gate = tables.quartet_costs(marked, DATA).to_dict("records")
    assert (vanilla["tokens"], vanilla["seconds"], vanilla["grounded utility"]) == (30, 2, 1)
    assert gate["tokens"] == 8 * 30 / 5


def test_failures_are_shares_of_the_contexts_in_which_they_can_happen(marked: Any) -> None:
    gate = failure_rates(marked).query("policy == 'Gate'").set_index("failure")
    assert gate["n"].tolist() == [2, 2, 4]
    assert gate["share"].tolist() == [0.5, 0.5, 0.25]
    assert (gate["low"] < gate["share"]).all()
    assert (gate["share"] < gate["high"]).all()


def test_rows_of_sources_and_quotes(marked: Any) -> None:
    gate = tables.quartet_rows(marked, DATA).set_index("policy").loc["Gate"]
    assert gate["right source"] == 0.75
    assert gate["abstains P"] == 0.5
    assert gate["hallucinated"] == 0.5


def test_the_chart_names_the_worst_failure_and_has_all_three(marked: Any) -> None:
    drawing = charts.failure_modes(failure_rates(marked)).to_dict()
    assert drawing["title"] == "Most often: m, gate answers without support (50%)"
    (values,) = drawing["datasets"].values()
    assert [len(values), len(drawing["spec"]["layer"])] == [6, 2]


def test_one_quartet_is_shown_with_its_documents_and_contexts() -> None:
    contexts = tables.quartet_contexts(DATA, "a")
    support = DATA.quartets[0].document_ids["support"]
    assert contexts["right action"].tolist() == ["answer", "answer", "abstain", "flag conflict"]
    assert contexts["right source"].tolist() == [support, support, "", ""]
    assert tables.quartet_documents(DATA, "a")["id"].tolist() == [f"DOC-{number}" for number in range(1, 7)]


def test_tables_of_the_rows_of_the_book_add_up() -> None:
    data, stages = load(), load_stages()
    assert tables.quartet_kinds(data)["quartets"].sum() == len(data.quartets)
    assert tables.quartet_lints(stages, data)["final"].sum() == 0
    assert tables.quartet_design(stages)["reviews"].sum() == len(stages.reviews)
    assert tables.quartet_agreement(stages).shape == (3, 6)
