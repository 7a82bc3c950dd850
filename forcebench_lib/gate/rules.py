"""The supporter that needs no model: exact values must agree, and each part of a claim must be spoken of.

It reads words, not meaning. A claim in words of its own fails, and that is the safe side of a gate.
"""

import re
from functools import cache

from ..evaluators import explain
from ..evaluators.forcecheck import Finding
from ..evaluators.lexicon import word_lists
from ..evaluators.overlap import coverage
from ..evaluators.words import content_stems, sentences
from ..schema import AXES, Axis
from .records import Reading
from .values import dates, holds_quote, missing, numbers, quotes, ranges, written

FEWEST_STEMS = 3
SAME_STATEMENT = 0.6


def read(passage: str, claim: str) -> Reading:
    """Read one claim by the rules for quotes, exact values, negation and parts, in this order.

    Examples
    --------
    >>> read("Refunds take 14 days.", "Refunds take 30 days.").detail
    'The claim says "30 days", the source does not.'
    >>> read("Refunds take 14 days.", "Refunds take 14 days, and return shipping costs nothing.").detail
    'The source does not speak of "return shipping costs nothing": it holds 0% of its words.'
    """
    if lost := [quote for quote in quotes(claim) if not holds_quote(passage, quote)]:
        return Reading(0.0, f'The quote "{lost[0]}" is not in the source.')
    if changed := missing([*numbers(claim), *dates(claim)], passage):
        return Reading(0.0, f'The claim says "{_with_unit(changed[0].text, claim)}", the source does not.')
    if word := _turned(passage, claim):
        return Reading(0.0, f'Source and claim differ by "{word}".')
    score, part = min(((coverage(passage, part), part) for part in parts(claim)), key=lambda found: found[0])
    return Reading(score, f'The source does not speak of "{part}": it holds {score:.0%} of its words.')


def parts(claim: str) -> tuple[str, ...]:
    """Split a claim where a second statement may begin; parts of one or two content words stay where they are.

    Examples
    --------
    >>> parts("Refunds take 14 days, and return shipping costs nothing.")
    ('Refunds take 14 days', 'return shipping costs nothing')
    >>> parts("The shop sells apples, plums, and pears.")
    ('The shop sells apples, plums, and pears',)
    """
    found: list[str] = []
    start = end = 0
    for next_start, next_end in [*(gap.span() for gap in _joint().finditer(claim)), (len(claim), len(claim))]:
        if found and not _is_statement(claim[end:next_start]):
            found[-1] = claim[start:next_start]
        elif found and _is_statement(found[-1]):
            found.append(claim[end:next_start])
            start = end
        else:
            found[-1:] = [claim[start:next_start]]
        end = next_end
    return tuple(part.strip(" .;,") for part in found)


def _is_statement(text: str) -> bool:
    return len(content_stems(text)) >= FEWEST_STEMS


def too_strong(passage: str, claim: str) -> tuple[Axis, str] | None:
    """Name the axis on which a claim says more than its passage, with ForceCheck's findings, or None.

    Examples
    --------
    >>> too_strong("Tea may lower blood pressure.", "Tea will lower blood pressure.")
    ('modality', 'The source says "may", the claim does not; the claim says "will", the source does not.')
    """
    found = explain(written(passage), written(claim))
    findings = [one for one in found if one.mark.kind != "range" or ranges(one.mark.text)]  # 9-5 is no range
    if not findings:
        return None
    weight = {axis: sum(one.penalty for one in findings if one.axis == axis) for axis in AXES}
    axis = max(AXES, key=lambda one: weight[one])
    words = "; ".join(_in_words(one) for one in findings if one.axis == axis)
    return axis, f"{words[0].upper()}{words[1:]}."


def _in_words(finding: Finding) -> str:
    holder, other = ("source", "claim") if finding.rule == "dropped" else ("claim", "source")
    return f'the {holder} says "{finding.mark.text}", the {other} does not'


def _turned(passage: str, claim: str) -> str:
    """The negation that stands in one of claim and evidence alone, where they say about the same; else empty."""
    claimed = _negations(claim)
    spans = [span for span in sentences(passage) if passage[slice(*span)].strip()]
    clauses = [part for span in spans for part in parts(passage[slice(*span)])]
    best = max(clauses, key=lambda clause: coverage(clause, claim), default="")
    if coverage(best, claim) < SAME_STATEMENT:
        return ""
    held = _negations(best)
    return next(iter(held or claimed), "") if bool(held) != bool(claimed) else ""


def _negations(text: str) -> list[str]:
    return [match.group() for match in _negation().finditer(text.replace("’", "'"))]


@cache
def _negation() -> re.Pattern[str]:
    return re.compile(word_lists("gate")["negations"].regex, re.IGNORECASE)


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(rf"(?<!\s)\s*+;\s+|,\s+{word_lists('gate')['connectives'].regex}\s+", re.IGNORECASE)


def _with_unit(value: str, claim: str) -> str:
    """The value with the word behind it, as the claim has it."""
    match = re.search(rf"{re.escape(value)}(?:[\s-]+[^\W\d_]+)?", claim)
    return match.group() if match else value
