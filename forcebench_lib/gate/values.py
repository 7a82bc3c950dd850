"""Exact values of a text, numbers with their units, dates and quotes, and whether another text holds them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from ..evaluators.lexicon import NUMBER, word_lists
from ..evaluators.limiters import MONTH, find_limiters, number_value
from ..evaluators.words import stem, stopwords, tokens

_MONTHS = MONTH[3:-1].split("|")
_ISO_DATE = re.compile(r"(?<![\w-])(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\d-])")
_GROUPS = {"dozen": 12.0, "hundred": 100.0}
_UNIT = r"(?:°\s?[CF]\b|[ap]\.\s?m\b|[^\W\d_]+)"
_TO = re.compile(r"\s*(?:to|–|-|±|\+/-)\s*", re.IGNORECASE)
_PHONE = re.compile(r"\d{3}-\d{4}")
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


def written(text: str) -> str:
    """The text with each date such as 2031-06-12 in words.

    Examples
    --------
    >>> written("It opens on 2031-06-02.")
    'It opens on 2 June 2031.'
    """
    return _ISO_DATE.sub(lambda date: f"{int(date[3])} {_MONTHS[int(date[2]) - 1]} {date[1]}", text)


@lru_cache(maxsize=16384)
def numbers(text: str) -> tuple[Value, ...]:
    """Find the numbers of a text outside its dates. *One* counts before a measure; elsewhere it is mostly a pronoun.

    Examples
    --------
    >>> [(sorted(value.key), sorted(value.units)) for value in numbers("It cost $1.5 million over three years.")]
    [([1500000.0], ['$']), ([3.0], ['year'])]
    >>> [sorted(value.key) for value in numbers("One of twenty-one guests left within one day, at -5 °C.")]
    [[21.0], [1.0], [-5.0]]
    """
    return tuple(value for _, value in _found(written(text)))


@lru_cache(maxsize=16384)
def dates(text: str) -> tuple[Value, ...]:
    """Find the dates of a text.

    Examples
    --------
    >>> [sorted(map(str, value.key)) for value in dates("It opened on 12 June 2031, and closed in 2033.")]
    [['12', '2031', 'june'], ['2033']]
    """
    marks = (mark for mark in find_limiters(written(text)) if mark.kind == "date")
    found = ((frozenset(map(_no_zero, filter(_dated, tokens(mark.text)))), mark.text) for mark in marks)
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

    A number with another measure is another value. A number that the passage holds for another unit, while it gives
    another number for this unit, is missing too.

    Examples
    --------
    >>> [value.text for value in missing(numbers("It takes 30 days."), "It takes 14 days and costs 30 crowns.")]
    ['30']
    >>> [value.text for value in missing(numbers("It takes 14 months."), "It takes 14 days.")]
    ['14']
    """
    held = _held(passage)
    return tuple(value for value in dict.fromkeys(claimed) if not _holds(held, value))


@dataclass(frozen=True)
class _Held:
    """What a passage gives: the units of each number, all units, the dates, and the ranges with their units."""

    numbers: Mapping[frozenset[str | float], frozenset[frozenset[str]]]
    units: frozenset[str]
    dates: frozenset[frozenset[str | float]]
    ranges: frozenset[tuple[float, float, frozenset[str]]]


@lru_cache(maxsize=64)
def _held(passage: str) -> _Held:
    found: dict[frozenset[str | float], set[frozenset[str]]] = defaultdict(set)
    for value in numbers(passage):
        found[value.key].add(value.units)
    units = frozenset(unit for several in found.values() for one in several for unit in one)
    held = {key: frozenset(several) for key, several in found.items()}
    return _Held(held, units, frozenset(date.key for date in dates(passage)), ranges(passage))


def _holds(held: _Held, value: Value) -> bool:
    if "date" in value.units:
        return any(value.key <= key for key in held.dates)
    (amount,) = value.key
    if any(low <= float(amount) <= high and _same_measure(value.units, units) for low, high, units in held.ranges):
        return True
    same = [units for units in held.numbers.get(value.key, ()) if _same_measure(value.units, units)]
    if value.units & held.units:
        same = [units for units in same if value.units & units]
    return bool(same)


