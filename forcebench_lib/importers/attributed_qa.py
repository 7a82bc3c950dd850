"""Attributed-QA: short answers of 23 systems with one passage each, part of them rated by people."""

from collections.abc import Iterator
from pathlib import Path

from ..schema import parse_record
from .context import CitedClaim, Reference
from .formats import Row, table_rows


class _Rating(Row):
    system_name: str
    question: str
    answer: str
    attribution: str
    passage: str
    human_rating: str = ""
    auto_ais: str = ""
    nli_score: str = ""


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the answers of ``ratings.csv``, also from inside ``ratings.zip``.

    The claim is the answer as written, often a bare name or number: it says something only beside its question.
    """
    for line, value in table_rows(path):
        row = parse_record(value, _Rating, path=path, line=line)
        cited = row.passage.strip() or row.attribution.strip()
        yield CitedClaim(
            line=line,
            question=row.question,
            claim=row.answer if row.answer.strip() else None,
            references=(Reference(text=row.passage, url=row.attribution),) if cited else (),
            source="AttributedQA",
            original_label=row.human_rating,
            system=row.system_name,
            details={"auto_ais": row.auto_ais, "nli_score": row.nli_score},
        )
