"""When two pieces of text count as the same: one normalisation for answers, aliases, quotes and spans."""

import re
import unicodedata
from collections.abc import Iterable

_TOKEN = re.compile(r"(?<![\w.])-?\d+(?:[.,:/-]\d+)*|\d+(?:[.,:/-]\d+)*|[^\W\d_]+|[%°$€£]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLES = {"a", "an", "the"}
_MARKS = str.maketrans({"−": "-", "–": "-", "‑": "-", "’": "", "'": ""})


def normalised(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, without case, articles, apostrophes and punctuation.

    A number keeps its sign, its decimals and what joins it to another, so that ``5`` is no part of ``3.5`` or ``2-5``.

    Examples
    --------
    >>> normalised("The valve closes at 1,250 kPa (not 3.5).")
    ('valve', 'closes', 'at', '1250', 'kpa', 'not', '3.5')
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_MARKS)
    tokens = _TOKEN.findall(_THOUSANDS.sub("", plain))
    return tuple(token for token in tokens if token not in _ARTICLES)


def contains(whole: str, part: str) -> bool:
    """Whether a text contains another, normalised and at word boundaries. Nothing contains an empty text.

    Examples
    --------
    >>> contains("It opened on 14 March.", "14 march"), contains("It opened on 14 March.", "4 March")
    (True, False)
    """
    outer, inner = normalised(whole), normalised(part)
    width = len(inner)
    return width > 0 and any(outer[at : at + width] == inner for at in range(len(outer) - width + 1))


def names_any(text: str, answers: Iterable[str]) -> bool:
    """Whether a text is, or contains, one of several answers."""
    return any(contains(text, answer) for answer in answers)
