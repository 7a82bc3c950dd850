"""A run that is sent in: an honest one passes, and each way to be wrong gets its own sentence."""

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib import corpus, paths, submission
from forcebench_lib.__main__ import main
from forcebench_lib.judging.plan import Item

from .planted import plant, says

Lines = list[dict[str, Any]]
COMMITTED = sorted(path.parent for path in paths.RUNS.glob("*/manifest.json"))


def graded(item: Item) -> dict[str, Any]:
    chances = {"A": math.log(0.6), "B": math.log(0.3)}
    return {"status": "ok", "label": item.options[0], "reply": "A", "reply_chars": 1, "logprobs": chances}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    edition, folder = corpus.load_edition("open", wave=1), tmp_path_factory.mktemp("runs")
    labels = plant(folder, edition, lambda item: says("force_gap"))
    return {"labels": labels.folder, "graded": plant(folder, edition, graded, scoring="graded").folder}


@pytest.fixture
def copy(honest: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    return lambda kind: Path(shutil.copytree(honest[kind], tmp_path / honest[kind].name))


@pytest.mark.parametrize("kind", ["labels", "graded"])
def test_an_honest_run_has_no_fault(honest: dict[str, Path], kind: str) -> None:
    assert submission.faults(honest[kind]) == []


@pytest.mark.parametrize("folder", COMMITTED, ids=lambda folder: folder.name[-20:])
def test_each_committed_run_has_no_fault(folder: Path) -> None:
    assert submission.faults(folder) == []


def of_manifest(**changes: Any) -> Callable[[dict[str, Any], Lines], None]:
    """Changes fields of the manifest; a name with dots is a field of a field."""

    def change(manifest: dict[str, Any], lines: Lines) -> None:
        for name, value in changes.items():
            *above, last = name.split("__")
            target = manifest
            for part in above:
                target = target[part]
            target[last] = value

    return change


def of_line(**changes: Any) -> Callable[[dict[str, Any], Lines], None]:
    return lambda manifest, lines: lines[4].update(changes)


KEY = "sk-" + "abc1" * 8  # in two parts, so that no search for keys finds this file


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (of_manifest(run="another"), "run: found 'another', but model, prompt, edition and parameters give 'toy--"),
        (of_manifest(requested__temperature=0.5), "run: found 'toy--force_aware--open--"),
        (of_manifest(model="openai/large"), "run: found 'toy--"),
        (of_manifest(effective__temperature=0.5), "line 1: key: it does not follow"),
        (of_manifest(prompt__sha256="0"), "prompt.sha256: no file in prompts/ has this text"),
        (of_manifest(prompt__labels={"force_gap": 1.0, "force_calibrated": 0.0}), "prompt: its id, version, title or"),
        (of_manifest(edition__sha256="0"), "edition.sha256: no wave of the 'open' edition has this text"),
        (of_manifest(edition__name="nowhere"), "edition.sha256: no wave of the 'nowhere' edition"),
        (of_manifest(pairs=["ob-0001"]), "pairs: found 1 of the edition's 48"),
        (of_manifest(totals__recorded=145), "totals.recorded: found 145, but the judgments add up to 144"),
        (of_manifest(totals=None), "totals: found none"),
        (of_manifest(api_base="http://me:pass@host/v1"), "api_base: found a user, a password"),
        (of_manifest(effective__api_key="x"), "effective: found 'api_key'"),
        (of_manifest(evaluator="To\u202ey"), "it holds control characters or marks that turn text around"),
        (of_manifest(evaluator="To\x1by"), "it holds control characters or marks that turn text around"),
        (of_manifest(repeats=3_000_000), "manifest.json: repeats: Input should be less than or equal to 1000"),
        (of_manifest(format=2), "manifest.json: format: Input should be 1"),
        (of_line(label="force_calibrated"), "1 replies are read otherwise today"),
        (of_line(pair_id="ob-0005"), "line 5: key: it does not follow"),
        (of_line(key="0" * 32), "line 5: key: it does not follow"),
        (of_line(error=KEY), "judgments.jsonl, line 5: something in it is shaped like a credential"),
        (of_line(model="Bearer " + "a1" * 12), "judgments.jsonl, line 5: something in it is shaped"),
        (of_line(status="maybe"), "judgments.jsonl, line 5: status: "),
        (lambda manifest, lines: lines.pop(), "1 of 144 questions have no reply"),
        (lambda manifest, lines: lines.append(lines[7]), "line 145: the question is asked again after its answer"),
        (
            lambda manifest, lines: lines.append(lines[7] | {"status": "api_error", "label": "", "error": "x"}),
            "line 145: the question is asked again after its answer",
        ),
        (of_line(status="refusal", label="", error="x"), "1 replies are read otherwise today"),
        (of_manifest(repeats=0), "manifest.json: repeats"),
        (of_manifest(passages=[]), "manifest.json: passages"),
        (of_manifest(passages=["licensing"]), "expected the cited ones among them"),
        (of_manifest(evaluator="To\u200by"), "it holds characters that are not seen"),
        (of_line(latency_s=-5), "line 5: latency_s"),
        (of_line(attempts=-7), "line 5: attempts"),
        (of_line(logprobs={"A": 800.0}), "line 5: logprobs"),
        (lambda manifest, lines: lines[0].update(status="api_error", error="timeout"), "1 of 144 questions have no"),
    ],
)
def test_each_fault_is_said(
    copy: Callable[[str], Path], change: Callable[[dict[str, Any], Lines], Any], said: str
) -> None:
    folder = copy("labels")
    manifest = json.loads((folder / "manifest.json").read_text())
    lines = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
    change(manifest, lines)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "judgments.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = submission.faults(folder)
    assert any(said in one for one in found), found
    assert KEY not in "".join(found)


