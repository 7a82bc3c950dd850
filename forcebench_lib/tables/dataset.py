"""Tables of an edition: its pairs, how they were chosen, and how its reviewers agreed."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from .. import reported
from ..agreement import reviewed
from ..corpus import Edition, Flow, Stages, flow_counts
from ..quality import limiter_third
from ..schema import AXES, MECHANISMS, Pair
from .frame import OURS, PUBLISHED, edition_line, intervals, titled


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
    return titled(table, name="table1", caption=caption)


def table4(flow: Flow, edition: Edition) -> pd.DataFrame:
    """ForceBench, Table 4: rows at each step from candidates to the evaluation set, published beside ours."""
    ours = [len(flow.candidates), len(flow.accepted), len(flow.before_audit), len(flow.evaluation)]
    published = reported.table4()
    frame = pd.DataFrame({"counted set": published["counted_set"], PUBLISHED: published["rows"], OURS: ours})
    caption = f"Table 4. Rows at each step: the paper's, and those of the {edition_line(edition)}."
    return titled(frame, name="table4", caption=caption)


def flow_table(flow: Flow, edition: Edition) -> pd.DataFrame:
    """What entered, left and remained at each step, by axis."""
    caption = f"From candidates to the evaluation set by axis, {edition_line(edition)}."
    return titled(flow_counts(flow), name="flow", caption=caption)


def limiters(edition: Edition) -> pd.DataFrame:
    """How the limits of the evaluated pairs lie: overt or implicit, and the third of the last span, by axis."""
    rows = []
    for axis in AXES:
        pairs = [pair for pair in edition.evaluation if pair.axis == axis]
        thirds = [limiter_third(pair) for pair in pairs]
        marked = {marker: sum(pair.marker == marker for pair in pairs) for marker in ("overt", "implicit")}
        places = {name: thirds.count(third) for third, name in enumerate(("first third", "middle third", "last third"))}
        rows.append({"axis": axis, "pairs": len(pairs), **marked, **places})
    caption = f"Overt and implicit limiters, and where the last evidence span stands, {edition_line(edition)}."
    note = "The third of the passage that holds the middle of the last span: only there is the limit complete."
    return titled(pd.DataFrame(rows), name="limiters", caption=caption, note=note)


def sources(edition: Edition) -> pd.DataFrame:
    """Evaluated pairs by source and axis."""
    frame = pd.DataFrame([(pair.source, pair.axis) for pair in edition.evaluation], columns=["source", "axis"])
    table = frame.groupby(["source", "axis"]).size().unstack(fill_value=0).reindex(columns=list(AXES), fill_value=0)
    table["total"] = table.sum(axis=1)
    caption = f"Evaluated pairs by source and axis, {edition_line(edition)}."
    return titled(table.reset_index().rename_axis(columns=None), name="sources", caption=caption)


def rejections(flow: Flow, edition: Edition) -> pd.DataFrame:
    """Rejected candidates by the boundary type that adjudication gave them."""
    types = pd.Series([row.boundary_type for row in flow.rejected], dtype=str).value_counts()
    frame = types.rename_axis("boundary type").reset_index(name="rows")
    caption = f"Rejected candidates by reason, {edition_line(edition)}."
    return titled(frame, name="rejections", caption=caption)


def mechanisms(axis: str, pairs: Sequence[Pair]) -> pd.DataFrame:
    """The mechanisms of one axis with the number of retained pairs of each."""
    counts: Mapping[str, int] = {name: sum(pair.mechanism == name for pair in pairs) for name in MECHANISMS[axis]}
    frame = pd.DataFrame({"mechanism": [name.replace("-", " ") for name in counts], "pairs": list(counts.values())})
    return titled(
        frame, name=f"mechanisms_{axis}", caption=f"Mechanisms of the {axis} axis and the retained pairs of each."
    )


def agreement_table(found: pd.DataFrame, edition: Edition, *, name: str, caption: str) -> pd.DataFrame:
    """A frame of `agreement` in words: labels in front, share of equal labels and kappa with their intervals."""
    labels = [column for column in ("reviewer", "field", "axis", "rows") if column in found]
    frame = found[labels].copy()
    frame["n"] = found["n"]
    frame["equal"] = intervals(found, "same")
    frame["Cohen's kappa"] = intervals(found, "kappa")
    note = "Brackets hold 95% intervals. A dash: kappa is not defined, since both readers used one label throughout."
    where = f"Candidates of the {edition.name} edition {edition.version}."
    return titled(frame, name=name, caption=f"{caption} {where}", note=note)


def disagreements(stages: Stages, edition: Edition) -> pd.DataFrame:
    """Candidates on which the two decisions differ: both decisions, the intent, the verdict and its reason."""
    settled = {row.id: row for row in stages.adjudications}
    rows = []
    for row in reviewed(stages):
        decisions = [review.annotation_decision for review in (row.first, row.second)]
        if decisions[0] != decisions[1]:
            verdict = settled[row.candidate.id]
            cells = [row.candidate.id, row.candidate.intent, *decisions, verdict.decision, verdict.reason]
            rows.append([str(cell).replace("_", " ") for cell in cells[:-1]] + [verdict.reason])
    frame = pd.DataFrame(rows, columns=["id", "meant as", "licence", "sceptic", "adjudicated", "reason"])
    caption = f"Candidates on which the reviewers' decisions differ: {len(frame)} rows, {edition.name} edition."
    return titled(frame, name="disagreements", caption=caption)
