"""GenSearch: statements of four generative search engines, each judged against one cited web page."""

from collections.abc import Iterator
from pathlib import Path

from ..schema import json_lines, parse_record
from .context import CitedClaim, Reference
from .formats import Row


class _Judgment(Row):
    query: str
    statement: str
    source_text: str | None = None
    source_localized_evidence: str | None = None
    source_supports_statement: str
    source_url: str = ""
    source_title: str | None = None
    source_date: str | None = None


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the statements of ``verifiability_judgments_*.jsonl.gz``.

    The passage is the evidence that the annotator copied from the page, or the whole page where nothing was copied;
    ``details["passage_is"]`` says which.
    """
    for line, value in json_lines(path):
        row = parse_record(value, _Judgment, path=path, line=line)
        evidence = (row.source_localized_evidence or "").strip()
        page = (row.source_text or "").strip()
        yield CitedClaim(
            line=line,
            question=row.query,
            claim=row.statement,
            references=(
                Reference(
                    text=evidence or page,
                    url=row.source_url,
                    details={
                        "passage_is": "evidence copied by the annotator" if evidence else "whole page",
                        "source_title": row.source_title or "",
                        "source_date": row.source_date or "",
                    },
                ),
            ),
            source="Stanford-GenSearch",
            original_label=row.source_supports_statement,
        )
