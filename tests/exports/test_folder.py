import json
import subprocess
import sys
from pathlib import Path

import pytest

from forcebench_lib.__main__ import main
from forcebench_lib.corpus import Edition
from forcebench_lib.exports import HARNESSES, write_export
from forcebench_lib.judging import load_prompt
from forcebench_lib.judging.reply import read
from forcebench_lib.schema import InputError

TOOLS = list(HARNESSES)
PROMPT = load_prompt("force_aware")


def questions(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("tool", TOOLS)
def test_an_export_holds_every_question_as_a_judge_is_asked(tool: str, toy: Edition, tmp_path: Path):
    write_export(tool, toy, PROMPT, out=tmp_path / "out")
    listed = questions(tmp_path / "out")
    assert len(listed) == 15
    assert [row["id"] for row in listed[:3]] == ["t-000:cited:safe", "t-000:cited:raised", "t-000:licensing:raised"]
    pair = toy.evaluation[1]
    row = next(row for row in listed if row["id"] == "t-001:licensing:raised")
    assert (
        row["user"] == f"Question: {pair.question}\n\nPassage: {pair.licensing_passage}\n\nClaim: {pair.raised_claim}"
    )
    assert row["system"].startswith("An answer to a question cites a passage")
    assert "Relation: does the claim say" in row["system"]


@pytest.mark.parametrize("tool", TOOLS)
def test_an_export_needs_nothing_of_this_project(tool: str, toy: Edition, tmp_path: Path):
    for path in write_export(tool, toy, PROMPT, out=tmp_path / "out"):
        assert "forcebench_lib" not in path.read_text(encoding="utf-8")


def test_the_rates_of_an_export_run_on_the_standard_library_alone(toy: Edition, tmp_path: Path):
    write_export("promptfoo", toy, PROMPT, out=tmp_path / "out")
    script = """
import json, forcebench_pairs as pairs
replies = {"safe": '{"label": "force_calibrated"}', "raised": '{"label": "force_gap"}'}
tie = {"t-000:cited:safe": '{"label": "force_gap"}'}
unusable = {"t-001:cited:raised": 'It is {"label": "force_gap"}'}
rows = []
for one in pairs.questions():
    reply = (tie | unusable).get(one["id"], replies[one["claim"]])
    rows.append((one, pairs.said(pairs.reading(reply))))
inverted = [(one, {"safe": "force_gap", "raised": "force_calibrated"}[one["claim"]]) for one, _ in rows]
print(json.dumps([pairs.pair_rates(rows), pairs.pair_rates(inverted), pairs.pair_rates(rows[1:])]))
"""
    command = [sys.executable, "-S", "-c", script]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, check=True)
    mixed, inverted, one_member_missing = json.loads(done.stdout)
    assert mixed == {"mvr": 0.4, "fs": pytest.approx(0.6), "pairs": 5}
    assert inverted == {"mvr": 1.0, "fs": -1.0, "pairs": 5}
    assert one_member_missing == mixed


@pytest.mark.parametrize("tool", TOOLS)
def test_an_export_reads_replies_by_the_rule_of_the_book(tool: str, toy: Edition, tmp_path: Path):
    write_export(tool, toy, PROMPT, out=tmp_path / "out")
    texts = ['{"label": "force_gap"}', '{"label": "a"} {}', "", '```\n{"label": "force_gap"}\n```', "I'm sorry", "[]"]
    script = """
import json, sys, forcebench_pairs as pairs
print(json.dumps([[one.status, one.label] for one in map(pairs.reading, json.loads(sys.argv[1]))]))
"""
    command = [sys.executable, "-S", "-c", script, json.dumps(texts)]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, check=True)
    ours = [read(text, labels=PROMPT.labels) for text in texts]
    assert json.loads(done.stdout) == [[one.status, one.label] for one in ours]
    assert [one.status for one in ours] == ["ok", "invalid_json", "empty", "fenced", "refusal", "invalid_json"]


def test_passages_and_limit_leave_questions_out(toy: Edition, tmp_path: Path):
    write_export("inspect", toy, PROMPT, out=tmp_path / "out", passages=["cited"], limit=2)
    assert [row["id"] for row in questions(tmp_path / "out")] == [
        f"t-00{number}:cited:{claim}" for number in (0, 1) for claim in ("safe", "raised")
    ]


def test_a_folder_that_holds_something_is_left_as_it_is(toy: Edition, tmp_path: Path):
    (tmp_path / "promptfooconfig.yaml").write_text("mine")
    with pytest.raises(InputError, match=r"found promptfooconfig\.yaml in it, expected a new or an empty folder"):
        write_export("promptfoo", toy, PROMPT, out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["promptfooconfig.yaml"]


@pytest.mark.parametrize(("limit", "tool"), [(0, "inspect"), (None, "helm")])
def test_what_cannot_be_exported_writes_nothing(limit: int | None, tool: str, toy: Edition, tmp_path: Path):
    with pytest.raises(InputError, match=r"expected 1 or more|expected one of inspect, lm-eval, promptfoo"):
        write_export(tool, toy, PROMPT, out=tmp_path / "out", limit=limit)
    assert not (tmp_path / "out").exists()


def test_the_command_exports_the_open_edition(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["export", "lm-eval", "--out", str(tmp_path / "out"), "--limit", "3", "--prompt", "axis_free"]) == 0
    assert "Minimal axis-free force on 3 pairs of the open edition" in capsys.readouterr().out
    assert json.loads((tmp_path / "out" / "task.json").read_text())["prompt"] == "axis_free"
    assert len(questions(tmp_path / "out")) == 9
