"""CiteEval: system outputs as its evaluation takes them, each answer with numbered passages."""

from collections.abc import Iterator
from pathlib import Path

from ..schema import parse_record
from .answer import sentence_claims, titled
from .context import CitedClaim, Reference
from .formats import Row, json_rows


class _Passage(Row):
    text: str
    title: str | None = None


class _Output(Row):
    id: str
    query: str
    passages: tuple[_Passage, ...]
    pred: str | None


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the sentences of ``pred`` with the passages that they cite. Outputs have no labels."""
    for line, value in json_rows(path):
        row = parse_record(value, _Output, path=path, line=line)
        passages = {n: Reference(text=titled(one.title, one.text)) for n, one in enumerate(row.passages, 1)}
        yield from sentence_claims(
            row.pred or "", passages, line=line, question=row.query, source="CiteEval", original_id=row.id
        )
