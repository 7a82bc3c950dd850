"""Faults of form that a script can see: sentence case and stops, pairs of marks, doubled words, ``a`` and ``an``."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

_PAIRS = {"(": ")", "[": "]", "“": "”", "«": "»"}
_DOUBLED = re.compile(r"\b([^\W\d_]+)\s+\1\b", re.IGNORECASE)
_DOUBLED_FINE = {"had", "that"}
_SPACES = re.compile(r"\s{2,}|\s[,.;:!?](?!\d)")
_ARTICLE = re.compile(r"\b(an?)\s+([^\W_][^\s,.;:!?)]*)", re.IGNORECASE)
_OPENING_CONSONANT = re.compile(
    r"(?:eu|ewe|on(?:e|ce)\b|one-|u(?:ni(?!n|m)|s[aeiu]|ti|biq|ra[nl])|1[^18]|11\d\b|18\d\b)"
)
_OPENING_VOWEL = re.compile(r"(?:[aeiou]|hours?\b|hourly|hour-|honest|honou?r|heir|8|1[18](?!\d))")


def faults(text: str) -> Iterator[str]:
    """Every fault of form as a clause.

    Examples
    --------
    >>> list(faults("the lamp takes an bulb bulb."))
    ["the sentence 'the lamp takes an bulb bulb.' does not begin with a capital", "'bulb' is doubled", "'an bulb'"]
    """
    for sentence in _sentences(text):
        if sentence[:1].islower():
            yield f"the sentence {sentence[:40]!r} does not begin with a capital"
    if not re.search(r"[.!?][”\"')\]]*$", text):
        yield f"the text ends with {text[-20:]!r}, expected a full stop"
    for opening, closing in _PAIRS.items():
        if text.count(opening) != text.count(closing):
            yield f"{opening} and {closing} are not balanced"
    if text.count('"') % 2:
        yield "a quotation mark is not closed"
    for match in _DOUBLED.finditer(text):
        if match[1].lower() not in _DOUBLED_FINE:
            yield f"{match[1]!r} is doubled"
    if _SPACES.search(text):
        yield "there is a space too many"
    yield from _articles(text)


def _articles(text: str) -> Iterator[str]:
    """An article that does not fit the sound after it. Capital letters read one by one are passed over."""
    for match in _ARTICLE.finditer(text):
        article, word = match[1].lower(), match[2]
        if match[1] == "A" and match.start() > 0 and text[match.start() - 2] not in ".!?":
            continue  # a name such as "Hall A"
        if (
            word[:2].isupper()
            or (len(word) == 1 and word.isalpha())
            or (word[0].isupper() and word[1] in "-0123456789")
        ):
            continue
        vowel = bool(_OPENING_VOWEL.match(word.lower())) and not _OPENING_CONSONANT.match(word.lower())
        if vowel != (article == "an"):
            yield f"{match[0]!r}"


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in _segmenter().segment("en", text) if sentence.strip()]


@cache
def _segmenter() -> Any:
    import sentencex

    return sentencex
