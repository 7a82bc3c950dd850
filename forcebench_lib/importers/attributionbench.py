"""AttributionBench: seven data sets of attributed claims in one form, with one label a row."""

from collections.abc import Iterator
from pathlib import Path

from ..schema import json_lines, parse_record
from .context import CitedClaim, Reference
from .formats import Row


class _Row(Row):
    id: str
    src_dataset: str
    question: str
    claim: str
    claim_raw_string: str | None = None
    references: tuple[str, ...] = ()
    citation_links: tuple[str, ...] | None = None
    attribution_label: str


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the claims of any of its files, whatever ``src_dataset`` they come from.

    ``citation_links`` is empty for most data sets; where there is one for each reference, it is the address.
    """
    for line, value in json_lines(path):
        row = parse_record(value, _Row, path=path, line=line)
        links = row.citation_links or ()
        links = links if len(links) == len(row.references) else ("",) * len(row.references)
        raw = row.claim_raw_string or ""
        yield CitedClaim(
            line=line,
            question=row.question,
            claim=row.claim,
            references=tuple(Reference(text=text, url=url) for text, url in zip(row.references, links, strict=True)),
            source=row.src_dataset,
            original_label=row.attribution_label,
            original_id=row.id,
            details={"claim_raw_string": raw if raw != row.claim else ""},
        )
