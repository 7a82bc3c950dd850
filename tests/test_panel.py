"""Runs of an edition beside the text that they were made on."""

from pathlib import Path

import pytest

from forcebench_lib import corpus, judging, panel
from forcebench_lib.judging.plan import Item
from forcebench_lib.judging.store import FILE
from forcebench_lib.schema import InputError

from .judging.conftest import make_edition
from .planted import plant, says


def calibrated(item: Item) -> dict[str, object]:
    return says("force_calibrated" if item.claim == "safe" else "force_gap")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """On all of the open edition, on its first wave under two prompts, of three pairs alone, and on another text."""
    folder = tmp_path_factory.mktemp("runs")
    whole, first = corpus.load_edition("open"), corpus.load_edition("open", wave=1)
    plant(folder, whole, calibrated, model="openai/b", limit=3, dropped={"seed": "not supported"})
    plant(folder, first, calibrated, model="openai/a")
    plant(folder, first, lambda item: says("supported"), model="openai/a", prompt="generic_support")
    pair = first.pairs[0].model_copy(update={"question": "Another question?"})
    other = corpus.Edition(first.manifest, first.folder, (pair, *first.pairs[1:]))
    plant(folder, other, calibrated, model="openai/c")
    plant(folder, make_edition(2), calibrated, model="openai/d")
    return folder


def test_each_run_stands_beside_the_text_it_was_made_on(runs: Path) -> None:
    listed = panel.entries("open", runs=runs)
    assert [(entry.number, entry.judge, len(entry.pairs), entry.whole) for entry in listed] == [
        (1, "a", 48, True),
        (2, "a", 48, True),
        (3, "b", 3, False),
        (4, "c", 0, False),
    ]
    assert [entry.edition and len(entry.edition.evaluation) for entry in listed] == [48, 48, 192, None]
    assert listed[2].dropped == "seed"
    assert listed[0].date == "2026-01-02"


def test_the_middle_half_of_the_seconds(runs: Path) -> None:
    # 144 replies that took 0.5, 1.5, 2.5, 3.5, 0.5 ... seconds, 36 of each
    assert panel.entries("open", runs=runs)[0].seconds == (1.25, 2.0, 2.75)


def test_two_prompts_of_one_judge_are_compared_by_default(runs: Path) -> None:
    listed = panel.entries("open", runs=runs)
    chosen = panel.chosen(listed)
    assert chosen is not None
    assert [entry.manifest.prompt.id for entry in chosen] == ["generic_support", "force_aware"]
    assert panel.chosen(listed[2:]) is None
    assert panel.chosen([]) is None


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("nobody", "nobody", "found 'nobody', expected the id of a recorded run"),
        ("1", "", "found ''"),
        ("1", "3", "were not asked about the same pairs"),
        ("4", "4", "were not asked about the same pairs"),
    ],
)
def test_runs_that_cannot_be_compared_are_one_sentence(runs: Path, first: str, second: str, said: str) -> None:
    listed = panel.entries("open", runs=runs)
    names = {str(entry.number): entry.run.id[-8:] for entry in listed}
    with pytest.raises(InputError, match=said):
        panel.chosen(listed, first=names.get(first, first), second=names.get(second, second))


def test_a_side_that_was_not_asked_has_no_outcomes(tmp_path: Path) -> None:
    edition = make_edition(2)
    entry = panel.Entry(1, plant(tmp_path, edition, calibrated, passages=["cited"]), edition)
    assert entry.outcomes()["outcome"].to_list() == ["ordered", "ordered"]
    assert entry.outcomes("evidence").empty


def test_pairs_that_a_stopped_run_was_not_asked_about_are_no_violations(tmp_path: Path) -> None:
    edition = make_edition(3)
    whole, stopped = (plant(tmp_path / name, edition, calibrated, passages=["cited"]) for name in ("a", "b"))
    lines = (stopped.folder / FILE).read_text(encoding="utf-8").splitlines(keepends=True)
    (stopped.folder / FILE).write_text("".join(lines[:4]), encoding="utf-8")
    entries = [
        panel.Entry(1, whole, edition),
        panel.Entry(2, judging.Run(stopped.folder, stopped.manifest.model_copy(update={"run": "b"})), edition),
    ]
    assert entries[1].outcomes()["outcome"].to_list() == ["ordered", "ordered"]
    with pytest.raises(InputError, match="were not asked about the same pairs"):
        panel.chosen(entries, first=whole.id, second="b")


def test_no_runs_are_no_entries(tmp_path: Path) -> None:
    assert panel.entries("open", runs=tmp_path / "none") == []


def test_the_largest_part_that_runs_cover(runs: Path) -> None:
    """Whole runs exist for the first wave alone; the run on all of the edition was asked about three pairs."""
    text, found = panel.covered("open", scoring="labels", runs=runs)
    assert (len(text.evaluation), [run.manifest.evaluator for run in found]) == (48, ["a", "a"])
    text, found = panel.covered("open", scoring="graded", runs=runs)
    assert (len(text.evaluation), found) == (192, [])
