"""From the log of another tool to recorded runs, which every table reads like our own."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from .. import paths
from ..corpus import Edition
from ..files import make_folder, write_files
from ..judging import Judgment, Prompt, Run, Task, load_prompt, plan, prompt_names
from ..judging import manifest as manifests
from ..judging.plan import Item
from ..judging.redaction import Redactor, keylike, plain_url, refuse_credentials
from ..judging.reply import MAX_CHARS, Reading
from ..judging.reply import read as read_reply
from ..judging.store import FILE
from ..schema import InputError, problem
from . import inspect_ai, lm_eval, promptfoo
from .folder import question_id
from .log import Answer, Log

READERS: dict[str, Callable[[Path], list[Log]]] = {
    "inspect": inspect_ai.read,
    "lm-eval": lm_eval.read,
    "promptfoo": promptfoo.read,
}


def import_log(
    name: str,
    path: Path,
    edition: Edition,
    *,
    prompt: str | Path = "",
    evaluator: str = "",
    runs: Path = paths.RUNS,
) -> list[Run]:
    """Record the runs that a log holds, one for each model in it.

    Replies are kept as they came and read by the rule of the book, whatever the tool made of them. Parameters are those
    that the log states.

    Parameters
    ----------
    name : {"inspect", "lm-eval", "promptfoo"}
        Whose log it is.
    path : Path
        The log.
    edition : Edition
        The edition that was exported.
    prompt : str or Path
        The prompt that was exported, by id or path; by default the one of ``prompts/`` whose messages the log holds.
    evaluator : str
        The name in tables; by default the label or the last part of the model, with the tool behind it.
    runs : Path
        The folder of all runs.

    Raises
    ------
    InputError
        For a file that is no such log, messages that are not those of edition and prompt, a name that holds a key, or a
        run recorded before. Nothing is written then.
    """
    logs = [log for log in read_log(name, path) if log.answers]
    if not logs:
        raise InputError(f"{path}: found no reply in it, expected at least one.")
    try:
        drafts = [_draft(log, path, edition, prompt, evaluator, runs) for log in logs]
    except ValidationError as error:
        raise InputError(f"{path}: {problem(error)}") from None
    if len({task.folder for task, _, _ in drafts}) < len(drafts):
        raise InputError(f"{path}: found providers that differ in their labels alone, expected one run of each model.")
    for task, _, _ in drafts:
        if (task.folder / manifests.FILE).is_file():
            raise InputError(f"{path}: its run is recorded already, in {task.folder}.")
    for task, manifest, judgments in drafts:
        lines = (one.model_dump_json(exclude_defaults=True, ensure_ascii=True) + "\n" for one in judgments)
        write_files({make_folder(task.folder) / FILE: "".join(lines)})
        manifests.write(manifest, task.folder)
    return [Run(task.folder, manifest) for task, manifest, _ in drafts]


def read_log(name: str, path: Path) -> list[Log]:
    """Read a log of the tool `name`; a file that is not one is an `InputError`."""
    try:
        return READERS[name](path)
    except InputError:
        raise
    except ValidationError as error:
        raise InputError(f"{path}: {problem(error)}") from None
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError, OSError) as error:
        detail = f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{path}: the file is no log of {name} that can be read ({detail}).") from None


def _draft(
    log: Log, path: Path, edition: Edition, prompt: str | Path, evaluator: str, runs: Path
) -> tuple[Task, manifests.Manifest, list[Judgment]]:
    """Check a log and make the run of it; nothing is written."""
    refuse_credentials(log.parameters)
    evaluator = evaluator or f"{log.label or log.model.rpartition('/')[2]} ({log.tool.split()[0]})"
    for field, text in (("model", log.model), ("evaluator", evaluator)):
        if keylike(text) or re.search(r"://\S*[@?#]", text):
            raise InputError(
                f"{path}: {field}: found a key, or an address with a user, a password or a query, but it is recorded "
                "in the run; expected a bare name."
            )
    found = load_prompt(prompt) if prompt else _prompt(log.answers[0], path, edition)
    items = list(_items(log, path, edition, found))
    asked = {item.pair.id for item in items}
    task = Task(
        edition=edition,
        pairs=tuple(pair for pair in edition.evaluation if pair.id in asked),
        prompt=found,
        model=log.model,
        evaluator=evaluator,
        passages=tuple(one for one in ("cited", "licensing") if any(item.passage == one for item in items)),
        scoring="labels",
        repeats=1 + max(item.repeat for item in items),
        requested=log.parameters,
        api_base=plain_url(log.api_base) if log.api_base else None,
        model_file="",
        runs=runs,
    )
    redactor = Redactor()
    judgments = [_judgment(task, item, answer, redactor) for item, answer in zip(items, log.answers, strict=True)]
    return task, _manifest(task, log, judgments, redactor), judgments


def _prompt(answer: Answer, path: Path, edition: Edition) -> Prompt:
    """The prompt under which the first question has these messages."""
    for prompt in map(load_prompt, prompt_names()):
        item = _questions(edition, prompt).get(answer.question)
        if item and item.messages == answer.messages:
            return prompt
    raise InputError(
        f"{path}: {answer.question}: its messages are not those of any prompt on the {edition.name} edition, "
        "expected the log of an unchanged export (name another edition, wave or prompt if it was exported from one)."
    )


def _items(log: Log, path: Path, edition: Edition, prompt: Prompt) -> Iterator[Item]:
    """The question of each answer; the same question again is its next repeat."""
    known, seen = _questions(edition, prompt), Counter[str]()
    for answer in log.answers:
        item = known.get(answer.question)
        if item is None:
            raise InputError(
                f"{path}: {answer.question}: the {edition.name} edition has no such question, "
                "expected the ids of an export."
            )
        if item.messages != answer.messages:
            raise InputError(
                f"{path}: {answer.question}: its messages are not those of the prompt {prompt.id} on the "
                f"{edition.name} edition, expected the log of an unchanged export."
            )
        yield replace(item, repeat=seen[answer.question])
        seen[answer.question] += 1


def _questions(edition: Edition, prompt: Prompt) -> dict[str, Item]:
    items = plan.items(edition.evaluation, prompt, passages=("cited", "licensing"))
    return {question_id(item): item for item in items}


def _judgment(task: Task, item: Item, answer: Answer, redactor: Redactor) -> Judgment:
    reply, finish_reason = redactor.exact(answer.reply), redactor.message(answer.finish_reason)
    reading = read_reply(reply, labels=task.prompt.labels, finish_reason=finish_reason)
    if answer.error:
        reading = Reading("api_error")
    return Judgment(
        **item.place,
        key=task.key(item, task.requested),
        status=reading.status,
        label=reading.label,
        reply=reply[: MAX_CHARS + 1],
        reply_chars=len(reply),
        finish_reason=finish_reason,
        usage=dict(answer.usage),
        cost_usd=answer.cost_usd,
        latency_s=answer.latency_s,
        model=redactor.message(answer.model),
        error=redactor.message(answer.error),
        at=redactor.message(answer.at),
    )


def _manifest(task: Task, log: Log, judgments: Iterable[Judgment], redactor: Redactor) -> manifests.Manifest:
    """The manifest of an imported run; that the log lacks questions stands where a session says why it stopped."""
    listed = list(judgments)
    session = manifests.Session(
        started=redactor.message(log.started),
        ended=redactor.message(log.ended),
        asked=len(listed),
        concurrency=log.concurrency,
        stopped=lacking(task, listed),
    )
    return task.manifest(task.requested, {}).model_copy(
        update={
            "imported": redactor.message(log.tool),
            "python": "unknown",
            "packages": {redactor.message(name): redactor.message(of) for name, of in log.packages.items()},
            "sessions": (session,),
            "totals": manifests.totals(listed),
        }
    )


def lacking(task: Task, judgments: Iterable[Judgment]) -> str:
    """What of the edition has no reply, as words; empty if nothing is missing."""
    whole = plan.items(task.edition.evaluation, task.prompt, passages=task.passages, repeats=task.repeats)
    missing = len(whole) - sum(one.answered for one in judgments)
    return f"{missing} of {len(whole)} questions have no reply in the log" if missing else ""
