"""Finding what limits a statement, and what raises one, with the place of each in the text."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from ..schema import Axis
from .lexicon import NUMBER, Role, axis_lists, word_lists

MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = r"(?:1[5-9]|2[01])\d{2}"
_DATE = re.compile(
    rf"\b(?:(?:in|of|since|until|by|from|to|last|early|late)\s+{MONTH}(?:\s+{_YEAR})?"
    rf"|\d{{1,2}}\s+{MONTH}(?:\s+{_YEAR})?|{MONTH}\s+\d{{1,2}}(?:,\s+{_YEAR})?|{MONTH}\s+{_YEAR}"
    rf"|{_YEAR}(?![\d.,]*\d))\b"
)
_VERSION = re.compile(r"\b(?:version|release|model|build|edition|firmware|v)\s?\d[\w.]*\b", re.IGNORECASE)
_PLACE = re.compile(rf"\b(?:in|at|near|across|under)\s+(?:the\s+)?(?!{MONTH})((?:[A-Z][\w’'-]+\s?)+)(?<!\s)")


_OWN_ROLES: tuple[Role, ...] = ("limiter", "raiser", "before_number", "after_number")


@dataclass(frozen=True, order=True)
class Mark:
    """A stretch of a text that limits or raises it; its kind is the name of the list or pattern that found it."""

    start: int
    end: int
    axis: Axis
    kind: str
    text: str
    values: tuple[float, ...] = ()


@lru_cache(maxsize=4096)
def find_limiters(text: str) -> tuple[Mark, ...]:
    """Find all limiters of a text in the order in which they stand.

    Words come from ``data/lexicons/``; dates, versions, places, groups and number ranges from patterns. Where two
    overlap, the longer one is kept.

    Examples
    --------
    >>> [(mark.kind, mark.text) for mark in find_limiters("As of 2031 it may cost 3 to 4 crowns.")]
    [('as_of', 'As of'), ('date', '2031'), ('hedges', 'may'), ('range', '3 to 4')]
    """
    return _without_overlaps([*_words(text, "limiter"), *_patterns(text), *_numbers(text)])


@lru_cache(maxsize=4096)
def find_raisers(text: str) -> tuple[Mark, ...]:
    """Find all words that raise a statement.

    Examples
    --------
    >>> [(mark.axis, mark.text) for mark in find_raisers("Tea always prevents all falls.")]
    [('temporal', 'always'), ('relation', 'prevents'), ('scope', 'all')]
    """
    return _without_overlaps(_words(text, "raiser"))


@lru_cache(maxsize=4096)
def bare_numbers(text: str) -> frozenset[float]:
    """Collect the numbers of a text that no limiter and no date covers.

    Examples
    --------
    >>> sorted(bare_numbers("About 40 of 90 wells, three of them dry since 2031"))
    [3.0, 90.0]
    """
    covered = [mark for mark in find_limiters(text) if mark.values or mark.kind in ("date", "version")]
    found = ((match.start(), number_value(match.group())) for match in _number_pattern().finditer(text))
    return frozenset(value for at, value in found if not any(mark.start <= at < mark.end for mark in covered))


@cache
def _compiled(role: Role) -> tuple[tuple[Axis, str, re.Pattern[str]], ...]:
    return tuple((axis, name, re.compile(words.regex, re.IGNORECASE)) for axis, name, words in axis_lists(role))


@cache
def _number_pattern() -> re.Pattern[str]:
    return re.compile(rf"{NUMBER}|{word_lists('numeric')['number_words'].regex}", re.IGNORECASE)


def number_value(text: str) -> float:
    """The number that digits or a number word stand for.

    Examples
    --------
    >>> number_value("1,400.5"), number_value("Three")
    (1400.5, 3.0)
    """
    names = word_lists("numeric")["number_words"].words
    digits = text.lower()
    if digits in names:
        return float(names.index(digits) + 1)
    whole, _, fraction = digits.replace(",", "").partition(".")
    return float(f"{whole}.{fraction.replace('.', '')}")


def _words(text: str, role: Role) -> Iterator[Mark]:
    for axis, name, pattern in _compiled(role):
        for match in pattern.finditer(text):
            if match.group() != "May":  # the month; the modal verb seldom opens a sentence
                yield Mark(match.start(), match.end(), axis, name, match.group())


def _patterns(text: str) -> Iterator[Mark]:
    shapes: tuple[tuple[str, Axis, re.Pattern[str]], ...] = (
        ("date", "temporal", _DATE),
        ("version", "scope", _VERSION),
        ("place", "scope", _PLACE),
        ("group", "scope", _group_pattern()),
    )
    for kind, axis, pattern in shapes:
        for match in pattern.finditer(text):
            yield Mark(match.start(), match.end(), axis, kind, match.group())


@cache
def _group_pattern() -> re.Pattern[str]:
    """Match a population noun, the word before it unless that word has a role of its own, and a trait after it."""
    own_role = [words for role in _OWN_ROLES for _, _, words in axis_lists(role)] + [*word_lists("stopwords").values()]
    not_taken = "".join(f"(?!{words.regex})" for words in own_role)
    population = word_lists("scope")["populations"].regex
    trait = r"(?:\s+(?:with|aged|over|under|on|without)\s+\w+)?"
    return re.compile(rf"(?:(?<!\w){not_taken}[^\W\d_][\w-]*\s+)?{population}{trait}", re.IGNORECASE)


def _numbers(text: str) -> Iterator[Mark]:
    number = _number_pattern().pattern
    unit = r"(?:\s?(?:%|per cent|percent|°C|[a-z]{1,3}))?"
    ranges = rf"(?:between\s+)?({number}){unit}\s*(?:to|and|–|-|±|\+/-)\s*({number})"
    for match in re.finditer(ranges, text, re.IGNORECASE):
        joined_by_and = re.search(r"\sand\s", match.group()) and not match.group().lower().startswith("between")
        if not joined_by_and:
            values = (number_value(match[1]), number_value(match[2]))
            yield Mark(match.start(), match.end(), "numeric", "range", match.group(), values)
    for _, name, words in axis_lists("after_number"):
        for match in re.finditer(rf"({number})\b[^.;,()\d]{{0,30}}?\s{words.regex}", text, re.IGNORECASE):
            yield Mark(match.start(), match.end(), "numeric", name, match.group(), (number_value(match[1]),))
    for _, name, words in axis_lists("before_number"):
        for match in re.finditer(rf"{words.regex}\s+[$€£]?({number})", text, re.IGNORECASE):
            yield Mark(match.start(), match.end(), "numeric", name, match.group(), (number_value(match[1]),))


def _without_overlaps(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start - mark.end, mark)):
        at = bisect(kept, mark)
        if (at == 0 or kept[at - 1].end <= mark.start) and (at == len(kept) or mark.end <= kept[at].start):
            kept.insert(at, mark)
    return tuple(kept)