def _same_measure(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two sets of units may name one measure; a set without a measure may stand for any."""
    one, other = first & _all_measures(), second & _all_measures()
    return not one or not other or bool(one & other)


def ranges(text: str) -> frozenset[tuple[float, float, frozenset[str]]]:
    """Find the ranges of a text, each with the units of its ends; a telephone number is none.

    Examples
    --------
    >>> [(low, high, sorted(units)) for low, high, units in ranges("3 to 5 weeks; call 555-1234 from 9 to 5.")]
    [(3.0, 5.0, ['week'])]
    """
    text = written(text)
    limits = set()
    for (first, low), (second, high) in pairwise(_found(text)):
        between = text[_end(first) : second.start("all")]
        to = _TO.fullmatch(between)
        if to is None and not (between.strip().lower() == "and" and _between_before(text, first.start("all"))):
            continue
        start, end = (float(next(iter(value.key))) for value in (low, high))
        if to and "-" in between and _is_row(text, first.start("all"), second.end("all"), high):
            continue
        if to and between.strip() in ("±", "+/-"):
            start, end = start - end, start + end
        if start <= end:
            limits.add((start, end, low.units | high.units))
    return frozenset(limits)


def _between_before(text: str, at: int) -> bool:
    return text[max(at - 12, 0) : at].rstrip().lower().endswith("between")


def _is_row(text: str, start: int, end: int, last: Value) -> bool:
    """Whether numbers joined by hyphens are a telephone number or the like, and no range."""
    joined = text[max(start - 1, 0) : start] == "-" or re.match(r"-\d", text[end : end + 2]) is not None
    return joined or (_PHONE.fullmatch(text[start:end]) is not None and not last.units & _all_measures())


def _found(text: str) -> Iterator[tuple[re.Match[str], Value]]:
    """The numbers of a text outside its dates, in their order."""
    dated = {at for mark in find_limiters(text) if mark.kind == "date" for at in range(mark.start, mark.end)}
    for match in _number_pattern().finditer(text):
        units, word = _units(match), match["number"].lower()
        measured = bool(units & _all_measures())
        if match.start("number") in dated or (word == "one" and not measured):
            continue
        amount = _amount(word) * (-1 if match["minus"] else 1)
        if word == "half" and not measured:
            amount, units = 50.0, frozenset({"%"})
        yield match, Value(frozenset({amount}), units, match["all"])


def _end(match: re.Match[str]) -> int:
    """Where a number ends together with its measure."""
    first = re.match(rf"[\s-]?({_UNIT})\.?", match["after"] or "", re.IGNORECASE)
    return match.end("all") + (first.end() if first and _plain_unit(first[1]) in _measures() else 0)


@cache
def _number_pattern() -> re.Pattern[str]:
    lists = word_lists("gate")
    ones = rf"(?:{word_lists('numeric')['number_words'].regex}|{lists['teens'].regex})"
    small = rf"(?:(?:{lists['tens'].regex}(?:[\s-]{ones})?|{ones})(?:\s+and\s+a\s+half)?)"
    full = [name for name in _scales() if len(name) > 3]
    big = rf"(?:(?<!\w)(?:{'|'.join([*_GROUPS, *full])})(?!\w))"
    rest = rf"(?:\s+(?:and\s+)?{small})?"
    tail = rf"(?:[\s-]{big}{rest})*"
    half = r"(?<!\w)(?<!first )(?<!second )half(?:\s+an?)?(?!\w)"
    spelled = rf"(?:{small}|{half}){tail}|(?<!\w)(?:an?\s+)?{big}{rest}{tail}"
    short = rf"\s?(?:{'|'.join(name for name in _scales() if len(name) in (2, 3))})(?!\w)"
    short += rf"|(?(sign)(?:{'|'.join(name for name in _scales() if len(name) == 1)})(?!\w)|(?!))"  # m may be metres
    money = [name for entry in lists["currencies"].words for name in entry.split("/")]
    signs = "|".join(re.escape(name) for name in money if len(name) == 1)
    codes = "|".join(name for name in money if len(name) == 3)
    return re.compile(
        rf"(?P<all>(?P<minus>(?<![\w.,)\]-])(?<!\d\s)[-−]|(?<!or )\bminus\s+)?(?:(?P<sign>{signs}|\b(?:{codes}))\s?)?"
        rf"(?P<number>{NUMBER}(?:[\s-]{big}|{short})*|{spelled})(?:\s?(?P<percent>%|per\s+cent\b|percent\b|pct\b))?)"
        rf"(?=(?P<after>[\s-]*{_UNIT}(?:[\s-]+{_UNIT})?)?)",
        re.IGNORECASE,
    )


def _amount(text: str) -> float:
    """The number that digits and number words stand for together.

    Examples
    --------
    >>> [_amount(text) for text in ("2.5 million", "two hundred and fifty thousand", "half a dozen", "1.5bn")]
    [2500000.0, 250000.0, 6.0, 1500000000.0]
    """
    values = _small_numbers()
    total, part = 0.0, None
    for word in re.findall(rf"{NUMBER}|[a-z]+", text):
        if scale := _scales().get(word):
            total, part = total + (1.0 if part is None else part) * scale, None
        elif word in _GROUPS:
            part = (1.0 if part is None else part) * _GROUPS[word]
        elif word not in ("a", "an", "and"):
            part = (part or 0.0) + (number_value(word) if word[0].isdigit() else values[word])
    return round(total + (part or 0.0), 9)


@cache
def _scales() -> Mapping[str, float]:
    entries = enumerate(word_lists("gate")["thousands"].words, 1)
    return {name: 1000.0**power for power, entry in entries for name in entry.split("/")}


@cache
def _small_numbers() -> Mapping[str, float]:
    lists = word_lists("gate")
    ones = (*word_lists("numeric")["number_words"].words, *lists["teens"].words)
    values = {word: float(number) for number, word in enumerate(ones, 1)}
    return values | {word: 10.0 * number for number, word in enumerate(lists["tens"].words, 2)} | {"half": 0.5}


@cache
def _measures() -> Mapping[str, frozenset[str]]:
    """Each spelling with the measures that it may stand for: *pounds* are money or a mass."""
    found: dict[str, set[str]] = defaultdict(set)
    for words in word_lists("gate").values():
        for entry in words.words if words.role == "measure" else ():
            name, *others = entry.split("/")
            for spelling in (name, *others):
                found[spelling].add(name)
    return {spelling: frozenset(names) for spelling, names in found.items()}


@cache
def _all_measures() -> frozenset[str]:
    return frozenset(name for names in _measures().values() for name in names)


def _units(match: re.Match[str]) -> frozenset[str]:
    if match["percent"]:
        return frozenset({"%"})
    if match["sign"]:
        return _measures()[match["sign"].lower()]
    after = match["after"] or ""
    words = [_plain_unit(word) for word in re.findall(_UNIT, after, re.IGNORECASE)]
    if words and not re.match(r"[\s-]", after) and words[0] not in _measures():  # the end of "5th"
        return frozenset()
    units: set[str] = set()
    for before, word in zip(["", *words], words, strict=False):
        if word in _measures() and (not before or before not in stopwords()):
            units |= _measures()[word]
        elif word not in stopwords() and word not in _measures():
            units.add(stem(word))
    return frozenset(units)


def _plain_unit(word: str) -> str:
    return "".join(word.lower().split())


def _dated(word: str) -> bool:
    return word[0].isdigit() or re.fullmatch(MONTH, word, re.IGNORECASE) is not None


def _no_zero(word: str) -> str:
    return word.lstrip("0") or word


@lru_cache(maxsize=8)
def _plain(text: str) -> str:
    return " ".join(text.translate(_TYPOGRAPHY).lower().split())
