"""Running an evaluator over pairs, and checking what it returns before anything is computed from it."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd

from ..schema import InputError, Pair
from .registry import Evaluator

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
        Where the evaluator returns another number of scores, something that is no number, or a number outside [0, 1].
    """
    if unknown := [kind for kind in passages if kind not in _CASES]:
        raise InputError(f"passages: found {unknown[0]!r}, expected 'cited' or 'licensing'.")
    cases = [(pair, kind, claim) for pair in pairs for kind in passages for claim in _CASES[kind]]
    texts = [(_passage(pair, kind), _claim(pair, claim)) for pair, kind, claim in cases]
    asked = [index for index, (passage, _) in enumerate(texts) if passage.strip()]
    returned = evaluator([texts[index][0] for index in asked], [texts[index][1] for index in asked]) if asked else []
    scores, statuses = [math.nan] * len(cases), [NO_PASSAGE] * len(cases)
    for index, value in zip(asked, _as_list(returned, len(asked), name), strict=True):
        pair, kind, claim = cases[index]
        scores[index] = _checked(value, f"{name}: pair {pair.id}, {claim} claim, {kind} passage")
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
    returned = evaluator(passages, claims) if claims else []
    values = enumerate(_as_list(returned, len(claims), name), 1)
    return [_checked(value, f"{name}: claim {number}") for number, value in values]


def _passage(pair: Pair, kind: PassageKind) -> str:
    return pair.passage if kind == "cited" else pair.licensing_passage


def _claim(pair: Pair, claim: str) -> str:
    return pair.safe_claim if claim == "safe" else pair.raised_claim


def _as_list(returned: Any, expected: int, name: str) -> list[Any]:
    try:
        if isinstance(returned, set | frozenset | dict | str | bytes):  # these have no order, or hold no scores
            raise TypeError
        values = list(returned)
    except TypeError:
        kind = type(returned).__name__
        raise InputError(
            f"{name}: the evaluator returned a {kind}, expected a sequence of {expected} scores."
        ) from None
    if len(values) != expected:
        raise InputError(f"{name}: the evaluator returned {len(values)} scores, expected {expected}, one a claim.")
    return values


def _checked(value: Any, where: str) -> float:
    try:
        score = float(value) if not isinstance(value, str) else None
    except (TypeError, ValueError):
        score = None
    if score is None:
        raise InputError(f"{where}: found {value!r} as score, expected a number in [0, 1].")
    if not (0 <= score <= 1 or math.isnan(score)):
        raise InputError(f"{where}: found the score {score!r}, expected a number in [0, 1].")
    return score
