"""Whether two answers are of one type: what is left when numbers, months and words of degree are taken out."""

from functools import cache

import yaml

from .. import paths
from .matching import normalised
from .records import Kind

_KINDS = {"numbers": "#", "months": "MONTH", "days": "DAY", "degrees": ""}


@cache
def word_list(name: str) -> frozenset[str]:
    """A list of ``data/quartets/words.yml``: ``cues``, ``numbers``, ``months``, ``days`` or ``degrees``."""
    lists = yaml.safe_load((paths.DATA / "quartets" / "words.yml").read_text(encoding="utf-8"))
    return frozenset(lists[name])


def shape(answer: str) -> tuple[str, ...]:
    """The type of an answer: ``#`` for a number, MONTH and DAY for calendar words, other words as they are, sorted.

    Examples
    --------
    >>> shape("at least 40 litres") == shape("thirty-five litres"), shape("14 March 2031")
    (True, ('#', '#', 'MONTH'))
    """
    found: list[str] = []
    for token in normalised(answer):
        kind = _kind(token)
        if kind and not (kind == "#" and not token[-1].isdigit() and found[-1:] == ["#"]):
            found.append(kind)
    return tuple(sorted(found))


def _kind(token: str) -> str:
    if token[-1].isdigit():
        return "#"
    known = (kind for name, kind in _KINDS.items() if token in word_list(name))
    return next(known, token.removesuffix("s"))


def same_type(first: str, second: str, kind: Kind) -> bool:
    """Whether two answers are of one type.

    Numbers, quantities and dates must have one shape: the same units, the same parts of a date. Names and places must
    both begin with a capital or both not. Names, places and terms
    must both hold a digit or both not.

    Examples
    --------
    >>> same_type("14 kg", "9 kg", "quantity"), same_type("14 kg", "9 days", "quantity")
    (True, False)
    """
    if kind in ("number", "quantity", "date"):
        return shape(first) == shape(second)
    if any(map(str.isdigit, first)) != any(map(str.isdigit, second)):
        return False
    return kind == "term" or first[:1].isupper() == second[:1].isupper()
