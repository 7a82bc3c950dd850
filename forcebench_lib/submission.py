"""What is checked of a recorded run that is sent in: ``python -m forcebench_lib runs check FOLDER``."""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import paths
from .corpus import Edition
from .judging import Judgment, Run, load_prompt, prompt_names, read_run
from .judging import manifest as manifests
from .judging.prompt import Prompt
from .judging.redaction import plain_url, refuse_credentials
from .judging.scoring import reread
from .judging.store import FILE, read_judgments
from .judging.task import Task
from .markup import visible
from .panel import waves
from .schema import InputError

# Only what no reply holds by chance: a reply may well say "basic research" or name an address
_CREDENTIAL = re.compile(
    r"\b(?:sk|pk|gsk|hf|xai|nvapi|r8|gh[opsu]|github_pat|xox[abprs])[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}"
    r"|\bAIza[A-Za-z0-9_-]{30,}|\bA[KS]IA[A-Z0-9]{16}\b|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    r"|\bBearer [A-Za-z0-9._~+/-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^/\s:@\"]+:[^/\s@\"]+@"
)


def faults(folder: Path) -> list[str]:
    """Everything that keeps a recorded run from standing beside others, one sentence each.

    Parameters
    ----------
    folder : Path
        The folder of a run.

    Raises
    ------
    InputError
        Where there is no such folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder, expected that of a recorded run.")
    try:
        run = read_run(folder)
        recorded = list(read_judgments(run.folder / FILE))
    except InputError as error:
        return [str(error)]
    found = [*_files(run), *_credentials(run), *_unseen(run), *_totals(run, recorded)]
    prompt, edition = _known_prompt(run), _known_edition(run)
    if prompt is None:
        found.append(
            f"{_where(run)}: prompt.sha256: no file in prompts/ has this text, expected one of "
            f"{', '.join(prompt_names())}."
        )
    if edition is None:
        found.append(
            f"{_where(run)}: edition.sha256: no wave of the {run.manifest.edition.name!r} edition has this text, "
            "expected a run on the edition as it is now."
        )
    if prompt and edition:
        task = _task(run, prompt, edition)
        found += [*_identity(run, task), *_questions(run, recorded, task)]
    return [*found, *_readings(run)]


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``runs check``."""
    parser = subparsers.add_parser("runs", help="check recorded runs before they are sent in")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    check = actions.add_parser("check", help="say in sentences what is wrong with a run; exit code 1 if anything is")
    check.add_argument("folders", nargs="*", type=Path, help="folders of runs (default: all in data/runs)")
    check.set_defaults(run=_check)


def _check(arguments: argparse.Namespace) -> int:
    folders = arguments.folders or manifests.folders(paths.RUNS)
    wrong = 0
    for folder in folders:
        said = faults(folder)
        wrong += bool(said)
        print("\n".join(said) if said else f"{folder.name}: nothing is wrong with it.")
    return 1 if wrong else 0


def _where(run: Run, file: str = manifests.FILE) -> Path:
    return run.folder / file


def _files(run: Run) -> Iterator[str]:
    for path in sorted(run.folder.iterdir()):
        if path.name not in (manifests.FILE, FILE):
            yield f"{path}: a foreign file, expected {manifests.FILE} and {FILE} alone."
        elif path.is_symlink() or not path.is_file():
            yield f"{path}: found a link or a folder, expected a file."
    if not _where(run, FILE).is_file():
        yield f"{_where(run, FILE)}: there is no such file, expected one judgment a line."


def _credentials(run: Run) -> Iterator[str]:
    """Places that look like a key or a password; what was found is not repeated."""
    for path in (_where(run), _where(run, FILE)):
        if path.is_file():
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if _CREDENTIAL.search(line):
                    yield f"{path}, line {number}: something in it is shaped like a credential."
    try:
        refuse_credentials(run.manifest.requested, "requested")
        refuse_credentials(run.manifest.effective, "effective")
        if run.manifest.api_base:
            plain_url(run.manifest.api_base)
    except InputError as error:
        yield f"{_where(run)}: {error}"


def _unseen(run: Run) -> Iterator[str]:
    """Characters that are not seen, or that turn the text around them, in what the tables of the book show."""
    text = json.dumps(run.manifest.model_dump(), ensure_ascii=False)
    if visible(text) != text or "\\u00" in text:  # JSON writes control characters so
        yield f"{_where(run)}: it holds control characters or marks that turn text around, expected none."
    if not run.manifest.evaluator.isprintable():  # soft hyphens and joiners too, with which two names look the same
        yield f"{_where(run)}: evaluator: it holds characters that are not seen, expected none."


def _totals(run: Run, recorded: list[Judgment]) -> Iterator[str]:
    stated, counted = run.manifest.totals, manifests.totals(recorded)
    if stated is None:
        yield f"{_where(run)}: totals: found none, expected those that a finished session writes; start the run again."
    elif stated != counted:
        name = next(name for name in type(stated).model_fields if getattr(stated, name) != getattr(counted, name))
        yield (
            f"{_where(run)}: totals.{name}: found {getattr(stated, name)}, but the judgments add up to "
            f"{getattr(counted, name)}."
        )


def _known_prompt(run: Run) -> Prompt | None:
    known = (load_prompt(name) for name in prompt_names())
    return next((prompt for prompt in known if prompt.sha256 == run.manifest.prompt.sha256), None)


def _known_edition(run: Run) -> Edition | None:
    try:
        known = waves(run.manifest.edition.name)
    except InputError:
        return None
    return next((edition for edition in known if edition.sha256 == run.manifest.edition.sha256), None)


def _task(run: Run, prompt: Prompt, edition: Edition) -> Task:
    """The task that such a run follows from."""
    one, asked = run.manifest, set(run.manifest.pairs)
    return Task(
        edition=edition,
        pairs=tuple(pair for pair in edition.evaluation if pair.id in asked),
        prompt=prompt,
        model=one.model,
        evaluator=one.evaluator,
        passages=one.passages,
        scoring=one.scoring,
        repeats=one.repeats,
        requested=one.requested,
        api_base=one.api_base,
        model_file=one.model_file,
        runs=run.folder.parent,
    )


def _identity(run: Run, task: Task) -> Iterator[str]:
    """The name follows from what was asked of whom, and the manifest repeats prompt and pairs as they are."""
    one = run.manifest
    if one.run != task.run_id:
        yield f"{_where(run)}: run: found {one.run!r}, but model, prompt, edition and parameters give {task.run_id!r}."
    if run.folder.resolve().name != one.run:
        yield f"{run.folder}: the folder is not named like its run, expected {one.run!r}."
    if one.prompt != task.prompt_note:
        yield f"{_where(run)}: prompt: its id, version, title or labels are not those of prompts/{task.prompt.id}.md."
    wanted = tuple(pair.id for pair in task.edition.evaluation)
    if one.pairs != wanted:
        shared = len(set(one.pairs) & set(wanted))
        yield f"{_where(run)}: pairs: found {shared} of the edition's {len(wanted)}, expected each once and in order."
    if "cited" not in one.passages:
        yield f"{_where(run)}: passages: found {', '.join(one.passages)}, expected the cited ones among them."
    if one.effective != _in_force(one):
        yield f"{_where(run)}: effective: it is not what was requested without what was dropped."


def _in_force(one: manifests.Manifest) -> dict[str, Any]:
    """The parameters that follow from those requested and those dropped."""
    kept = {name: value for name, value in one.requested.items() if name not in one.dropped}
    if "max_tokens" in one.dropped and "max_completion_tokens" in one.effective:  # the client gives it the newer name
        kept["max_completion_tokens"] = one.requested.get("max_tokens")
    return kept


def _questions(run: Run, recorded: list[Judgment], task: Task) -> Iterator[str]:
    """Each question has one reply, under the key that its messages and parameters give."""
    path = _where(run, FILE)
    wanted = {
        task.key(item, run.manifest.effective): (item.pair.id, item.passage, item.claim, item.repeat, item.options)
        for item in task.items
    }
    answered = set[str]()
    for number, one in enumerate(recorded, 1):
        place = (one.pair_id, one.passage, one.claim, one.repeat, one.options)
        if wanted.get(one.key) != place:
            yield f"{path}, line {number}: key: it does not follow from the question, the model and the parameters."
        elif one.key in answered:
            yield f"{path}, line {number}: the question is asked again after its answer, expected each answered once."
        if one.answered:
            answered.add(one.key)
    if missing := len(wanted.keys() - answered):
        yield f"{path}: {missing} of {len(wanted)} questions have no reply; the same judge command asks them."


def _readings(run: Run) -> Iterator[str]:
    """Status and label follow from the reply."""
    if other := reread(run):
        yield (
            f"{_where(run, FILE)}: {len(other)} replies are read otherwise today, the first under the key {other[0]}; "
            "expected the status and the label that the reply gives."
        )
