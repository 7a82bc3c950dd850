"""Tables of paired comparisons: prompts on the same pairs, by judge, pooled and by axis; what N can tell apart."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from ..corpus import Edition
from ..metrics import compare
from ..schema import AXES
from ..stats import bootstrap_mean, gee_odds_ratio, holm, smallest_detectable
from .frame import INTERVAL, edition_line, intervals, p_value, prompt_label, titled, with_interval


def prompt_comparisons(
    claim_side: pd.DataFrame, edition: Edition, *, baseline: str, prompts: Sequence[str]
) -> pd.DataFrame:
    """Each prompt against a baseline prompt on the same pairs, judge by judge, with the exact McNemar test.

    Parameters
    ----------
    claim_side : DataFrame
        Outcomes frame of one or more judges under several prompts.
    edition : Edition
        For the caption.
    baseline : str
        The prompt that the others are compared with.
    prompts : sequence of str
        The others; those that a judge has no run of are left out.
    """
    rows = []
    for judge, runs in claim_side.groupby("evaluator", sort=False):
        present = dict(list(runs.groupby("prompt", sort=False)))
        for prompt in prompts:
            if baseline not in present or prompt not in present:
                continue
            found = compare(first=present[baseline], second=present[prompt])
            rows.append({"judge": judge, "prompt": prompt_label(prompt), **found})
    label = prompt_label(baseline)
    caption = f"Each prompt against “{label}” on the same pairs, {edition_line(edition)}. Below 0: fewer violations."
    note = f"{INTERVAL} p: exact two-sided McNemar test, adjusted by Holm over the rows of this table."
    table = pd.DataFrame(rows)
    if not rows:
        return titled(table, name="prompt_comparisons", caption=caption, note=note)
    frame = pd.DataFrame(
        {
            "judge": table["judge"],
            "prompt": table["prompt"],
            "MVR difference": intervals(table, "mvr_difference"),
            "FS difference": intervals(table, "fs_difference"),
            "violated under the baseline alone": table["only_first"],
            "violated under the prompt alone": table["only_second"],
            "p": [p_value(p) for p in table["p"]],
            "p (Holm)": [p_value(p) for p in holm(table["p"].to_list())],
        }
    )
    return titled(frame, name="prompt_comparisons", caption=caption, note=note)


def judge_comparisons(claim_side: pd.DataFrame, edition: Edition, *, prompts: Sequence[str]) -> pd.DataFrame:
    """Every two judges against each other on the same pairs under the same prompt, with the exact McNemar test.

    Parameters
    ----------
    claim_side : DataFrame
        Outcomes frame of two or more judges.
    edition : Edition
        For the caption.
    prompts : sequence of str
        Under which prompts.
    """
    rows = []
    for prompt in prompts:
        present = dict(list(claim_side[claim_side["prompt"] == prompt].groupby("evaluator", sort=False)))
        for first, second in combinations(present, 2):
            found = compare(first=present[first], second=present[second])
            rows.append({"prompt": prompt_label(prompt), "first": first, "second": second, **found})
    caption = (
        f"Judges against each other on the same pairs, {edition_line(edition)}. Below 0: the second violates fewer."
    )
    note = f"{INTERVAL} p: exact two-sided McNemar test, adjusted by Holm over the rows of this table."
    table = pd.DataFrame(rows)
    if not rows:
        return titled(table, name="judge_comparisons", caption=caption, note=note)
    frame = table[["prompt", "first", "second"]].copy()
    frame["MVR difference"] = intervals(table, "mvr_difference")
    frame["violated by the first alone"], frame["by the second alone"] = table["only_first"], table["only_second"]
    frame["p (Holm)"] = [p_value(p) for p in holm(table["p"].to_list())]
    return titled(frame, name="judge_comparisons", caption=caption, note=note)


def pooled_comparisons(
    claim_side: pd.DataFrame, edition: Edition, *, baseline: str, prompts: Sequence[str]
) -> pd.DataFrame:
    """Each prompt against the baseline over all judges: paired bootstrap over pairs, and a GEE with pairs as clusters.

    Parameters are those of `prompt_comparisons`; only judges with a run under both prompts are pooled.
    """
    violated = claim_side.assign(violation=(claim_side["outcome"] != "ordered").astype(int))
    rows = []
    for prompt in prompts:
        units = violated[violated["prompt"].isin([baseline, prompt])]
        units = units[units.groupby("evaluator")["prompt"].transform("nunique") == 2]
        if units.empty:
            continue
        units = units.assign(second=(units["prompt"] == prompt).astype(int))
        means = units.pivot_table(index="pair_id", columns="second", values=["violation", "margin"], aggfunc="mean")
        mvr = bootstrap_mean((means["violation"][1] - means["violation"][0]).to_numpy(dtype=float))
        fs = bootstrap_mean((means["margin"][1] - means["margin"][0]).to_numpy(dtype=float))
        ratio = gee_odds_ratio(units)
        rows.append(
            {
                "prompt": prompt_label(prompt),
                "judges": units["evaluator"].nunique(),
                "MVR difference": with_interval(mvr.value, mvr.low, mvr.high),
                "FS difference": with_interval(fs.value, fs.low, fs.high),
                "odds ratio (GEE)": with_interval(ratio.odds_ratio, ratio.low, ratio.high, digits=2),
                "p (GEE)": "–" if ratio.p != ratio.p else p_value(ratio.p),
            }
        )
    caption = f"Each prompt against “{prompt_label(baseline)}” over all judges, {edition_line(edition)}."
    note = "Brackets hold 95% intervals over pairs. A dash: a prompt violates no pair or every pair of the judges."
    return titled(pd.DataFrame(rows), name="pooled_comparisons", caption=caption, note=note)


def axis_comparisons(claim_side: pd.DataFrame, edition: Edition, *, baseline: str, prompt: str) -> pd.DataFrame:
    """One prompt against the baseline on each axis, judge by judge, with McNemar's p adjusted by Holm over the axes."""
    rows = []
    for judge, runs in claim_side.groupby("evaluator", sort=False):
        found: list[dict[str, Any]] = []
        for axis in AXES:
            first, second = (runs[(runs["prompt"] == one) & (runs["axis"] == axis)] for one in (baseline, prompt))
            if not first.empty and not second.empty:
                found.append({"judge": judge, "axis": axis, **compare(first=first, second=second)})
        adjusted = holm([one["p"] for one in found])
        rows += [one | {"p_holm": p} for one, p in zip(found, adjusted, strict=True)]
    caption = f"“{prompt_label(prompt)}” against “{prompt_label(baseline)}” by axis, {edition_line(edition)}."
    table = pd.DataFrame(rows)
    if not rows:
        return titled(table, name="axis_comparisons", caption=caption)
    frame = table[["judge", "axis", "n"]].copy()
    frame["MVR difference"] = intervals(table, "mvr_difference")
    frame["p (Holm)"] = [p_value(p) for p in table["p_holm"]]
    return titled(frame, name="axis_comparisons", caption=caption, note=f"{INTERVAL} Below 0: fewer violations.")


def detectable(edition: Edition) -> pd.DataFrame:
    """The smallest difference in MVR that can be found, for this edition, the paper's set and a few round sizes."""
    n = len(edition.evaluation)
    sizes = sorted({n, 100, 198, 400})
    shares = (0.1, 0.2, 0.4, 0.6)
    rows = [
        {"pairs": size} | {f"differ on {share:.0%}": smallest_detectable(size, discordant=share) for share in shares}
        for size in sizes
    ]
    caption = (
        f"Smallest difference in MVR that an exact McNemar test at 5% finds with 80% power. This edition has {n} pairs."
    )
    note = "Columns: the share of pairs on which the two evaluators differ. A dash: no difference can be found."
    formats = {f"differ on {share:.0%}": ".2f" for share in shares}
    return titled(pd.DataFrame(rows), name="detectable", caption=caption, note=note, **formats)
