import json
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib.quartets import VARIANTS, load, load_stages
from forcebench_lib.quartets.dataset import FOLDER, build, settled, text
from forcebench_lib.schema import InputError

from .rows import row

REVIEW = {
    "evidence_status": "sufficient",
    "expected_behaviour": "answer",
    "answer_valid": "yes",
    "citation_valid": "yes",
    "conflict_present": "no",
}


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")


def reviews(*ids: str, again: tuple[str, ...] = ("b",)) -> list[dict[str, Any]]:
    """Two reviews of every context, and two more of the rows that were mended."""
    rounds = [(id_, 1, ("one", "two")) for id_ in ids] + [(id_, 2, ("three", "four")) for id_ in again]
    return [
        {"quartet": id_, "variant": variant, "reviewer": reviewer, "round": number} | REVIEW
        for id_, number, reviewers in rounds
        for variant in VARIANTS
        for reviewer in reviewers
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three candidates: one kept with another question, one kept as it is, one removed."""
    write(tmp_path, "candidates", [row(id_).model_dump() for id_ in ("b", "a", "c")])
    write(tmp_path, "reviews", reviews("a", "b", "c"))
    verdicts = [
        {"quartet": "b", "decision": "keep", "final": {"question": "How long does a cell last?"}, "reason": "shorter"},
        {"quartet": "a", "decision": "keep", "reason": "as it is"},
        {"quartet": "c", "decision": "remove", "reason": "two answers"},
    ]
    write(tmp_path, "adjudications", verdicts)
    (tmp_path / "quartets.yml").write_text("name: toy\nversion: '1'\n", encoding="utf-8")
    return tmp_path


def test_kept_rows_get_their_final_fields_in_the_order_of_their_ids(folder: Path) -> None:
    build(folder)
    data = load(folder)
    assert [one.id for one in data.quartets] == ["a", "b"]
    assert data.quartets[0] == row("a")
    assert data.quartets[1].question == "How long does a cell last?"
    assert len(data.examples) == 8
    assert (data.name, data.version) == ("toy", "1")


def test_the_hash_follows_what_a_system_sees(folder: Path) -> None:
    build(folder)
    before = load(folder).sha256
    for change, same in ({"aliases": ["14 hrs"]}, True), ({"question": "How long?"}, False):
        verdicts = [
            {"quartet": "a", "decision": "keep", "final": change, "reason": "r"},
            {"quartet": "b", "decision": "keep", "final": {"question": "How long does a cell last?"}, "reason": "r"},
            {"quartet": "c", "decision": "remove", "reason": "r"},
        ]
        write(folder, "adjudications", verdicts)
        write(folder, "reviews", reviews("a", "b", "c", again=("b",) if same else ("a", "b")))
        build(folder)
        assert (load(folder).sha256 == before) is same


@pytest.mark.parametrize(
    ("name", "rows", "sentence"),
    [
        ("reviews", reviews("a", "b", "c")[1:], "a, sufficient, round 1: found 1 reviews, expected two"),
        ("reviews", reviews("a", "b", "c", again=()), "b, conflicting, round 2: found 0 reviews, expected two"),
        ("reviews", reviews("a", "b", "c", "d"), "found 'd', expected the id of a candidate"),
        ("reviews", reviews("a", "a", "b", "c"), "found 'a, sufficient, one' 2 times"),
        ("adjudications", [{"quartet": "a", "decision": "keep", "reason": "r"}], "the adjudication of b is missing"),
        (
            "adjudications",
            [{"quartet": "a", "decision": "keep", "final": {"id": "z"}, "reason": "r"}],
            "'id' is no field of a quartet that may change",
        ),
    ],
)
def test_stages_that_do_not_fit_are_named(folder: Path, name: str, rows: list[dict[str, Any]], sentence: str) -> None:
    write(folder, name, rows)
    with pytest.raises(InputError, match=sentence):
        load_stages(folder)


def test_final_fields_that_make_no_quartet_are_named_and_nothing_is_written(folder: Path) -> None:
    verdicts = [{"quartet": "a", "decision": "keep", "final": {"support_span": "not there"}, "reason": "r"}]
    write(folder, "adjudications", [*verdicts, *({"quartet": q, "decision": "remove", "reason": "r"} for q in "bc")])
    with pytest.raises(InputError, match=r"adjudication 1: .*support_span"):
        build(folder)
    assert not (folder / "quartets.jsonl").exists()


def test_a_folder_without_a_manifest_is_named(folder: Path) -> None:
    build(folder)
    (folder / "quartets.yml").unlink()
    with pytest.raises(InputError, match=r"quartets\.yml"):
        load(folder)


def test_the_quartets_of_the_book_follow_from_their_stages() -> None:
    assert (FOLDER / "quartets.jsonl").read_text(encoding="utf-8") == text(settled(load_stages()))
