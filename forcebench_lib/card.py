"""The pair card: one passage with its evidence span and two claims, as plain HTML in which everything is escaped."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

import pandas as pd

from .markup import escape
from .schema import Pair

SIGNS = {"ordered": "✓", "tie": "=", "inversion": "✗", "unusable": "∅"}


@dataclass(frozen=True)
class Verdict:
    """What one judge said about one claim: its label and its score."""

    label: str
    score: float | None


def pair_card(pair: Pair, *, verdicts: Mapping[str, Verdict] | None = None, outcome: str = "", judge: str = "") -> str:
    """Show a pair as HTML.

    Parameters
    ----------
    pair : Pair
        The record; nothing in it is trusted.
    verdicts : mapping, optional
        From ``"safe"`` and ``"raised"`` to what a judge said about that claim.
    outcome, judge : str, optional
        The outcome under that judge, and the judge's name.

    Returns
    -------
    str
        One ``<article>``; it needs no script, and its classes are styled in ``companion.css``.
    """
    safe, raised = marked_difference(pair.safe_claim, pair.raised_claim)
    said = verdicts or {}
    facts = [
        pair.axis,
        pair.mechanism.replace("-", " "),
        f"severity {pair.severity}",
        pair.marker and f"{pair.marker} limiter",
    ]
    source = " · ".join([pair.source, pair.domain, pair.id])
    return "\n".join(
        [
            f'<article class="pair-card axis-{escape(pair.axis)}" aria-label="Pair {escape(pair.id)}">',
            f'<p class="pair-question">{escape(pair.question)}</p>',
            f'<blockquote class="pair-passage"><p>{marked_spans(pair.passage, pair.evidence_spans)}</p>',
            f'<footer class="pair-source">{escape(source)}</footer></blockquote>',
            '<div class="pair-claims">',
            _claim("safe", "Evidence-calibrated", safe, said.get("safe")),
            _claim("raised", "Force-raised", raised, said.get("raised")),
            "</div>",
            _outcome(outcome, judge),
            f'<p class="pair-foot">{" · ".join(escape(fact) for fact in facts if fact)}</p>',
            _more(pair),
            "</article>",
        ]
    )


def judged_card(pair: Pair, judgments: pd.DataFrame, outcomes: pd.DataFrame, *, judge: str, prompt: str) -> str:
    """The card of a pair with what one judge said under one prompt.

    Parameters
    ----------
    pair : Pair
        The record.
    judgments, outcomes : DataFrame
        The judgments frame of `judging.judgments`, and the outcomes that were computed from them.
    judge, prompt : str
        Whose judgments.
    """
    said = judgments[(judgments["evaluator"] == judge) & (judgments["prompt"] == prompt)]
    said = said[(said["pair_id"] == pair.id) & (said["passage"] == "cited") & (said["repeat"] == 0)]
    row = outcomes[(outcomes["evaluator"] == judge) & (outcomes["prompt"] == prompt) & (outcomes["pair_id"] == pair.id)]
    if said.empty or row.empty:
        return pair_card(pair)
    result = row.iloc[0].to_dict()
    verdicts = {
        one["claim"]: Verdict(
            one["label"] or one["status"], None if pd.isna(result[one["claim"]]) else result[one["claim"]]
        )
        for one in said.to_dict("records")
    }
    return pair_card(pair, verdicts=verdicts, outcome=str(result["outcome"]), judge=f"{judge}, {prompt}")


def marked_spans(passage: str, spans: Iterable[str]) -> str:
    """The passage as HTML with its evidence spans in ``<mark class="evidence">``.

    Examples
    --------
    >>> marked_spans("a < b, as seen", ["a < b"])
    '<mark class="evidence">a &lt; b</mark>, as seen'
    """
    found = sorted((passage.find(span), len(span)) for span in spans if span and span in passage)
    html, position = [], 0
    for start, length in found:
        if start < position:
            continue
        html += [
            escape(passage[position:start]),
            f'<mark class="evidence">{escape(passage[start : start + length])}</mark>',
        ]
        position = start + length
    return "".join([*html, escape(passage[position:])])


def marked_difference(first: str, second: str) -> tuple[str, str]:
    """Two texts as HTML with the words in which they differ in ``<del>`` and ``<ins>``.

    Examples
    --------
    >>> marked_difference("It may rain.", "It will rain.")
    ('It <del>may</del> rain.', 'It <ins>will</ins> rain.')
    """
    a, b = _tokens(first), _tokens(second)
    left, right = [], []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left.append(_marked("".join(a[a1:a2]), "" if tag == "equal" else "del"))
        right.append(_marked("".join(b[b1:b2]), "" if tag == "equal" else "ins"))
    return "".join(left), "".join(right)


def _tokens(text: str) -> list[str]:
    return re.findall(r"\s+|[\w'’-]+|[^\w\s]", text)


def _marked(text: str, element: str) -> str:
    if not element or not text.strip():
        return escape(text)
    inner = text.strip()
    start = text.index(inner)
    before, after = text[:start], text[start + len(inner) :]
    return f"{escape(before)}<{element}>{escape(inner)}</{element}>{escape(after)}"


def _claim(kind: str, label: str, text: str, verdict: Verdict | None) -> str:
    said = ""
    if verdict is not None:
        score = "no score" if verdict.score is None else f"score {verdict.score:.2f}"
        said = f'<p class="claim-verdict">{escape(verdict.label)} · {score}</p>'
    return f'<div class="claim claim-{kind}"><p class="claim-label">{label}</p><p>{text}</p>{said}</div>'


def _outcome(outcome: str, judge: str) -> str:
    if not outcome:
        return ""
    by = f" under {escape(judge)}" if judge else ""
    return f'<p class="pair-outcome outcome-{escape(outcome)}">{SIGNS.get(outcome, "")} {escape(outcome)}{by}</p>'


def _more(pair: Pair) -> str:
    parts = [f"<dt>Why the passage stops short</dt><dd>{escape(pair.rationale)}</dd>"]
    parts.append(f"<dt>Repair</dt><dd>{marked_difference(pair.raised_claim, pair.repair)[1]}</dd>")
    if pair.licensing_passage:
        edited = marked_difference(pair.passage, pair.licensing_passage)[1]
        parts.append(f"<dt>Licensing passage (warrants the force-raised claim)</dt><dd>{edited}</dd>")
    summary = "<summary>Rationale, repair, licensing passage</summary>"
    return f'<details class="pair-more">{summary}<dl>{"".join(parts)}</dl></details>'
