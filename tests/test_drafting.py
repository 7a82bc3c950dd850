import json
import re
from pathlib import Path

import pytest

from forcebench_lib import drafting
from forcebench_lib.__main__ import main
from forcebench_lib.paths import BOOK, OPEN
from forcebench_lib.schema import Candidate

PAGE = (BOOK / "draft.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"^:caption: my_rows.jsonl\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


def example(**changes: object) -> dict[str, object]:
    assert EXAMPLE is not None
    row: dict[str, object] = json.loads(EXAMPLE[1])
    return row | changes


def file_of(folder: Path, *rows: dict[str, object]) -> Path:
    path = folder / "my_rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def told(folder: Path, **changes: object) -> list[str]:
    return [f"{one.field}: {one.message}" for one in drafting.check(file_of(folder, example(**changes)))]


def test_the_row_of_the_page_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of(tmp_path, example())
    assert main(["corpus", "check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: nothing found.\n"


def test_the_finding_of_the_page_is_what_the_command_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = example()
    file_of(tmp_path, row | {"passage": str(row["passage"]).replace("no night shift", "no night work")})
    monkeypatch.chdir(tmp_path)
    assert main(["corpus", "check", "my_rows.jsonl"]) == 1
    line = re.search(r"^```text\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    assert line is not None
    assert capsys.readouterr().out == line[1] + "\n"


def test_the_template_has_the_fields_of_a_candidate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "template"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert set(json.loads(printed)) == set(Candidate.model_fields)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"axis": "tone"}, "axis: found 'tone', expected 'relation'"),
        ({"severity": "2"}, "severity: found '2', expected 1, 2 or 3"),
        ({"colour": "red"}, "colour: found an unknown field"),
        ({"mechanism": "population"}, "mechanism: 'population' is no mechanism of modality"),
        ({"passage": "Too short."}, "evidence_spans: 'a smaller oven"),
        ({"evidence_spans": ["night"]}, "evidence_spans: found 'night' 2 times in the passage"),
        ({"licensing_passage": ""}, "licensing_passage: found none, expected one where the intent is force_gap"),
        ({"licensing_passage": "All of it was settled."}, "licensing_passage: found 9"),
        ({"raised_claim": "Bread will soon be dear in every lane and town."}, "raised_claim: found "),
        (
            {"raised_claim": "The owners of the Orlenhofer and Ambla bakery are weighing an end of the night shift."},
            "raised_claim: found the new name Ambla",
        ),
    ],
)
def test_what_is_wrong_is_one_line_with_its_field(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    lines = told(tmp_path, **changes)
    assert len(lines) == 1
    assert lines[0].startswith(said)


def test_a_short_and_a_long_passage_are_found(tmp_path: Path) -> None:
    spans = {"evidence_spans": ["Ovens burn"], "licensing_passage": "", "intent": "ambiguous"}
    assert told(tmp_path, passage="Ovens burn." + " Well." * 57, **spans) == [
        "passage: found 59 words, expected 60 to 160"
    ]
    assert told(tmp_path, passage="Ovens burn." + " Well." * 58, **spans) == []
    assert told(tmp_path, passage="Ovens burn." + " Well." * 159, **spans) == [
        "passage: found 161 words, expected 60 to 160"
    ]


def test_every_problem_of_a_row_is_told(tmp_path: Path) -> None:
    row = example(axis="tone", marker="loud")
    del row["question"]
    found = drafting.check(file_of(tmp_path, row))
    assert {one.field for one in found} == {"axis", "marker", "question"}


def test_rows_that_share_id_name_and_passage_are_told_in_the_later_line(tmp_path: Path) -> None:
    found = drafting.check(file_of(tmp_path, example(), example()))
    assert {(one.line, one.field) for one in found} == {(2, "id"), (2, "passage")}
    assert any("found 100% of the word triples of line 1" in one.message for one in found)
    twice = drafting.check(file_of(tmp_path, example(), example(id="bakery-2")))
    assert any("found the name Orlenhofer (as in line 1)" in one.message for one in twice)


def test_a_file_that_is_not_there_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "check", "nowhere.jsonl"]) == 2
    assert "nowhere.jsonl: there is no such file" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_rows_is_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    (tmp_path / "rows.jsonl").write_text(content, encoding="utf-8")
    assert main(["corpus", "check", str(tmp_path / "rows.jsonl")]) == 2
    assert "rows.jsonl: there is no row in it, expected one JSON object a line" in capsys.readouterr().err


def test_an_id_may_hold_what_separates_ids_elsewhere(tmp_path: Path) -> None:
    found = drafting.check(file_of(tmp_path, example(id="a, b"), example(id="c")))
    assert any(one.line == 2 and "found the name Orlenhofer (as in line 1)" in one.message for one in found)


def test_the_rows_of_the_open_edition_have_nothing_but_shared_names() -> None:
    found = drafting.check(OPEN / "candidates.jsonl")
    assert [one for one in found if "found the name" not in one.message] == []
