"""Entity overlap: how many of the things that a claim speaks of stand in the passage."""

import re
from collections.abc import Sequence

from .words import sentences, stem, stopwords, tokens

TOPIC_LETTERS = 6
_CAPITAL = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def topical_entities(text: str) -> frozenset[str]:
    """Collect what a text is about: names, numbers and long content words, as stems.

    A name is a capitalised word that does not open a sentence; a long word has six letters or more. Short words, most
    hedges and quantifiers among them, are not seen: the evaluator knows the topic and little of the force.

    Examples
    --------
    >>> sorted(topical_entities("All 14 walls in Cray may need repairs."))
    ['14', 'cray', 'repair']
    """
    found = set()
    for start, end in sentences(text):
        after_first = _CAPITAL.findall(text[start:end])[1:]
        names = {stem(word.lower()) for word in after_first if word[0].isupper()}
        words = (word for word in tokens(text[start:end]) if word not in stopwords())
        found |= names - stopwords()
        found |= {stem(word) for word in words if word[0].isdigit() or len(word) >= TOPIC_LETTERS}
    return frozenset(found)


def entity_overlap(passages: Sequence[str], claims: Sequence[str]) -> list[float]:
    """Score each claim by the share of its topical entities that the passage holds; 0 for a claim without any.

    The passage counts a name wherever it stands, so that an opening name is not lost.
    """
    scores = []
    for passage, claim in zip(passages, claims, strict=True):
        wanted, present = topical_entities(claim), {stem(word) for word in tokens(passage)}
        scores.append(len(wanted & present) / len(wanted) if wanted else 0.0)
    return scores
