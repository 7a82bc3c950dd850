"""The record that all importers share, and the one way from a cited claim to contexts or to reasons against them."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field

from ..schema import Record, Text
from .citation import split_reference, without_markers

Reason = Literal[
    "the row holds no claim",
    "the claim holds no word",
    "the question is blank",
    "the claim cites nothing",
    "the cited passage is not in the row",
    "the reference is blank",
    "the reference is an address without text",
    "the same context stands further up",
]


class Context(Record):
    """A real claim beside a passage that it cites: what a contrastive pair may be drafted from.

    Attributes
    ----------
    id : str
        Made from the content, so that it is the same in every sample of the resource.
    resource, source : str
        The importer, and the data set inside the resource.
    question, passage, claim : str
        The passage without its number and address, the claim without citation markers; their words are untouched.
    url : str
        Address of the passage, where one is known.
    original_label : str
        The label as the resource writes it, empty where it has none.
    references : int
        How many references the label was given over. Where it is more than 1, the label is about all of them together,
        and this passage alone may warrant less.
    original_id, system : str
        The resource's own id of the row or claim, and who wrote the answer.
    written_claim : str
        The claim as it stands in the file.
    file, line, claim_number, reference_number
        Where it came from, counted from 1. ``line`` is the place in the list for a file that is one JSON document.
    details : dict
        What else the resource says, for example an expert's revision of the claim.
    """

    id: Text
    resource: Text
    source: Text
    question: Text
    passage: Text
    claim: Text
    url: str = ""
    original_label: str = ""
    references: int = Field(ge=1)
    original_id: str = ""
    system: str = ""
    written_claim: Text
    file: Text
    line: int = Field(ge=1)
    claim_number: int = Field(ge=1)
    reference_number: int = Field(ge=1)
    details: dict[str, str] = Field(default_factory=dict)


class Unusable(Record):
    """One citation that gives no context, and why. A number is 0 where there is no claim, or no reference."""

    line: int
    claim_number: int
    reference_number: int
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class Reference:
    """One passage that a claim cites, as written; ``text`` is None where the row does not hold it."""

    text: str | None
    url: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CitedClaim:
    """What an importer finds: one claim with all that it cites. ``claim`` is None for a row that holds none."""

    line: int
    question: str
    claim: str | None
    references: tuple[Reference, ...] = ()
    source: str
    original_label: str = ""
    original_id: str = ""
    system: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


_NOTHING = Reference(text=None)  # stands for the references of a claim that cites nothing


def contexts(claims: Iterable[CitedClaim], *, resource: str, file: Path) -> Iterator[Context | Unusable]:
    """Turn cited claims into one item a reference: a context, or the reason why it is none.

    A claim without references and a row without claims give one item too, so the number of items is known from the
    file alone: the sum over rows of ``max(1, sum over claims of max(1, references))``.
    """
    seen: set[str] = set()
    line = number = 0
    for found in claims:
        number = number + 1 if found.line == line else 1
        line = found.line
        if found.claim is None:
            yield Unusable(line=line, claim_number=0, reference_number=0, reason="the row holds no claim")
            continue
        for place, reference in enumerate(found.references or (_NOTHING,), 1):
            item = _context(found, found.claim, reference, resource, file, number, place)
            if isinstance(item, Context) and item.id in seen:
                item = _unusable(item, "the same context stands further up")
            elif isinstance(item, Context):
                seen.add(item.id)
            yield item


def _context(
    found: CitedClaim, written: str, reference: Reference, resource: str, file: Path, number: int, place: int
) -> Context | Unusable:
    claim = without_markers(written)
    url, passage = split_reference(reference.text or "")
    url = reference.url or url
    if reason := _reason(found.question, claim, reference, url, passage):
        at = 0 if reference is _NOTHING else place
        return Unusable(line=found.line, claim_number=number, reference_number=at, reason=reason)
    content = {
        "source": found.source,
        "question": found.question.strip(),
        "passage": passage,
        "url": url,
        "original_label": found.original_label,
        "original_id": found.original_id,
        "system": found.system,
        "written_claim": written,
    }
    digest = hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:16]
    return Context(
        id=f"{resource}-{digest}",
        resource=resource,
        claim=claim,
        references=len(found.references),
        file=file.name,
        line=found.line,
        claim_number=number,
        reference_number=place,
        details={key: text for key, text in {**found.details, **reference.details}.items() if text},
        **content,
    )


def _reason(question: str, claim: str, reference: Reference, url: str, passage: str) -> Reason | None:
    if not any(sign.isalnum() for sign in claim):
        return "the claim holds no word"
    if not question.strip():
        return "the question is blank"
    if reference is _NOTHING:
        return "the claim cites nothing"
    if reference.text is None:
        return "the cited passage is not in the row"
    if not passage:
        return "the reference is an address without text" if url else "the reference is blank"
    return None


def _unusable(context: Context, reason: Reason) -> Unusable:
    return Unusable(
        line=context.line,
        claim_number=context.claim_number,
        reference_number=context.reference_number,
        reason=reason,
    )
