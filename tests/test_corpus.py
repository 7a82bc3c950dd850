import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib import corpus, paths
from forcebench_lib.__main__ import main
from forcebench_lib.schema import AXES, MECHANISMS, SOURCES, InputError

PASSAGE = "Rain may fall in the north. It is dry now."


def row(row_id: str = "x-1", **changes: object) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": row_id,
        "source": "news-report",
        "domain": "weather",
        "question": "Will it rain?",
        "passage": f"{row_id}: {PASSAGE}",
        "evidence_spans": ["may fall"],
        "safe_claim": "Rain may fall.",
        "raised_claim": "Rain will fall.",
        "repair": "Rain may fall.",
        "rationale": "The passage says may.",
        "axis": "modality",
        "severity": 2,
        "mechanism": "hedge-dropped",
        "marker": "overt",
        "licensing_passage": f"{row_id}: Rain will fall in the north. It is dry now.",
    }
    return fields | changes


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")


def edition(folder: Path, rows: list[dict[str, object]], **manifest: object) -> Path:
    content = {"name": "own", "version": "1", "files": {"pairs": "pairs.jsonl"}} | manifest
    (folder / "edition.yml").write_text(yaml.safe_dump(content), encoding="utf-8")
    write(folder / "pairs.jsonl", rows)
    return folder


def message(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        corpus.load_edition(folder)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_users_own_pairs_are_read(tmp_path: Path) -> None:
    own = corpus.load_edition(edition(tmp_path, [row("x-1"), row("x-2", split="development")]))
    assert [pair.id for pair in own.evaluation] == ["x-1"]
    assert [pair.id for pair in own.development] == ["x-2"]
    assert own.frame()["axis"].tolist() == ["modality", "modality"]


def test_other_names_and_missing_fields_are_mapped(tmp_path: Path) -> None:
    theirs = row("x-1")
    theirs["evidence_span"] = theirs.pop("evidence_spans")[0]  # type: ignore[index]  # a list by construction
    theirs["context"] = theirs.pop("passage")
    del theirs["rationale"]
    fields = {"evidence_spans": "evidence_span", "passage": "context"}
    own = corpus.load_edition(edition(tmp_path, [theirs], fields=fields, defaults={"rationale": "not given"}))
    assert own.pairs[0].passage.endswith(PASSAGE)
    assert own.pairs[0].evidence_spans == ("may fall",)
    assert own.pairs[0].rationale == "not given"


def test_a_missing_field_is_named_as_the_file_names_it(tmp_path: Path) -> None:
    theirs = row("x-1")
    del theirs["passage"]
    text = message(edition(tmp_path, [row("x-0") | {"context": PASSAGE}, theirs], fields={"passage": "context"}))
    assert "line 2" in text
    assert "'context' is missing" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"axis": "tone"}, "axis: found 'tone', expected"),
        ({"severity": 4}, "severity: found 4, expected"),
        ({"evidence_spans": ["snow"]}, "evidence_spans: 'snow' is not in the passage"),
        ({"evidence_spans": []}, "evidence_spans: found []"),
        ({"raised_claim": "Rain may fall."}, "raised_claim: it equals safe_claim"),
        ({"mechanism": "population"}, "mechanism: 'population' is no mechanism of modality"),
        ({"question": "  "}, "question: found '  ', is blank"),
        ({"severity": True}, "severity: found True, expected 1, 2 or 3"),
        ({"severity": 2.0}, "severity: found 2.0, expected 1, 2 or 3"),
        ({"wave": -1}, "wave: found -1, expected greater than or equal to 1"),
        ({"wave": True}, "wave: found True, expected a valid integer"),
        ({"licensing_passage": f"x-2: {PASSAGE}"}, "licensing_passage: it equals the passage"),
        ({"colour": "red"}, "unknown field 'colour'"),
    ],
)
def test_a_broken_row_gives_one_sentence_with_line_and_field(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    text = message(edition(tmp_path, [row("x-1"), row("x-2", **changes)]))
    assert f"{tmp_path / 'pairs.jsonl'}, line 2: " in text
    assert said in text


def test_a_duplicate_id_is_named(tmp_path: Path) -> None:
    assert "id: found 'x-1' again" in message(edition(tmp_path, [row("x-1"), row("x-1", passage=PASSAGE)]))


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    folder = edition(tmp_path, [row("x-1")])
    with (folder / "pairs.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "x-2"\n')
    assert "line 2: the line is not JSON" in message(folder)


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere: the folder holds no edition.yml"):
        corpus.load_edition("nowhere")


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ({"fields": {"passge": "context"}}, "'passge' is no field of a pair"),
        ({"files": {}}, "'pairs' is missing"),
        ({"fields": {"repair": "text", "rationale": "text"}}, "fields: found 'text' for two fields"),
        ({"quota": 3}, "found an unknown field 'quota'"),
        ({"name": ""}, "name: found '', is blank"),
        ({"version": " "}, "version: found ' ', is blank"),
        ({"version": 1.0}, "version: found 1.0, expected a valid string"),
        ({"files": {"pairs": "p.jsonl", "reviews": "./p.jsonl"}}, "files: found 'p.jsonl' for two stages"),
        (
            {"selection": {"waves": [{"through": "x", "cap_per_axis": 0, "evaluation_per_axis": 1}], "salt": "s"}},
            "selection.waves.0.cap_per_axis",
        ),
    ],
)
def test_a_wrong_edition_file_is_named(tmp_path: Path, manifest: dict[str, object], said: str) -> None:
    text = message(edition(tmp_path, [row("x-1")], **manifest))
    assert "edition.yml" in text
    assert said in text


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_an_edition_file_in_another_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    (edition(tmp_path, [row("x-1")]) / "edition.yml").write_text("name: né", encoding=encoding)
    assert "edition.yml: the file is not UTF-8" in message(tmp_path)


