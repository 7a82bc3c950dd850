"""Reading an edition, and the way from its candidates to its evaluation set as code.

An edition is a folder with an ``edition.yml``. The open edition holds every stage as a file: candidates, reviews,
adjudications and the locality audit are written; ``pairs.jsonl`` is generated from them by `select`.
"""

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from . import paths
from .files import read_yaml, write_files
from .schema import (
    AXES,
    Adjudication,
    AuditVerdict,
    Axis,
    Candidate,
    EditionReview,
    InputError,
    Pair,
    Record,
    Review,
    Text,
    json_lines,
    parse_record,
    read_jsonl,
)

REVIEWERS = ("licence", "sceptic")


class Wave(BaseModel):
    """One growth of an edition: the last candidate that it could choose from, and what an axis holds after it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    through: Text
    cap_per_axis: int = Field(ge=1)
    evaluation_per_axis: int = Field(ge=1)
    salt: str = ""


class Selection(BaseModel):
    """The waves in which an edition grew, and the salt of the stable order (a wave may have its own).

    A later wave adds rows and moves none: what was evaluated stays evaluated, so recorded judgments keep their worth,
    and what word lists were tuned on never becomes an evaluation row.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    waves: tuple[Wave, ...] = Field(min_length=1)
    salt: str


class Manifest(BaseModel):
    """The content of an ``edition.yml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: Text
    version: Text
    title: str = ""
    licence: str = ""
    files: dict[Literal["candidates", "reviews", "adjudications", "locality_audit", "pairs"], Text]
    fields: dict[str, str] = {}
    defaults: dict[str, Any] = {}
    unknown_fields: Literal["error", "ignore"] = "error"
    selection: Selection | None = None


@dataclass(frozen=True)
class Edition:
    """An edition as read: its pairs and where they came from."""

    manifest: Manifest
    folder: Path
    pairs: tuple[Pair, ...]

    @property
    def name(self) -> str:
        return self.manifest.name

    @property
    def version(self) -> str:
        return self.manifest.version

    @property
    def evaluation(self) -> tuple[Pair, ...]:
        """The pairs that every table is computed on."""
        return tuple(pair for pair in self.pairs if pair.split == "evaluation")

    @property
    def development(self) -> tuple[Pair, ...]:
        """The retained pairs outside the evaluation set, on which word lists and thresholds may be tuned."""
        return tuple(pair for pair in self.pairs if pair.split == "development")

    @property
    def sha256(self) -> str:
        """Hash over all that a judge sees of the evaluation set, which is ids, questions, passages and claims."""
        seen = ("id", "question", "passage", "safe_claim", "raised_claim", "licensing_passage")
        rows = [{name: getattr(pair, name) for name in seen} for pair in self.evaluation]
        return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()

    def frame(self) -> pd.DataFrame:
        """All pairs as a frame with one row a pair and the columns of `Pair`."""
        return records_frame(self.pairs)


def load_edition(edition: str | Path = "open", *, wave: int = 0) -> Edition:
    """Read an edition by name (a folder in ``data/``) or by path.

    Parameters
    ----------
    edition : str or Path
        ``"open"``, or a folder that holds an ``edition.yml``.
    wave : int
        Only the rows of the first so many waves, 0 for all: the edition as it was before it grew.

    Raises
    ------
    InputError
        For a missing folder or file, an unknown key, a missing field, a duplicate id, a span outside its passage, a bad
        axis, a wave below 0.

    Examples
    --------
    >>> load_edition("open").name
    'open'
    """
    if wave < 0:
        raise InputError(f"wave: found {wave}, expected 0 for all waves, or how many of the first.")
    folder = edition_folder(edition)
    manifest = read_manifest(folder)
    pairs = read_pairs(folder / manifest.files["pairs"], manifest)
    pairs = [pair for pair in pairs if not wave or pair.wave <= wave]
    if not any(pair.split == "evaluation" for pair in pairs):
        raise InputError(
            f"{folder / manifest.files['pairs']}: no pair has the split 'evaluation', expected at least one."
        )
    return Edition(manifest, folder, tuple(pairs))


def edition_folder(edition: str | Path) -> Path:
    """The folder of an edition: a name stands for a folder in ``data/``, a path for itself.

    A relative path counts from the working folder, and where that has no such edition from the project's root, so that
    ``-p edition my_edition`` means the same under papermill's ``--cwd``.
    """
    path = Path(os.path.expanduser(edition))
    for folder in (path, paths.DATA / path, paths.ROOT / path):
        if os.path.isfile(folder / "edition.yml"):
            return folder
    raise InputError(f"{path}: the folder holds no edition.yml, expected an edition such as 'open' or a path to one.")


def read_manifest(folder: Path) -> Manifest:
    """Read and check ``edition.yml``."""
    path = folder / "edition.yml"
    manifest = read_yaml(path, Manifest, expected="the manifest of an edition")
    if "pairs" not in manifest.files:
        raise InputError(f"{path}: files: 'pairs' is missing, expected the name of the file of pairs.")
    if twice := _repeated(map(os.path.normpath, manifest.files.values())):
        raise InputError(f"{path}: files: found {twice!r} for two stages, expected a file for each.")
    if twice := _repeated(manifest.fields.values()):
        raise InputError(f"{path}: fields: found {twice!r} for two fields, expected a name for each.")
    unknown = (set(manifest.fields) | set(manifest.defaults)) - set(Pair.model_fields)
    if unknown:
        raise InputError(
            f"{path}: {min(unknown)!r} is no field of a pair, expected one of {', '.join(Pair.model_fields)}."
        )
    return manifest


def _repeated(names: Iterable[str]) -> str:
    return next((name for name, times in Counter(names).items() if times > 1), "")


def edition_files(folder: Path) -> list[Path]:
    """What an edition is read from, which no other file may be written over."""
    return [folder / name for name in ("edition.yml", *read_manifest(folder).files.values())]


def read_pairs(path: Path, manifest: Manifest) -> list[Pair]:
    """Read the file of pairs under the names and defaults that the manifest states."""
    pairs = []
    for line, value in json_lines(path):
        theirs = {name: manifest.fields.get(name, name) for name in Pair.model_fields}
        filled = {theirs[name]: default for name, default in manifest.defaults.items()} | value
        if manifest.unknown_fields == "ignore":
            filled = {key: item for key, item in filled.items() if key in theirs.values()}
        spans = theirs["evidence_spans"]
        if isinstance(filled.get(spans), str):
            filled[spans] = [filled[spans]]
        pairs.append(parse_record(filled, Pair, path=path, line=line, rename=manifest.fields))
    _unique(pairs, path, lambda pair: pair.id)
    return pairs


@dataclass(frozen=True)
class Stages:
    """The written stages of an edition, as read and checked against each other."""

    candidates: tuple[Candidate, ...]
    reviews: tuple[Review, ...]
    adjudications: tuple[Adjudication, ...]
    audit: tuple[AuditVerdict, ...]
    selection: Selection
    folder: Path = field(compare=False, default=paths.OPEN)


def load_stages(edition: str | Path = "open") -> Stages:
    """Read candidates, reviews, adjudications and locality audit, and check that they fit each other.

    Raises
    ------
    InputError
        Also where a candidate lacks one of its two reviews or its adjudication, or a stage names an unknown id.
    """
    folder = edition_folder(edition)
    manifest = read_manifest(folder)
    for stage in ("candidates", "reviews", "adjudications", "locality_audit"):
        if stage not in manifest.files:
            raise InputError(f"{folder / 'edition.yml'}: files: {stage!r} is missing, expected the name of that file.")
    if manifest.selection is None:
        raise InputError(f"{folder / 'edition.yml'}: 'selection' is missing, expected cap, quota and salt.")
    file: dict[str, Path] = {stage: folder / name for stage, name in manifest.files.items()}
    candidates = read_jsonl(file["candidates"], Candidate)
    reviews = read_jsonl(file["reviews"], EditionReview)
    adjudications = read_jsonl(file["adjudications"], Adjudication)
    audit = read_jsonl(file["locality_audit"], AuditVerdict)
    _unique(candidates, file["candidates"], lambda row: row.id)
    _unique(reviews, file["reviews"], lambda row: (row.id, row.reviewer))
    _unique(adjudications, file["adjudications"], lambda row: row.id)
    _unique(audit, file["locality_audit"], lambda row: row.id)
    ids = {row.id for row in candidates}
    named: dict[str, list[EditionReview] | list[Adjudication] | list[AuditVerdict]] = {
        "reviews": reviews,
        "adjudications": adjudications,
        "locality_audit": audit,
    }
    for stage, rows in named.items():
        for later in rows:
            if later.id not in ids:
                raise InputError(f"{file[stage]}: id: found {later.id!r}, expected the id of a candidate.")
    reviewed = {(row.id, row.reviewer) for row in reviews}
    settled = {row.id for row in adjudications}
    for row in candidates:
        for reviewer in REVIEWERS:
            if (row.id, reviewer) not in reviewed:
                raise InputError(f"{file['reviews']}: the {reviewer} review of {row.id} is missing.")
        if row.id not in settled:
            raise InputError(f"{file['adjudications']}: the adjudication of {row.id} is missing.")
    return Stages(tuple(candidates), tuple(reviews), tuple(adjudications), tuple(audit), manifest.selection, folder)


@dataclass(frozen=True)
class Flow:
    """What became of every candidate: the pairs of each step and the reasons of those that left."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Adjudication, ...]
    failed_control: dict[str, str]
    accepted: tuple[Pair, ...]
    capped: tuple[Pair, ...]
    before_audit: tuple[Pair, ...]
    removed: dict[str, str]
    retained: tuple[Pair, ...]

    @property
    def evaluation(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.retained if pair.split == "evaluation")

    @property
    def reworded(self) -> tuple[Pair, ...]:
        """Accepted pairs with a claim that differs from the draft which the reviewers read."""
        drafted = {row.id: (row.safe_claim, row.raised_claim) for row in self.candidates}
        return tuple(pair for pair in self.accepted if (pair.safe_claim, pair.raised_claim) != drafted[pair.id])


