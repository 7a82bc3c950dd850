"""From an answer with citation markers to atomic claims, and a word about each piece that cannot be split."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ..evaluators.lexicon import word_lists
from ..evaluators.words import sentences
from ..schema import InputError
from .records import MAX_CLAIM_CHARS, Claim
from .rules import parts

MAX_ANSWER_CHARS = 1_000_000
_ID = r"(?!\d+-\d+\s*[],;])[A-Za-z0-9][\w./:#-]{0,199}(?:@[\w.-]{1,100})?"
_MARKER = re.compile(rf"\[(?!\s*sic\s*\])\s*({_ID}(?:\s*[,;]\s*{_ID})*)\s*\](?!\()")
_JOIN = r"(?:(?:[,;/&]|(?:,[ \t]*+)?(?:and|or)\b)[ \t]*+)?"
_GROUP = re.compile(rf"{_MARKER.pattern}(?:[ \t]*+{_JOIN}{_MARKER.pattern})*")
_STOP = re.compile(r"\s*[.!?]+[\"”’»)]*|[\"”’»)]+[.!?]*")
_COMPLETE = re.compile(r"[.!?][\"”’»)]*$")
_RANGE = re.compile(r"\[\s*\d{1,9}\s*[-–—]\s*\d{1,9}\s*\]")
_LINK = re.compile(r"\[[A-Za-z][a-z]+(?: [A-Za-z]+){0,30}\]\[")
_OTHER = re.compile(
    r"\[[^\[\]]{1,300}\]\([^()]{1,2000}\)|\[\^[^\[\]]{1,100}\]|[¹²³⁰-⁹]|\([^()]{1,100}?,? \d{4}[a-z]?\)|\[sic\]|"
    + _LINK.pattern
)
_BULLET = re.compile(r"^\s*(?:[-–—*+•]|\d{1,3}[.)]|[A-Za-z]\))\s+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_REFERENCES = re.compile(
    r"[\s#*_]*(?:References|Sources|Bibliography|Citations|Works cited)[*_]*:?[*_]*\s*$", re.IGNORECASE
)
_ENTRY = re.compile(rf"(?:{_MARKER.pattern}|\[\^[^\[\]]{{1,100}}\]):?[ \t]+\S*\w")
_IS_ENTRY = "an entry of a reference list; no claim"
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
    to support the words alone. ``[DOC-7@2]`` cites version 2. A marker inside a sentence gives a note and no claim.

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
    for line, aside in _lines(answer):
        if aside:
            notes.append(Note(line, aside))
            continue
        for text, ids in _pieces(line):
            if why := _unsplit(text, ids):
                notes.append(Note(text, why))
                continue
            notes += [Note(text, doubt) for doubt in _doubts(text)]
            claims += [_claim(text, one, references or {}) for one in dict.fromkeys(ids)]
    return Split(tuple(claims), tuple(notes))


def _lines(answer: str) -> Iterator[tuple[str, str]]:
    """The paragraphs, headings and list items of an answer, each on one line; with a word why, if it holds no claim."""
    item: list[str] = []
    lines = iter(answer.replace("\r\n", "\n").split("\n"))
    listing = False
    for line in lines:
        words = _BULLET.sub("", line, count=1).strip()
        aside = _aside(line, words, lines, after=item[-1] if item else "", listing=listing)
        alone = _HEADING.match(line) or _REFERENCES.match(line)
        if item and (aside or alone or words != line.strip() or not words):
            yield " ".join(item), ""
            item = []
        if aside:
            yield line.strip(), aside
        elif alone:
            yield line.strip().lstrip("# "), "the head of a reference list" if _REFERENCES.match(line) else ""
        elif words:
            item.append(words)
        listing = bool(_REFERENCES.match(line)) or (listing and not alone and (bool(aside) or not words))
    if item:
        yield " ".join(item), ""


def _aside(line: str, words: str, lines: Iterator[str], *, after: str, listing: bool) -> str:
    """Why a line holds no claim, or nothing. Fenced code is read to its end."""
    if fence := _FENCE.match(line):
        end = fence.group().strip()
        while not next(lines, end).strip().startswith(end):
            pass
        return "fenced code; not read"
    if _ROW.match(line):
        return "a row of a table; write it as a sentence"
    first = not after or words != line.strip() or bool(re.search(r"\][.!?]?$", after))
    entry = _ENTRY.match(words)
    if first and entry and not _MARKER.search(words, entry.end()):
        return _IS_ENTRY
    return _IS_ENTRY if listing and words and (words != line.strip() or line[0].isspace()) else ""


def _pieces(line: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each stretch of words with the ids cited for it; none for words that no marker follows."""
    start = seen = 0
    for group in _GROUP.finditer(line):
        words = line[seen : group.start()].strip()
        stop = _STOP.match(line, group.end())
        seen = (stop or group).end()
        if _LINK.match(group.group()) or _goes_on(words, line, stop.group() if stop else "", seen):
            continue
        *before, cited = _sentences(line[start : group.start()]) or [""]
        for text in before:
            yield text, []
        ids = [one.strip() for marker in _MARKER.findall(group.group()) for one in re.split(r"[,;]", marker)]
        yield _sentence(cited, stop.group().strip() if stop else ""), ids
        start = seen
    for text in _sentences(line[start:]):
        yield text, []


