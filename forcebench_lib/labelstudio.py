"""Review an edition in Label Studio: candidates as tasks, the codebook as a labelling config, results as reviews.

A person is asked what the edition's own reviewers were asked, and sees what they saw: question, passage, both claims
and licensing passage, nothing of the draft. The config stands in ``data/labelstudio/config.xml``.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from . import corpus, human, paths
from .corpus import Stages
from .files import check_target, make_folder, read_json, read_text, write_files
from .schema import Candidate, InputError, Review, parse_record

SHOWN = ("id", "question", "passage", "safe_claim", "raised_claim", "licensing_passage")
SPANS, SEVERITY = "annotation_evidence_spans", "annotation_severity"
CONFIG = paths.DATA / "labelstudio" / "config.xml"
_FORMAT = "Label Studio's export format JSON"


class _Part(BaseModel):
    """Base of what is read of an export; it holds much else."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class _Value(_Part):
    choices: tuple[str, ...] | None = Field(default=None, min_length=1, max_length=1)
    text: Annotated[tuple[str, ...], BeforeValidator(lambda text: [text] if isinstance(text, str) else text)] = ()
    start: int = 0


class _Region(_Part):
    from_name: str
    value: _Value


class _Annotation(_Part):
    result: tuple[_Region, ...]
    was_cancelled: bool = False
    completed_by: Any = None


class _Data(_Part):
    id: str
    passage: str


class _Task(_Part):
    data: _Data
    annotations: tuple[_Annotation, ...]


def tasks(candidates: Sequence[Candidate], *, salt: str = "label studio") -> list[dict[str, Any]]:
    """Candidates as tasks, in an order that a salted hash of their ids fixes, so that the first ones are a sample."""
    ordered = sorted(candidates, key=lambda row: corpus.stable_hash(row.id, salt))
    return [{"data": {field: getattr(row, field) for field in SHOWN}} for row in ordered]


def reviews(
    exported: Path | str, stages: Stages, *, reviewer: str, names: Mapping[str, str] | None = None
) -> tuple[Review, ...]:
    """Read Label Studio's JSON export as reviews.

    Parameters
    ----------
    exported : Path or str
        The file of the export format "JSON". Skipped tasks and tasks without annotation give no review.
    stages : Stages
        The edition that the tasks came from.
    reviewer : str
        The name under which the reviews stand. With several annotators, the number that Label Studio gave each follows.
    names : mapping, optional
        From an annotator's number or address to the name under which that person's reviews stand.

    Raises
    ------
    InputError
        For another format, a task whose passage is not that of the edition, a question that is unanswered or answered
        twice, an annotator without number or name, and where `human.check` finds a fault.
    """
    path = Path(exported)
    done = list(_annotations(path, names or {}))
    annotators = {annotator for _, _, annotator, _ in done}
    passages = {row.id: row.passage for row in stages.candidates}
    found = []
    for number, data, annotator, result in done:
        if data.passage != passages.get(data.id):
            raise InputError(
                f"{path}, task {number}: passage: it is not that of candidate {data.id!r}, "
                "expected a task made from this edition."
            )
        name = reviewer if len(annotators) == 1 else f"{reviewer}-{annotator}"
        name = (names or {}).get(annotator, name)
        fields = _answers(result, data.passage, f"{path}, task {number}") | {"id": data.id, "reviewer": name}
        found.append(parse_record(fields, Review, path=path, line=number, unit="task"))
    human.check(found, stages, path)
    return tuple(found)


def _annotations(path: Path, names: Mapping[str, str]) -> Iterator[tuple[int, _Data, str, tuple[_Region, ...]]]:
    """Yield task number, task data, annotator and result of every annotation that was submitted."""
    tasks = read_json(path, expected=_FORMAT)
    if not isinstance(tasks, list):
        raise InputError(f"{path}: found a {type(tasks).__name__}, expected {_FORMAT}, a list.")
    for number, value in enumerate(tasks, 1):
        if not isinstance(value, dict):
            raise InputError(f"{path}, task {number}: found a {type(value).__name__}, expected {_FORMAT}.")
        task = parse_record(value, _Task, path=path, line=number, unit="task")
        for one in task.annotations:
            if not one.was_cancelled:
                yield number, task.data, _annotator(one.completed_by, names, f"{path}, task {number}"), one.result