def select(stages: Stages) -> Flow:
    """Lead candidates to the evaluation set: quality control, cap, stratified choice, locality audit.

    Rows of one axis are ordered by taking turns over their sources, and by a salted SHA-256 of the id inside a source,
    so that a cap or a quota spreads over the sources and no seed or library version can change it.

    Raises
    ------
    InputError
        Where the locality audit lacks a verdict on a row of the evaluation set. It may hold verdicts on other rows
        too; a row that it removes is in neither split.
    """
    candidates = {row.id: row for row in stages.candidates}
    accepted, failed = [], {}
    passages: set[str] = set()
    for verdict in sorted(stages.adjudications, key=lambda row: row.id):
        if verdict.decision != "accept_force_gap":
            continue
        try:
            pair = _final_pair(candidates[verdict.id], verdict)
        except ValueError as error:
            failed[verdict.id] = str(error)
            continue
        if pair.passage in passages:
            failed[verdict.id] = "another accepted row has the same passage"
            continue
        passages.add(pair.passage)
        accepted.append(pair)
    kept = _in_waves(accepted, stages.selection)
    before_audit = [pair for pair in kept if pair.split == "evaluation"]
    verdicts = {row.id: row for row in stages.audit}
    for pair in before_audit:
        if pair.id not in verdicts:
            raise InputError(f"{stages.folder / 'locality_audit.jsonl'}: the verdict on {pair.id} is missing.")
    audited = [(pair, verdicts[pair.id]) for pair in kept if pair.id in verdicts]
    removed = {pair.id: verdict.reason for pair, verdict in audited if verdict.verdict == "remove"}
    kept_ids = {pair.id for pair in kept}
    return Flow(
        candidates=stages.candidates,
        rejected=tuple(row for row in stages.adjudications if row.decision == "reject_not_force_gap"),
        failed_control=failed,
        accepted=tuple(accepted),
        capped=tuple(pair for pair in accepted if pair.id not in kept_ids),
        before_audit=tuple(before_audit),
        removed=removed,
        retained=tuple(sorted((pair for pair in kept if pair.id not in removed), key=lambda pair: pair.id)),
    )


