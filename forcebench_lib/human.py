"""Reviews by people, beside the two that every candidate of an edition has."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pandas as pd

from . import paths
from .agreement import Reviewed, by_field
from .corpus import REVIEWERS, Stages
from .schema import InputError, Review, read_jsonl


def read_reviews(path: Path | str, stages: Stages) -> tuple[Review, ...]:
    """Read a file of reviews by people, one review a line, in the fields of `Review`.

    Raises
    ------
    InputError
        For a broken line, an id that is no candidate of the edition, a span outside its passage, a reviewer who has the
        name of one of the edition's own, or two reviews of one candidate under one name, or
        a file without reviews.
    """
    path = paths.found(path)
    reviews = read_jsonl(path, Review)
    check(reviews, stages, path)
    return tuple(reviews)


def check(reviews: Sequence[Review], stages: Stages, path: Path) -> None:
    """Check that reviews fit the candidates of an edition; see `read_reviews` for errors."""
    if not reviews:
        raise InputError(f"{path}: there is no review in it, expected at least one.")
    passages = {row.id: row.passage for row in stages.candidates}
    seen = set()
    for number, review in enumerate(reviews, 1):
        where = f"{path}, review {number}"
        if review.reviewer in REVIEWERS:
            raise InputError(f"{where}: reviewer: found {review.reviewer!r}, expected a name of the reviewer's own.")
        if review.id not in passages:
            raise InputError(f"{where}: id: found {review.id!r}, expected the id of a candidate.")
        for span in review.annotation_evidence_spans:
            if span not in passages[review.id]:
                raise InputError(
                    f"{where}: annotation_evidence_spans: {span[:60]!r} is not in the passage of {review.id}, "
                    "expected an exact substring of it."
                )
        if (review.id, review.reviewer) in seen:
            raise InputError(f"{where}: found a second review of {review.id} by {review.reviewer!r}, expected one.")
        seen.add((review.id, review.reviewer))


def beside(stages: Stages, human: Sequence[Review]) -> pd.DataFrame:
    """Agreement of every two readers on the candidates that people reviewed, field by field.

    Returns
    -------
    DataFrame
        ``reviewer`` (the two who are compared) and the columns of `agreement.between_reviewers`. Each two are compared
        on the candidates that both reviewed; the edition's own two on those that at least one person reviewed.
    """
    by_people = {review.id for review in human}
    reviews = [review for review in stages.reviews if review.id in by_people] + list(human)
    written = {(review.reviewer, review.id): review for review in reviews}
    readers = [*dict.fromkeys(review.reviewer for review in human), *REVIEWERS]
    frames = []
    for first, second in combinations(readers, 2):
        rows = [
            Reviewed(row, written[first, row.id], written[second, row.id])
            for row in stages.candidates
            if (first, row.id) in written and (second, row.id) in written
        ]
        if rows:
            found = by_field(rows).replace({"rows": {"all candidates": "both reviewed"}})
            found.insert(0, "reviewer", f"{first} and {second}")
            frames.append(found)
    return pd.concat(frames, ignore_index=True)
