"""How local a pair is: how many words its claims do not share, and whether names and numbers stay the same."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import pandas as pd

from ..evaluators.lexicon import word_lists
from ..evaluators.words import tokens
from ..schema import Pair
from .names import row_names

WHISKER = 1.5


def edit_share(safe: str, raised: str) -> float:
    """Share of the words of two claims that stand in one of them alone, word order kept (difflib's matching blocks).

    Examples
    --------
    >>> edit_share("Tea may lower blood pressure.", "Tea will lower blood pressure.")
    0.2
    """
    return round(1 - SequenceMatcher(None, tokens(safe), tokens(raised), autojunk=False).ratio(), 12)


def locality(pairs: Sequence[Pair]) -> pd.DataFrame:
    """How the raised claim of each pair departs from the calibrated one.

    Returns
    -------
    DataFrame
        ``pair_id, axis, edit_share``; ``names_kept`` and ``numbers_kept``, the shares of the calibrated claim's names
        and numbers that the raised one has too (missing where it has none); ``new_names`` and ``new_numbers``, those of
        the raised claim that stand neither in the calibrated one nor in the passage.
    """
    rows = []
    for pair in pairs:
        safe, raised, passage = pair.safe_claim, pair.raised_claim, pair.passage
        names = [_names(text, pair) for text in (safe, raised, passage)]
        numbers = [_numbers(text) for text in (safe, raised, passage)]
        row = {"pair_id": pair.id, "axis": pair.axis, "edit_share": edit_share(safe, raised)}
        for kind, (of_safe, of_raised, of_passage) in (("names", names), ("numbers", numbers)):
            row[f"{kind}_kept"] = len(of_safe & of_raised) / len(of_safe) if of_safe else float("nan")
            row[f"new_{kind}"] = ", ".join(sorted(of_raised - of_safe - of_passage))
        rows.append(row)
    columns = ["pair_id", "axis", "edit_share", "names_kept", "numbers_kept", "new_names", "new_numbers"]
    return pd.DataFrame(rows, columns=columns)


def outliers(found: pd.DataFrame) -> pd.DataFrame:
    """The rows of `locality` that an audit should read again, with the reason.

    These are pairs whose edit share lies more than 1.5 quartile ranges above the third quartile (J. W. Tukey 1977), and
    pairs whose raised claim brings in a name or a number.
    """
    low, high = found["edit_share"].quantile([0.25, 0.75])
    far = found["edit_share"] > high + WHISKER * (high - low)
    reasons = pd.DataFrame(
        {
            "far apart": far,
            "new name": found["new_names"] != "",
            "new number": found["new_numbers"] != "",
        }
    )
    told = [", ".join(reasons.columns[list(row)]) for row in reasons.itertuples(index=False)]
    return found.assign(reason=told)[reasons.any(axis=1)].reset_index(drop=True)


def _names(text: str, pair: Pair) -> frozenset[str]:
    """The names of the row, wherever they stand in the text: at the opening of a sentence too."""
    return frozenset(name for name in row_names(pair) if re.search(rf"\b{re.escape(name)}\b", text))


def _numbers(text: str) -> frozenset[str]:
    """The numbers of a text in digits, number words up to twelve included."""
    named = word_lists("numeric")["number_words"].words
    words = tokens(text)
    return frozenset(
        [word for word in words if word[0].isdigit()] + [str(named.index(w) + 1) for w in words if w in named]
    )