def _in_waves(accepted: Sequence[Pair], selection: Selection) -> list[Pair]:
    """The kept rows with split and wave: each wave fills the axes up to its cap and quota, in turns over sources."""
    kept: list[Pair] = []
    for number, wave in enumerate(selection.waves, 1):
        taken = {pair.id for pair in kept}
        for axis in AXES:
            mine = [pair for pair in kept if pair.axis == axis]
            room = max(0, wave.cap_per_axis - len(mine))
            quota = max(0, wave.evaluation_per_axis - sum(pair.split == "evaluation" for pair in mine))
            new = (pair for pair in accepted if pair.id <= wave.through and pair.id not in taken)
            pool = [pair for pair in new if pair.axis == axis]
            for place, pair in enumerate(in_turns(pool, wave.salt or selection.salt)[:room]):
                split = "evaluation" if place < quota else "development"
                kept.append(pair.model_copy(update={"split": split, "wave": number}))
    return kept


def _final_pair(candidate: Candidate, verdict: Adjudication) -> Pair:
    """The candidate with its adjudicated fields, after quality control (codebook, "Review")."""
    final = verdict.model_dump(exclude={"decision", "boundary_type", "reason"})
    drafted = candidate.model_dump(include={"source", "domain", "question", "passage"})
    if not verdict.licensing_passage.strip():
        raise ValueError("the licensing passage is missing")
    try:
        return Pair(**drafted, **final)
    except ValidationError as error:
        raise ValueError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