@pytest.mark.parametrize("content", [None, b"", b"\x1f\x8b0", b"PK\x03\x04\xff"])
def test_pairs_that_are_a_folder_or_bytes_are_named(tmp_path: Path, content: bytes | None) -> None:
    folder = edition(tmp_path, [])
    (folder / "pairs.jsonl").unlink()
    (folder / "pairs.jsonl").mkdir() if content is None else (folder / "pairs.jsonl").write_bytes(content)
    assert str(folder / "pairs.jsonl") in message(folder)


def test_a_negative_wave_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^wave: found -1, expected 0 for all waves"):
        corpus.load_edition(edition(tmp_path, [row("x-1")]), wave=-1)


def test_a_relative_path_counts_from_the_working_folder_and_then_from_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, elsewhere = tmp_path / "project" / "own", tmp_path / "elsewhere"
    for folder in (own, elsewhere):
        folder.mkdir(parents=True)
        edition(folder, [row("x-1")])
    monkeypatch.setattr(paths, "ROOT", tmp_path / "project")
    monkeypatch.chdir(elsewhere)
    assert corpus.load_edition("own").folder == own
    edition(tmp_path, [row("x-1")])
    assert corpus.load_edition("..").folder.resolve() == tmp_path
    (elsewhere / "open").mkdir()
    assert corpus.edition_folder("open") == paths.OPEN


def test_an_edition_without_evaluation_pairs_is_refused(tmp_path: Path) -> None:
    assert "no pair has the split 'evaluation'" in message(edition(tmp_path, [row("x-1", split="development")]))


# From candidates to the evaluation set, on a made-up edition of 60 rows: 12 an axis, 3 of each of 4 sources.


