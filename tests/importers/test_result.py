import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forcebench_lib import importers
from forcebench_lib.__main__ import main
from forcebench_lib.corpus import load_edition
from forcebench_lib.importers import IMPORTERS, Context, Reason, import_contexts, read_contexts, write_contexts
from forcebench_lib.paths import BOOK
from forcebench_lib.schema import InputError

from ..test_pages import complete_examples, written

Writer = Callable[..., Path]
PAGE = "book/import.md"
ROW = {"q": "Why?", "c": "It fell [1].", "p": ["It may fall.", ""], "n": 3}
MAPPING = "fields: {question: q, claim: c, passage: p}\n"


def mapping(folder: Path, text: str = MAPPING) -> Path:
    (folder / "mapping.yml").write_text(text, encoding="utf-8")
    return folder / "mapping.yml"


def test_contexts_and_unusable_citations_are_written_and_counted(tmp_path: Path, jsonl: Writer) -> None:
    out, bad = tmp_path / "contexts.jsonl", tmp_path / "unusable.jsonl"
    counts = write_contexts("plain", jsonl([ROW]), out=out, mapping=mapping(tmp_path), unusable=bad)
    (one,) = [Context.model_validate_json(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert (one.passage, one.references, one.source, one.details) == ("It may fall.", 2, "rows", {"n": "3"})
    assert json.loads(bad.read_text(encoding="utf-8")) == {
        "line": 1,
        "claim_number": 1,
        "reference_number": 2,
        "reason": "the reference is blank",
    }
    assert str(counts).splitlines() == [
        "1 rows, 1 claims, 2 citations",
        "       1 contexts",
        "       1 unusable",
        "             1 the reference is blank",
    ]


def test_a_file_that_breaks_off_leaves_the_old_contexts_and_nothing_else(tmp_path: Path, jsonl: Writer) -> None:
    path = jsonl([ROW, ROW | {"c": ["a list"]}])
    out = tmp_path / "contexts.jsonl"
    out.write_text("old\n", encoding="utf-8")
    before = sorted([*os.listdir(tmp_path), "mapping.yml"])
    with pytest.raises(InputError, match=r"rows\.jsonl, line 2: claim: found a list, expected a text\.$"):
        write_contexts("plain", path, out=out, mapping=mapping(tmp_path), unusable=tmp_path / "bad.jsonl")
    assert out.read_text(encoding="utf-8") == "old\n"
    assert sorted(os.listdir(tmp_path)) == before


def test_contexts_are_not_written_over_their_source_or_into_nowhere(tmp_path: Path, jsonl: Writer) -> None:
    path = jsonl([ROW])
    for out in (path, tmp_path / "none" / "contexts.jsonl", tmp_path):
        with pytest.raises(InputError, match="expected"):
            write_contexts("plain", path, out=out, mapping=mapping(tmp_path))
    assert json.loads(path.read_text(encoding="utf-8")) == ROW


def test_a_big_file_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("q,c,p\n")
        file.writelines(f"Why {number}?,It fell.,{number} {'long ' * 2000}\n" for number in range(2000))
    tracemalloc.start()
    counts = write_contexts("plain", path, out=tmp_path / "contexts.jsonl", mapping=mapping(tmp_path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counts.contexts == 2000
    assert peak < path.stat().st_size / 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fields: {question: q, claim: c}\n", "fields: 'passage' is missing"),
        (
            "fields: {question: q, claim: c, passage: p, colour: x}\n",
            "fields.colour: found 'colour', expected 'question'",
        ),
        ("field: {}\n", "the field 'fields' is missing"),
        ("fields: [", "the file is not YAML"),
        ("- a\n", "the whole: found ['a'], expected a mapping"),
        (
            'fields: {question: q, claim: c, passage: p}\ndelimiter: "\\n"\n',
            "delimiter: found '\\n', expected one sign",
        ),
    ],
)
def test_a_mapping_that_does_not_fit_is_named(tmp_path: Path, jsonl: Writer, text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        import_contexts("plain", jsonl([ROW]), mapping=mapping(tmp_path, text))
    assert f"mapping.yml: {says}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    table = tmp_path / "rows.tsv"
    table.write_text("q\tc\nWhy?\tIt fell.\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"line 2: the column 'p' is missing, expected it for 'passage' \(found q, c\)"
    ):
        import_contexts("plain", table, mapping=mapping(tmp_path))


def test_a_default_and_a_delimiter_hold_for_every_row(tmp_path: Path) -> None:
    table = tmp_path / "rows.txt"
    table.write_text("c;p;l\nIt fell.;It may fall.;https://example.org\n", encoding="utf-8")
    text = "fields: {claim: c, passage: p, url: l}\ndefaults: {question: 'Why?', system: bot}\ndelimiter: ;\n"
    (one,) = import_contexts("plain", table, mapping=mapping(tmp_path, text)).contexts
    assert (one.question, one.system, one.url, one.source) == ("Why?", "bot", "https://example.org", "rows")


def test_names_and_mappings_are_checked_before_reading(tmp_path: Path) -> None:
    for name, given, says in [
        ("expert", None, "expected one of expertqa, "),
        ("plain", None, "--mapping: found none"),
        ("expertqa", mapping(tmp_path), "--mapping: found "),
    ]:
        with pytest.raises(InputError, match=says):
            read_contexts(name, tmp_path / "none.jsonl", mapping=given)


def test_no_import_writes_over_what_it_reads(
    tmp_path: Path, jsonl: Writer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows, fields = jsonl([ROW]), mapping(tmp_path)
    named = rows.rename(tmp_path / "out.jsonl.tmp")
    before = {path: path.read_bytes() for path in (named, fields)}
    given = ["import", "plain", str(named), "--mapping", str(fields), "--out"]
    for options in ([named], [fields], [tmp_path / "o", "--unusable", fields], [tmp_path / "o", "--unusable", "o"]):
        assert main([*given, *map(str, options)]) == 2
        assert "found a file that is read here" in capsys.readouterr().err
    assert main([*given, str(tmp_path / "out.jsonl")]) == 0
    assert {path: path.read_bytes() for path in before} == before
    assert len(os.listdir(tmp_path)) == 3


def test_the_command_prints_the_error_of_a_file_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", "expertqa", str(tmp_path / "none.jsonl"), "--out", str(tmp_path / "out.jsonl")]) == 2
    assert capsys.readouterr().err == (
        f"{tmp_path / 'none.jsonl'}: there is no such file, expected one JSON object a line.\n"
    )
    assert os.listdir(tmp_path) == []


def test_the_example_of_the_page_gives_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = complete_examples(PAGE)
    monkeypatch.chdir(written(PAGE, tmp_path))
    assert main(["import", "plain", "answers.csv", "--mapping", "mapping.yml", "--out", "contexts.jsonl"]) == 0
    assert capsys.readouterr().out == shown["output"]
    context = json.loads(Path("contexts.jsonl").read_text(encoding="utf-8"))
    assert context == json.loads(shown["context.json"])
    assert list(context) == list(json.loads(shown["context.json"]))


def test_the_pair_of_the_page_is_drafted_from_its_context_and_loads(tmp_path: Path) -> None:
    (pair,) = load_edition(written(PAGE, tmp_path) / "bus").pairs
    context = json.loads(complete_examples(PAGE)["context.json"])
    assert (pair.question, pair.passage, pair.raised_claim) == (
        context["question"],
        context["passage"],
        context["claim"],
    )


def test_the_exercise_of_the_page_has_its_solution(tmp_path: Path) -> None:
    folder = written(PAGE, tmp_path)
    table = (folder / "answers.csv").read_text(encoding="utf-8")
    filled = table.replace("[1] https://bus.example/cost", '"[1] https://bus.example/cost\n\nThe council pays half."')
    (folder / "answers.csv").write_text(filled, encoding="utf-8")
    done = import_contexts("plain", folder / "answers.csv", mapping=folder / "mapping.yml")
    assert ([one.references for one in done.contexts], len(done.unusable)) == ([1, 1], 1)


def test_the_page_lists_each_importer_with_its_licence_and_each_reason() -> None:
    text = (BOOK / "import.md").read_text(encoding="utf-8")

    def rows(heading: str) -> Iterator[list[str]]:
        table = text.partition(f"## {heading}")[2].partition("\n## ")[0]
        for line in re.findall(r"^\| (.*?) \|$", table, re.MULTILINE)[2:]:
            yield [cell.strip() for cell in line.split(" |")]

    assert [cells[0] for cells in rows("What each importer reads")] == [f"`{name}`" for name in IMPORTERS]
    assert list(rows("Whose data it is")) == [
        [f"`{name}`", one.licence, one.tried_on] for name, one in IMPORTERS.items()
    ]
    assert [cells[0] for cells in rows("What is not a context, and why")] == list(Reason.__args__)  # type: ignore[attr-defined]  # as in schema


def test_importing_the_importers_opens_no_model_library() -> None:
    code = f"import sys, {importers.__name__}; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
