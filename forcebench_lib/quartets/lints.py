"""Checks of rows that need no model: the six constraints on a conflict passage, and what a row as a whole must hold.

A finding is for a person to read. What code cannot tell is left to the reviewers.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from . import grammar
from .matching import contains, names_any, normalised
from .records import Quartet
from .shapes import same_type, word_list

WORDS_OF_A_DOCUMENT = (35, 75)
QUARTETS_OF_A_SOURCE = 3
LEAST_SHARED = 0.6
_YEAR = re.compile(r"(?:1[5-9]|2[01])\d\d")


@dataclass(frozen=True)
class Finding:
    """One constraint that a row breaks, in a sentence."""

    quartet: str
    constraint: str
    message: str

    def __str__(self) -> str:
        return f"{self.quartet}: {self.constraint}: {self.message}"


def check(quartets: Sequence[Quartet]) -> list[Finding]:
    """All findings on rows and on the set that they form, in the order of the rows."""
    found = [Finding(row.id, name, text) for row in quartets for name, lint in LINTS.items() for text in lint(row)]
    return found + [Finding(id_, "set", text) for id_, text in _set(quartets)]


def _grammatical(row: Quartet) -> Iterator[str]:
    yield from grammar.faults(row.conflict.text)


def _answers(row: Quartet) -> Iterator[str]:
    if not contains(row.conflict_span, row.conflict_answer):
        yield f"the conflict span does not hold the conflict answer {row.conflict_answer!r}"
    if not same_type(row.answer, row.conflict_answer, row.kind):
        yield f"{row.conflict_answer!r} is not of the type of {row.answer!r} ({row.kind})"


def _contradicts(row: Quartet) -> Iterator[str]:
    if names_any(row.conflict_answer, row.answers) or any(contains(one, row.conflict_answer) for one in row.answers):
        yield f"the conflict answer {row.conflict_answer!r} can be read as the answer {row.answer!r}"
    if contains(row.support_span, row.conflict_answer):
        yield f"the support span holds the conflict answer {row.conflict_answer!r} too"


def _excludes(row: Quartet) -> Iterator[str]:
    for answer in row.answers:
        if contains(f"{row.conflict.title}. {row.conflict.text}", answer):
            yield f"the conflict passage holds {answer!r}, which is right by the support"


def _modifies(row: Quartet) -> Iterator[str]:
    shared = shared_words(row)
    if shared < LEAST_SHARED:
        yield f"the conflict shares {shared:.0%} of its words with the support, expected at least {LEAST_SHARED:.0%}"


def _no_cue(row: Quartet) -> Iterator[str]:
    known = {*normalised(row.support.title), *normalised(row.support.text)}
    for word in dict.fromkeys((*normalised(row.conflict.title), *normalised(row.conflict.text))):
        if word in word_list("cues") - known:
            yield f"the conflict has the cue word {word!r}, which the support has not"
        elif _YEAR.fullmatch(word) and word not in known and not contains(row.conflict_answer, word):
            yield f"the conflict has the year {word}, which the support has not, so one may outdate the other"


def _lengths(row: Quartet) -> Iterator[str]:
    least, most = WORDS_OF_A_DOCUMENT
    for role, document in row.documents.items():
        words = len(document.text.split())
        if not least <= words <= most:
            yield f"the text of {role} has {words} words, expected {least} to {most}"


def _answer_in_place(row: Quartet) -> Iterator[str]:
    if not names_any(row.support_span, row.answers):
        yield f"the support span holds neither the answer {row.answer!r} nor an alias"
    if names_any(row.question, row.answers):
        yield "the question holds the answer"
    for role in ("unrelated 1", "unrelated 2", "distractor 1", "distractor 2"):
        for answer in row.answers:
            if contains(row.documents[role].text, answer):
                yield f"{role} holds {answer!r}, expected the support alone to give the answer"
    for name, count in Counter(normalised(answer) for answer in row.answers).items():
        if count > 1 and not name:
            yield "an alias has no word in it"


def _titles(row: Quartet) -> Iterator[str]:
    titles = [document.title for role, document in row.documents.items() if role != "conflict"]
    for title, count in Counter(titles).items():
        if count > 1:
            yield f"{count} documents have the title {title!r}, expected one each"
    if row.conflict.title != row.support.title:
        yield "support and conflict have different titles, expected the same, so that neither looks truer"


LINTS: dict[str, Callable[[Quartet], Iterator[str]]] = {
    "grammatical": _grammatical,
    "answers the question with the same type": _answers,
    "contradicts the support": _contradicts,
    "excludes the original answer": _excludes,
    "modifies the answer-bearing claim": _modifies,
    "no conflict cue": _no_cue,
    "length": _lengths,
    "answer in the support alone": _answer_in_place,
    "titles": _titles,
}
CONSTRAINTS = tuple(LINTS)[:6]


def shared_words(row: Quartet) -> float:
    """How much of the support the conflict keeps: words in common, in order, over the mean length of the two."""
    pair = [normalised(document.text) for document in (row.support, row.conflict)]
    return SequenceMatcher(None, pair[0], pair[1], autojunk=False).ratio()


def _set(quartets: Sequence[Quartet]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    titles: dict[str, list[str]] = defaultdict(list)
    for row in quartets:
        if row.id in seen:
            yield row.id, "the id stands in two rows"
        seen.add(row.id)
        titles[row.source].append(row.id)
    for title, ids in titles.items():
        if len(ids) > QUARTETS_OF_A_SOURCE:
            yield ids[-1], f"{len(ids)} quartets have the source {title!r}, expected at most {QUARTETS_OF_A_SOURCE}"
    texts: dict[str, str] = {}
    for row in quartets:
        for document in row.documents.values():
            if texts.setdefault(document.text, row.id) != row.id:
                yield row.id, f"{document.title!r} has the text of a document of {texts[document.text]}"
