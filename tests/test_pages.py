"""The prose pages: what they cite exists, what they tell a reader to type works, what they show as code runs."""

import ast
import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path

import pytest

from forcebench_lib import corpus, evaluators, metrics, release
from forcebench_lib.__main__ import main
from forcebench_lib.paths import BOOK, NOTEBOOKS, PROMPTS, ROOT
from forcebench_lib.schema import AXES, MECHANISMS, InputError

PAGES = sorted([*BOOK.rglob("*.md"), *(ROOT / "data").glob("*/README.md"), PROMPTS / "README.md"])
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py"))}


def lines_of_code(start: str) -> list[tuple[str, str]]:
    """Each line of a page that a reader is told to type and that begins like this, with its page."""
    found = re.compile(rf"^\$? ?({re.escape(start)}.*)$", re.MULTILINE)
    return [(page, line) for page, text in TEXTS.items() for line in found.findall(text)]


def complete_examples(page: str) -> dict[str, str]:
    """The code blocks of a page with a file's name as caption: file → content."""
    blocks = re.findall(r"^```\{code-block\} \w+\n:caption: (\S+)\n(.*?)^```$", TEXTS[page], re.MULTILINE | re.DOTALL)
    return dict(blocks)


def written(page: str, folder: Path) -> Path:
    for name, content in complete_examples(page).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def parameters(notebook: str) -> list[str]:
    """The names in the defaults cell of a notebook's script."""
    cell = re.search(r'^# %% tags=\["parameters"\]\n(.*?)^# %%', SCRIPTS[notebook], re.MULTILINE | re.DOTALL)
    assert cell is not None
    return [ast.unparse(target) for line in ast.parse(cell[1]).body for target in getattr(line, "targets", [])]


def papermill(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run papermill from a folder of the reader's own."""
    command = [sys.executable, "-m", "papermill", *arguments, "--no-progress-bar"]
    environment = os.environ | {"PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def test_each_work_of_the_bibliography_is_there_once_and_cited() -> None:
    entries = re.findall(r"^@\w+\{([^,]+),", (BOOK / "references.bib").read_text(encoding="utf-8"), re.MULTILINE)
    roles = re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", "\n".join([*TEXTS.values(), *SCRIPTS.values()]))
    cited = {key.strip() for keys in roles for key in keys.split(",")}
    assert sorted(entries) == sorted(cited)


def test_the_version_to_cite_is_the_one_installed() -> None:
    assert f"version = {{{version('forcebench-lib')}}}" in TEXTS["book/cite.md"]


@pytest.mark.parametrize(("page", "line"), lines_of_code("papermill"))
def test_a_papermill_line_names_a_notebook_and_its_parameters(page: str, line: str) -> None:
    _, notebook, output, *options = shlex.split(line)
    assert (ROOT / notebook).is_file()
    assert output == "out.ipynb"
    assert {flag for flag in options if flag.startswith("-")} <= {"-p", "-y"}
    named = [options[place + 1] for place, flag in enumerate(options) if flag == "-p"]
    named += [options[place + 1].partition(":")[0] for place, flag in enumerate(options) if flag == "-y"]
    assert named
    assert set(named) <= set(parameters(Path(notebook).with_suffix(".py").name))


@pytest.mark.parametrize(("page", "line"), lines_of_code("python -m forcebench_lib"))
def test_a_command_line_names_a_command_and_its_options(
    page: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(line.removeprefix("python -m forcebench_lib"))
    command = list(takewhile(lambda word: not word.startswith("--"), words))
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    help_text = capsys.readouterr().out
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", help_text), f"{command} has no {option}"


def test_the_table_of_parameters_lists_those_of_the_notebook() -> None:
    table = TEXTS["book/rerun.md"].partition("## Parameters")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == parameters("04_judging.py")


@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if ">>> " in text])
def test_the_examples_of_a_page_give_what_is_shown(page: str) -> None:
    blocks = re.findall(r"^```python\n(>>> .*?)^```$", TEXTS[page], re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_the_evaluator_of_one_page_adds_a_row_on_the_edition_of_another(tmp_path: Path) -> None:
    written("book/own_pairs.md", written("book/evaluator.md", tmp_path))
    notebook = str(NOTEBOOKS / "03_baselines.ipynb")
    options = ["-p", "evaluator", "my_module:score", "-p", "edition", "my_edition"]
    done = papermill(tmp_path, notebook, "out.ipynb", *options)
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / "out.ipynb").read_text(encoding="utf-8"))["cells"]
    shown = "".join(
        "".join(out.get("data", {}).get("text/html", "")) for cell in cells for out in cell.get("outputs", [])
    )
    assert "shop edition 1, N = 2 pairs" in shown
    row = re.search(r'<th scope="row">my_module:score</th>.*?</tr>', shown)
    assert row is not None
    assert re.search(r'\d\.\d{3} <span class="ci">\[\d\.\d{3}, \d\.\d{3}\]</span>', row[0])


