"""From an answer with citation markers to atomic claims, and a word about each piece that cannot be split."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..evaluators.words import sentences
from ..schema import InputError
from .records import MAX_CLAIM_CHARS, Claim
from .rules import parts

MAX_ANSWER_CHARS = 1_000_000
_ID = r"(?!\d+-\d+\s*[],;])[A-Za-z0-9][\w./:#-]{0,199}(?:@[\w.-]{1,100})?"
_MARKER = re.compile(rf"\[\s*({_ID}(?:\s*[,;]\s*{_ID})*)\s*\](?!\()")
_GROUP = re.compile(rf"{_MARKER.pattern}(?:[ \t]*+(?:,[ \t]*+)?{_MARKER.pattern})*")
_STOP = re.compile(r"\s*[.!?]+")
_RANGE = re.compile(r"\[\s*\d{1,9}\s*[-–—]\s*\d{1,9}\s*\]")
_OTHER = re.compile(
    r"\[[^\[\]]{1,300}\]\([^()]{1,2000}\)|\[\^[^\[\]]{1,100}\]|[¹²³⁰-⁹]|\([^()]{1,100}?,? \d{4}[a-z]?\)"
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LEANING = re.compile(r"(?:It|They|This|That|These|Those|He|She|Its|Their|However|Therefore)\b")


@dataclass(frozen=True)
class Note:
    """A piece of an answer and why it could not be split, or what is doubtful about it."""

    text: str
    why: str


@dataclass(frozen=True)
class Split:
    """The claims of an answer in their order, and notes about all that is not an atomic claim."""

    claims: tuple[Claim, ...]
    notes: tuple[Note, ...]


def split_answer(answer: str, *, references: Mapping[str, str] | None = None) -> Split:
    """Split an answer into one claim for each statement and each source cited for it.

    A marker belongs to the words before it, back to the last marker or the end of the last sentence; it may stand
    before or after the full stop. Two markers side by side, or two ids in one marker, give two claims: each source has
    to support the words alone. ``[DOC-7@2]`` cites version 2.

    Parameters
    ----------
    answer : str
        Plain text or Markdown.
    references : mapping, optional
        From what stands in a marker to the id of a source, such as ``{"1": "DOC-7"}``.

    Raises
    ------
    InputError
        For an answer of more than a million characters.

    Examples
    --------
    >>> split = split_answer("Refunds take 14 days [DOC-7]. Gifts are free. [1][2] Ask us.")
    >>> [(claim.text, claim.source_id) for claim in split.claims]
    [('Refunds take 14 days.', 'DOC-7'), ('Gifts are free.', '1'), ('Gifts are free.', '2')]
    >>> split.notes
    (Note(text='Ask us.', why='no citation marker'),)
    """
    if len(answer) > MAX_ANSWER_CHARS:
        raise InputError(f"answer: found {len(answer):,} characters, expected at most {MAX_ANSWER_CHARS:,}.")
    claims: list[Claim] = []
    notes: list[Note] = []
    for line in _lines(answer):
        for text, ids in _pieces(line):
            if why := _unsplit(text, ids):
                notes.append(Note(text, why))
                continue
            if doubt := _doubt(text):
                notes.append(Note(text, doubt))
            claims += [_claim(text, one, references or {}) for one in dict.fromkeys(ids)]
    return Split(tuple(claims), tuple(notes))


def _lines(answer: str) -> Iterator[str]:
    """The paragraphs and list items of an answer, each on one line."""
    for block in re.split(r"\n\s*\n", answer.replace("\r\n", "\n")):
        item: list[str] = []
        for line in block.split("\n"):
            if _BULLET.match(line) and item:
                yield " ".join(item)
                item = []
            item.append(_BULLET.sub("", line, count=1).strip())
        yield " ".join(item)


def _pieces(line: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each stretch of words with the ids cited for it; none for words that no marker follows."""
    start = 0
    for group in _GROUP.finditer(line):
        *before, cited = _sentences(line[start : group.start()]) or [""]
        for text in before:
            yield text, []
        ids = [one.strip() for marker in _MARKER.findall(group.group()) for one in re.split(r"[,;]", marker)]
        stop = _STOP.match(line, group.end())
        yield _sentence(cited, stop.group().strip() if stop else ""), ids
        start = (stop or group).end()
    for text in _sentences(line[start:]):
        yield text, []


def _sentences(text: str) -> list[str]:
    return [found for start, end in sentences(text) if (found := text[start:end].strip())]


def _sentence(text: str, stop: str) -> str:
    """The words of a claim with a full stop, without the joint that tied them to the claim before."""
    joined = re.sub(r"^[,;:]\s*(?:(?:and|but|while|whereas)\s+)?|^(?:and|but|while|whereas)\s+", "", text.strip())
    text = joined.rstrip(" ,;:")
    if not text or text == stop:
        return ""
    return text if text.endswith((".", "!", "?", ".”", '."')) else text + (stop or ".")


def _unsplit(text: str, ids: list[str]) -> str:
    if not ids:
        if _RANGE.search(text):
            return "a range of markers; name each source"
        return "a marker of another kind; write [ID]" if _OTHER.search(text) else "no citation marker"
    if not any(sign.isalnum() for sign in text):
        return f"the marker [{', '.join(ids)}] follows no words"
    return "longer than a claim may be" if len(text) > MAX_CLAIM_CHARS else ""


def _doubt(text: str) -> str:
    if len(parts(text)) > 1:
        return "may hold two statements under one marker; kept as one claim"
    return "leans on the sentence before; kept as it is" if _LEANING.match(text) else ""


def _claim(text: str, marker: str, references: Mapping[str, str]) -> Claim:
    name, _, version = marker.partition("@")
    return Claim(text=text, source_id=references.get(name, name), source_version=version)
