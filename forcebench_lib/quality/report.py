"""All checks with a bound in one frame."""

from collections.abc import Sequence

import pandas as pd

from ..schema import Pair
from .composition import composition
from .finding import WHOLE, finding, findings
from .likeness import near_duplicates
from .names import Row, shared_names
from .shortcuts import claim_shortcuts, ngram_classifier, recall


def report(pairs: Sequence[Pair], candidates: Sequence[Row]) -> pd.DataFrame:
    """Run every check that has a bound.

    Parameters
    ----------
    pairs : sequence of Pair
        The evaluation set.
    candidates : sequence of Candidate or Pair
        All rows among which no two may be alike.

    Returns
    -------
    DataFrame
        ``check, part, n, found, bound, holds``: the figure of each check on the whole and, where it has one, on each
        axis; what was asked for, as text; whether it holds, missing where nothing was asked.
    """
    names = finding("Names in two rows", WHOLE, len(candidates), float(len(shared_names(candidates))), None)
    parts = [claim_shortcuts(pairs), ngram_classifier(pairs), recall(pairs), composition(pairs)]
    return pd.concat([*parts, near_duplicates(candidates), findings([names])], ignore_index=True)