def staged(folder: Path, *, cap: int = 8, quota: int = 4, removed: tuple[str, ...] = ()) -> Path:
    rows = []
    for number in range(60):
        axis, source = AXES[number % 5], SOURCES[number // 5 % 4]
        rows.append(
            row(f"x-{number:02}", axis=axis, source=source, mechanism=MECHANISMS[axis][0]) | {"intent": "force_gap"}
        )
    final = ("axis", "severity", "mechanism", "marker", "evidence_spans", "safe_claim", "raised_claim", "repair")
    final += ("rationale", "licensing_passage")
    accept = {
        "annotation_decision": "accept_force_gap",
        "annotation_safe_claim": "yes",
        "annotation_raised_claim": "same",
    }
    accept |= {"annotation_axis": "modality", "annotation_severity": 2, "annotation_licensing_ok": "yes"}
    write(folder / "c.jsonl", rows)
    write(folder / "r.jsonl", [{"id": one["id"], "reviewer": who} | accept for one in rows for who in corpus.REVIEWERS])
    verdicts = [{name: one[name] for name in final} | {"id": one["id"], "reason": "as drafted"} for one in rows]
    for number, verdict in enumerate(verdicts):
        rejected = number < 5
        verdict["decision"] = "reject_not_force_gap" if rejected else "accept_force_gap"
        verdict["boundary_type"] = "ambiguous" if rejected else None
    write(folder / "a.jsonl", verdicts)
    audit = [
        {"id": one["id"], "verdict": "remove" if one["id"] in removed else "keep", "reason": "read"} for one in rows
    ]
    write(folder / "l.jsonl", audit)
    files = {"candidates": "c.jsonl", "reviews": "r.jsonl", "adjudications": "a.jsonl", "locality_audit": "l.jsonl"}
    waves = [{"through": "x-99", "cap_per_axis": cap, "evaluation_per_axis": quota}]
    selection = {"waves": waves, "salt": "s"}
    return edition(folder, [], files=files | {"pairs": "pairs.jsonl"}, selection=selection)


def test_every_step_counts_every_row(tmp_path: Path) -> None:
    flow = corpus.select(corpus.load_stages(staged(tmp_path)))
    assert (len(flow.candidates), len(flow.rejected), len(flow.accepted)) == (60, 5, 55)
    assert (len(flow.capped), len(flow.before_audit), len(flow.retained)) == (55 - 40, 20, 40)
    assert flow.reworded == ()
    counts = corpus.flow_counts(flow).set_index("step")
    assert counts.loc["Evaluation set", "total"] == 20
    assert counts.loc["Accepted after adjudication and quality control", list(AXES)].tolist() == [11] * 5


def test_the_evaluation_set_takes_turns_over_the_sources(tmp_path: Path) -> None:
    flow = corpus.select(corpus.load_stages(staged(tmp_path)))
    for axis in AXES:
        chosen = [pair.source for pair in flow.before_audit if pair.axis == axis]
        assert sorted(chosen) == sorted(SOURCES[:4])


def test_the_locality_audit_removes_rows_for_good(tmp_path: Path) -> None:
    first = corpus.select(corpus.load_stages(staged(tmp_path)))
    victim = first.evaluation[0].id
    flow = corpus.select(corpus.load_stages(staged(tmp_path, removed=(victim,))))
    assert flow.removed == {victim: "read"}
    assert victim not in {pair.id for pair in flow.retained}
    assert len(flow.evaluation) == len(first.evaluation) - 1


def test_an_edition_that_grows_moves_no_earlier_row(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    manifest = yaml.safe_load((folder / "edition.yml").read_text())
    first = {"through": "x-29", "cap_per_axis": 4, "evaluation_per_axis": 2}
    manifest["selection"]["waves"] = [first]
    (folder / "edition.yml").write_text(yaml.safe_dump(manifest))
    small = corpus.write_pairs(folder)
    before = {pair.id: pair.split for pair in small.retained}
    hashed = corpus.load_edition(folder).sha256
    manifest["selection"]["waves"].append({"through": "x-59", "cap_per_axis": 9, "evaluation_per_axis": 5})
    (folder / "edition.yml").write_text(yaml.safe_dump(manifest))
    grown = corpus.write_pairs(folder)
    after = {pair.id: pair.split for pair in grown.retained}
    assert len(small.evaluation) == 10
    assert len(grown.evaluation) == 25
    assert before.items() <= after.items()
    assert corpus.load_edition(folder, wave=1).sha256 == hashed
    assert corpus.load_edition(folder).sha256 != hashed


def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    first = corpus.pairs_text(corpus.select(corpus.load_stages(folder)).retained)
    for name in ("c.jsonl", "r.jsonl", "a.jsonl", "l.jsonl"):
        lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(reversed(lines)), encoding="utf-8")
    assert corpus.pairs_text(corpus.select(corpus.load_stages(folder)).retained) == first


def test_build_writes_what_load_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = staged(tmp_path)
    assert main(["corpus", "build", str(folder)]) == 0
    assert len(corpus.load_edition(folder).evaluation) == 20
    assert main(["corpus", "check", str(folder)]) == 0
    assert "20 evaluation and 20 development pairs" in capsys.readouterr().out


def test_check_notices_a_generated_file_that_was_edited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = staged(tmp_path)
    corpus.write_pairs(folder)
    lines = (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "pairs.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
    assert main(["corpus", "check", str(folder)]) == 2
    assert "differs from what its stages give" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("r.jsonl", "review of x-"),
        ("a.jsonl", "the adjudication of x-59 is missing"),
        ("c.jsonl", "expected the id of a candidate"),
    ],
)
def test_a_stage_that_lacks_a_row_is_named(tmp_path: Path, file: str, said: str) -> None:
    folder = staged(tmp_path)
    lines = (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / file).write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        corpus.load_stages(folder)


