"""When two pieces of text count as the same: one normalisation for answers, aliases, quotes and spans."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

_TOKEN = re.compile(r"(?<![\w.])-?\d+(?:[.,:/-]\d+)*|\d+(?:[.,:/-]\d+)*|[^\W\d_]+|[%°$€£]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLES = {"a", "an", "the"}
_MARKS = str.maketrans({"−": "-", "–": "-", "‑": "-", "’": "", "'": ""})


def normalised(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, without case, articles, apostrophes and punctuation.

    A number keeps its sign, its decimals and what joins it to another, so that ``5`` is no part of ``3.5`` or ``2-5``.
    An *a* at the end, or a capital one within the text, is a name and no article.

    Examples
    --------
    >>> normalised("The valve closes at 1,250 kPa (not 3.5).")
    ('valve', 'closes', 'at', '1250', 'kpa', 'not', '3.5')
    >>> normalised("A tour of the Hall A ends in hall a.")
    ('tour', 'of', 'hall', 'a', 'ends', 'in', 'hall', 'a')
    """
    return tuple(word for word, article in _words(text) if not article)


def contains(whole: str, part: str) -> bool:
    """Whether a text contains another, normalised and at word boundaries. Nothing contains an empty text.

    Examples
    --------
    >>> contains("It opened on 14 March.", "14 march"), contains("It opened on 14 March.", "4 March")
    (True, False)
    """
    outer, inner = _words(whole), normalised(part)
    return bool(inner) and any(_stands(inner, outer, at) for at, (_, article) in enumerate(outer) if not article)


def _words(text: str) -> list[tuple[str, bool]]:
    """Each word, and whether it is an article."""
    plain = unicodedata.normalize("NFKC", text).translate(_MARKS)
    words = _TOKEN.findall(_THOUSANDS.sub("", plain))
    named = {at for at, word in enumerate(words) if word == "A" and at > 0}
    if words and words[-1] in ("a", "A"):
        named.add(len(words) - 1)
    return [(word.casefold(), word.casefold() in _ARTICLES and at not in named) for at, word in enumerate(words)]


def _stands(inner: Sequence[str], outer: Sequence[tuple[str, bool]], at: int) -> bool:
    """Whether these words stand in a text from one place on; articles may stand between them."""
    for wanted in inner:
        while at < len(outer) and outer[at][1] and outer[at][0] != wanted:
            at += 1
        if at == len(outer) or outer[at][0] != wanted:
            return False
        at += 1
    return True


def names_any(text: str, answers: Iterable[str]) -> bool:
    """Whether a text is, or contains, one of several answers."""
    return any(contains(text, answer) for answer in answers)
