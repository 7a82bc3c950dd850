"""Graded scoring: the expected label score over the log probabilities of a one-letter reply."""

import math
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from .reply import Reading

PARAMETERS = {"max_tokens": 1, "logprobs": True, "top_logprobs": 20}
ROUNDING = 1e-6  # servers that compute in single precision give a sure token a log probability just above 0


def plausible(logprobs: Mapping[str, float]) -> bool:
    """Whether all of them are log probabilities, which are finite and at most 0.

    >>> plausible({"A": -0.5, "B": 0.0}), plausible({"A": 800.0}), plausible({"A": math.nan})
    (True, False, False)
    """
    return all(-math.inf < logprob <= ROUNDING for logprob in logprobs.values())


def option_probabilities(logprobs: Mapping[str, float], options: Sequence[str]) -> dict[str, float]:
    """The probability of each label as the first token of the reply.

    Labels such as ``force_calibrated`` and ``force_gap`` begin with the same token, so the prompt maps them to letters.
    Tokens that differ in blanks alone are one letter.

    Parameters
    ----------
    logprobs : mapping
        From the candidates for the first token to their natural log probability.
    options : sequence of str
        The labels that stood at A, B, C ... in the prompt.

    Examples
    --------
    >>> chances = option_probabilities({"A": -0.5108, " B": -1.204, "The": -3.0}, ["supported", "contradicted"])
    >>> {label: round(chance, 2) for label, chance in chances.items()}
    {'supported': 0.6, 'contradicted': 0.3}
    """
    chances = dict.fromkeys(options, 0.0)
    letters = dict(zip(ascii_uppercase, options, strict=False))
    for token, logprob in logprobs.items():
        if label := letters.get(token.strip()):
            chances[label] += math.exp(logprob)
    return chances


def read(logprobs: Mapping[str, float] | None, options: Sequence[str]) -> Reading:
    """The likeliest option.

    >>> read({"A": -0.5108, " B": -1.204}, ["supported", "contradicted"]).label
    'supported'
    """
    if logprobs is None or not plausible(logprobs):
        missing = "it gives no log probabilities, which graded scoring needs (scoring='labels' does not)"
        return Reading("api_error", error=missing)
    chances = option_probabilities(logprobs, options)
    best = max(chances, key=lambda label: chances[label])
    return Reading("ok", best) if chances[best] > 0 else Reading("invalid_label")


def expected_score(chances: Mapping[str, float], labels: Mapping[str, float]) -> float:
    """The mean of the label scores, weighted by the probabilities; not a number where no label has any.

    >>> round(expected_score({"supported": 0.6, "contradicted": 0.3}, {"supported": 1.0, "contradicted": 0.0}), 4)
    0.6667
    """
    mass = sum(chances.values())
    return sum(chance * labels[label] for label, chance in chances.items()) / mass if mass > 0 else math.nan
