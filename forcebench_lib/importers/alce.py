"""ALCE: a file of system outputs, each answer with the documents that its ``[n]`` markers count."""

from collections.abc import Iterator
from pathlib import Path

from ..files import read_json
from ..schema import parse_record
from .answer import sentence_claims, titled
from .context import CitedClaim, Reference
from .formats import Row, list_rows


class _Run(Row):
    dataset_name: str = ""
    model: str = ""


class _Document(Row):
    title: str | None = None
    text: str = ""
    sent: str | None = None  # in place of the text where a sentence was extracted from it


class _Output(Row):
    question: str
    output: str | tuple[str, ...] | None
    docs: tuple[_Document, ...] = ()
    id: str | None = None
    sample_id: str | None = None


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the sentences of each answer with the documents that they cite.

    The file is an object with ``data`` and ``args``, as ALCE writes it, or the list alone. Outputs have no labels.
    QAMPARI asks for lists: there the one "sentence" is a list of names with its markers.
    """
    document = read_json(path)
    whole = document if isinstance(document, dict) else {"data": document}
    run = parse_record(whole.get("args") or {}, _Run, path=path, line=1)
    for line, value in list_rows(whole.get("data"), path):
        row = parse_record(value, _Output, path=path, line=line)
        documents = {n: Reference(text=titled(one.title, one.sent or one.text)) for n, one in enumerate(row.docs, 1)}
        answers = row.output if isinstance(row.output, tuple) else (row.output or "",)
        for answer in answers:
            yield from sentence_claims(
                answer,
                documents,
                line=line,
                question=row.question,
                source=f"ALCE {run.dataset_name}".strip(),
                original_id=row.sample_id or row.id or "",
                system=run.model,
            )
