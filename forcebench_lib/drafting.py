"""Rows of one's own: a template with every field explained, and a check of a drafted file with one line a finding.

The check covers what code can tell. Whether a row is any good, two reviewers say.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .quality import KINDS, likeness, locality, shared_names
from .quality.locality import edit_share
from .schema import AXES, BOUNDARY_TYPES, MECHANISMS, SOURCES, Candidate, InputError, Pair, json_lines

WORDS_OF_A_PASSAGE = (60, 160)
MOST_EDITED_CLAIM, MOST_EDITED_PASSAGE = 0.6, 0.25

TEMPLATE: dict[str, Any] = {
    "id": "a name that no other row has",
    "source": f"the genre: {', '.join(SOURCES)}",
    "domain": "one topic word",
    "question": "what the user of a cited answer asked",
    "passage": "60 to 160 words that read like their genre; every name is invented",
    "evidence_spans": ["the words of the passage that set the limit, letter for letter; one stretch or two"],
    "safe_claim": "the evidence-calibrated claim: the strongest wording that the passage warrants",
    "raised_claim": "the force-raised claim: the same statement, stronger on one axis",
    "repair": "the raised claim, mended with as few words as possible",
    "rationale": "why the passage stops short of the raised claim",
    "axis": f"what is stronger: {', '.join(AXES)}",
    "severity": "1 subtle, 2 clear, 3 turns a decision or does harm (a number, without quotes)",
    "mechanism": "; ".join(f"{axis}: {', '.join(names)}" for axis, names in MECHANISMS.items()),
    "marker": "overt (one word, number or date sets the limit) or implicit",
    "licensing_passage": "the passage with its limiter edited, and nothing else, so that it warrants the raised claim",
    "intent": f"force_gap, or the one fault built in: {', '.join(BOUNDARY_TYPES)}",
}


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a drafted row: where, and what was found and expected."""

    line: int
    field: str
    message: str

    def text(self, path: Path) -> str:
        return f"{path}:{self.line}: {self.field}: {self.message}"


def template() -> str:
    """One JSON line: each field of a drafted row with its explanation in place of its value."""
    return json.dumps(TEMPLATE, ensure_ascii=False)


def check(path: Path) -> list[Finding]:
    """Check a file of drafted rows, one JSON object a line.

    Returns
    -------
    list of Finding
        In the order of the lines: fields that do not fit the schema, spans that are not exact or not unique, claims and
        licensing passages that change too much, new names, two rows with one id, name or near-duplicate passage.

    Raises
    ------
    InputError
        For a missing file, a line that is no JSON object, or no row at all.
    """
    rows: list[tuple[int, Candidate]] = []
    found: list[Finding] = []
    for line, value in json_lines(path):
        try:
            rows.append((line, Candidate.model_validate(value)))
        except ValidationError as error:
            found += (_of_schema(line, problem) for problem in error.errors())
    if not rows and not found:
        raise InputError(f"{path}: there is no row in it, expected one JSON object a line.")
    for line, row in rows:
        found += (Finding(line, field, message) for field, message in _of_row(row))
    return sorted([*found, *_between(rows)], key=lambda finding: finding.line)


def _of_schema(line: int, problem: Any) -> Finding:
    """One problem that pydantic found; those of a whole row name their field in the message."""
    message = problem["msg"].removeprefix("Value error, ").replace("Input should be", "expected")
    if not problem["loc"]:
        return Finding(line, *message.split(": ", 1))
    field = ".".join(map(str, problem["loc"]))
    if problem["type"] in ("missing", "extra_forbidden"):
        known = "found nothing, expected a value" if problem["type"] == "missing" else "found an unknown field"
        return Finding(line, field, known)
    return Finding(line, field, f"found {str(problem['input'])[:60]!r}, {message}")


def _of_row(row: Candidate) -> Iterator[tuple[str, str]]:
    words, (least, most) = len(row.passage.split()), WORDS_OF_A_PASSAGE
    if not least <= words <= most:
        yield "passage", f"found {words} words, expected {least} to {most}"
    for span in row.evidence_spans:
        if (times := row.passage.count(span)) > 1:
            yield (
                "evidence_spans",
                f"found {span[:60]!r} {times} times in the passage, expected a stretch that is unique",
            )
    if row.licensing_passage:
        changed = edit_share(row.passage, row.licensing_passage)
        if not 0 < changed <= MOST_EDITED_PASSAGE:
            yield (
                "licensing_passage",
                f"found {changed:.0%} of the words changed, expected some, at most {MOST_EDITED_PASSAGE:.0%}",
            )
    if row.intent == "force_gap":
        yield from _of_force_gap(row)


def _of_force_gap(row: Candidate) -> Iterator[tuple[str, str]]:
    if not row.licensing_passage:
        yield "licensing_passage", "found none, expected one where the intent is force_gap"
    apart = locality([Pair(**row.model_dump(exclude={"intent"}))]).iloc[0]
    if apart["edit_share"] > MOST_EDITED_CLAIM:
        yield (
            "raised_claim",
            f"found {apart['edit_share']:.0%} of the claims' words in one claim alone, "
            f"expected at most {MOST_EDITED_CLAIM:.0%}",
        )
    if apart["new_names"]:
        yield (
            "raised_claim",
            f"found the new name {apart['new_names']}, expected those of the passage or the safe claim",
        )


def _between(rows: Sequence[tuple[int, Candidate]]) -> Iterator[Finding]:
    """What two rows must not share."""
    line_of: dict[str, int] = {}
    for line, row in rows:
        if row.id in line_of:
            yield Finding(line, "id", f"found {row.id!r} again (as in line {line_of[row.id]}), expected each once")
        line_of.setdefault(row.id, line)
    first_of = [row.model_copy(update={"id": str(line)}) for line, row in rows if line_of[row.id] == line]
    for name, _, ids in shared_names(first_of).itertuples(index=False):
        lines = sorted(map(int, str(ids).split(", ")))
        for line in lines[1:]:
            yield Finding(line, "passage", f"found the name {name} (as in line {lines[0]}), expected a name of its own")
    kind = KINDS["passages"]
    if len(rows) > 1:
        alike = likeness([kind.text(row) for _, row in rows], words=kind.words)
        for first, second, share in alike[alike["jaccard"] >= kind.threshold].itertuples(index=False):
            text = f"found {share:.0%} of the word triples of line {rows[first][0]}, expected a passage of its own"
            yield Finding(rows[second][0], "passage", text)