def test_the_evaluator_of_the_page_prefers_the_milder_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(written("book/evaluator.md", tmp_path))
    score = evaluators.load("my_module:score")
    passage = "The bridge may reopen in spring."
    mild, bold = score([passage] * 2, ["The bridge may reopen in spring.", "The bridge will reopen in spring."])
    assert (mild, bold) == (1.0, 0.7)


def test_the_small_edition_of_the_page_loads_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(written("book/own_pairs.md", tmp_path))
    assert main(["corpus", "check", "my_edition"]) == 0
    assert capsys.readouterr().out == "shop 1: 2 evaluation and 0 development pairs\n"
    edition = corpus.load_edition("my_edition")
    assert [(pair.id, pair.axis, pair.source) for pair in edition.pairs] == [
        ("shop-1", "relation", "shop-page"),
        ("shop-2", "modality", "shop-page"),
    ]
    scores = evaluators.score_pairs(evaluators.axis_forcecheck, edition.evaluation, name="Axis ForceCheck")
    assert metrics.outcomes(scores, edition.evaluation)["outcome"].to_list()[1] == "ordered"


def test_a_span_that_is_not_in_its_passage_is_named_as_the_page_says(tmp_path: Path) -> None:
    pairs = written("book/own_pairs.md", tmp_path) / "my_edition" / "pairs.jsonl"
    wrong = pairs.read_text(encoding="utf-8").replace('"limit": "The phones', '"limit": "The phoned')
    pairs.write_text(wrong, encoding="utf-8")
    with pytest.raises(InputError, match=r"pairs\.jsonl, line 1: .*'The phoned were used.*exact substring"):
        corpus.load_edition(tmp_path / "my_edition")


@pytest.mark.parametrize("axis", AXES)
def test_a_page_of_an_axis_lists_its_mechanisms_and_shows_its_rows(axis: str) -> None:
    text = TEXTS[f"book/axes/{axis}.md"]
    table = text.partition("## The mechanisms")[2].partition("\n## ")[0]
    names = re.findall(r"^\| ([^|]+?) \|", table, re.MULTILINE)[2:]
    assert [name.replace(" ", "-") for name in names] == list(MECHANISMS[axis])
    pairs = {pair.id: pair for pair in corpus.load_edition("open").pairs}
    shown = [pairs[id_] for id_ in re.findall(r"\{pair\} (\S+)", text)]
    assert {pair.axis for pair in shown} == {axis}
    assert {pair.marker for pair in shown} == {"overt", "implicit"}
    assert len({pair.mechanism for pair in shown}) == len(shown) >= 2


def test_no_page_shows_a_row_twice() -> None:
    shown = re.findall(r"\{pair\} (\S+)", "\n".join(TEXTS.values()))
    assert len(set(shown)) == len(shown) > len(AXES)


@pytest.mark.parametrize("script", list(complete_examples("book/elsewhere.md")))
def test_a_script_of_the_page_reads_a_release(script: str, tmp_path: Path) -> None:
    pytest.importorskip(script.removeprefix("with_").removesuffix(".py"))
    written("book/elsewhere.md", tmp_path)
    edition = corpus.load_edition("open")
    release.write_release(edition, tmp_path / "release")
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    if script == "with_pandas.py":
        assert re.findall(r"^(\w+) +(\d+)$", done.stdout, re.MULTILINE) == [
            (axis, str(sum(pair.axis == axis for pair in edition.evaluation))) for axis in sorted(AXES)
        ]
    else:
        first = edition.pairs[0] if script == "with_mlcroissant.py" else edition.evaluation[0]
        assert done.stdout.splitlines()[-1] == first.safe_claim
