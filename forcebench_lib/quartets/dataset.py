"""The folder of quartets: candidates, reviews and adjudications are written, ``quartets.jsonl`` follows from them."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, model_validator

from .. import paths
from ..files import read_yaml, write_files
from ..schema import InputError, Record, Text, parse_record, read_jsonl
from .records import VARIANTS, Action, Example, Quartet, Variant, example, examples

FOLDER = paths.DATA / "quartets"
RUNS = FOLDER / "runs"

Evidence = Literal["sufficient", "insufficient", "conflicting", "ambiguous"]
T = TypeVar("T")


class Manifest(Record):
    """The content of ``quartets.yml``."""

    name: Text
    version: Text
    title: str = ""
    licence: str = ""


class Review(Record):
    """What one reviewer wrote about one context, before anyone saw another review."""

    quartet: Text
    """the quartet"""
    variant: Variant
    """the context; the reviewer did not see its name"""
    reviewer: Text
    """who reviewed"""
    round: int = Field(1, ge=1)
    """1 as drafted, 2 as mended in adjudication; in each round two who had not seen the row before"""
    aliases: dict[str, str] = Field(default_factory=dict)
    """the letters under which the reviewer saw the documents, and their roles"""
    evidence_status: Evidence
    """what the documents amount to for the question"""
    expected_behaviour: Action
    """what a good system does"""
    answer_valid: Literal["yes", "no", "unclear"]
    """whether a document of the context gives the proposed answer"""
    citation_valid: Literal["yes", "no", "unclear", "not_applicable"]
    """whether the proposed document gives the proposed answer"""
    conflict_present: Literal["yes", "no", "unclear"]
    """whether two documents give different answers"""
    notes: str = ""
    """why, in a sentence"""


class Adjudication(Record):
    """The settled decision on one candidate, and the fields that it changes."""

    quartet: Text
    """the candidate"""
    decision: Literal["keep", "remove"]
    """keep, or remove"""
    final: dict[str, Any] = Field(default_factory=dict)
    """fields of the row that differ from the candidate"""
    reason: Text
    """why"""

    @model_validator(mode="after")
    def _known_fields(self) -> "Adjudication":
        if unknown := self.final.keys() - (Quartet.model_fields.keys() - {"id"}):
            raise ValueError(f"final: {min(unknown)!r} is no field of a quartet that may change")
        return self


@dataclass(frozen=True)
class QuartetSet:
    """The quartets as read."""

    manifest: Manifest
    quartets: tuple[Quartet, ...]

    @property
    def name(self) -> str:
        return self.manifest.name

    @property
    def version(self) -> str:
        return self.manifest.version

    @cached_property
    def examples(self) -> list[Example]:
        """All contexts, four a quartet."""
        return examples(self.quartets)

    @property
    def sha256(self) -> str:
        """Hash over all that a system sees: questions and documents of all contexts."""
        seen = [
            [one.quartet, one.variant, one.question, [[s.id, s.title, s.text] for s in one.documents]]
            for one in self.examples
        ]
        return hashlib.sha256(json.dumps(seen, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True)
class QuartetStages:
    """The written stages, as read and checked against each other."""

    candidates: tuple[Quartet, ...]
    reviews: tuple[Review, ...]
    adjudications: tuple[Adjudication, ...]


def load(folder: Path = FOLDER) -> QuartetSet:
    """Read the quartets of a folder.

    Raises
    ------
    InputError
        For a missing file, a broken row, an id that stands twice, or no row at all.
    """
    path = folder / "quartets.jsonl"
    quartets = _unique(read_jsonl(path, Quartet), path, "id")
    if not quartets:
        raise InputError(f"{path}: there is no quartet in it, expected at least one.")
    return QuartetSet(read_manifest(folder), quartets)


def read_manifest(folder: Path) -> Manifest:
    """Read and check ``quartets.yml``."""
    return read_yaml(folder / "quartets.yml", Manifest, expected="the name and version of the quartets")


def load_stages(folder: Path = FOLDER) -> QuartetStages:
    """Read candidates, reviews and adjudications, and check that they fit each other.

    Raises
    ------
    InputError
        Also where a stage names an unknown quartet, a context lacks one of its two reviews or has a third, a candidate
        lacks its adjudication, or a context that the adjudication mended was not reviewed again.
    """
    file: dict[str, Path] = {stage: folder / f"{stage}.jsonl" for stage in ("candidates", "reviews", "adjudications")}
    candidates = _unique(read_jsonl(file["candidates"], Quartet), file["candidates"], "id")
    reviews = read_jsonl(file["reviews"], Review)
    adjudications = _unique(read_jsonl(file["adjudications"], Adjudication), file["adjudications"], "quartet")
    named = {"reviews": {one.quartet for one in reviews}, "adjudications": {one.quartet for one in adjudications}}
    for stage, found in named.items():
        if unknown := found - {row.id for row in candidates}:
            raise InputError(f"{file[stage]}: quartet: found {min(unknown)!r}, expected the id of a candidate.")
    _unique([f"{row.quartet}, {row.variant}, {row.reviewer}" for row in reviews], file["reviews"], "")
    if missing := {row.id for row in candidates} - named["adjudications"]:
        raise InputError(f"{file['adjudications']}: the adjudication of {min(missing)} is missing.")
    stages = QuartetStages(candidates, tuple(reviews), adjudications)
    read = Counter((row.quartet, row.variant, row.round) for row in reviews)
    first = {(row.id, variant, 1) for row in candidates for variant in VARIANTS}
    again = {(quartet, variant, 2) for quartet, variant in mended(stages)}
    for place in sorted(first | again | read.keys()):
        if read[place] != 2:
            where = f"{place[0]}, {place[1]}, round {place[2]}"
            raise InputError(f"{file['reviews']}: {where}: found {read[place]} reviews, expected two.")
    return stages


def mended(stages: QuartetStages) -> set[tuple[str, Variant]]:
    """The contexts whose question, answer or passages the adjudication changed; for a conflict, also its titles."""
    candidates = {row.id: row for row in stages.candidates}
    return {
        (row.id, variant)
        for row in settled(stages)
        for variant in VARIANTS
        if _reviewed(row, variant) != _reviewed(candidates[row.id], variant)
    }


def _reviewed(row: Quartet, variant: Variant) -> list[Any]:
    """What the verdicts of a reviewer rest on."""
    documents = example(row, variant).documents
    titles = [one.title for one in documents] if variant == "conflicting" else []
    return [row.question, row.answer, titles, [one.text for one in documents]]


def settled(stages: QuartetStages) -> tuple[Quartet, ...]:
    """The kept quartets with their final fields, in the order of their ids.

    Raises
    ------
    InputError
        Where the changed fields do not make a quartet.
    """
    candidates = {row.id: row for row in stages.candidates}
    return tuple(
        parse_record(
            candidates[one.quartet].model_dump() | one.final,
            Quartet,
            path=Path("adjudications.jsonl"),
            line=number,
            unit="adjudication",
        )
        for number, one in sorted(enumerate(stages.adjudications, 1), key=lambda item: item[1].quartet)
        if one.decision == "keep"
    )


def text(quartets: Sequence[Quartet]) -> str:
    """The content of ``quartets.jsonl``: one quartet a line."""
    return "".join(json.dumps(row.model_dump(), ensure_ascii=False) + "\n" for row in quartets)


def build(folder: Path = FOLDER) -> tuple[Quartet, ...]:
    """Generate ``quartets.jsonl`` from the written stages, whole or not at all."""
    quartets = settled(load_stages(folder))
    write_files({folder / "quartets.jsonl": text(quartets)})
    return quartets


def _unique(rows: Sequence[T], path: Path, field: str) -> tuple[T, ...]:
    for name, count in Counter(getattr(row, field) if field else row for row in rows).items():
        if count > 1:
            raise InputError(f"{path}: found {name!r} {count} times, expected each once.")
    return tuple(rows)
