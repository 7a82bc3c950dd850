"""The records of an edition, as written in the codebook, and the one error for input that is not what it should be."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

Axis = Literal["relation", "modality", "scope", "temporal", "numeric"]
Severity = Literal[1, 2, 3]
Marker = Literal["overt", "implicit"]
Split = Literal["evaluation", "development"]
Decision = Literal["accept_force_gap", "reject_not_force_gap", "needs_discussion"]
Reviewer = Literal["licence", "sceptic"]
Source = Literal[
    "clinical-abstract",
    "public-health-bulletin",
    "statute-or-policy",
    "financial-report",
    "product-documentation",
    "reference-article",
    "news-report",
    "engineering-report",
]
BoundaryType = Literal[
    "unsupported_safe",
    "supported_raised",
    "underclaimed",
    "nonlocal",
    "reversed_relation",
    "contradicted_core",
    "unsupported_addition",
    "ambiguous",
    "no_decisive_span",
]
Intent = Literal["force_gap"] | BoundaryType

AXES: tuple[Axis, ...] = ("relation", "modality", "scope", "temporal", "numeric")
SOURCES: tuple[str, ...] = Source.__args__  # type: ignore[attr-defined]  # typing offers no public way to list a Literal
BOUNDARY_TYPES: tuple[str, ...] = BoundaryType.__args__  # type: ignore[attr-defined]  # as above

MECHANISMS: dict[str, tuple[str, ...]] = {
    "relation": (
        "association-to-cause",
        "risk-to-harm",
        "co-occurrence-to-mechanism",
        "permission-to-duty",
        "recommendation-to-requirement",
        "mention-to-endorsement",
        "consistent-with-to-proof",
        "no-difference-to-equivalence",
        "mediator-to-sole-cause",
    ),
    "modality": (
        "hedge-dropped",
        "condition-dropped",
        "preliminary-to-settled",
        "opinion-to-fact",
        "plan-to-commitment",
        "capability-to-behaviour",
        "default-to-always",
        "trend-to-outcome",
    ),
    "scope": (
        "population",
        "jurisdiction",
        "version-or-model",
        "setting",
        "subgroup-of-results",
        "sample-to-all",
        "component-to-system",
        "exception-dropped",
    ),
    "temporal": (
        "as-of-to-current",
        "forecast-to-fact",
        "pilot-period-to-lasting",
        "planned-to-done",
        "superseded-as-current",
        "first-seen-to-always",
        "interim-to-final",
    ),
    "numeric": (
        "range-to-endpoint",
        "range-to-midpoint",
        "bound-to-value",
        "approximate-to-exact",
        "relative-to-absolute",
        "mean-to-every",
        "interval-dropped",
        "up-to-as-typical",
    ),
}


class InputError(ValueError):
    """Input that is not what it should be. Its text is one sentence: where, which field, found, expected."""


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


def _counted(level: Any) -> Any:
    if isinstance(level, bool | float):  # a Literal takes what is equal, and True is equal to 1
        raise ValueError("expected 1, 2 or 3")
    return level


Text = Annotated[str, AfterValidator(_not_blank)]
Level = Annotated[Severity, BeforeValidator(_counted)]


class Record(BaseModel):
    """One line of a data file. Frozen; unknown fields are an error.

    The text below a field says what it holds, for readers of this file and for the metadata of a release.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False, use_attribute_docstrings=True)


