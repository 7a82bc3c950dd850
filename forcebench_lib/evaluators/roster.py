"""All evaluators that need no model, scored at once: what the chapters compare anything with."""

from collections.abc import Sequence

import pandas as pd

from ..schema import Pair
from .registry import BASELINES, CONTROLS, load
from .scoring import PassageKind, score_pairs


def score_roster(
    pairs: Sequence[Pair],
    *,
    own: str = "",
    controls: bool = True,
    passages: Sequence[PassageKind] = ("cited", "licensing"),
) -> pd.DataFrame:
    """Score the baselines, the claim-only controls and, where it is named, an evaluator of the reader's own.

    Parameters
    ----------
    pairs : sequence of Pair
        What is scored.
    own : str
        As `load` takes it, for example ``"my_module:score"``; it is called so in tables.
    controls : bool
        Whether the claim-only controls take part.
    passages : sequence of {"cited", "licensing"}
        ``"licensing"`` adds the raised claim against the passage that licenses it, for the evidence side.

    Returns
    -------
    DataFrame
        A scores frame, evaluator by evaluator; see `score_pairs`.

    Raises
    ------
    InputError
        Where `own` cannot be loaded or returns what is no score.
    """
    chosen = BASELINES | (CONTROLS if controls else {}) | ({own: load(own)} if own else {})
    return pd.concat(
        [score_pairs(function, pairs, name=name, passages=passages) for name, function in chosen.items()],
        ignore_index=True,
    )
