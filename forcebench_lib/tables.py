"""Each table of the book as one function that returns a frame.

A frame carries its caption, name and number formats in ``attrs``. Published figures stand beside recomputed ones under
heads of their own and are never mixed into one number.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from . import reported
from .agreement import reviewed
from .corpus import Edition, Flow, Stages, flow_counts
from .metrics import compare, joint, rates
from .schema import AXES, MECHANISMS, Pair
from .stats import holm, wilson

INTERVAL = "Brackets hold 95% intervals: Wilson's for shares, bootstrap over pairs for means."
PUBLISHED, OURS = "Published", "This edition"
PROMPT_LABELS = {
    "": "",
    "generic_support": "Generic support",
    "axis_free": "Minimal axis-free force",
    "force_aware": "Axis-list force-aware",
    "dummy_axis": "Dummy-axis control",
}


def with_interval(value: float, low: float, high: float, *, digits: int = 3) -> str:
    """A number with its interval as text; the interval is left out where it is missing.

    Examples
    --------
    >>> with_interval(0.328, 0.267, 0.396)
    '0.328 [0.267, 0.396]'
    """
    if np.isnan(value):
        return "–"
    shown = f"{value:.{digits}f}"
    interval = "" if np.isnan(low) else f" [{low:.{digits}f}, {high:.{digits}f}]"
    return f"{shown}{interval}".replace("-", "−")


def edition_line(edition: Edition) -> str:
    """The edition and its size, for captions."""
    return f"{edition.name} edition {edition.version}, N = {len(edition.evaluation)} pairs"


def _titled(frame: pd.DataFrame, *, name: str, caption: str, note: str = "", **formats: str) -> pd.DataFrame:
    frame.attrs |= {"name": name, "caption": caption, "note": note, "formats": formats}
    return frame


def _intervals(frame: pd.DataFrame, measure: str) -> list[str]:
    columns = (frame[measure], frame[f"{measure}_low"], frame[f"{measure}_high"])
    return [with_interval(*row) for row in zip(*columns, strict=True)]


def axis_counts(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Retained pairs, evaluated pairs and their severities, by axis with a last row ``total``."""
    rows = []
    for axis in AXES:
        mine = [pair for pair in pairs if pair.axis == axis]
        evaluated = [pair for pair in mine if pair.split == "evaluation"]
        severities = {f"severity_{level}": sum(pair.severity == level for pair in evaluated) for level in (1, 2, 3)}
        rows.append({"axis": axis, "retained": len(mine), "eval": len(evaluated), **severities})
    table = pd.DataFrame(rows)
    total = table.drop(columns="axis").sum().to_frame().T.assign(axis="total")
    return pd.concat([table, total], ignore_index=True)


def table1(edition: Edition) -> pd.DataFrame:
    """ForceBench, Table 1: the retained and the evaluated pairs by axis and severity, published beside ours."""
    heads = {"retained": "retained", "eval": "evaluated"}
    heads |= {f"severity_{level}": f"severity {level}" for level in (1, 2, 3)}
    columns: dict[Any, Any] = {("", "axis"): [*AXES, "total"]}
    for title, frame in ((PUBLISHED, reported.table1()), (OURS, axis_counts(edition.pairs))):
        columns |= {(title, head): frame[column].to_numpy() for column, head in heads.items()}
    table = pd.DataFrame(columns)
    table.columns = pd.MultiIndex.from_tuples([("axis", "") if key == ("", "axis") else key for key in columns])
    caption = f"Table 1. Pairs by axis and severity: the paper's evaluation set, and the {edition_line(edition)}."
    return _titled(table, name="table1", caption=caption)


def evaluator_rates(claim_side: pd.DataFrame, evidence_side: pd.DataFrame | None = None) -> pd.DataFrame:
    """MVR, FS and the split of every evaluator and prompt, with the evidence side and the joint rate where it is given.

    Returns
    -------
    DataFrame
        The columns of `metrics.rates`; with `evidence_side` also ``mirror, mirror_low, mirror_high`` (share of pairs on
        which support does not rise when the licensing passage is swapped in), ``mirror_margin`` with its interval, and
        ``both, both_low, both_high`` (share of pairs on which both orderings hold).
    """
    table = rates(claim_side)
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