def _goes_on(words: str, line: str, stop: str, at: int) -> bool:
    """Whether the sentence goes on behind a marker, so that the words before it are no statement."""
    if not words or _COMPLETE.search(words[-9:]) or any(sign in stop for sign in ".!?"):
        return False
    return _next_clause().match(line, at) is None or (" " not in words and at < len(line.rstrip()))


@cache
def _next_clause() -> re.Pattern[str]:
    """What may follow the end of a statement: nothing, a semicolon, a capital or a connective."""
    connectives = word_lists("gate")["connectives"].regex
    return re.compile(rf"\s*+[*_]*+\s*+(?:$|;|[\"“‘(«]?(?:[^\W\d_a-zß-öø-ÿ]|\[)|(?:[,–—]\s*)?(?i:{connectives})\s)")


def _sentences(text: str) -> list[str]:
    """The sentences of a text; none ends with an abbreviation."""
    found, begin = [], -1
    for start, end in sentences(text):
        begin = start if begin < 0 else begin
        if end == len(text) or not _is_cut(text, end):
            found.append(text[begin:end].strip())
            begin = -1
    return [one for one in found if one]


def _is_cut(text: str, end: int) -> bool:
    """Whether a sentence ends in the middle: behind an abbreviation, or an initial such as in *J. Berg*."""
    last = text[max(end - 15, 0) : end].replace("(", " ").split()[-1:]
    word = last[0].removesuffix(".").lower() if last and last[0].endswith(".") else ""
    if word in word_lists("gate")["number_abbreviations"].words:
        return re.match(r"\s*\d", text[end : end + 9]) is not None
    return (
        word in word_lists("gate")["abbreviations"].words
        or re.fullmatch(r"(?:[A-Z]\.)+", last[0] if last else "") is not None
    )


def _sentence(text: str, stop: str) -> str:
    """The words of a claim with a full stop, without the joint that tied them to the claim before."""
    joined = re.sub(r"^[,;:]\s*(?:(?:and|but|while|whereas)\s+)?|^(?:and|but|while|whereas)\s+", "", text.strip())
    text = joined.rstrip(" ,;:")
    closing = stop.strip(".!? ")
    if not text or text == stop:
        return ""
    if _COMPLETE.search(text[-9:]):
        return text + closing
    return text + (stop if stop != closing else f"{stop}.")


def _unsplit(text: str, ids: list[str]) -> str:
    if _MARKER.search(text) and not _LINK.search(text):
        return "the marker stands inside a sentence; move it to the end"
    if not ids:
        return _other(text) or "no citation marker"
    if not any(sign.isalnum() for sign in text):
        return f"the marker [{', '.join(ids)}] follows no words"
    return "longer than a claim may be" if len(text) > MAX_CLAIM_CHARS else ""


def _other(text: str) -> str:
    """What a text holds that looks like a marker and is none."""
    if _RANGE.search(text):
        return "a range of markers; name each source"
    return "a marker of another kind; write [ID]" if _OTHER.search(text) else ""


def _doubts(text: str) -> Iterator[str]:
    if other := _other(text):
        yield other
    if len(parts(text)) > 1:
        yield "may hold two statements under one marker; kept as one claim"
    elif _LEANING.match(text):
        yield "leans on the sentence before; kept as it is"


def _claim(text: str, marker: str, references: Mapping[str, str]) -> Claim:
    name, _, version = marker.partition("@")
    return Claim(text=text, source_id=references.get(name, name), source_version=version)
