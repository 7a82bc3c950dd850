"""Running an evaluator over pairs, and checking what it returns before anything is computed from it."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd

from ..schema import InputError, Pair
from .registry import Evaluator, in_short

PassageKind = Literal["cited", "licensing"]

NO_ANSWER = "no_answer"
NO_PASSAGE = "no_passage"
_CASES: dict[PassageKind, tuple[str, ...]] = {"cited": ("safe", "raised"), "licensing": ("raised",)}


def score_pairs(
    evaluator: Evaluator, pairs: Sequence[Pair], *, name: str, passages: Sequence[PassageKind] = ("cited",)
) -> pd.DataFrame:
    """Score both claims of each pair against its cited passage, and on request the raised one against its licence.

    Parameters
    ----------
    evaluator : callable
        ``(passages, claims) -> scores``; it is called once, with all texts.
    pairs : sequence of Pair
        The pairs, in the order in which they stay.
    name : str
        How the evaluator is called in tables.
    passages : sequence of {"cited", "licensing"}
        ``"licensing"`` adds the raised claim against the passage that licenses it.

    Returns
    -------
    DataFrame
        A scores frame: ``pair_id, evaluator, prompt, passage, claim, score, status``. No row is ever left out: a
        missing score has the status ``no_answer``, a pair without a licensing passage ``no_passage``.

    Raises
    ------
    InputError
        Where the evaluator raises (with its error as the cause), returns another number of scores, something that is
        no number, or a number outside [0, 1].
    """
    if unknown := [kind for kind in passages if kind not in _CASES]:
        raise InputError(f"passages: found {unknown[0]!r}, expected 'cited' or 'licensing'.")
    cases = [(pair, kind, claim) for pair in pairs for kind in passages for claim in _CASES[kind]]
    texts = [(_passage(pair, kind), _claim(pair, claim)) for pair, kind, claim in cases]
    asked = [index for index, (passage, _) in enumerate(texts) if passage.strip()]
    places = [f"pair {pair.id}, {claim} claim, {kind} passage" for pair, kind, claim in map(cases.__getitem__, asked)]
    asking = [texts[index] for index in asked]
    returned = _returned(evaluator, [p for p, _ in asking], [c for _, c in asking], name, places) if asked else []
    scores, statuses = [math.nan] * len(cases), [NO_PASSAGE] * len(cases)
    for index, place, value in zip(asked, places, returned, strict=True):
        scores[index] = _checked(value, f"{name}: {place}")
        statuses[index] = NO_ANSWER if math.isnan(scores[index]) else "ok"
    return pd.DataFrame(
        {
            "pair_id": [pair.id for pair, _, _ in cases],
            "evaluator": name,
            "prompt": "",
            "passage": [kind for _, kind, _ in cases],
            "claim": [claim for _, _, claim in cases],
            "score": scores,
            "status": statuses,
        }
    )


def score_texts(evaluator: Evaluator, passages: Sequence[str], claims: Sequence[str], *, name: str) -> list[float]:
    """Score claims against passages, with the same checks as `score_pairs`; not-a-number where there is no answer.

    Examples
    --------
    >>> from forcebench_lib.evaluators import token_overlap
    >>> score_texts(token_overlap, ["Tea may calm."], ["Tea may calm"], name="Token overlap")
    [1.0]
    """
    places = [f"claim {number}" for number in range(1, len(claims) + 1)]
    returned = _returned(evaluator, passages, claims, name, places) if claims else []
    return [_checked(value, f"{name}: {place}") for place, value in zip(places, returned, strict=True)]


def _passage(pair: Pair, kind: PassageKind) -> str:
    return pair.passage if kind == "cited" else pair.licensing_passage


def _claim(pair: Pair, claim: str) -> str:
    return pair.safe_claim if claim == "safe" else pair.raised_claim


def _returned(
    evaluator: Evaluator, passages: Sequence[str], claims: Sequence[str], name: str, places: Sequence[str]
) -> list[Any]:
    """What an evaluator returns for all texts at once, as a list of the right length."""
    try:
        values = _as_list(evaluator(passages, claims))
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # a stranger's function may raise anything
        at = _failing(evaluator, passages, claims)
        where = (
            f"for {places[at]}" if at is not None else f"for {len(claims)} claims at once and for none of them alone"
        )
        raise InputError(f"{name}: the evaluator raised {in_short(error)} {where}.") from error
    if isinstance(values, str):
        raise InputError(f"{name}: the evaluator returned a {values}, expected a sequence of {len(claims)} scores.")
    if len(values) != len(claims):
        raise InputError(f"{name}: the evaluator returned {len(values)} scores, expected {len(claims)}, one a claim.")
    return values


def _as_list(returned: Any) -> list[Any] | str:
    """The scores, or the kind of what holds none in an order."""
    ordered = hasattr(returned, "__iter__") or hasattr(returned, "__getitem__")
    if not ordered or isinstance(returned, set | frozenset | dict | str | bytes):
        return type(returned).__name__
    return list(returned)


def _failing(evaluator: Evaluator, passages: Sequence[str], claims: Sequence[str]) -> int | None:
    """The place of a claim on which an evaluator fails alone, by halves."""
    low, high = 0, len(claims)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _fails(evaluator, passages[low:middle], claims[low:middle]) else (middle, high)
    return low if _fails(evaluator, passages[low:high], claims[low:high]) else None


def _fails(evaluator: Evaluator, passages: Sequence[str], claims: Sequence[str]) -> bool:
    try:
        _as_list(evaluator(passages, claims))
    except (Exception, SystemExit):
        return True
    return False


def _checked(value: Any, where: str) -> float:
    try:
        score = float(value) if not isinstance(value, str) else None
    except Exception:  # what stands for a number may be a stranger's too
        score = None
    if score is None:
        found = " ".join(repr(value).split())[:80]
        raise InputError(f"{where}: found {found} as score, expected a number in [0, 1].")
    if not (0 <= score <= 1 or math.isnan(score)):
        raise InputError(f"{where}: found the score {score!r}, expected a number in [0, 1].")
    return score
