"""Tables of results: rates of every evaluator, published beside recomputed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .. import reported
from ..corpus import Edition
from ..metrics import joint, rates
from ..schema import AXES
from ..stats import bootstrap_mean, wilson
from .frame import INTERVAL, OURS, PROMPT_LABELS, PUBLISHED, edition_line, intervals, prompt_label, titled


def evaluator_rates(claim_side: pd.DataFrame, evidence_side: pd.DataFrame | None = None) -> pd.DataFrame:
    """MVR, FS and the split of every evaluator and prompt, with the evidence side and the joint rate where it is given.

    Returns
    -------
    DataFrame
        The columns of `metrics.rates`; with `evidence_side` also ``mirror, mirror_low, mirror_high`` (share of pairs on
        which support does not rise when the licensing passage is swapped in), ``mirror_margin`` with its interval, and
        ``both, both_low, both_high`` (share of pairs on which both orderings hold).
    """
    table = in_order(rates(claim_side))
    if evidence_side is None or evidence_side.empty:
        return table
    mirror = rates(evidence_side).rename(columns={"mvr": "mirror", "mvr_low": "mirror_low", "mvr_high": "mirror_high"})
    mirror = mirror.rename(columns={f"fs{end}": f"mirror_margin{end}" for end in ("", "_low", "_high")})
    kept = [name for name in mirror.columns if name.startswith("mirror")]
    table = table.merge(mirror[["evaluator", "prompt", *kept]], how="left", on=["evaluator", "prompt"])
    held = joint(claim_side, evidence_side).groupby(["evaluator", "prompt"], sort=False)["both"].agg(["sum", "count"])
    shares = [wilson(int(row["sum"]), int(row["count"])) for _, row in held.iterrows()]
    both = pd.DataFrame(
        {"both": [s.value for s in shares], "both_low": [s.low for s in shares], "both_high": [s.high for s in shares]},
        index=held.index,
    )
    return table.merge(both.reset_index(), how="left", on=["evaluator", "prompt"])


def table2(table: pd.DataFrame, edition: Edition, *, name: str = "table2") -> pd.DataFrame:
    """ForceBench, Table 2: every evaluator, published beside recomputed.

    Parameters
    ----------
    table : DataFrame
        The result of `evaluator_rates`.
    edition : Edition
        What it was computed on, for the caption.
    name : str
        Name of the CSV.
    """
    published = reported.table2().fillna({"prompt": ""}).set_index(["evaluator", "prompt"])
    keys = list(zip(table["evaluator"], table["prompt"], strict=True))
    columns: dict[Any, Any] = {
        ("evaluator", ""): table["evaluator"].to_list(),
        ("prompt", ""): [prompt_label(prompt) for prompt in table["prompt"]],
        (PUBLISHED, "MVR"): [published["mvr"].get(key, np.nan) for key in keys],
        (PUBLISHED, "FS"): [published["fs"].get(key, np.nan) for key in keys],
        (OURS, "MVR"): intervals(table, "mvr"),
        (OURS, "FS"): intervals(table, "fs"),
    }
    if "mirror" in table:
        columns |= {
            (OURS, "evidence side"): intervals(table, "mirror"),
            (OURS, "both hold"): intervals(table, "both"),
        }
    if not table["prompt"].any():
        del columns["prompt", ""]
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(columns)
    caption = f"Table 2. Monotonicity violation rate (lower is better) and force sensitivity, {edition_line(edition)}."
    return titled(frame, name=name, caption=caption, note=INTERVAL)


def violation_split(table: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """How each evaluator's violations divide into ties, inversions and unusable pairs."""
    frame = pd.DataFrame(
        {
            "evaluator": table["evaluator"],
            "prompt": [prompt_label(prompt) for prompt in table["prompt"]],
            "N": table["n"],
            "violations": table["violations"],
            "ties": table["tie"],
            "inversions": table["inversion"],
            "unusable": table["unusable"],
        }
    )
    if not table["prompt"].any():
        frame = frame.drop(columns="prompt")
    caption = f"Violations by kind, {edition_line(edition)}. An unusable pair has a member without a score."
    return titled(frame, name="violation_split", caption=caption)


