"""Tables of the run browser and the leaderboard: what was recorded, run by run and side by side."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from .. import comparison
from ..card import SIGNS
from ..corpus import Edition
from ..markup import escape
from ..metrics import OUTCOMES, Side, compare
from ..panel import Entry
from .frame import INTERVAL, edition_line, intervals, p_value, prompt_label, titled, with_interval
from .results import evaluator_rates


class _Markup(str):
    """A word for the CSV with its HTML for the page."""

    html: str

    def __new__(cls, word: str, html: str) -> "_Markup":
        made = super().__new__(cls, word)
        made.html = html
        return made

    def __html__(self) -> str:
        return self.html


def runs_overview(listed: Sequence[Entry]) -> pd.DataFrame:
    """Every recorded run: what was asked, how the judge answered, how long it took and what it cost."""
    rows = [
        {
            "run": _linked(str(entry.number), f"run-{entry.number}"),
            "judge": entry.judge,
            "prompt": prompt_label(entry.manifest.prompt.id),
            "pairs": len(entry.manifest.pairs),
            "replies": len(entry.judgments),
            "unusable": entry.unusable,
            "seconds": _seconds(entry),
            "cost (USD)": entry.totals.cost_usd,
            "recorded": entry.date,
            "dropped": entry.dropped,
        }
        for entry in listed
    ]
    frame = pd.DataFrame(rows or {"run": ["none yet"]}, dtype=object)
    caption = f"Recorded runs, {len(rows)} in all. Seconds: the median of a reply, with the middle half in brackets."
    note = "A dash under cost: the price is not known, which is not the same as nothing. Dropped: parameters that the "
    note += "model or its provider refused. Every number of a run opens below with its manifest."
    return titled(frame, name="recorded_runs", caption=caption, note=note, **{"cost (USD)": ".2f"})


def _seconds(entry: Entry) -> str:
    low, middle, high = entry.seconds
    return with_interval(middle, low, high, digits=2)


def outcome_matrix(listed: Sequence[Entry], edition: Edition) -> pd.DataFrame:
    """The outcome of every pair on the claim side under every run, and how many runs violate it.

    Runs stand under their numbers; those on another text are left out.
    """
    columns: dict[Any, Any] = {
        "pair": [_linked(pair.id, f"pair-{pair.id}") for pair in edition.evaluation],
        "axis": [pair.axis for pair in edition.evaluation],
    }
    known = [entry for entry in listed if entry.edition is not None]
    found = {entry.number: _by_pair(entry) for entry in known}
    said = [[outcomes[pair.id] for outcomes in found.values() if pair.id in outcomes] for pair in edition.evaluation]
    columns["violated by"] = [f"{sum(word != 'ordered' for word in words)}/{len(words)}" for words in said]
    for number, outcomes in found.items():
        columns[str(number)] = [_sign(outcomes.get(pair.id, "")) for pair in edition.evaluation]
    frame = pd.DataFrame(columns, dtype=object)
    signs = ", ".join(f"{sign} {word}" for word, sign in SIGNS.items())
    caption = f"Every pair under every run, claim side, {edition_line(edition)}: {signs}, – not asked."
    return titled(frame, name="outcome_matrix", caption=caption)


def _linked(word: str, place: str) -> _Markup:
    return _Markup(word, f'<a href="#{escape(place)}">{escape(word)}</a>')


def _by_pair(entry: Entry, side: Side = "claim") -> dict[str, str]:
    frame = entry.outcomes(side)
    return dict(zip(frame["pair_id"], frame["outcome"], strict=True))


def _sign(word: str) -> Any:
    return _Markup(word, f'<span role="img" aria-label="{word}">{SIGNS[word]}</span>') if word else None


def leaderboards(listed: Sequence[Entry]) -> list[pd.DataFrame]:
    """One table for each set of runs that can be compared: the same text, the same scoring, the same passages.

    Only runs that cover every pair of their text stand in one. The largest text comes first, labels before graded
    scores, both sides before one. Rows are ordered by the share of pairs on which both sides hold, or by MVR where one
    side alone was asked.
    """
    whole = [entry for entry in listed if entry.whole]
    whole.sort(key=lambda entry: (-len(entry.pairs), *_place(entry), entry.conditions))
    return [_leaderboard(list(group)) for _, group in groupby(whole, key=lambda entry: entry.conditions)]


def _place(entry: Entry) -> tuple[bool, int]:
    return entry.manifest.scoring != "labels", -len(entry.manifest.passages)


def _leaderboard(group: list[Entry]) -> pd.DataFrame:
    evidence = not group[0].outcomes("evidence").empty
    rates = [
        evaluator_rates(entry.outcomes(), entry.outcomes("evidence") if evidence else None).iloc[0] for entry in group
    ]
    order = {"both": False, "mvr": True} if evidence else {"mvr": True}
    table = pd.DataFrame(rates).reset_index(drop=True).sort_values([*order], ascending=[*order.values()], kind="stable")
    ranked = [group[place] for place in table.index]
    columns: dict[str, Any] = {
        "judge": table["evaluator"],
        "prompt": [prompt_label(prompt) for prompt in table["prompt"]],
    }
    columns |= {"both hold": intervals(table, "both")} if evidence else {}
    columns["MVR"] = intervals(table, "mvr")
    columns |= {"evidence side": intervals(table, "mirror")} if evidence else {}
    columns |= {
        "FS": intervals(table, "fs"),
        "unusable": table["unusable"],
        "cost (USD)": [entry.totals.cost_usd for entry in ranked],
        "recorded": [entry.date for entry in ranked],
        "dropped": [entry.dropped for entry in ranked],
        "run": [entry.run.id[-8:] for entry in ranked],
    }
    return _titled_board(pd.DataFrame(columns), group)


def _titled_board(frame: pd.DataFrame, group: list[Entry]) -> pd.DataFrame:
    edition, one = group[0].edition, group[0].manifest
    assert edition is not None
    judges = len({entry.judge for entry in group})
    kind = "labels" if one.scoring == "labels" else "graded scores"
    caption = (
        f"{len(group)} run{'s' * (len(group) > 1)} of {judges} judge{'s' * (judges > 1)} with {kind}, "
        f"{' and '.join(one.passages)} passages, {edition_line(edition)}. "
        "Where intervals overlap, the order of rows is no ranking."
    )
    note = (
        "Both hold: share of pairs with both sides ordered. MVR and evidence side: share violated, lower is better. "
        f"{INTERVAL} FS of prompts with different label scores is not on one scale. A dash: the cost is not known."
    )
    name = f"leaderboard_{one.scoring}_{'_'.join(one.passages)}_{edition.sha256[:8]}"
    return titled(frame, name=name, caption=caption, note=note, **{"cost (USD)": ".2f"})


def run_comparison(first: Entry, second: Entry) -> pd.DataFrame:
    """Two runs on the same pairs, side by side: rates, their paired difference, and the exact McNemar test.

    The difference in FS is left out where the two prompts score their labels differently.
    """
    sides: tuple[Side, ...] = ("claim", "evidence")
    rows = []
    for side in sides:
        one, other = first.outcomes(side), second.outcomes(side)
        if not one.empty and not other.empty:
            shares = {f"run {first.number}": _violations(one), f"run {second.number}": _violations(other)}
            rows.append({"side": side, **shares, **compare(first=one, second=other)})
    table = pd.DataFrame(rows)
    columns: dict[str, Any] = {"side": table["side"], "N": table["n"]}
    columns |= {name: table[name] for name in (f"run {first.number}", f"run {second.number}")}
    columns["difference"] = intervals(table, "mvr_difference")
    if first.manifest.prompt.labels == second.manifest.prompt.labels:
        columns["FS difference"] = intervals(table, "fs_difference")
    columns[f"run {first.number} alone"] = table["only_first"]
    columns[f"run {second.number} alone"] = table["only_second"]
    columns["p"] = [p_value(p) for p in table["p"]]
    runs = " and ".join(f"run {entry.number} ({_named(entry)})" for entry in (first, second))
    caption = f"Share of pairs that {runs} violate, the same pairs under both."
    note = (
        "Difference: the second run minus the first, below 0 is fewer violations. Alone: pairs that one run violates "
    )
    note += "and the other does not. Brackets hold 95% intervals over pairs; p is the exact two-sided McNemar test."
    return titled(pd.DataFrame(columns), name="run_comparison", caption=caption, note=note)


def _violations(frame: pd.DataFrame) -> float:
    return float(np.mean(frame["outcome"] != "ordered"))


def _named(entry: Entry) -> str:
    return f"{entry.judge}, {prompt_label(entry.manifest.prompt.id)}"


def outcome_flips(first: Entry, second: Entry) -> pd.DataFrame:
    """How many pairs went from which outcome to which, on the claim side, and how many labels changed."""
    found = comparison.outcome_flips(first.run, second.run, first.pairs)
    counts = pd.crosstab(found["first"], found["second"]).reindex(index=OUTCOMES, columns=OUTCOMES, fill_value=0)
    frame = counts.rename_axis(columns=None).rename_axis(f"under run {first.number}").reset_index()
    caption = f"Pairs by their outcome under run {first.number} (rows) and run {second.number} (columns), claim side."
    note = f"On the diagonal nothing changed: {found['changed'].sum()} of {len(found)} pairs changed."
    if first.manifest.prompt.labels == second.manifest.prompt.labels:
        labels = comparison.flips(first.run, second.run)["changed"]
        note += f" The label changed on {labels.sum()} of {len(labels)} questions."
    return titled(frame, name="outcome_flips", caption=caption, note=note)


def repeat_rates(listed: Sequence[Entry]) -> pd.DataFrame:
    """How often the repeats of a run disagree, for each run that asked more than once; empty where none did."""
    rows = []
    for entry in listed:
        if entry.manifest.repeats > 1 and entry.pairs:
            found = comparison.repeat_rates(entry.run, entry.pairs).set_index("unit").reindex(["question", "pair"])
            row = {"run": entry.number, "judge": entry.judge, "prompt": prompt_label(entry.manifest.prompt.id)}
            row |= {"asked": f"{entry.manifest.repeats} times"}
            shares = zip(("label changes", "outcome changes"), ("question", "pair"), strict=True)
            rows.append(row | {name: with_interval(*found.loc[unit, ["rate", "low", "high"]]) for name, unit in shares})
    caption = "Repeats that disagree: share of questions with another label, and of pairs with another outcome."
    return titled(
        pd.DataFrame(rows), name="repeat_rates", caption=caption, note="Brackets hold 95% intervals, Wilson's."
    )
