"""GaRAGe: answers written by people from retrieved passages, each passage marked as relevant or not."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..schema import InputError, json_lines, parse_record
from .answer import sentence_claims
from .context import CitedClaim, Reference
from .formats import Row

_TEXT_KEYS = ("text", "passage", "content", "snippet")
_NUMBER = re.compile(r"\s*\[(\d{1,3})\]")


class _Row(Row):
    sample_id: str
    question: str
    grounding: tuple[Any, ...] = ()
    answer_generate: str | None = None
    evidence_relevant: tuple[Any, ...] = ()
    evidence_correct: tuple[Any, ...] = ()


def read(path: Path) -> Iterator[CitedClaim]:
    """Yield the sentences of ``answer_generate`` with the passages that they cite.

    Written from the published description alone. It leaves open what the fields of a passage are called, so a passage
    may be a text, or an object with its text under one of a few names; it is cited by the number in front of its text
    or, without one, by its place. No label is about a sentence: what was marked about a passage is in ``details``.
    """
    for line, value in json_lines(path):
        row = parse_record(value, _Row, path=path, line=line)
        passages: dict[int, Reference] = {}
        for place, element in enumerate(row.grounding, 1):
            text, rest = _parts(element, f"{path}, line {line}: grounding.{place - 1}")
            number = _NUMBER.match(text)
            marked = {"evidence_relevant": row.evidence_relevant, "evidence_correct": row.evidence_correct}
            tags = {name: str(tags[place - 1]) for name, tags in marked.items() if len(tags) >= place}
            passages[int(number[1]) if number else place] = Reference(text=text, details=rest | tags)
        yield from sentence_claims(
            row.answer_generate or "",
            passages,
            line=line,
            question=row.question,
            source="GaRAGe",
            original_id=row.sample_id,
            system="human",
        )


def _parts(element: Any, where: str) -> tuple[str, dict[str, str]]:
    """The text of a passage, and its other simple fields."""
    if isinstance(element, str):
        return element, {}
    fields = element if isinstance(element, dict) else {}
    for key in _TEXT_KEYS:
        if isinstance(fields.get(key), str):
            rest = {name: str(item) for name, item in fields.items() if name != key and isinstance(item, str | int)}
            return fields[key], rest
    found = f"an object with {', '.join(fields)}" if fields else repr(element)[:60]
    raise InputError(f"{where}: found {found}, expected a text or an object with one of {', '.join(_TEXT_KEYS)}.")
