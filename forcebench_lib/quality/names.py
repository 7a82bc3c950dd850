"""Invented names: which names a row has, whether two rows share one, and whether a list of real ones knows it.

No code can prove that a name stands for nobody. What it can do: no name in two rows, and no name of a real country,
language, currency or large city (Unicode CLDR, as Babel ships it). Persons, firms, drugs and small places are judged by
the people who draft and review.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

import pandas as pd

from ..evaluators.words import sentences, stem, tokens
from ..schema import Candidate, Pair

_CAPITALISED = re.compile(r"\b[A-Z][a-z](?:[^\W\d_]|['’-](?=[^\W\d_]))*")
_FEASTS = ("Candlemas", "Christmas", "Easter", "Michaelmas", "Pentecost")
_LOWER = re.compile(r"(?<![\w'’-])[a-z][^\W\d_]+")
Row = Candidate | Pair


def row_names(row: Row) -> frozenset[str]:
    """The capitalised words of question, passage and claims that do not open a sentence, calendar words left out."""
    found = set()
    for text in (row.question, row.passage, row.safe_claim, row.raised_claim):
        for start, end in sentences(text):
            after_opening = (match for match in _CAPITALISED.finditer(text[start:end]) if match.start() > 1)
            found |= {match.group().removesuffix("'s").removesuffix("’s") for match in after_opening}
    return frozenset(found - _calendar())


def masked(text: str, names: frozenset[str]) -> str:
    """A text as sentence frame: each name becomes ``NAME``, each number ``NUMBER``.

    Examples
    --------
    >>> masked("Cray's 14 walls and Cray Tower may lean.", frozenset({"Cray", "Tower"}))
    "NAME's NUMBER walls and NAME NAME may lean."
    """
    named = re.sub(rf"\b(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})\b", "NAME", text)
    return re.sub(r"\d+(?:[.,]\d+)*", "NUMBER", named if names else text)


def shared_names(rows: Sequence[Row]) -> pd.DataFrame:
    """Names that stand in more than one row: ``name, rows, ids``.

    A word whose stem any row also writes in lower case is an ordinary word and no name. What is left is for a person to
    read: a title may stand in two rows, an invented name may not.
    """
    where: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name in row_names(row):
            where[name].append(row.id)
    texts = (f"{row.passage} {row.safe_claim} {row.raised_claim}" for row in rows)
    ordinary = {stem(word) for text in texts for word in _LOWER.findall(text)}
    repeated = [(name, ids) for name, ids in sorted(where.items()) if len(ids) > 1]
    shared = [(name, ids) for name, ids in repeated if not {stem(word) for word in tokens(name)} <= ordinary]
    return pd.DataFrame([(name, len(ids), ", ".join(ids)) for name, ids in shared], columns=["name", "rows", "ids"])


def known_names(rows: Sequence[Row]) -> pd.DataFrame:
    """Names that CLDR knows as a country, language, currency or large city: ``name, kind, id``."""
    real = _cldr()
    found = [(name, real[name], row.id) for row in rows for name in sorted(row_names(row)) if name in real]
    return pd.DataFrame(found, columns=["name", "kind", "id"])


@cache
def _calendar() -> frozenset[str]:
    from babel import Locale

    locale = Locale("en")
    days, months = locale.days["format"]["wide"].values(), locale.months["format"]["wide"].values()
    return frozenset([*days, *months, *(f"{day}s" for day in days), *_FEASTS])


@cache
def _cldr() -> dict[str, str]:
    """Capitalised words of one-word CLDR names with their kind; of the words of longer names none stands for itself."""
    from babel import Locale

    locale = Locale("en")
    kinds = {
        "language": locale.languages.values(),
        "currency": locale.currencies.values(),
        "city": [zone["city"] for zone in locale.time_zones.values() if "city" in zone],
        "country or region": locale.territories.values(),
    }
    return {name: kind for kind, names in kinds.items() for name in names if len(tokens(name)) == 1}