def test_an_evaluated_row_without_audit_verdict_is_named(tmp_path: Path) -> None:
    folder = staged(tmp_path)
    chosen = corpus.select(corpus.load_stages(folder)).before_audit[0].id
    lines = [line for line in (folder / "l.jsonl").read_text().splitlines(keepends=True) if f'"{chosen}"' not in line]
    (folder / "l.jsonl").write_text("".join(lines))
    with pytest.raises(InputError, match=f"the verdict on {chosen} is missing"):
        corpus.select(corpus.load_stages(folder))


@given(
    st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(SOURCES)), unique_by=lambda item: item[0]),
    st.integers(0, 40),
)
def test_any_first_part_is_as_even_as_the_sources_allow(rows: list[tuple[int, str]], quota: int) -> None:
    class Row:
        def __init__(self, number: int, source: str) -> None:
            self.id, self.source = str(number), source

    ordered = corpus.in_turns([Row(*one) for one in rows], salt="s")  # type: ignore[arg-type]  # all that is read of a pair
    taken = [one.source for one in ordered[:quota]]
    sizes = {source: sum(s == source for _, s in rows) for source in SOURCES}
    most = max((taken.count(source) for source in SOURCES), default=0)
    for source in SOURCES:
        assert taken.count(source) >= min(sizes[source], most - 1)


def test_the_open_edition_is_what_its_stages_give() -> None:
    assert main(["corpus", "check", "open"]) == 0


def test_the_edition_hash_follows_what_a_judge_sees(tmp_path: Path) -> None:
    first = corpus.load_edition(edition(tmp_path, [row("x-1")])).sha256
    assert corpus.load_edition(edition(tmp_path, [row("x-1", rationale="Other words.")])).sha256 == first
    assert corpus.load_edition(edition(tmp_path, [row("x-1", question="Other?")])).sha256 != first


def test_lines_that_no_file_can_hold_give_one_sentence(tmp_path: Path) -> None:
    for broken in ('{"id": ' + "[" * 100_000, '{"id": "\\ud800"}', '{"id": ' + "9" * 5000 + "}"):
        folder = edition(tmp_path, [row("x-1")])
        (folder / "pairs.jsonl").write_text(broken + "\n", encoding="utf-8")
        assert "line 1: the line is not JSON" in message(folder)


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    folder = edition(tmp_path, [row("x-1")])
    (folder / "pairs.jsonl").write_bytes(b"\xef\xbb\xbf" + (folder / "pairs.jsonl").read_bytes())
    assert corpus.load_edition(folder).pairs[0].id == "x-1"
