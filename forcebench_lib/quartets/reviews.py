"""Double review: the sheet that a reviewer fills without seeing which context is which, and the agreement of two."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ..agreement import cohen_kappa
from ..corpus import stable_hash
from ..schema import InputError, json_lines, parse_record
from .dataset import Evidence, Review
from .records import EXPECTED, Example, Quartet, Variant, examples

ALIASES = "PQRST"
FIELDS = ("evidence_status", "expected_behaviour", "answer_valid", "citation_valid", "conflict_present")
GROUPS = {
    "evidence status and expected behaviour": ("evidence_status", "expected_behaviour"),
    "conflict presence": ("conflict_present",),
    "answer valid and citation valid notes": ("answer_valid", "citation_valid"),
}
STATUS: dict[Variant, Evidence] = {
    "sufficient": "sufficient",
    "noisy": "sufficient",
    "insufficient": "insufficient",
    "conflicting": "conflicting",
}


def sheet(quartets: Sequence[Quartet], *, reviewer: str) -> list[dict[str, Any]]:
    """What one reviewer reads: every context once, in an order and under aliases of the reviewer's own.

    Each line holds ``item``, the question, the documents, the proposed answer, which is the same in all four contexts,
    and the alias of the document proposed as its citation: ``none`` where the support is not in the context.
    """
    proposed = {row.id: row.answer for row in quartets}
    asked = sorted(examples(quartets), key=lambda one: item_name(one, reviewer))
    return [_item(one, item_name(one, reviewer), proposed[one.quartet]) for one in asked]


def item_name(example: Example, reviewer: str) -> str:
    """The name under which a reviewer sees a context; it follows from the context and says nothing of it."""
    return stable_hash(f"{example.quartet} {example.variant}", reviewer)[:12]


def _item(example: Example, name: str, answer: str) -> dict[str, Any]:
    shown = sorted(example.documents, key=lambda one: stable_hash(one.id, name))
    aliases = dict(zip((one.id for one in shown), ALIASES, strict=False))
    return {
        "item": name,
        "question": example.question,
        "documents": [{"alias": aliases[one.id], "title": one.title, "text": one.text} for one in shown],
        "proposed_answer": answer,
        "proposed_citation": aliases[example.gold.supporting[0]] if example.gold.supporting else "none",
    }


def read_sheet(path: Path, quartets: Sequence[Quartet], *, reviewer: str) -> list[Review]:
    """Read what a reviewer wrote: one line an item, with ``item`` and the fields of the codebook.

    Raises
    ------
    InputError
        For an item that is not of this reviewer's sheet, one that stands twice, one that is missing, or a field that is
        not as the codebook says.
    """
    items = {item_name(one, reviewer): one for one in examples(quartets)}
    found: dict[str, Review] = {}
    for line, value in json_lines(path):
        name = str(value.get("item"))
        if name not in items or name in found:
            raise InputError(
                f"{path}, line {line}: item: found {name!r}, expected each item of {reviewer}'s sheet once."
            )
        filled = {field: value[field] for field in (*FIELDS, "notes") if field in value}
        place = {"quartet": items[name].quartet, "variant": items[name].variant, "reviewer": reviewer}
        found[name] = parse_record(filled | place, Review, path=path, line=line)
    if missing := items.keys() - found.keys():
        raise InputError(f"{path}: {len(missing)} of {len(items)} items are missing, the first is {min(missing)}.")
    return sorted(found.values(), key=lambda row: (row.quartet, list(EXPECTED).index(row.variant)))


def agreement(reviews: Iterable[Review]) -> pd.DataFrame:
    """Agreement of the two reviewers on the three groups of fields for which EviScope prints it.

    Two reviews agree on a group where they agree on all of its fields. The reviewer whose name comes first in the
    alphabet is the first. Both rounds count: a context that was mended and reviewed again gives two pairs of reviews.

    Returns
    -------
    DataFrame
        ``field, n, same, same_low, same_high, kappa, kappa_low, kappa_high``.
    """
    pairs = _pairs(reviews)
    rows = []
    for name, fields in GROUPS.items():
        labels = [[" / ".join(getattr(one, field) for field in fields) for one in pair] for pair in pairs]
        found = cohen_kappa(first=[one for one, _ in labels], second=[other for _, other in labels])
        rows.append(
            {
                "field": name,
                "n": found.n,
                "same": found.same.value,
                "same_low": found.same.low,
                "same_high": found.same.high,
                "kappa": found.kappa.value,
                "kappa_low": found.kappa.low,
                "kappa_high": found.kappa.high,
            }
        )
    return pd.DataFrame(rows)


def _pairs(reviews: Iterable[Review]) -> list[list[Review]]:
    contexts: dict[tuple[str, str, int], list[Review]] = {}
    for review in sorted(reviews, key=lambda row: row.reviewer):
        contexts.setdefault((review.quartet, review.variant, review.round), []).append(review)
    return list(contexts.values())


def against_design(reviews: Iterable[Review]) -> pd.DataFrame:
    """How often a reviewer, who did not know it, found what a context was made to be.

    Returns
    -------
    DataFrame
        ``reviewer, variant, n, status, behaviour``: reviews, and those with the status and the behaviour meant.
    """
    rows = [
        {
            "reviewer": one.reviewer,
            "variant": one.variant,
            "n": 1,
            "status": one.evidence_status == STATUS[one.variant],
            "behaviour": one.expected_behaviour == EXPECTED[one.variant],
        }
        for one in reviews
    ]
    frame = pd.DataFrame(rows)
    return frame.groupby(["reviewer", "variant"], sort=False).sum().reset_index()
