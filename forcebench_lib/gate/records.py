"""What the gate reads and what it says: claims, sources, verdicts and the report."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from ..schema import Axis, Record

Reason = Literal[
    "source_not_found",
    "source_unavailable",
    "version_mismatch",
    "claim_not_supported",
    "force_exceeds_source",
    "sources_disagree",
]
Status = Literal["current", "superseded", "deleted", "inaccessible"]

REASONS: tuple[Reason, ...] = get_args(Reason)
PROVES = (
    "The gate proves that each claim is attached to evidence that supports it. "
    "It does not prove that the best evidence was retrieved, that the answer is correct, or that it covers what "
    "matters."
)
MAX_CLAIM_CHARS = 5_000
MAX_CONTENT_CHARS = 2_000_000
MAX_NAME_CHARS = 500


def _name(value: Any) -> Any:
    """An id or a version; JSON may hold it as a number."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Name = Annotated[str, BeforeValidator(_name), Field(max_length=MAX_NAME_CHARS)]
Metadata = dict[str, Any]


class Claim(Record):
    """One statement of an answer and the source that it cites.

    `question`, what the user asked, is read by model judges alone; `metadata` is yours and is never read.
    """

    text: Annotated[str, Field(min_length=1, max_length=MAX_CLAIM_CHARS)]
    source_id: Name = Field(min_length=1)
    source_version: Name = ""
    question: Annotated[str, Field(max_length=MAX_CLAIM_CHARS)] = ""
    metadata: Metadata = Field(default_factory=dict)


class Source(Record):
    """One version of a document. Content may hold markup; `metadata` is yours and is never read."""

    id: Name = Field(min_length=1)
    version: Name = ""
    content: Annotated[
        str,
        BeforeValidator(lambda value: "" if value is None else value),
        Field(max_length=MAX_CONTENT_CHARS),
    ] = ""
    status: Annotated[Status, BeforeValidator(lambda value: "current" if value is None else value)] = "current"
    metadata: Metadata = Field(default_factory=dict)

    @property
    def label(self) -> str:
        """How reports name it."""
        return f"{self.id} (version {self.version})" if self.version else self.id


@dataclass(frozen=True)
class Reading:
    """How far a passage supports a claim, from 0 to 1 or not-a-number, and one sentence for the case that it does not.

    `weighed` says that whoever read it judged the force as well, and `too_strong` that this is what is wrong.
    """

    score: float
    detail: str
    weighed: bool = False
    too_strong: bool = False


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a claim does not pass: the reason, on which axis if it is one of force, and one sentence."""

    reason: Reason
    detail: str
    axis: Axis | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the gate says about one claim; `passage` is what it read, empty where there was nothing to read."""

    claim: Claim
    passage: str = ""
    failure: Failure | None = None
    line: int | None = None

    @property
    def passed(self) -> bool:
        return self.failure is None


@dataclass(frozen=True, kw_only=True)
class Report:
    """The verdicts in the order of the claims, who judged, and what a reader should know besides."""

    verdicts: tuple[Verdict, ...]
    evaluator: str
    threshold: float
    warnings: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        return all(verdict.passed for verdict in self.verdicts)

    @property
    def failures(self) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in self.verdicts if not verdict.passed)