def in_turns(pairs: Iterable[Pair], salt: str) -> list[Pair]:
    """Order pairs so that any first part of the order is spread over the sources as evenly as they allow.

    Examples
    --------
    >>> from types import SimpleNamespace as Row
    >>> rows = [Row(id=i, source=s) for i, s in [("a", "news"), ("b", "news"), ("c", "statute")]]
    >>> sorted(row.source for row in in_turns(rows, salt="x")[:2])
    ['news', 'statute']
    """
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda pair: stable_hash(pair.id, salt)):
        groups[pair.source].append(pair)
    turns = [
        (turn, stable_hash(f"{source} {turn}", salt), pair)
        for source, rows in groups.items()
        for turn, pair in enumerate(rows)
    ]
    return [pair for *_, pair in sorted(turns, key=lambda item: item[:2])]


def stable_hash(text: str, salt: str) -> str:
    """Salted SHA-256 as hex, the order that breaks ties."""
    return hashlib.sha256(f"{salt} {text}".encode()).hexdigest()


def write_pairs(edition: str | Path = "open") -> Flow:
    """Generate ``pairs.jsonl`` of an edition from its written stages."""
    folder = edition_folder(edition)
    flow = select(load_stages(edition))
    target = folder / read_manifest(folder).files["pairs"]
    write_files({target: pairs_text(flow.retained)})
    return flow


def pairs_text(pairs: Sequence[Pair]) -> str:
    """The content of ``pairs.jsonl``: one pair a line in the order of their ids."""
    return "".join(json.dumps(pair.model_dump(), ensure_ascii=False) + "\n" for pair in pairs)


def flow_counts(flow: Flow) -> pd.DataFrame:
    """How many rows entered, left and remained at each step, by axis.

    Returns
    -------
    DataFrame
        One row a step, columns ``step``, the axes, ``total``. Rejected rows stand under the axis of their adjudication.
    """
    steps: list[tuple[str, list[Axis]]] = [
        ("Candidates entering double review", [row.axis for row in flow.candidates]),
        ("Rejected in adjudication", [row.axis for row in flow.rejected]),
        ("Accepted after adjudication and quality control", [row.axis for row in flow.accepted]),
        ("Surplus of an axis, capped", [row.axis for row in flow.capped]),
        ("Removed in the locality audit", [row.axis for row in flow.accepted if row.id in flow.removed]),
        ("Retained after the cap and the locality audit", [row.axis for row in flow.retained]),
        ("Evaluation set before the locality audit", [row.axis for row in flow.before_audit]),
        ("Evaluation set", [row.axis for row in flow.evaluation]),
    ]
    counts = [{"step": step, **{axis: axes.count(axis) for axis in AXES}, "total": len(axes)} for step, axes in steps]
    return pd.DataFrame(counts)


def records_frame(records: Sequence[Record]) -> pd.DataFrame:
    """Records of one kind as a frame, one row a record, columns as the fields."""
    return pd.DataFrame([record.model_dump() for record in records])


T = TypeVar("T")


def _unique(rows: Sequence[T], path: Path, key: Any) -> None:
    seen: dict[Any, int] = {}
    for number, row in enumerate(rows, 1):
        if key(row) in seen:
            raise InputError(
                f"{path}, row {number}: id: found {key(row)!r} again (as in row {seen[key(row)]}), expected each once."
            )
        seen[key(row)] = number
