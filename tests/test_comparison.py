from pathlib import Path

import pytest

from forcebench_lib import comparison, judging
from forcebench_lib.judging.manifest import EditionNote
from forcebench_lib.schema import InputError

from .judging.conftest import make_edition
from .judging.test_scoring import judgment, make_run

PAIRS = make_edition(2).evaluation


def first_run(tmp_path: Path) -> judging.Run:
    """Pair t-000 is ordered (1 and 0), pair t-001 a tie (0.5 and 0.5)."""
    return make_run(
        tmp_path / "first",
        [
            judgment("t-000", "safe", "ok", "yes"),
            judgment("t-000", "raised", "ok", "no"),
            judgment("t-001", "safe", "ok", "partly"),
            judgment("t-001", "raised", "fenced", "partly"),
        ],
    )


def second_run(tmp_path: Path) -> judging.Run:
    """Pair t-000 is unusable, pair t-001 ordered (1 and 0.5)."""
    return make_run(
        tmp_path / "second",
        [
            judgment("t-000", "safe", "refusal"),
            judgment("t-000", "raised", "ok", "no"),
            judgment("t-001", "safe", "ok", "yes"),
            judgment("t-001", "raised", "ok", "partly"),
        ],
    )


def test_labels_that_changed_are_named_and_a_failure_is_its_status(tmp_path: Path) -> None:
    frame = comparison.flips(first_run(tmp_path), second_run(tmp_path))
    assert frame[["pair_id", "claim", "first", "second"]].to_numpy().tolist() == [
        ["t-000", "safe", "yes", "refusal"],
        ["t-000", "raised", "no", "no"],
        ["t-001", "safe", "partly", "yes"],
        ["t-001", "raised", "partly", "partly"],
    ]
    assert frame["changed"].tolist() == [True, False, True, False]


def test_outcomes_of_every_pair_stand_beside_each_other(tmp_path: Path) -> None:
    frame = comparison.outcome_flips(first_run(tmp_path), second_run(tmp_path), PAIRS)
    assert frame.drop(columns="axis").to_numpy().tolist() == [
        ["t-000", "ordered", "unusable", 1.0, 0.0, True],
        ["t-001", "tie", "ordered", 0.0, 0.5, True],
    ]
    found = comparison.compared(first_run(tmp_path / "a"), second_run(tmp_path / "a"), PAIRS)
    assert (found["n"], found["only_first"], found["only_second"], found["p"]) == (2, 1, 1, 1.0)
    assert found["mvr_difference"] == 0.0
    assert found["fs_difference"] == pytest.approx((-1.0 + 0.5) / 2)


def test_a_run_that_lacks_pairs_or_all_of_them_keeps_their_number(tmp_path: Path) -> None:
    none = make_run(tmp_path / "none", [])
    frame = comparison.outcome_flips(first_run(tmp_path), none, PAIRS)
    assert frame["second"].tolist() == ["unusable", "unusable"]
    assert comparison.flips(first_run(tmp_path / "a"), none).empty
    assert comparison.compared(none, none, PAIRS)["p"] == 1.0


def test_repeats_flip_in_labels_and_in_outcomes(tmp_path: Path) -> None:
    labels = {"t-000": [("yes", "no"), ("yes", "partly")], "t-001": [("yes", "no"), ("no", "no")]}
    rows = [
        judgment(pair, claim, "ok", label, repeat=repeat, key=f"{pair}{claim}{repeat}")
        for pair, repeats in labels.items()
        for repeat, both in enumerate(repeats)
        for claim, label in zip(("safe", "raised"), both, strict=True)
    ]
    run = make_run(tmp_path / "r", rows, repeats=2)
    frame = comparison.repeat_flips(run)
    assert frame[["pair_id", "claim", "asked", "labels", "changed"]].to_numpy().tolist() == [
        ["t-000", "safe", 2, ("yes", "yes"), False],
        ["t-000", "raised", 2, ("no", "partly"), True],
        ["t-001", "safe", 2, ("yes", "no"), True],
        ["t-001", "raised", 2, ("no", "no"), False],
    ]
    rates = comparison.repeat_rates(run, PAIRS).set_index("unit")
    # Two of four labels differ; t-000 stays ordered whatever its label, t-001 becomes a tie.
    assert rates.loc["question", ["n", "changed", "rate"]].tolist() == [4, 2, 0.5]
    assert rates.loc["pair", ["n", "changed", "rate"]].tolist() == [2, 1, 0.5]
    # Wilson for 1 of 2 at 95%, by hand: (0.5 + z²/4) / (1 + z²/2) ± z sqrt(0.125 + z²/16) / (1 + z²/2), z = 1.959964.
    assert rates.loc["pair", ["low", "high"]].tolist() == pytest.approx([0.0945, 0.9055], abs=1e-4)


def test_a_repeat_that_was_not_asked_is_no_change(tmp_path: Path) -> None:
    """Three repeats of t-000, of which the last lacks a claim, and one of t-001."""
    asked = [("t-000", 0), ("t-000", 1), ("t-001", 0)]
    rows = [
        judgment(pair, claim, "ok", label, repeat=repeat, key=f"{pair}{claim}{repeat}")
        for pair, repeat in asked
        for claim, label in (("safe", "yes"), ("raised", "no"))
    ]
    rows.append(judgment("t-000", "safe", "ok", "yes", repeat=2, key="last"))
    rates = comparison.repeat_rates(make_run(tmp_path / "r", rows, repeats=3), PAIRS).set_index("unit")
    assert rates.loc["pair", ["n", "changed"]].tolist() == [1, 0]
    once = make_run(tmp_path / "once", rows[:2], repeats=3)
    assert comparison.repeat_rates(once, PAIRS).empty


def test_without_repeats_there_is_nothing_to_flip(tmp_path: Path) -> None:
    run = first_run(tmp_path)
    assert comparison.repeat_flips(run).empty
    assert comparison.repeat_rates(run, PAIRS).empty


def test_runs_on_different_texts_are_not_compared(tmp_path: Path) -> None:
    other = make_run(tmp_path / "other", [], edition=EditionNote(name="toy", version="2", sha256="1"))
    with pytest.raises(InputError, match="different evaluation sets"):
        comparison.flips(first_run(tmp_path), judging.read_run(other.folder))