class _Claims(Record):
    """The fields that a candidate and a pair share."""

    id: Text
    """stable name of the candidate, never used again"""
    source: Text
    """the genre that the passage imitates"""
    domain: Text
    """a topic word"""
    question: Text
    """what a user asked"""
    passage: Text
    """the cited passage"""
    evidence_spans: tuple[Text, ...] = Field(min_length=1)
    """one or two exact pieces of the passage that set the limit"""
    safe_claim: Text
    """the evidence-calibrated claim: the strongest wording that the passage warrants"""
    raised_claim: Text
    """the force-raised claim: the same statement, stronger on one axis"""
    repair: Text
    """the raised claim mended with the least change"""
    rationale: Text
    """why the passage stops short of the raised claim"""
    axis: Axis
    """in which way the raised claim is stronger"""
    severity: Level
    """1 subtle, 2 clear, 3 turns a decision or does harm"""
    mechanism: str = ""
    """how the force was raised"""
    marker: Marker | Literal[""] = ""
    """overt: one word, number or date sets the limit; implicit: two statements must be put together"""
    licensing_passage: str = ""
    """the passage with its limiter edited, so that it warrants the raised claim"""

    @model_validator(mode="after")
    def _consistent(self) -> "_Claims":
        for span in self.evidence_spans:
            if span not in self.passage:
                raise ValueError(
                    f"evidence_spans: {span[:60]!r} is not in the passage, expected an exact substring of it"
                )
        if self.safe_claim == self.raised_claim:
            raise ValueError("raised_claim: it equals safe_claim, expected a stronger wording")
        if self.licensing_passage == self.passage:
            raise ValueError("licensing_passage: it equals the passage, expected one with its limiter edited")
        if self.mechanism and self.mechanism not in MECHANISMS[self.axis]:
            raise ValueError(
                f"mechanism: {self.mechanism!r} is no mechanism of {self.axis}, "
                f"expected one of {', '.join(MECHANISMS[self.axis])}"
            )
        return self


class Candidate(_Claims):
    """A drafted row that entered double review, with what its drafter meant it to be."""

    source: Source
    """the genre that the passage imitates"""
    mechanism: str
    """how the force was raised"""
    marker: Marker
    """overt: one word, number or date sets the limit; implicit: two statements must be put together"""
    intent: Intent
    """what the drafter meant: force_gap, or the fault that was built in"""


class Pair(_Claims):
    """A contrastive pair with its final fields: one cited passage, an evidence-calibrated and a force-raised claim."""

    split: Split = "evaluation"
    """evaluation, or development for tuning"""
    wave: int = Field(default=1, ge=1, strict=True)
    """the growth of the edition in which the pair came in"""


class Review(Record):
    """What one reviewer wrote about one candidate, before anyone saw another review."""

    id: Text
    """the candidate"""
    reviewer: Text
    """who reviewed"""
    annotation_decision: Decision
    """whether the row is a force gap"""
    annotation_evidence_spans: tuple[str, ...] = ()
    """the shortest span, or the two spans, that set the limit"""
    annotation_safe_claim: Literal["yes", "no"]
    """whether the calibrated claim is directly warranted by the passage"""
    annotation_raised_claim: Literal["same", "different"]
    """whether the raised claim keeps entity, event, source and context"""
    annotation_repair: str = ""
    """the raised claim mended by the reviewer"""
    annotation_axis: Axis | None = None
    """the axis on which the raised claim goes beyond the passage"""
    annotation_severity: Level | None = None
    """1 subtle, 2 clear, 3 turns a decision or does harm"""
    annotation_boundary_type: BoundaryType | None = None
    """the fault of a row that is no force gap"""
    annotation_licensing_ok: Literal["yes", "no"] | None = None
    """whether the licensing passage warrants the raised claim in full"""
    annotation_notes: str = ""
    """why, in a sentence"""

    @model_validator(mode="after")
    def _complete(self) -> "Review":
        if self.annotation_decision == "accept_force_gap":
            for field in ("annotation_axis", "annotation_severity", "annotation_licensing_ok"):
                if getattr(self, field) is None:
                    raise ValueError(f"{field}: it is empty, expected a value where the decision is accept_force_gap")
        elif self.annotation_decision == "reject_not_force_gap" and self.annotation_boundary_type is None:
            raise ValueError(
                "annotation_boundary_type: it is empty, expected a type where the decision is reject_not_force_gap"
            )
        return self


class EditionReview(Review):
    """A review by one of the two readers that every candidate of an edition has."""

    reviewer: Reviewer
    """the reader: from the licence (what may be said?) or as a sceptic (what would I have to defend?)"""