def _annotator(by: Any, names: Mapping[str, str], where: str) -> str:
    """The number of an annotator, or an address that has a name: the address itself is nothing for a file."""
    known = [by.get("id"), by.get("email")] if isinstance(by, dict) else [by]
    for one in known:
        if str(one) in names or (isinstance(one, int) and not isinstance(one, bool)):
            return str(one)
    raise InputError(
        f"{where}: completed_by: found {str(by)[:80]!r}, expected the number of an annotator, or a name given for it."
    )


def _answers(result: Sequence[_Region], passage: str, where: str) -> dict[str, Any]:
    """The fields of a review from the regions of one annotation."""
    fields: dict[str, Any] = {}
    spans = []
    for region in result:
        field, value = region.from_name, region.value
        if field == SPANS:
            spans.append((value.start, _span(" ".join(value.text), passage, where)))
            continue
        if field in fields:
            raise InputError(f"{where}: {field}: found two answers in one annotation, expected one.")
        if value.choices:
            (answer,) = value.choices
            fields[field] = {"1": 1, "2": 2, "3": 3}.get(answer, answer) if field == SEVERITY else answer
        elif value.text:
            fields[field] = " ".join(value.text)
    return fields | {SPANS: tuple(text for _, text in sorted(spans))}


def _span(marked: str, passage: str, where: str) -> str:
    """A marked span. The text rules and not the offsets: a browser counts them in UTF-16 units."""
    text = marked.strip()
    if not text or text not in passage:
        raise InputError(f"{where}: {SPANS}: {text[:60]!r} is not in the passage, expected a part of it.")
    return text


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``labelstudio export`` and ``labelstudio import``."""
    parser = commands.add_parser("labelstudio", help="review candidates in Label Studio")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    export = actions.add_parser("export", help="write tasks.json and config.xml")
    export.add_argument("edition", nargs="?", default="open", help="name or folder of the edition")
    export.add_argument("--out", type=Path, required=True, help="folder for both files")
    export.add_argument("--limit", type=int, help="only so many candidates, a sample")
    export.set_defaults(run=_export)
    back = actions.add_parser("import", help="turn a JSON export into a file of reviews")
    back.add_argument("exported", type=Path, help="Label Studio's export, format JSON")
    back.add_argument("edition", nargs="?", default="open", help="name or folder of the edition")
    back.add_argument("--reviewer", required=True, help="name that stands in the reviews")
    back.add_argument("--name", action="append", default=[], metavar="WHO=NAME", help="NAME for an annotator's number")
    back.add_argument("--out", type=Path, required=True, help="file of reviews to write, one a line")
    back.set_defaults(run=_import)


def _export(arguments: argparse.Namespace) -> int:
    if arguments.limit is not None and arguments.limit < 1:
        raise InputError(f"--limit: found {arguments.limit}, expected at least 1.")
    stages, out = corpus.load_stages(arguments.edition), make_folder(arguments.out)
    chosen = tasks(stages.candidates)[: arguments.limit]
    files: dict[Path, str | bytes] = {
        out / "tasks.json": json.dumps(chosen, ensure_ascii=False, indent=1) + "\n",
        out / "config.xml": read_text(CONFIG),
    }
    for path in files:
        check_target(path, reads=[*corpus.edition_files(stages.folder), CONFIG])
    write_files(files)
    print(f"{len(chosen)} tasks and config.xml in {out}")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    stages = corpus.load_stages(arguments.edition)
    check_target(arguments.out, reads=[arguments.exported, *corpus.edition_files(stages.folder)])
    names = _names(arguments.name)
    found = reviews(arguments.exported, stages, reviewer=arguments.reviewer, names=names)
    write_files({arguments.out: "".join(json.dumps(row.model_dump(), ensure_ascii=False) + "\n" for row in found)})
    print(f"{len(found)} reviews by {len({row.reviewer for row in found})} reviewer(s) in {arguments.out}")
    return 0


def _names(given: Sequence[str]) -> dict[str, str]:
    names = {who.strip(): name.strip() for who, _, name in (one.partition("=") for one in given)}
    if len(names) < len(given) or len(set(names.values())) < len(given) or not all([*names, *names.values()]):
        raise InputError(f"--name: found {', '.join(given)}, expected WHO=NAME, another name for each annotator.")
    return names