def table3(pooled: pd.DataFrame, edition: Edition, *, judges: int) -> pd.DataFrame:
    """ForceBench, Table 3: the four prompts over all judges, published beside recomputed.

    Parameters
    ----------
    pooled : DataFrame
        The result of `pooled_rates`.
    edition : Edition
        For the caption.
    judges : int
        How many judges are pooled.
    """
    published = reported.table3().set_index("prompt")
    ours = pooled.set_index("prompt")
    known = [prompt for prompt in published.index if prompt in ours.index]
    columns: dict[Any, Any] = {
        ("prompt", ""): [published["label"][prompt] for prompt in known],
        (PUBLISHED, "MVR"): [published["mvr_percent"][prompt] / 100 for prompt in known],
        (PUBLISHED, "FS"): [published["fs"][prompt] for prompt in known],
        (OURS, "units"): ours.loc[known, "n"].to_list(),
        (OURS, "MVR"): intervals(ours.loc[known], "mvr"),
        (OURS, "FS"): intervals(ours.loc[known], "fs"),
    }
    if "mirror" in ours:
        columns |= {
            (OURS, "evidence side"): intervals(ours.loc[known], "mirror"),
            (OURS, "both hold"): intervals(ours.loc[known], "both"),
        }
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(columns)
    who = f"{judges} local judge{'s' if judges != 1 else ''}"
    caption = f"Table 3. The four prompts: four hosted judges in the paper, {who} on the {edition_line(edition)}."
    note = f"{INTERVAL} FS of prompts with different label scores is not on one scale."
    return titled(frame, name="table3", caption=caption, note=note)


def by_group(
    claim_side: pd.DataFrame,
    group: str,
    edition: Edition,
    *,
    evidence_side: pd.DataFrame | None = None,
    name: str = "",
) -> pd.DataFrame:
    """MVR of every evaluator and prompt in each part of the evaluation set, and the evidence side in a line below it.

    Parameters
    ----------
    claim_side : DataFrame
        Outcomes frame.
    group : {"axis", "severity", "source", "marker"}, or another column of the outcomes
        What parts the evaluation set. Sources stand in rows and without intervals: each has few pairs.
    edition : Edition
        For the caption.
    evidence_side : DataFrame, optional
        Outcomes frame of the mirror test on the same pairs; not shown by source.
    name : str
        Name of the CSV.
    """
    name = name or f"mvr_by_{group}"
    sizes = claim_side.drop_duplicates("pair_id")[group].value_counts()
    order: Sequence[Any] = AXES if group == "axis" else sorted(sizes.index)
    named = {level: f"{level} (n = {sizes[level]})" for level in order if level in sizes}
    table = _group_rates(claim_side, group, side="claim (MVR)")
    caption = f"MVR by {group}, {edition_line(edition)}."
    if group == "source":
        few = table.pivot_table(index=group, columns="name", values="mvr", sort=False).reindex([*named])
        frame = few.rename(index=named).rename_axis(columns=None).reset_index()
        note = "Each source has few pairs, so single values say little."
        formats = dict.fromkeys(frame.columns[1:], ".2f")
        return titled(frame, name=name, caption=caption, note=note, **formats)
    sides = ["claim (MVR)"]
    if evidence_side is not None and not evidence_side.empty:
        sides.append("evidence")
        table = pd.concat([table, _group_rates(evidence_side, group, side="evidence")], ignore_index=True)
        caption = f"MVR and evidence-side violation rate by {group}, {edition_line(edition)}."
    wide = table.pivot_table(index=["name", "side"], columns=group, values="shown", aggfunc="first", sort=False)
    rows = [(one, side) for one in table["name"].unique() for side in sides if (one, side) in wide.index]
    frame = wide.loc[rows, [*named]].rename(columns=named).rename_axis(columns=None).reset_index()
    frame = frame.rename(columns={"name": "evaluator"})
    return titled(frame if len(sides) == 2 else frame.drop(columns="side"), name=name, caption=caption, note=INTERVAL)


def _group_rates(outcomes: pd.DataFrame, group: str, *, side: str) -> pd.DataFrame:
    """Violation rates in each part, with the evaluator and its prompt as one name and the rate as text."""
    table = in_order(rates(outcomes, by=["evaluator", "prompt", group]))
    names = [
        " · ".join(filter(None, (e, prompt_label(p)))) for e, p in zip(table["evaluator"], table["prompt"], strict=True)
    ]
    return table.assign(name=names, side=side, shown=intervals(table, "mvr", digits=2))


