"""Two recorded runs beside each other, and the repeats of one: what changed, and how often."""

from collections.abc import Sequence

import pandas as pd

from . import metrics
from .judging import Run, scores
from .judging.reply import USABLE
from .schema import InputError, Pair
from .stats import wilson

QUESTION = ["pair_id", "passage", "claim"]


def flips(first: Run, second: Run, *, repeat: int = 0) -> pd.DataFrame:
    """The labels of two runs, question by question, where both asked.

    Returns
    -------
    DataFrame
        ``pair_id, passage, claim, first, second, changed``, in the order of the first run. ``first`` and ``second``
        hold the label, or the status where there is none; under graded scoring, the likeliest label of each order of
        the options, joined by a bar.

    Raises
    ------
    InputError
        For runs on different evaluation sets.
    """
    _same_edition(first, second)
    frame = _answers(first, repeat).merge(_answers(second, repeat), on=QUESTION, suffixes=("_first", "_second"))
    frame = frame.rename(columns={"answer_first": "first", "answer_second": "second"})[[*QUESTION, "first", "second"]]
    return frame.assign(changed=frame["first"] != frame["second"])


def outcome_flips(
    first: Run, second: Run, pairs: Sequence[Pair], *, side: metrics.Side = "claim", repeat: int = 0
) -> pd.DataFrame:
    """The outcomes of two runs, pair by pair, whatever failed.

    Returns
    -------
    DataFrame
        ``pair_id, axis, first, second, first_margin, second_margin, changed``: one row for each of `pairs`.
    """
    _same_edition(first, second)
    one, two = (_outcomes(run, pairs, side, repeat) for run in (first, second))
    frame = pd.DataFrame({"pair_id": one.index, "axis": one["axis"].to_numpy()})
    for column, name in (("outcome", ""), ("margin", "_margin")):
        frame[f"first{name}"], frame[f"second{name}"] = one[column].to_numpy(), two[column].to_numpy()
    return frame.assign(changed=frame["first"] != frame["second"])


def compared(
    first: Run, second: Run, pairs: Sequence[Pair], *, side: metrics.Side = "claim", repeat: int = 0
) -> dict[str, float]:
    """Paired differences in MVR and FS with intervals, and the exact McNemar test, as `metrics.compare` gives them."""
    _same_edition(first, second)
    one, two = (_outcomes(run, pairs, side, repeat).reset_index() for run in (first, second))
    return metrics.compare(first=one, second=two)


def repeat_flips(run: Run) -> pd.DataFrame:
    """Whether the repeats of a question brought the same label.

    Returns
    -------
    DataFrame
        ``pair_id, passage, claim, asked, labels, changed``: one row for each question that was asked more than once.
    """
    answers = pd.concat([_answers(run, repeat) for repeat in range(run.manifest.repeats)], ignore_index=True)
    grouped = answers.groupby(QUESTION, sort=False)["answer"].agg(asked="size", labels=tuple, differing="nunique")
    frame: pd.DataFrame = grouped[grouped["asked"] > 1].reset_index()
    frame["changed"] = frame.pop("differing") > 1
    return frame


def repeat_rates(run: Run, pairs: Sequence[Pair], *, side: metrics.Side = "claim") -> pd.DataFrame:
    """How often repeats disagree: the share of questions whose label changes and of pairs whose outcome does.

    Returns
    -------
    DataFrame
        ``unit, n, changed, rate, low, high`` for the units ``question`` and ``pair``; intervals by Wilson. A repeat in
        which a pair was not asked about in full says nothing of it. No row where nothing was asked twice.
    """
    columns = ["unit", "n", "changed", "rate", "low", "high"]
    if run.manifest.repeats < 2:
        return pd.DataFrame(columns=columns)
    by_pair = _by_repeat(run, pairs, side)
    changes = {
        "question": repeat_flips(run)["changed"],
        "pair": by_pair[by_pair.count(axis=1) > 1].nunique(axis=1) > 1,
    }
    rows = []
    for unit, changed in changes.items():
        if changed.empty:
            continue
        share = wilson(int(changed.sum()), len(changed))
        row = {"unit": unit, "n": share.n, "changed": int(changed.sum()), "rate": share.value}
        rows.append(row | {"low": share.low, "high": share.high})
    return pd.DataFrame(rows, columns=columns)


def _by_repeat(run: Run, pairs: Sequence[Pair], side: metrics.Side) -> pd.DataFrame:
    """The outcome of each pair in each repeat, missing where the pair was not asked about in full."""
    asked = {(one.repeat, one.pair_id, one.passage, one.claim) for one in run.judgments()}
    columns = {}
    for repeat in range(run.manifest.repeats):
        full = [pair.id for pair in pairs if all((repeat, pair.id, *one) in asked for one in metrics.MEMBERS[side])]
        columns[repeat] = _outcomes(run, pairs, side, repeat)["outcome"].reindex(full)
    return pd.DataFrame(columns, index=[pair.id for pair in pairs])


def _answers(run: Run, repeat: int) -> pd.DataFrame:
    rows = [
        (one.pair_id, one.passage, one.claim, one.label if one.status in USABLE else one.status)
        for one in run.judgments()
        if one.repeat == repeat
    ]
    frame = pd.DataFrame(rows, columns=[*QUESTION, "answer"])
    return frame.groupby(QUESTION, sort=False)["answer"].agg(" | ".join).reset_index()


def _outcomes(run: Run, pairs: Sequence[Pair], side: metrics.Side, repeat: int) -> pd.DataFrame:
    """One row for each pair, also for those that the run has no judgment of."""
    passage, claim = metrics.MEMBERS[side][0]
    missing = {"evaluator": "run", "prompt": "", "status": "missing", "passage": passage, "score": float("nan")}
    frame = scores(run, repeat=repeat).assign(evaluator="run", prompt="")
    if passage not in set(frame["passage"]):
        frame = pd.DataFrame([missing | {"pair_id": pairs[0].id, "claim": claim}])
    return metrics.outcomes(frame, pairs, side=side).set_index("pair_id")


def _same_edition(first: Run, second: Run) -> None:
    if first.manifest.edition.sha256 != second.manifest.edition.sha256:
        raise InputError(
            f"{first.id} and {second.id}: the two runs are on different evaluation sets, expected the same for both."
        )
