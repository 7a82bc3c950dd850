"""ExpertQA: answers of six systems to questions of experts, each claim judged by the expert who asked."""

from collections.abc import Iterator
from pathlib import Path

from ..schema import json_lines, parse_record
from .context import CitedClaim, Reference
from .formats import Row


class _Claim(Row):
    claim_string: str
    evidence: tuple[str, ...] = ()
    support: str | None = None
    reason_missing_support: str | None = None
    informativeness: str | None = None
    worthiness: str | None = None
    correctness: str | None = None
    reliability: str | None = None
    revised_claim: str | None = None
    autoais_label: str | None = None


class _Answer(Row):
    claims: tuple[_Claim, ...] = ()


class _Metadata(Row):
    field: str | None = None


class _Question(Row):
    question: str
    answers: dict[str, _Answer]
    metadata: _Metadata = _Metadata()


_KEPT = _Claim.model_fields.keys() - {"claim_string", "evidence", "support"}


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the claims of ``r2_compiled_anon.jsonl`` or of a split of it.

    Questions without answers, as in ``r1_data_anon.jsonl``, are rows without claims. The answer-level list
    ``attribution`` says nothing about a single claim and is not read.
    """
    for line, value in json_lines(path):
        row = parse_record(value, _Question, path=path, line=line)
        claims = [(system, claim) for system, answer in row.answers.items() for claim in answer.claims]
        if not claims:
            yield CitedClaim(line=line, question=row.question, claim=None, source="ExpertQA")
        for system, claim in claims:
            yield CitedClaim(
                line=line,
                question=row.question,
                claim=claim.claim_string,
                references=tuple(Reference(text=text) for text in claim.evidence),
                source="ExpertQA",
                original_label=claim.support or "",
                system=system,
                details={name: getattr(claim, name) or "" for name in sorted(_KEPT)}
                | {"field": row.metadata.field or ""},
            )
