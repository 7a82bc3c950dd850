"""Review an edition in Label Studio: candidates as tasks, the codebook as a labelling config, results as reviews.

A person is asked what the edition's own reviewers were asked, and sees what they saw: question, passage, both claims
and licensing passage, nothing of the draft. The config stands in ``data/labelstudio/config.xml``.
"""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import corpus, human, paths
from .corpus import Stages
from .schema import Candidate, InputError, Review, parse_record

SHOWN = ("id", "question", "passage", "safe_claim", "raised_claim", "licensing_passage")
SPANS = "annotation_evidence_spans"
CONFIG = paths.DATA / "labelstudio" / "config.xml"
_FORMAT = "expected Label Studio's export format JSON"


def tasks(candidates: Sequence[Candidate], *, salt: str = "label studio") -> list[dict[str, Any]]:
    """Candidates as tasks, in an order that a salted hash of their ids fixes, so that the first ones are a sample."""
    ordered = sorted(candidates, key=lambda row: corpus.stable_hash(row.id, salt))
    return [{"data": {field: getattr(row, field) for field in SHOWN}} for row in ordered]


def reviews(exported: Path | str, stages: Stages, *, reviewer: str) -> tuple[Review, ...]:
    """Read Label Studio's JSON export as reviews.

    Parameters
    ----------
    exported : Path or str
        The file of the export format "JSON". Skipped tasks and tasks without annotation give no review.
    stages : Stages
        The edition that the tasks came from.
    reviewer : str
        The name under which the reviews stand. With several annotators, the number that Label Studio gave each follows.

    Raises
    ------
    InputError
        For another format, a task whose passage is not that of the edition, an unanswered question, and where
        `human.check` finds a fault.
    """
    path = Path(exported)
    done = list(_annotations(path))
    annotators = {annotator for _, _, annotator, _ in done}
    passages = {row.id: row.passage for row in stages.candidates}
    found = []
    for number, data, annotator, result in done:
        if data["passage"] != passages.get(data["id"]):
            raise InputError(
                f"{path}, task {number}: passage: it is not that of candidate {data['id']!r}, "
                "expected a task made from this edition."
            )
        name = reviewer if len(annotators) == 1 else f"{reviewer}-{annotator}"
        fields = _answers(result, data["passage"], path, number) | {"id": data["id"], "reviewer": name}
        found.append(parse_record(fields, Review, path=path, line=number, unit="task"))
    human.check(found, stages, path)
    return tuple(found)


def _annotations(path: Path) -> Iterator[tuple[int, dict[str, str], str, list[dict[str, Any]]]]:
    """Yield task number, task data, annotator and result of every annotation that was submitted."""
    try:
        exported = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from None
    except ValueError as error:
        raise InputError(f"{path}: the file is not JSON ({error}), {_FORMAT}.") from None
    if not isinstance(exported, list):
        raise InputError(f"{path}: found a {type(exported).__name__}, {_FORMAT}, a list.")
    for number, task in enumerate(exported, 1):
        try:
            data = {field: str(task["data"][field]) for field in ("id", "passage")}
            for annotation in task["annotations"]:
                if not annotation.get("was_cancelled"):
                    by = annotation.get("completed_by")
                    annotator = by.get("id") if isinstance(by, dict) else by  # an address is no name for a release
                    yield number, data, str(annotator), list(annotation["result"])
        except (KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}, task {number}: 'data' with id and passage, or 'annotations' with their 'result', is missing, "
                f"{_FORMAT}."
            ) from None


def _answers(result: Sequence[dict[str, Any]], passage: str, path: Path, number: int) -> dict[str, Any]:
    """The fields of a review from the regions of one annotation."""
    fields: dict[str, Any] = {}
    spans = []
    for region in result:
        field, value = region.get("from_name"), region.get("value", {})
        if field == SPANS:
            spans.append(_span(value, passage, path, number))
        elif "choices" in value:
            answer = value["choices"][0]
            fields[str(field)] = int(answer) if field == "annotation_severity" and answer.isdigit() else answer
        elif "text" in value:
            fields[str(field)] = " ".join(value["text"]) if isinstance(value["text"], list) else value["text"]
    return fields | {SPANS: tuple(text for _, text in sorted(spans))}


def _span(value: dict[str, Any], passage: str, path: Path, number: int) -> tuple[int, str]:
    """Start and text of a marked span. The text rules: a browser counts its offsets in UTF-16 units."""
    start, text = int(value.get("start", 0)), str(value.get("text", "")).strip()
    if not text or text not in passage:
        raise InputError(f"{path}, task {number}: {SPANS}: {text[:60]!r} is not in the passage, expected a part of it.")
    return start, text


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
    back.add_argument("--out", type=Path, required=True, help="file of reviews to write, one a line")
    back.set_defaults(run=_import)


def _export(arguments: argparse.Namespace) -> int:
    chosen = tasks(corpus.load_stages(arguments.edition).candidates)[: arguments.limit]
    arguments.out.mkdir(parents=True, exist_ok=True)
    _write(arguments.out / "tasks.json", json.dumps(chosen, ensure_ascii=False, indent=1) + "\n")
    _write(arguments.out / "config.xml", CONFIG.read_text(encoding="utf-8"))
    print(f"{len(chosen)} tasks and config.xml in {arguments.out}")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    found = reviews(arguments.exported, corpus.load_stages(arguments.edition), reviewer=arguments.reviewer)
    _write(arguments.out, "".join(json.dumps(row.model_dump(), ensure_ascii=False) + "\n" for row in found))
    print(f"{len(found)} reviews by {len({row.reviewer for row in found})} reviewer(s) in {arguments.out}")
    return 0


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
