import json
from pathlib import Path

import pytest

from forcebench_lib import agreement, corpus, human, paths
from forcebench_lib.schema import InputError, Review
from tests.test_corpus import staged, write


def review(row_id: str, reviewer: str = "anna", **changes: object) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": row_id,
        "reviewer": reviewer,
        "annotation_decision": "accept_force_gap",
        "annotation_evidence_spans": ["may fall"],
        "annotation_safe_claim": "yes",
        "annotation_raised_claim": "same",
        "annotation_axis": "modality",
        "annotation_severity": 2,
        "annotation_licensing_ok": "yes",
    }
    return fields | changes


REJECTED = {
    "annotation_decision": "reject_not_force_gap",
    "annotation_axis": None,
    "annotation_severity": None,
    "annotation_licensing_ok": None,
    "annotation_boundary_type": "ambiguous",
}


def read(folder: Path, rows: list[dict[str, object]]) -> tuple[Review, ...]:
    write(folder / "people.jsonl", rows)
    return human.read_reviews(folder / "people.jsonl", corpus.load_stages(staged(folder)))


def test_agreement_of_every_two_readers_worked_by_hand(tmp_path: Path) -> None:
    """The edition's own two accept every row as modality 2; anna rejects 1 of 4; ben accepts 2 of anna's."""
    rows = [review("x-00"), review("x-01"), review("x-02", annotation_severity=1), review("x-03", **REJECTED)]
    rows += [review("x-02", "ben"), review("x-03", "ben")]
    found = human.beside(corpus.load_stages(staged(tmp_path)), read(tmp_path, rows)).set_index(["reviewer", "field"])
    assert list(dict.fromkeys(found.index.get_level_values(0))) == [
        "anna and ben",
        "anna and licence",
        "anna and sceptic",
        "ben and licence",
        "ben and sceptic",
        "licence and sceptic",
    ]
    assert found.loc[("anna and licence", "Decision"), ["rows", "n", "same"]].tolist() == ["both reviewed", 4, 0.75]
    assert found.loc[("anna and licence", "Severity"), ["rows", "n"]].tolist() == ["both accept", 3]
    assert found.loc[("anna and licence", "Severity"), "same"] == pytest.approx(2 / 3)
    assert found.loc[("anna and ben", "Decision"), ["n", "same"]].tolist() == [2, 0.5]
    assert found.loc[("licence and sceptic", "Decision"), ["n", "same"]].tolist() == [4, 1.0]


def test_readers_without_a_common_row_are_not_compared(tmp_path: Path) -> None:
    people = read(tmp_path, [review("x-00"), review("x-01", "ben")])
    found = human.beside(corpus.load_stages(staged(tmp_path)), people)
    assert "anna and ben" not in set(found["reviewer"])


def test_the_edition_compared_with_itself_is_the_table_of_the_chapter() -> None:
    stages = corpus.load_stages("open")
    people = [row.model_copy(update={"reviewer": "copy"}) for row in stages.reviews if row.reviewer == "sceptic"]
    found = human.beside(stages, people)
    expected = agreement.between_reviewers(stages)
    mirrored = found[found["reviewer"] == "copy and licence"].reset_index(drop=True)
    assert mirrored["same"].tolist() == pytest.approx(expected["same"].tolist())
    assert mirrored["kappa"].tolist() == pytest.approx(expected["kappa"].tolist(), nan_ok=True)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([review("x-00", "sceptic")], "review 1: reviewer: found 'sceptic', expected a name of the reviewer's own"),
        ([review("y-00")], "review 1: id: found 'y-00', expected the id of a candidate"),
        ([review("x-00", annotation_evidence_spans=["must fall"])], "'must fall' is not in the passage of x-00"),
        ([review("x-00"), review("x-00")], "review 2: found a second review of x-00 by 'anna'"),
        ([review("x-00", " ")], "line 1: reviewer: found ' ', is blank"),
        ([review("x-00", annotation_axis=None)], "line 1: annotation_axis: it is empty"),
        ([], "there is no review in it"),
    ],
)
def test_a_review_that_does_not_fit_is_named(tmp_path: Path, rows: list[dict[str, object]], expected: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, rows)
    assert expected in str(caught.value)


def test_a_relative_path_counts_from_the_working_folder_and_then_from_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = corpus.load_stages(staged(tmp_path))
    write(tmp_path / "anna.jsonl", [review("x-00")])
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    assert human.read_reviews("anna.jsonl", stages)[0].reviewer == "anna"
    write(tmp_path / "elsewhere" / "anna.jsonl", [review("x-00", "ben")])
    assert human.read_reviews("anna.jsonl", stages)[0].reviewer == "ben"
    with pytest.raises(InputError, match=r"^nowhere\.jsonl: there is no such file"):
        human.read_reviews("nowhere.jsonl", stages)


def test_the_files_of_an_edition_take_no_other_reviewer(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    lines = (folder / "r.jsonl").read_text(encoding="utf-8").splitlines()
    lines.append(json.dumps(review("x-00")))
    (folder / "r.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(
        InputError, match=r"r\.jsonl, line 121: reviewer: found 'anna', expected 'licence' or 'sceptic'"
    ):
        corpus.load_stages(folder)
