"""Near-duplicates: passages, claims and sentence frames of different rows that share too many word shingles.

The share is the Jaccard index of two sets of shingles (A. Z. Broder 1997), computed for all pairs of rows at once. An
edition is small enough that no estimate such as MinHash is needed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from .finding import WHOLE, Bound, finding, findings
from .names import Row, masked, row_names


@dataclass(frozen=True)
class Kind:
    """What is compared: a text of each row, the words of a shingle, and the Jaccard index of near-duplicates."""

    text: Callable[[Row], str]
    words: int
    threshold: float


KINDS: dict[str, Kind] = {
    "passages": Kind(lambda row: row.passage, 3, 0.2),
    "calibrated claims": Kind(lambda row: row.safe_claim, 2, 0.4),
    "raised claims": Kind(lambda row: row.raised_claim, 2, 0.4),
    "calibrated frames": Kind(lambda row: masked(row.safe_claim, row_names(row)), 2, 0.5),
    "raised frames": Kind(lambda row: masked(row.raised_claim, row_names(row)), 2, 0.5),
}


def likeness(texts: Sequence[str], *, words: int) -> pd.DataFrame:
    """Jaccard index of the shingles of any two texts that share one: ``first, second`` (places), ``jaccard``.

    Examples
    --------
    >>> likeness(["tea may calm adults", "tea may calm cats", "rain fell"], words=2).values.tolist()
    [[0.0, 1.0, 0.5]]
    """
    import numpy as np
    from scipy.sparse import triu
    from sklearn.feature_extraction.text import HashingVectorizer

    counter = HashingVectorizer(
        ngram_range=(words, words), token_pattern=r"\w+", norm=None, alternate_sign=False, n_features=2**24, binary=True
    )
    shingles = counter.transform(texts)
    size = np.asarray(shingles.sum(axis=1)).ravel()
    shared = triu(shingles @ shingles.T, k=1).tocoo()
    union = size[shared.row] + size[shared.col] - shared.data
    frame = pd.DataFrame({"first": shared.row, "second": shared.col, "jaccard": shared.data / union})
    return frame.sort_values(["jaccard", "first", "second"], ascending=[False, True, True], ignore_index=True)


def closest(rows: Sequence[Row]) -> pd.DataFrame:
    """The closest two rows of each kind of text: ``text, first, second, jaccard, threshold``."""
    found = []
    for name, kind in KINDS.items():
        alike = likeness([kind.text(row) for row in rows], words=kind.words)
        if len(alike):
            first, second, jaccard = alike.iloc[0]
            found.append((name, rows[int(first)].id, rows[int(second)].id, jaccard, kind.threshold))
    return pd.DataFrame(found, columns=["text", "first", "second", "jaccard", "threshold"])


def near_duplicates(rows: Sequence[Row]) -> pd.DataFrame:
    """For each kind of text, the number of pairs of rows at or above its threshold."""
    found = []
    for name, kind in KINDS.items():
        alike = likeness([kind.text(row) for row in rows], words=kind.words)["jaccard"] >= kind.threshold
        check = f"Near-duplicate {name}"
        found.append(finding(check, WHOLE, len(rows), float(alike.sum()), Bound("at most", 0)))
    return findings(found)
