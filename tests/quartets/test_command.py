import json
from pathlib import Path

import pytest

from forcebench_lib.__main__ import main

from .rows import row


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [row("a").model_dump(), row("b", conflict_answer="9 metres").model_dump()]
    (tmp_path / "quartets.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    (tmp_path / "quartets.yml").write_text("name: toy\nversion: '1'\n", encoding="utf-8")
    return tmp_path


def test_check_prints_findings_and_exits_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quartets", "check", "--folder", str(folder)]) == 1
    assert "b: answers the question with the same type: '9 metres' is not of the type" in capsys.readouterr().out


def test_a_dry_run_counts_and_asks_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = ["--model", "openai/m", "--api-base", "http://127.0.0.1:9/v1", "--runs", str(folder / "runs")]
    assert main(["quartets", "run", *address, "--folder", str(folder), "--limit", "1", "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("--")[1] for line in lines] == ["vanilla", "gate"]
    assert all(" 4 calls to make" in line for line in lines)
    assert not (folder / "runs").exists()


def test_nobody_at_the_address_is_exit_code_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = ["--model", "openai/m", "--api-base", "http://127.0.0.1:9/v1", "--runs", str(folder / "runs")]
    assert main(["quartets", "run", *address, "--folder", str(folder), "--retries", "0"]) == 1
    assert "the first question brought no usable answer" in capsys.readouterr().err


def test_a_sheet_is_one_json_object_a_context(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quartets", "review-sheet", str(folder / "quartets.jsonl"), "--reviewer", "one"]) == 0
    assert len([json.loads(line) for line in capsys.readouterr().out.splitlines()]) == 8


def test_wrong_input_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quartets", "check", str(tmp_path / "none.jsonl")]) == 2
    assert "there is no such file" in capsys.readouterr().err