def test_a_graded_label_follows_from_its_probabilities(copy: Callable[[str], Path]) -> None:
    folder = copy("graded")
    path = folder / "judgments.jsonl"
    path.write_text(path.read_text().replace('"A":', '"C":', 1))
    [said] = submission.faults(folder)
    assert "1 replies are read otherwise today" in said


def test_a_foreign_file_a_link_and_another_name_are_said(copy: Callable[[str], Path]) -> None:
    folder = copy("labels")
    (folder / "notes.txt").write_text("hello")
    moved = folder.rename(folder.with_name("renamed"))
    (moved / "judgments.jsonl").rename(moved.parent / "elsewhere.jsonl")
    (moved / "judgments.jsonl").symlink_to(moved.parent / "elsewhere.jsonl")
    found = submission.faults(moved)
    assert len(found) == 3
    assert "found a link or a folder" in found[0]
    assert "notes.txt: a foreign file" in found[1]
    assert "the folder is not named like its run" in found[2]


def test_words_of_replies_are_no_credentials(copy: Callable[[str], Path]) -> None:
    folder = copy("labels")
    path = folder / "judgments.jsonl"
    lines = path.read_text().splitlines()
    reply = "Basic research, key-points, see https://example.org/?a=1 and risk-averse-investors-of-2020"
    lines[0] = json.dumps(json.loads(lines[0]) | {"reply": reply, "status": "invalid_json", "label": ""})
    path.write_text("\n".join(lines) + "\n")
    assert not any("credential" in one for one in submission.faults(folder))


def test_the_command_names_what_it_finds(
    honest: dict[str, Path], copy: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "check", str(honest["labels"])]) == 0
    assert capsys.readouterr().out == f"{honest['labels'].name}: nothing is wrong with it.\n"
    wrong = copy("labels")
    (wrong / "more").write_text("")
    assert main(["runs", "check", str(honest["graded"]), str(wrong)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"{wrong / 'more'}: a foreign file, expected manifest.json and judgments.jsonl alone."
    ]
    assert main(["runs", "check", str(tmp_path / "none")]) == 2
    assert "there is no such folder" in capsys.readouterr().err
