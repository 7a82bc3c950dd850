"""The chapter on the gate, followed to the letter in a throw-away repository."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from forcebench_lib.gate import REASONS
from forcebench_lib.paths import BOOK, ROOT

PAGE = (BOOK / "gate.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\{code-block\} \w+\n:caption: (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
CONSOLE = re.findall(r"^```\{code-block\} console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
WORKFLOW = ".github/workflows/citations.yml"


def shell(folder: Path, command: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def steps(block: str) -> list[tuple[str, str]]:
    """Each command of a block with the output that the page shows."""
    return [
        (part.partition("\n")[0], part.partition("\n")[2]) for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    ]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, str, str]]]:
    """The repository after all commands of the page, and each command with what it should print and what it did."""
    folder = tmp_path_factory.mktemp("repository")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    seen, code = [], 0
    for command, shown in (step for block in CONSOLE for step in steps(block)):
        if command == "echo $?":
            seen.append((command, shown, f"{code}\n"))
            continue
        done = shell(folder, command)
        code = done.returncode
        seen.append((command, shown, done.stdout))
    return folder, seen


def test_each_command_prints_what_the_page_shows(followed):
    _, seen = followed
    assert len(seen) > 8
    for command, shown, printed in seen:
        assert printed == shown, command


def test_the_exit_codes_of_the_page_are_a_failure_and_then_passes(followed):
    _, seen = followed
    assert [printed for command, _, printed in seen if command == "echo $?"] == ["1\n", "0\n", "0\n"]


def test_the_files_that_the_page_promises_are_there(followed):
    folder, _ = followed
    assert (folder / ".git").is_dir()
    assert (folder / "gate.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert "1 passed" in (folder / "pytest.txt").read_text(encoding="utf-8")


def test_the_workflow_runs_in_the_repository_and_stops_a_bad_answer(followed):
    folder, _ = followed
    job = yaml.safe_load(FILES[WORKFLOW])["jobs"]["gate"]
    runs = [step["run"] for step in job["steps"] if "run" in step]
    install = [run for run in runs if run.startswith("pip ")]
    assert [name for run in install for name in re.findall(r"companion/?(\S*)", run)] == ["requirements.txt", ""]
    assert (ROOT / "requirements.txt").is_file()
    shell(folder, "git add --all && git -c user.name=a -c user.email=a@b.example commit --quiet --message answers")
    gates = [run for run in runs if run not in install]
    assert [shell(folder, run).returncode for run in gates] == [0, 0]
    good = (folder / "answers.json").read_text(encoding="utf-8")
    for bad, code, shown in (
        (good.replace("may open", "will open"), 1, "::error file=answers.json,line=13"),
        (good[:-3], 2, ""),
    ):
        (folder / "answers.json").write_text(bad, encoding="utf-8")
        done = shell(folder, gates[-1])
        assert done.returncode == code
        assert done.stdout.startswith(shown)
    assert re.fullmatch(r"answers\.json, line \d+: .*\n", done.stderr)
    shell(folder, "git checkout --quiet answers.json")
    assert shell(folder, gates[-1]).returncode == 0


def test_the_solutions_of_the_exercises_hold(followed):
    folder, _ = followed
    sources = json.loads(FILES["sources.json"])
    sources["sources"][2]["status"] = "deleted"
    (folder / "deleted.json").write_text(json.dumps(sources), encoding="utf-8")
    assert (
        "source_unavailable"
        in shell(folder, "python -m forcebench_lib gate answers.json --sources deleted.json").stdout
    )
    (text,) = re.findall(r"“(Items returned[^”]*)”", PAGE)
    claim = [{"text": f"{text}.", "source_id": "POLICY", "source_version": "2032"}]
    (folder / "wrong.json").write_text(json.dumps(claim), encoding="utf-8")
    assert shell(folder, "python -m forcebench_lib gate wrong.json --sources sources.json").returncode == 0


def test_the_page_lists_the_reasons_in_their_order():
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == REASONS
