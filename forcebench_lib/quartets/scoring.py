"""Row metrics: what each output got right, decided without a model, and the rates over all contexts of a policy.

The definitions are EviScope's (arXiv:2609.17081) where it states one. What it leaves open is settled here and said in
the docstrings.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from ..stats import wilson
from .matching import contains, names_any
from .outputs import Output, completed
from .records import Example, Quartet, examples

POLICY = ["system", "policy"]
FAILURES = {
    "answers without support": (("insufficient",), ("answer",)),
    "answers a conflict": (("conflicting",), ("answer",)),
    "withholds the answer": (("sufficient", "noisy"), ("abstain", "flag_conflict")),
}
OUTCOMES = (
    "right",
    "right answer, wrong source",
    "wrong answer",
    "answered without support",
    "answered a conflict",
    "wrong non-answer",
    "unreadable",
)


def marks(outputs: Iterable[Output], quartets: Sequence[Quartet]) -> pd.DataFrame:
    """What each output got right.

    Parameters
    ----------
    outputs : iterable of Output
        Of one or more systems and policies. A context without an output counts as a failure.
    quartets : sequence of Quartet
        What was asked.

    Returns
    -------
    DataFrame
        One row a system, policy, quartet and variant: ``action, status``, the marks below, ``cited, supported``
        (cited documents, and the supporting ones of them), ``quotes, quotes_right`` (citations, and those whose quote
        holds the gold span or lies in it, in the right document), ``spans, spans_found``, and ``tokens, calls,
        latency_s, cost_usd``. A document, or a quote of it, that is cited again counts once.

        ``answer_right``: answered where an answer is expected, and the answer is or contains an alias.
        ``source_right``: answered there, and the cited documents are the supporting ones and no other.
        ``joint``: both; or rightly abstained; or rightly flagged. ``outcome`` is one of `OUTCOMES`; a wrong non-answer
        is one where an answer is expected, or of the other kind than expected.

    Raises
    ------
    InputError
        If there is no output at all, or one for a context that was not asked.
    """
    asked = {(one.quartet, one.variant): one for one in examples(quartets)}
    rows = [_mark(one, asked[one.quartet, one.variant]) for one in completed(outputs, quartets)]
    numbers = dict.fromkeys(["tokens", "latency_s", "cost_usd"], float)
    return pd.DataFrame(rows).astype(numbers)


def _mark(output: Output, example: Example) -> dict[str, object]:
    gold, citations = example.gold, {(one.id, one.quote) for one in output.citations}
    cited = {id_ for id_, _ in citations}
    answered = output.action == "answer"
    expected = answered and gold.answerable
    answer_right = expected and names_any(output.answer, gold.answers)
    source_right = expected and cited == set(gold.supporting)
    fits = [
        [source == id_ and (contains(quote, span) or contains(span, quote)) for source, span in gold.spans]
        for id_, quote in citations
    ]
    joint = (answer_right and source_right) if gold.answerable else output.action == gold.action
    return {
        "system": output.system,
        "policy": output.policy,
        "quartet": output.quartet,
        "variant": output.variant,
        "action": output.action or "",
        "status": output.status,
        "answer_right": answer_right,
        "source_right": source_right,
        "joint": joint,
        "outcome": "right" if joint else _failure(output.action, example, answer_right=answer_right),
        "cited": len(cited) if expected else 0,
        "supported": len(cited & set(gold.supporting)) if expected else 0,
        "quotes": len(citations) if expected else 0,
        "quotes_right": sum(any(row) for row in fits) if expected else 0,
        "spans": len(gold.spans) if gold.answerable else 0,
        "spans_found": sum(any(column) for column in zip(*fits, strict=True)) if expected else 0,
        "tokens": output.tokens,
        "calls": output.calls,
        "latency_s": output.latency_s,
        "cost_usd": output.cost_usd,
    }


def _failure(action: str | None, example: Example, *, answer_right: bool) -> str:
    """In which way an output that is not right fails."""
    if action is None:
        return "unreadable"
    if action != "answer":
        return "wrong non-answer"
    if example.gold.answerable:
        return "right answer, wrong source" if answer_right else "wrong answer"
    return "answered a conflict" if example.gold.conflicting else "answered without support"


def row_rates(marked: pd.DataFrame) -> pd.DataFrame:
    """The row metrics of each system and policy.

    Parameters
    ----------
    marked : DataFrame
        The result of `marks`.

    Returns
    -------
    DataFrame
        ``system, policy, n`` and, as shares of the rows named:

        - of the answerable contexts: ``answer_accuracy, source_accuracy, right_answer_wrong_source,
          right_source_wrong_answer, wrong_non_answer`` (abstained or flagged);
        - of the documents cited there: ``unsupported_citation``; of the citations: ``span_precision``; of the gold
          spans: ``span_recall``;
        - ``abstention_precision`` (of all abstentions), ``abstention_recall`` (of the insufficient contexts);
        - of the conflicting contexts: ``conflict_accuracy, conflict_answered``;
        - of the insufficient ones: ``insufficient_answered``; of both together: ``hallucination``;
        - of all: ``joint_success, unreadable`` (or missing), ``tokens, calls, latency_s, cost_usd`` (means; tokens and
          cost are missing where one of the rows does not know them).

        A share of nothing is missing; an F1 without a true positive is 0.
    """
    return by_policy(marked, _row_rates)


def _row_rates(rows: pd.DataFrame) -> dict[str, float]:
    answerable = rows[rows["variant"].isin(["sufficient", "noisy"])]
    insufficient, conflicting = rows[rows["variant"] == "insufficient"], rows[rows["variant"] == "conflicting"]
    abstained = rows["action"] == "abstain"
    right_abstentions = int((insufficient["action"] == "abstain").sum())
    answer, source = answerable["answer_right"], answerable["source_right"]
    cited, spans = int(answerable["cited"].sum()), int(answerable["spans"].sum())
    quotes, found = int(answerable["quotes"].sum()), int(answerable["spans_found"].sum())
    span, abstention = (
        (share(int(answerable["quotes_right"].sum()), quotes), share(found, spans)),
        (share(right_abstentions, int(abstained.sum())), share(right_abstentions, len(insufficient))),
    )
    return {
        "n": len(rows),
        "answer_accuracy": answer.mean(),
        "source_accuracy": source.mean(),
        "span_precision": span[0],
        "span_recall": span[1],
        "span_f1": f1(*span),
        "right_answer_wrong_source": (answer & ~source).mean(),
        "right_source_wrong_answer": (source & ~answer).mean(),
        "unsupported_citation": share(cited - int(answerable["supported"].sum()), cited),
        "wrong_non_answer": answerable["action"].isin(["abstain", "flag_conflict"]).mean(),
        "abstention_precision": abstention[0],
        "abstention_recall": abstention[1],
        "abstention_f1": f1(*abstention),
        "conflict_accuracy": (conflicting["action"] == "flag_conflict").mean(),
        "conflict_answered": (conflicting["action"] == "answer").mean(),
        "insufficient_answered": (insufficient["action"] == "answer").mean(),
        "hallucination": (pd.concat([insufficient, conflicting])["action"] == "answer").mean(),
        "joint_success": rows["joint"].mean(),
        "unreadable": (rows["status"] != "ok").mean(),
        **{name: rows[name].mean(skipna=False) for name in ("tokens", "calls", "latency_s", "cost_usd")},
    }


def failure_rates(marked: pd.DataFrame) -> pd.DataFrame:
    """Three failures of each system and policy, each over the contexts in which it can happen.

    Returns
    -------
    DataFrame
        ``system, policy, failure, n, share, low, high`` with Wilson's interval.
    """
    rows = []
    for names, mine in marked.groupby(POLICY, sort=False):
        for failure, (variants, actions) in FAILURES.items():
            met = mine[mine["variant"].isin(variants)]
            rate = wilson(int(met["action"].isin(actions).sum()), len(met))
            rows.append((*names, failure, rate.n, rate.value, rate.low, rate.high))
    return pd.DataFrame(rows, columns=[*POLICY, "failure", "n", "share", "low", "high"])


def share(part: int, whole: int) -> float:
    """A share, missing where there is nothing to share."""
    return part / whole if whole else np.nan


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall; 0 where one of them is 0 or missing.

    Examples
    --------
    >>> f1(0.5, 1.0), f1(float("nan"), 0.0)
    (0.6666666666666666, 0.0)
    """
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0


def by_policy(frame: pd.DataFrame, measure: Callable[[pd.DataFrame], dict[str, float]]) -> pd.DataFrame:
    """One row a system and policy, in the order in which they come."""
    groups = frame.groupby(POLICY, sort=False)
    return pd.DataFrame([dict(zip(POLICY, names, strict=True)) | measure(rows) for names, rows in groups])