def policies(claim_side: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """MVR and FS when an unusable pair counts as a violation (the paper's policy), and when it is left out."""
    keys = ["evaluator", "prompt"]
    counted = rates(claim_side)
    left_out = rates(claim_side, policy="leave_out").set_index(keys).reindex(pd.MultiIndex.from_frame(counted[keys]))
    frame = pd.DataFrame(
        {
            "evaluator": counted["evaluator"],
            "prompt": [prompt_label(prompt) for prompt in counted["prompt"]],
            "unusable": counted["unusable"],
            "MVR, counted as violation": intervals(counted, "mvr"),
            "MVR, left out": intervals(left_out.reset_index(), "mvr"),
            "FS, margin 0": intervals(counted, "fs"),
            "FS, left out": intervals(left_out.reset_index(), "fs"),
        }
    )
    caption = f"Two policies for pairs without a usable score, {edition_line(edition)}."
    return titled(frame, name="policies", caption=caption, note=INTERVAL)


def tie_policies(claim_side: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """MVR when a tie is a violation (the paper's), half of one, or none."""
    table = rates(claim_side)
    wrong = table["inversion"] + table["unusable"]
    frame = pd.DataFrame(
        {
            "evaluator": table["evaluator"],
            "prompt": [prompt_label(prompt) for prompt in table["prompt"]],
            "ties": table["tie"],
            "tie is a violation": table["violations"] / table["n"],
            "tie is half a violation": (wrong + table["tie"] / 2) / table["n"],
            "tie is none": wrong / table["n"],
        }
    )
    caption = f"MVR under three readings of a tie, {edition_line(edition)}."
    return titled(frame, name="tie_policies", caption=caption)


def pooled_rates(claim_side: pd.DataFrame, evidence_side: pd.DataFrame) -> pd.DataFrame:
    """Rates of each prompt over all judges, with intervals over pairs; columns are those of `evaluator_rates`."""
    pooled = rates(claim_side, by=["prompt"])
    if not evidence_side.empty:
        mirror = rates(evidence_side, by=["prompt"]).set_index("prompt").reindex(pooled["prompt"])
        for end in ("", "_low", "_high"):
            pooled[f"mirror{end}"] = mirror[f"mvr{end}"].to_numpy()
            pooled[f"mirror_margin{end}"] = mirror[f"fs{end}"].to_numpy()
        held = joint(claim_side, evidence_side)
        by_pair = held.groupby(["prompt", "pair_id"], sort=False)["both"].mean()
        shares = {prompt: bootstrap_mean(found.to_numpy(dtype=float)) for prompt, found in by_pair.groupby("prompt")}
        for end, measure in (("", "value"), ("_low", "low"), ("_high", "high")):
            pooled[f"both{end}"] = [getattr(shares.get(prompt), measure, np.nan) for prompt in pooled["prompt"]]
    return in_order(pooled.assign(evaluator="Model aggregate"))


def with_aggregate(table: pd.DataFrame, claim_side: pd.DataFrame, evidence_side: pd.DataFrame) -> pd.DataFrame:
    """`evaluator_rates` of several judges after rows ``Model aggregate`` that pool them, prompt by prompt."""
    return pd.concat([pooled_rates(claim_side, evidence_side), table], ignore_index=True)


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Rows by evaluator as they came, and by prompt in the order of the paper, prompts of one's own last."""
    prompts, evaluators = [*PROMPT_LABELS], [*dict.fromkeys(table["evaluator"])]
    rank = [prompts.index(prompt) if prompt in prompts else len(prompts) for prompt in table["prompt"]]
    place = [evaluators.index(evaluator) for evaluator in table["evaluator"]]
    ordered = table.assign(_place=place, _rank=rank).sort_values(["_place", "_rank"], kind="stable", ignore_index=True)
    return ordered.drop(columns=["_place", "_rank"])


def source_sensitivity(claim_side: pd.DataFrame, left_out: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """The range over which MVR moves when each source is left out in turn.

    Parameters
    ----------
    claim_side, left_out : DataFrame
        Outcomes frame, and the result of `metrics.leave_one_source_out` on it.
    edition : Edition
        For the caption.
    """
    keys = ["evaluator", "prompt"]
    frame = rates(claim_side)[[*keys, "mvr"]]
    moved = left_out.merge(frame.rename(columns={"mvr": "whole"}), on=keys)
    moved["shift"] = (moved["mvr"] - moved["whole"]).abs()
    furthest = (
        moved.sort_values("shift", kind="stable").groupby(keys)["left_out"].last().rename("moved most by leaving out")
    )
    ranges = moved.groupby(keys)["mvr"].agg(lowest="min", highest="max")
    frame = frame.merge(ranges, on=keys).merge(furthest, on=keys).rename(columns={"mvr": "MVR"})
    frame["prompt"] = [prompt_label(prompt) for prompt in frame["prompt"]]
    caption = f"MVR with each source left out in turn, {edition_line(edition)}."
    return titled(frame, name="source_sensitivity", caption=caption)