def table2(table: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """ForceBench, Table 2: every evaluator, published beside recomputed.

    Parameters
    ----------
    table : DataFrame
        The result of `evaluator_rates`.
    edition : Edition
        What it was computed on, for the caption.
    """
    published = reported.table2().fillna({"prompt": ""}).set_index(["evaluator", "prompt"])
    keys = list(zip(table["evaluator"], table["prompt"], strict=True))
    columns: dict[Any, Any] = {
        ("evaluator", ""): table["evaluator"].to_list(),
        ("prompt", ""): [PROMPT_LABELS.get(prompt, prompt) for prompt in table["prompt"]],
        (PUBLISHED, "MVR"): [published["mvr"].get(key, np.nan) for key in keys],
        (PUBLISHED, "FS"): [published["fs"].get(key, np.nan) for key in keys],
        (OURS, "MVR"): _intervals(table, "mvr"),
        (OURS, "FS"): _intervals(table, "fs"),
    }
    if "mirror" in table:
        columns |= {
            (OURS, "mirror violations"): _intervals(table, "mirror"),
            (OURS, "both hold"): _intervals(table, "both"),
        }
    if not table["prompt"].any():
        del columns["prompt", ""]
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(columns)
    caption = f"Table 2. Monotonicity violation rate (lower is better) and force sensitivity, {edition_line(edition)}."
    return _titled(frame, name="table2", caption=caption, note=INTERVAL)


def violation_split(table: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """How each evaluator's violations divide into ties, inversions and unusable pairs."""
    frame = pd.DataFrame(
        {
            "evaluator": table["evaluator"],
            "prompt": [PROMPT_LABELS.get(prompt, prompt) for prompt in table["prompt"]],
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
    return _titled(frame, name="violation_split", caption=caption)


def table3(pooled: pd.DataFrame, edition: Edition, *, judges: int) -> pd.DataFrame:
    """ForceBench, Table 3: the four prompts over all judges, published beside recomputed.

    Parameters
    ----------
    pooled : DataFrame
        `metrics.rates` of the claim side, grouped by ``prompt`` alone.
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
        (OURS, "MVR"): _intervals(ours.loc[known], "mvr"),
        (OURS, "FS"): _intervals(ours.loc[known], "fs"),
    }
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(columns)
    who = f"{judges} local judge{'s' if judges != 1 else ''}"
    caption = f"Table 3. The four prompts: four hosted judges in the paper, {who} on the {edition_line(edition)}."
    note = f"{INTERVAL} FS of prompts with different label scores is not on one scale."
    return _titled(frame, name="table3", caption=caption, note=note)


def table4(flow: Flow, edition: Edition) -> pd.DataFrame:
    """ForceBench, Table 4: rows at each step from candidates to the evaluation set, published beside ours."""
    ours = [len(flow.candidates), len(flow.accepted), len(flow.before_audit), len(flow.evaluation)]
    published = reported.table4()
    frame = pd.DataFrame({"counted set": published["counted_set"], PUBLISHED: published["rows"], OURS: ours})
    caption = f"Table 4. Rows at each step: the paper's, and those of the {edition_line(edition)}."
    return _titled(frame, name="table4", caption=caption)


def flow_table(flow: Flow, edition: Edition) -> pd.DataFrame:
    """What entered, left and remained at each step, by axis."""
    caption = f"From candidates to the evaluation set by axis, {edition_line(edition)}."
    return _titled(flow_counts(flow), name="flow", caption=caption)


def by_group(claim_side: pd.DataFrame, group: str, edition: Edition, *, measure: str = "mvr") -> pd.DataFrame:
    """One measure of every evaluator and prompt in each part of the evaluation set.

    Parameters
    ----------
    claim_side : DataFrame
        Outcomes frame.
    group : {"axis", "severity", "source", "marker"}
        What parts the evaluation set.
    edition : Edition
        For the caption.
    measure : {"mvr", "fs"}
        Which rate.
    """
    table = rates(claim_side, by=["evaluator", "prompt", group])
    table["shown"] = _intervals(table, measure)
    sizes = claim_side.drop_duplicates("pair_id")[group].value_counts()
    order: Sequence[Any] = AXES if group == "axis" else sorted(sizes.index)
    wide = table.pivot_table(index=["evaluator", "prompt"], columns=group, values="shown", aggfunc="first", sort=False)
    wide = wide[[level for level in order if level in wide.columns]].reset_index()
    wide.columns = [str(c) if c in ("evaluator", "prompt") else f"{c} (n = {sizes[c]})" for c in wide.columns]
    wide["prompt"] = [PROMPT_LABELS.get(prompt, prompt) for prompt in wide["prompt"]]
    if not wide["prompt"].any():
        wide = wide.drop(columns="prompt")
    caption = f"{measure.upper()} by {group}, {edition_line(edition)}."
    return _titled(wide, name=f"{measure}_by_{group}", caption=caption, note=INTERVAL)


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
            rows.append({"judge": judge, "prompt": PROMPT_LABELS.get(prompt, prompt), **found})
    label = PROMPT_LABELS.get(baseline, baseline)
    caption = f"Each prompt against “{label}” on the same pairs, {edition_line(edition)}. Below 0: fewer violations."
    note = f"{INTERVAL} p: exact two-sided McNemar test, adjusted by Holm over the rows of this table."
    table = pd.DataFrame(rows)
    if not rows:
        return _titled(table, name="prompt_comparisons", caption=caption, note=note)
    frame = pd.DataFrame(
        {
            "judge": table["judge"],
            "prompt": table["prompt"],
            "MVR difference": _intervals(table, "mvr_difference"),
            "FS difference": _intervals(table, "fs_difference"),
            "violated under the baseline alone": table["only_first"],
            "violated under the prompt alone": table["only_second"],
            "p": [p_value(p) for p in table["p"]],
            "p (Holm)": [p_value(p) for p in holm(table["p"].to_list())],
        }
    )
    return _titled(frame, name="prompt_comparisons", caption=caption, note=note)


def p_value(p: float) -> str:
    """A p value as text, small ones as a bound.

    Examples
    --------
    >>> p_value(0.00001), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def policies(claim_side: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """MVR and FS when an unusable pair counts as a violation (the paper's policy), and when it is left out."""
    keys = ["evaluator", "prompt"]
    counted = rates(claim_side)
    left_out = rates(claim_side, policy="leave_out").set_index(keys).reindex(pd.MultiIndex.from_frame(counted[keys]))
    frame = pd.DataFrame(
        {
            "evaluator": counted["evaluator"],
            "prompt": [PROMPT_LABELS.get(prompt, prompt) for prompt in counted["prompt"]],
            "unusable": counted["unusable"],
            "MVR, counted as violation": _intervals(counted, "mvr"),
            "MVR, left out": _intervals(left_out.reset_index(), "mvr"),
            "FS, margin 0": _intervals(counted, "fs"),
            "FS, left out": _intervals(left_out.reset_index(), "fs"),
        }
    )
    caption = f"Two policies for pairs without a usable score, {edition_line(edition)}."
    return _titled(frame, name="policies", caption=caption, note=INTERVAL)


def tie_policies(claim_side: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """MVR when a tie is a violation (the paper's), half of one, or none."""
    table = rates(claim_side)
    wrong = table["inversion"] + table["unusable"]
    frame = pd.DataFrame(
        {
            "evaluator": table["evaluator"],
            "prompt": [PROMPT_LABELS.get(prompt, prompt) for prompt in table["prompt"]],
            "ties": table["tie"],
            "tie is a violation": table["violations"] / table["n"],
            "tie is half a violation": (wrong + table["tie"] / 2) / table["n"],
            "tie is none": wrong / table["n"],
        }
    )
    caption = f"MVR under three readings of a tie, {edition_line(edition)}."
    return _titled(frame, name="tie_policies", caption=caption)


def mechanisms(axis: str, pairs: Sequence[Pair]) -> pd.DataFrame:
    """The mechanisms of one axis with the number of retained pairs of each."""
    counts: Mapping[str, int] = {name: sum(pair.mechanism == name for pair in pairs) for name in MECHANISMS[axis]}
    frame = pd.DataFrame({"mechanism": [name.replace("-", " ") for name in counts], "pairs": list(counts.values())})
    return _titled(
        frame, name=f"mechanisms_{axis}", caption=f"Mechanisms of the {axis} axis and the retained pairs of each."
    )


def agreement_table(found: pd.DataFrame, edition: Edition, *, name: str, caption: str) -> pd.DataFrame:
    """A frame of `agreement` in words: labels in front, share of equal labels and kappa with their intervals."""
    labels = [column for column in ("reviewer", "field", "axis", "rows") if column in found]
    frame = found[labels].copy()
    frame["n"] = found["n"]
    frame["equal"] = _intervals(found, "same")
    frame["Cohen's kappa"] = _intervals(found, "kappa")
    note = "Brackets hold 95% intervals. A dash: kappa is not defined, since both readers used one label throughout."
    return _titled(frame, name=name, caption=f"{caption} {edition_line(edition).capitalize()}.", note=note)


def limiters(edition: Edition) -> pd.DataFrame:
    """How the limits of the evaluated pairs lie: overt or implicit, and in which third of the passage, by axis."""
    rows = []
    for axis in AXES:
        pairs = [pair for pair in edition.evaluation if pair.axis == axis]
        thirds = [limiter_third(pair) for pair in pairs]
        marked = {marker: sum(pair.marker == marker for pair in pairs) for marker in ("overt", "implicit")}
        places = {name: thirds.count(third) for third, name in enumerate(("first third", "middle third", "last third"))}
        rows.append({"axis": axis, "pairs": len(pairs), **marked, **places})
    caption = f"Overt and implicit limiters, and where the evidence span begins, {edition_line(edition)}."
    return _titled(pd.DataFrame(rows), name="limiters", caption=caption)


def limiter_third(pair: Pair) -> int:
    """The third of the passage (0, 1 or 2) in which the first evidence span has its middle."""
    start, length = min((pair.passage.find(span), len(span)) for span in pair.evidence_spans)
    return min(2, int(3 * (start + length / 2) / len(pair.passage)))


def sources(edition: Edition) -> pd.DataFrame:
    """Evaluated pairs by source and axis."""
    frame = pd.DataFrame([(pair.source, pair.axis) for pair in edition.evaluation], columns=["source", "axis"])
    table = frame.groupby(["source", "axis"]).size().unstack(fill_value=0).reindex(columns=list(AXES), fill_value=0)
    table["total"] = table.sum(axis=1)
    caption = f"Evaluated pairs by source and axis, {edition_line(edition)}."
    return _titled(table.reset_index().rename_axis(columns=None), name="sources", caption=caption)


def rejections(flow: Flow, edition: Edition) -> pd.DataFrame:
    """Rejected candidates by the boundary type that adjudication gave them."""
    types = pd.Series([row.boundary_type for row in flow.rejected], dtype=str).value_counts()
    frame = types.rename_axis("boundary type").reset_index(name="rows")
    caption = f"Rejected candidates by reason, {edition_line(edition)}."
    return _titled(frame, name="rejections", caption=caption)


def disagreements(stages: Stages, edition: Edition) -> pd.DataFrame:
    """Candidates on which the two decisions differ: both decisions, the intent, the verdict and its reason."""
    settled = {row.id: row for row in stages.adjudications}
    rows = []
    for row in reviewed(stages):
        decisions = [review.annotation_decision for review in (row.licence, row.sceptic)]
        if decisions[0] != decisions[1]:
            verdict = settled[row.candidate.id]
            cells = [row.candidate.id, row.candidate.intent, *decisions, verdict.decision, verdict.reason]
            rows.append([str(cell).replace("_", " ") for cell in cells[:-1]] + [verdict.reason])
    frame = pd.DataFrame(rows, columns=["id", "meant as", "licence", "sceptic", "adjudicated", "reason"])
    caption = f"Candidates on which the reviewers' decisions differ: {len(frame)} rows, {edition.name} edition."
    return _titled(frame, name="disagreements", caption=caption)
