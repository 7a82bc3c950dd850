"""The sources by id and version, and what of each a claim is held against."""

import html
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..evaluators.words import content_stems, sentences
from .records import Claim, Failure, Source

PASSAGE_CHARS = 4_000
SENTENCE_CHARS = 1_000
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|</?[A-Za-z][^<>]{0,1000}>", re.DOTALL | re.IGNORECASE
)


def plain(content: str) -> str:
    """The text that a reader sees: no tags, no comments, no scripts, entities as signs.

    Examples
    --------
    >>> plain("<p>Refunds take <b>14</b>&nbsp;days.</p><!-- or 30 -->")
    'Refunds take 14 days.'
    """
    return " ".join(html.unescape(_MARKUP.sub(" ", content)).split()) if content else ""


class Store:
    """All sources of one gate; each sentence of a current source is indexed by its word stems once.

    Parameters
    ----------
    sources : sequence of Source
        Several versions of one id may stand side by side.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = tuple(sources)
        self._texts: dict[int, str] = {}
        self._by_id: dict[str, list[int]] = defaultdict(list)
        for place, source in enumerate(self.sources):
            self._by_id[source.id].append(place)

    def text(self, place: int) -> str:
        """The plain text of the source at a place of `sources`."""
        if place not in self._texts:
            self._texts[place] = plain(self.sources[place].content)
        return self._texts[place]

    def find(self, claim: Claim) -> int | Failure:
        """The place of the source that a claim cites, or why there is none to read."""
        versions = self._by_id.get(claim.source_id, [])
        if not versions:
            return Failure(reason="source_not_found", detail=f"There is no source {claim.source_id!r}.")
        readable = [place for place in versions if self._unreadable(place) == ""]
        if not readable:
            why = self._unreadable(versions[-1])
            return Failure(reason="source_unavailable", detail=f"The source {claim.source_id!r} is {why}.")
        named = [place for place in versions if self.sources[place].version == claim.source_version]
        if claim.source_version and named and named[0] not in readable:
            why = self._unreadable(named[0])
            return Failure(reason="source_unavailable", detail=f"{self.sources[named[0]].label} is {why}.")
        return self._version(claim, readable)

    def _version(self, claim: Claim, readable: list[int]) -> int | Failure:
        current = [place for place in readable if self.sources[place].status == "current"]
        shown = ", ".join(self.sources[place].version or "without a name" for place in current) or "none"
        if not claim.source_version:
            if len(current) == 1:
                return current[0]
            detail = f"The claim names no version, the store holds {len(current)} as current: {shown}."
            return Failure(reason="version_mismatch", detail=detail)
        named = [place for place in readable if self.sources[place].version == claim.source_version]
        if named and named[0] in current:
            return named[0]
        fate = "which is superseded" if named else "which the store does not hold"
        detail = f"The claim cites version {claim.source_version!r}, {fate}; current: {shown}."
        return Failure(reason="version_mismatch", detail=detail)

    def _unreadable(self, place: int) -> str:
        """Why a source cannot be read, or nothing."""
        status = self.sources[place].status
        return status if status in ("deleted", "inaccessible") else "" if self.text(place) else "empty"

    def passage(self, place: int, claim: str) -> str:
        """What of a source a claim is held against: all of it, or in a long one the sentences nearest to the claim.

        Parameters
        ----------
        place : int
            As `find` returns it.
        claim : str
            The text of the claim.

        Returns
        -------
        str
            At most `PASSAGE_CHARS` characters; the sentences stand in their order.
        """
        text = self.text(place)
        if len(text) <= PASSAGE_CHARS:
            return text
        first, last = self._index.ranges[place]
        counts = self._counts(claim)[first:last]
        chosen: set[int] = set()
        room = PASSAGE_CHARS
        for best in np.argsort(-counts, kind="stable"):
            for number in (best, best + 1, best - 1):
                if 0 <= number < last - first and number not in chosen:
                    length = len(self.sentence(first + int(number))) + 1
                    if length > room:
                        return self._joined(first, chosen)
                    room -= length
                    chosen.add(int(number))
        return self._joined(first, chosen)

    def near(self, claim: str, *, share: float, beside: int, most: int = 50) -> Iterator[tuple[Source, str]]:
        """Yield the sentences of other current sources that hold at least this share of a claim's words, best first."""
        wanted = {stem for stem in content_stems(claim) if not stem[0].isdigit()}
        if len(wanted) < 2:
            return
        counts = self._counts(" ".join(wanted), stems=wanted)
        found = np.flatnonzero(counts >= share * len(wanted))
        best = [int(number) for number in found[np.argsort(-counts[found], kind="stable")]]
        others = (number for number in best if self._index.owners[number] != beside)
        for number, _ in zip(others, range(most), strict=False):
            yield self.sources[self._index.owners[number]], self.sentence(number)

    def sentence(self, number: int) -> str:
        """The text of an indexed sentence."""
        return self.text(self._index.owners[number])[self._index.starts[number] : self._index.ends[number]]

    def _joined(self, first: int, chosen: set[int]) -> str:
        return " ".join(self.sentence(first + number) for number in sorted(chosen))

    def _counts(self, claim: str, *, stems: set[str] | None = None) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
        """How many different stems of a claim each indexed sentence holds."""
        wanted = content_stems(claim) if stems is None else stems
        held = [
            np.frombuffer(self._index.postings[stem], dtype=np.uint32)
            for stem in wanted
            if stem in self._index.postings
        ]
        together = np.concatenate(held) if held else np.zeros(0, dtype=np.uint32)
        return np.bincount(together, minlength=len(self._index.owners))

    @cached_property
    def _index(self) -> "_Index":
        index = _Index()
        postings: dict[str, array[int]] = defaultdict(lambda: array("I"))
        for place, source in enumerate(self.sources):
            if source.status != "current":
                continue
            first, text = len(index.owners), self.text(place)
            for start, end in _pieces(text):
                for stem in content_stems.__wrapped__(text[start:end]):
                    postings[stem].append(len(index.owners))
                index.owners.append(place)
                index.starts.append(start)
                index.ends.append(end)
            index.ranges[place] = (first, len(index.owners))
        index.postings.update(postings)
        return index


@dataclass(frozen=True)
class _Index:
    """Owner, start and end of each sentence, the sentences of each source, and those that hold each word stem."""

    owners: "array[int]" = field(default_factory=lambda: array("I"))
    starts: "array[int]" = field(default_factory=lambda: array("I"))
    ends: "array[int]" = field(default_factory=lambda: array("I"))
    ranges: dict[int, tuple[int, int]] = field(default_factory=dict)
    postings: "dict[str, array[int]]" = field(default_factory=dict)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text; one without an end is cut at a blank."""
    for start, end in sentences(text):
        while end - start > SENTENCE_CHARS:
            cut = text.rfind(" ", start + 1, start + SENTENCE_CHARS)
            cut = cut if cut > start else start + SENTENCE_CHARS
            yield start, cut
            start = cut
        if end > start:
            yield start, end
