"""Words, stems and sentences: the little that the lexical evaluators need to know about English."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import snowballstemmer

from .lexicon import NUMBER, word_lists

_WORD = re.compile(rf"{NUMBER}|[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)]?\s+(?=[\"“‘(]?[A-Z0-9])")
_english = snowballstemmer.stemmer("english")


def tokens(text: str) -> list[str]:
    """Split a text into words and numbers, in lower case, commas inside numbers removed.

    Examples
    --------
    >>> tokens("The firm's 1,400 well-kept walls")
    ['the', "firm's", '1400', 'well', 'kept', 'walls']
    """
    return [
        word.replace(",", "") if word[0].isdigit() else word.lower().replace("’", "'") for word in _WORD.findall(text)
    ]


@cache
def stem(word: str) -> str:
    """Reduce a lower-case word to its stem (M. F. Porter's English Snowball stemmer)."""
    return str(_english.stemWord(word.removesuffix("'s")))


@cache
def stopwords() -> frozenset[str]:
    """Collect the function words that carry no content."""
    return frozenset(word for words in word_lists("stopwords").values() for word in words.words)


@lru_cache(maxsize=16384)
def content_stems(text: str) -> frozenset[str]:
    """Collect the different stems of a text, without function words.

    Examples
    --------
    >>> sorted(content_stems("The drug reduces the number of falls, and it reduced pain."))
    ['drug', 'fall', 'number', 'pain', 'reduc']
    """
    return frozenset(stem(word) for word in tokens(text) if word not in stopwords())


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence.

    Examples
    --------
    >>> text = "It rose by 1.5 m. Then it fell."
    >>> [text[start:end] for start, end in sentences(text)]
    ['It rose by 1.5 m.', 'Then it fell.']
    """
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)
