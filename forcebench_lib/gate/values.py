"""Exact values of a text, numbers with their units, dates and quotes, and whether another text holds them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from ..evaluators.lexicon import NUMBER, word_lists
from ..evaluators.limiters import MONTH, find_limiters, number_value
from ..evaluators.words import stem, stopwords, tokens

_PERCENT = ("%", "per cent", "percent")
_QUOTE = re.compile(r"“([^“”]{1,2000})”|\"([^\"]{1,2000})\"|«([^«»]{1,2000})»")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*)?(?:…|\.\.\.)(?:\s*\])?\s*")
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\xa0": " "})


@dataclass(frozen=True)
class Value:
    """A number, with the stems of the words that say what it counts, or a date, as the set of its words."""

    key: frozenset[str | float]
    units: frozenset[str]
    text: str

    def agrees(self, other: "Value") -> bool:
        """Whether both can be the same value: ``June 2031`` agrees with ``12 June 2031``."""
        return self.key <= other.key or other.key <= self.key


@lru_cache(maxsize=16384)
def numbers(text: str) -> tuple[Value, ...]:
    """Find the numbers of a text outside its dates. *One* is left out: it is mostly a pronoun.

    Examples
    --------
    >>> [(sorted(value.key), sorted(value.units)) for value in numbers("It cost $1.5 million over three years.")]
    [([1500000.0], ['$']), ([3.0], ['year'])]
    """
    dates_at = [(mark.start, mark.end) for mark in find_limiters(text) if mark.kind == "date"]
    return tuple(
        Value(frozenset({_number(match)}), _units(match), match["all"])
        for match in _number_pattern().finditer(text)
        if not any(start <= match.start("all") < end for start, end in dates_at) and match["number"].lower() != "one"
    )


@lru_cache(maxsize=16384)
def dates(text: str) -> tuple[Value, ...]:
    """Find the dates of a text.

    Examples
    --------
    >>> [sorted(map(str, value.key)) for value in dates("It opened on 12 June 2031, and closed in 2033.")]
    [['12', '2031', 'june'], ['2033']]
    """
    marks = (mark for mark in find_limiters(text) if mark.kind == "date")
    found = ((frozenset(word for word in tokens(mark.text) if _dated(word)), mark.text) for mark in marks)
    return tuple(Value(key, frozenset({"date"}), shown) for key, shown in found if key)


def quotes(text: str) -> tuple[str, ...]:
    """Find the quoted pieces of a text; an ellipsis parts a quote in two.

    Examples
    --------
    >>> quotes('The rule says “no fee … is charged.”')
    ('no fee', 'is charged')
    """
    pieces = (piece for found in _QUOTE.finditer(text) for piece in _ELLIPSIS.split(next(filter(None, found.groups()))))
    return tuple(stripped for piece in pieces if (stripped := piece.strip(" .,;:!?")))


def holds_quote(content: str, quote: str) -> bool:
    """Whether a quote stands in a text word for word; case, white space and the shape of signs do not matter."""
    return _plain(quote) in _plain(content)


def missing(claimed: Iterable[Value], passage: str) -> tuple[Value, ...]:
    """List the values of a claim that the passage gives neither as such nor within a range.

    A number that the passage holds for another unit, while it gives another number for this unit, is missing too.

    Examples
    --------
    >>> [value.text for value in missing(numbers("It takes 30 days."), "It takes 14 days and costs 30 crowns.")]
    ['30']
    """
    ranges = [mark.values for mark in find_limiters(passage) if len(mark.values) == 2]
    held = {"number": numbers(passage), "date": dates(passage)}
    lost = []
    for value in claimed:
        kind = "date" if "date" in value.units else "number"
        same = [other for other in held[kind] if value.key <= other.key]
        if kind == "number":
            rival = any(value.units & other.units for other in held[kind])
            same = [other for other in same if value.units & other.units] if rival and value.units else same
            (amount,) = value.key
            if any(min(limits) <= float(amount) <= max(limits) for limits in ranges):
                continue
        if not same:
            lost.append(value)
    return tuple(lost)


@cache
def _number_pattern() -> re.Pattern[str]:
    words = word_lists("numeric")["number_words"].regex
    scale = word_lists("gate")["thousands"].regex
    percent = "|".join(map(re.escape, _PERCENT))
    return re.compile(
        rf"(?P<all>(?:(?P<sign>[$€£])\s?)?(?P<number>{NUMBER}|{words})(?:[\s-](?P<scale>{scale}))?(?:\s?(?P<percent>{percent}))?)"
        r"(?=(?P<after>(?:[\s-]+[^\W\d_]+){0,2}))",
        re.IGNORECASE,
    )


def _number(match: re.Match[str]) -> float:
    amount = number_value(match["number"])
    scales = word_lists("gate")["thousands"].words
    return amount * 1000.0 ** (scales.index(match["scale"].lower()) + 1) if match["scale"] else amount


def _units(match: re.Match[str]) -> frozenset[str]:
    if match["percent"]:
        return frozenset({"%"})
    if match["sign"]:
        return frozenset({match["sign"]})
    after = [word for word in tokens(match["after"]) if word not in stopwords()]
    return frozenset(stem(word) for word in after)


def _dated(word: str) -> bool:
    return word[0].isdigit() or re.fullmatch(MONTH, word, re.IGNORECASE) is not None


@lru_cache(maxsize=8)
def _plain(text: str) -> str:
    return " ".join(text.translate(_TYPOGRAPHY).lower().split())
