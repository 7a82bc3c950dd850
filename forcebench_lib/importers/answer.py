"""Whole answers with numbered passages: one claim a sentence, with the passages that its markers name."""

from collections.abc import Iterator, Mapping

from .citation import numbers, sentences
from .context import CitedClaim, Reference


def sentence_claims(
    answer: str,
    passages: Mapping[int, Reference],
    *,
    line: int,
    question: str,
    source: str,
    original_id: str = "",
    system: str = "",
) -> Iterator[CitedClaim]:
    """Yield each sentence of an answer with the passages that it cites.

    Parameters
    ----------
    answer : str
        Text with markers such as ``[1]``, ``[1][2]``, ``[1, 2]`` or ``[1-3]``.
    passages : mapping
        From the number in a marker to the passage. A number that is not there gives a reference without text.
    """
    found: list[str | None] = [*sentences(answer)]
    for sentence in found or [None]:
        cited = numbers(sentence) if sentence else []
        yield CitedClaim(
            line=line,
            question=question,
            claim=sentence,
            references=tuple(passages.get(number, Reference(text=None)) for number in cited),
            source=source,
            original_id=original_id,
            system=system,
        )


def titled(title: str | None, text: str) -> str:
    """Put the title of a document above its text, as AttributionBench writes it; no title, no line."""
    return f"Title: {title.strip()}\n\n{text.strip()}" if title and title.strip() and text.strip() else text
