import argparse
import json
from pathlib import Path

import pytest

from forcebench_lib.judging import command, read_run, recorded
from forcebench_lib.schema import InputError

from .conftest import make_edition
from .fault_server import FaultServer


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_command(parser.add_subparsers())
    parsed = parser.parse_args(["judge", *arguments])
    code: int = parsed.run(parsed)
    return code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    edition = tmp_path / "edition"
    edition.mkdir()
    (edition / "edition.yml").write_text("name: toy\nversion: '1'\nfiles: {pairs: pairs.jsonl}\n", encoding="utf-8")
    rows = [json.dumps(pair.model_dump(mode="json")) for pair in make_edition(3).pairs]
    (edition / "pairs.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return edition


def test_one_line_judges_an_edition_under_every_prompt(
    folder: Path, tmp_path: Path, server: FaultServer, capsys: pytest.CaptureFixture[str]
) -> None:
    common = [
        "--model",
        "openai/toy",
        "--api-base",
        server.base,
        "--edition",
        str(folder),
        "--runs",
        str(tmp_path / "runs"),
    ]
    assert run(*common, "--dry-run") == 0
    assert "9 calls to make, 0 already recorded" in capsys.readouterr().out
    assert server.bodies == []
    assert run(*common, "--limit", "2", "--seed", "none", "--parameters", '{"top_p": 0.5}') == 0
    runs = recorded(tmp_path / "runs")
    assert [one.manifest.prompt.id for one in runs] == ["axis_free", "dummy_axis", "force_aware", "generic_support"]
    assert len(server.bodies) == 4 * 6
    assert runs[0].manifest.effective["top_p"] == 0.5
    assert "seed" not in runs[0].manifest.requested
    assert runs[0].id in capsys.readouterr().out


def test_a_provider_that_refuses_is_exit_code_one(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "--model",
        "openai/toy",
        "--api-base",
        "http://127.0.0.1:1/v1",
        "--edition",
        str(folder),
        "--retries",
        "0",
    ]
    assert run(*arguments, "--prompt", "axis_free", "--runs", str(tmp_path / "runs")) == 1
    assert "brought no usable answer" in capsys.readouterr().err


def test_a_broken_run_is_repaired(folder: Path, tmp_path: Path, server: FaultServer) -> None:
    runs = tmp_path / "runs"
    common = ["--model", "openai/toy", "--api-base", server.base, "--edition", str(folder), "--runs", str(runs)]
    assert run(*common, "--prompt", "axis_free") == 0
    [one] = recorded(runs)
    path = one.folder / "judgments.jsonl"
    path.write_bytes(b"half a li\n" + path.read_bytes())
    with pytest.raises(InputError, match=r"judgments\.jsonl, line 1: .*--repair"):
        run(*common, "--prompt", "axis_free")
    assert run("--repair", str(one.folder)) == 0
    assert len(read_run(one.folder).judgments()) == 9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--model: found none"),
        (["--model", "m", "--parameters", "{"], "--parameters: found text that is not JSON"),
        (["--model", "m", "--parameters", "[]"], "--parameters: found a list"),
        (["--model", "m", "--api-key-env", "NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE is not set"),
        (["--model", "m", "--passages", "citd"], "passages: found"),
    ],
)
def test_wrong_arguments_are_one_sentence(folder: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        run(*arguments, "--edition", str(folder), "--runs", str(tmp_path))