class Adjudication(Record):
    """The settled decision on one candidate and its final fields."""

    id: Text
    """the candidate"""
    decision: Literal["accept_force_gap", "reject_not_force_gap"]
    """the settled decision"""
    boundary_type: BoundaryType | None = None
    """the fault of a rejected row"""
    axis: Axis
    """in which way the raised claim is stronger"""
    severity: Level
    """1 subtle, 2 clear, 3 turns a decision or does harm"""
    mechanism: str
    """how the force was raised"""
    marker: Marker
    """overt: one word, number or date sets the limit; implicit: two statements must be put together"""
    evidence_spans: tuple[Text, ...] = Field(min_length=1)
    """one or two exact pieces of the passage that set the limit"""
    safe_claim: Text
    """the evidence-calibrated claim: the strongest wording that the passage warrants"""
    raised_claim: Text
    """the force-raised claim: the same statement, stronger on one axis"""
    repair: Text
    """the raised claim mended with the least change"""
    rationale: Text
    """why the passage stops short of the raised claim"""
    licensing_passage: str = ""
    """the passage with its limiter edited, so that it warrants the raised claim"""
    reason: Text
    """why the adjudicator settled it so"""

    @model_validator(mode="after")
    def _complete(self) -> "Adjudication":
        if self.decision == "reject_not_force_gap" and self.boundary_type is None:
            raise ValueError("boundary_type: it is empty, expected a type where the decision is reject_not_force_gap")
        if self.decision == "accept_force_gap" and self.boundary_type is not None:
            raise ValueError("boundary_type: expected none where the decision is accept_force_gap")
        return self


class AuditVerdict(Record):
    """A fresh reader's verdict on whether a pair differs in force alone."""

    id: Text
    """the pair"""
    verdict: Literal["keep", "remove"]
    """keep, or remove from the edition"""
    reason: Text
    """what differs between the claims"""


R = TypeVar("R", bound=BaseModel)


def read_jsonl(path: Path, record: type[R], rename: dict[str, str] | None = None) -> list[R]:
    """Read a file of one JSON object a line into records.

    Parameters
    ----------
    path : Path
        The file.
    record : type
        The pydantic model of a line.
    rename : dict, optional
        From the record's field name to the name that the file uses, as ``edition.yml`` states it.

    Raises
    ------
    InputError
        For a missing file, a broken line, a missing or unknown field or a bad value: file, line, field, found,
        expected.
    """
    return [parse_record(value, record, path=path, line=line, rename=rename) for line, value in json_lines(path)]


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield ``(line number, object)`` for each line of a JSONL file that is not blank; ``.gz`` is read as it is."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _json_object(line, f"{path}, line {number}")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file, expected one JSON object a line.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the file is not UTF-8 ({error}).") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: the file is not a whole gzip file ({error}).") from None
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror or error}).") from None


def _json_object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a character would fail only when it is written
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: the line is not JSON ({error}), expected one object.") from None
    if not isinstance(value, dict):
        raise InputError(f"{where}: found a {type(value).__name__}, expected one JSON object.")
    return value


def parse_record(
    value: dict[str, Any],
    record: type[R],
    *,
    path: Path,
    line: int,
    rename: dict[str, str] | None = None,
    unit: str = "line",
) -> R:
    """Turn one parsed JSON object into a record; see `read_jsonl` for errors. ``unit`` is what `line` counts."""
    names = rename or {}
    renamed = {theirs: ours for ours, theirs in names.items()}
    shadowed = {ours for ours in names if names[ours] != ours}
    fields = {renamed.get(key, key): item for key, item in value.items() if key not in shadowed or key in renamed}
    try:
        return record.model_validate(fields)
    except ValidationError as error:
        raise InputError(f"{path}, {unit} {line}: {problem(error, names)}") from None


def problem(error: ValidationError, names: dict[str, str] | None = None) -> str:
    """The first problem of a validation error as one sentence: field, found, expected.

    ``names`` leads from a field of the record to the name that the file uses.
    """
    first = error.errors()[0]
    *steps, last = map(str, first["loc"] or ("",))
    place = [part for part in steps if "[" not in part]  # brackets mark pydantic's own steps
    place += [last] if last and ("[" not in last or first["type"] == "extra_forbidden") else []
    field = ".".join([(names or {}).get(place[0], place[0]), *place[1:]]) if place else ""
    if first["type"] == "missing":
        return f"the field {field!r} is missing."
    if first["type"] == "extra_forbidden":
        return f"found an unknown field {field!r}."
    message = first["msg"].removeprefix("Value error, ")
    if not field and first["type"] == "value_error":
        return f"{message}."
    message = message.replace("Input should be", "expected").replace("Field required", "expected a value")
    if first["type"] in ("model_type", "dict_type"):
        message = "expected a mapping from names to values"
    return f"{field or 'the whole'}: found {_short(first['input'])}, {message}."


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
