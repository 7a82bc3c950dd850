"""Each figure of the book as one function that returns an Altair chart, under one theme.

Colours always mean the same thing; the dark ones of the same meaning replace them in the page's script when the reader
chooses the dark scheme. Published figures are hollow marks, recomputed ones filled.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import altair as alt
import pandas as pd

from .corpus import Edition
from .schema import AXES
from .tables import PUBLISHED, prompt_label

AXIS_COLOURS = {
    "relation": "#0072B2",
    "modality": "#B34700",
    "scope": "#00735A",
    "temporal": "#5B4BB3",
    "numeric": "#8A6100",
}
CALIBRATED, RAISED, REPORTED, INK = "#1B6E6A", "#A8123A", "#6B7280", "#374151"
WIDTH = 560
UNIT = alt.Scale(domain=[0, 1], nice=False)
FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
Drawing: TypeAlias = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart
OUTCOME_COLOURS = {"ordered": CALIBRATED, "tie": "#B07D00", "inversion": RAISED, "unusable": REPORTED}


@alt.theme.register("forcebench", enable=True)
def theme() -> alt.theme.ThemeConfig:
    """The one theme: the page's fonts, no frame, a light grid, no background of its own."""
    text: dict[str, Any] = {"labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal"}
    return alt.theme.ThemeConfig(
        {
            "background": "transparent",
            "config": {
                "font": FONT,
                "view": {"stroke": None},
                "axis": {
                    **text,
                    "grid": False,
                    "domainColor": "#9CA3AF",
                    "tickColor": "#9CA3AF",
                    "gridColor": "#E5E7EB",
                },
                "header": text,
                "legend": {"labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal", "orient": "top"},
                "title": {"fontSize": 15, "fontWeight": "normal", "anchor": "start", "offset": 12},
            },
        }
    )


SHORT = {"generic_support": "generic", "axis_free": "axis-free", "force_aware": "force-aware", "dummy_axis": "dummy"}


def label(evaluator: str, prompt: str) -> str:
    """An evaluator and its prompt in a few words.

    Examples
    --------
    >>> label("Some judge", "force_aware")
    'Some judge, force-aware'
    """
    return f"{evaluator}, {SHORT.get(prompt, prompt)}" if prompt else evaluator


def mvr_fs_plane(table: pd.DataFrame, published: pd.DataFrame, *, arrows: Sequence[tuple[str, str]] = ()) -> Drawing:
    """MVR across, FS up: recomputed values with intervals, published ones hollow, and the step from prompt to prompt.

    Parameters
    ----------
    table, published : DataFrame
        ``evaluator, prompt, mvr, fs``; `table` also with the intervals of `metrics.rates`.
    arrows : sequence of (str, str)
        Prompts between which each evaluator's points are joined, from the first to the second.
    """
    shown, theirs = _numbered(table), _labelled(published)
    x = alt.X("mvr:Q", title="MVR (lower is better)", scale=UNIT, axis=alt.Axis(format="%"))
    y = alt.Y("fs:Q", title="FS, mean margin (higher is better)")
    layers = [*_steps(theirs, arrows, y, REPORTED), _hollow(theirs, x, y), *_points(shown, x, y, "fs", arrows)]
    best = shown.sort_values("mvr", kind="stable").iloc[0]
    title = f"Lowest MVR here: {best['label']}, {best['mvr']:.3f}"
    return _beside_names(layers, shown).properties(title=title)


def two_sides(
    table: pd.DataFrame, published: pd.DataFrame | None = None, *, arrows: Sequence[tuple[str, str]] = ()
) -> Drawing:
    """The headline figure: claim-side violations across, evidence-side violations up, the wanted corner marked.

    Parameters
    ----------
    table : DataFrame
        The result of `tables.evaluator_rates` with the evidence side.
    published : DataFrame, optional
        ``evaluator, prompt, mvr`` as printed. The papers did not measure the evidence side, so these stand hollow at
        the upper edge.
    arrows : sequence of (str, str)
        Prompts between which each evaluator's points are joined, from the first to the second.
    """
    shown = _numbered(table)
    x = alt.X("mvr:Q", title="Claim side: MVR (lower is better)", scale=UNIT, axis=alt.Axis(format="%"))
    title = "Evidence side: violations (lower is better)"
    y = alt.Y("mirror:Q", title=title, scale=UNIT, axis=alt.Axis(format="%"))
    corner = alt.Chart(pd.DataFrame([{"x": 0.0, "x2": 0.2, "y": 0.0, "y2": 0.2}]))
    word = corner.mark_text(align="left", baseline="top", dx=6, dy=6, color=INK, fontSize=12)
    layers = [
        corner.mark_rect(color=CALIBRATED, opacity=0.08).encode(x="x:Q", x2="x2:Q", y="y:Q", y2="y2:Q"),
        word.encode(x="x:Q", y="y2:Q", text=alt.value("wanted")),
    ]
    if published is not None:
        layers.append(_hollow(_labelled(published).assign(mirror=1.0), x, y))
    layers += _points(shown, x, y, "mirror", arrows)
    inside = int(((shown["mvr"] <= 0.2) & (shown["mirror"] <= 0.2)).sum())
    title = f"{inside} of {len(shown)} evaluators reach the wanted corner on both sides"
    return _beside_names(layers, shown).properties(title=title)


def _labelled(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(label=[label(e, p) for e, p in zip(table["evaluator"], table["prompt"], strict=True)])


def _numbered(table: pd.DataFrame) -> pd.DataFrame:
    """With a number for each point, since names beside crowded points cannot be read."""
    shown = _labelled(table)
    return shown.assign(number=[str(number) for number in range(1, len(shown) + 1)])


def _points(shown: pd.DataFrame, x: alt.X, y: alt.Y, up: str, arrows: Sequence[tuple[str, str]]) -> list[Any]:
    """The numbered points of a plane with their intervals and steps."""
    tooltip = ["label:N", alt.Tooltip("mvr:Q", format=".3f"), alt.Tooltip(f"{up}:Q", format=".3f")]
    base, rules = alt.Chart(shown), alt.Chart(shown).mark_rule(color=CALIBRATED, opacity=0.25)
    number = base.mark_text(color="#FFFFFF", fontSize=11, fontWeight="bold")
    return [
        rules.encode(x=alt.X("mvr_low:Q"), x2="mvr_high:Q", y=y),
        rules.encode(x=x, y=alt.Y(f"{up}_low:Q"), y2=f"{up}_high:Q"),
        *_steps(shown, arrows, y, CALIBRATED),
        base.mark_point(size=260, filled=True, opacity=1, color=CALIBRATED).encode(x=x, y=y, tooltip=tooltip),
        number.encode(x=x, y=y, text="number:N"),
    ]


def _hollow(theirs: pd.DataFrame, x: alt.X, y: alt.Y) -> Any:
    tooltip = ["label:N", alt.Tooltip("mvr:Q", format=".3f")]
    marks = alt.Chart(theirs).mark_point(size=60, color=REPORTED, filled=False, strokeWidth=2)
    return marks.encode(x=x, y=y, tooltip=tooltip)


def _steps(frame: pd.DataFrame, arrows: Sequence[tuple[str, str]], y: alt.Y, colour: str) -> list[Any]:
    """A dashed line from prompt to prompt for each evaluator that has both."""
    parts = []
    for first, second in arrows:
        both = frame[frame["prompt"].isin([first, second])]
        both = both[both.groupby("evaluator")["prompt"].transform("nunique") == 2]
        parts.append(both.assign(order=(both["prompt"] == second).astype(int)))
    steps = pd.concat(parts) if parts else frame.iloc[:0]
    if steps.empty:
        return []
    line = alt.Chart(steps).mark_line(color=colour, strokeWidth=1.5, strokeDash=[4, 3])
    return [line.encode(x="mvr:Q", y=y, detail="evaluator:N", order="order:Q")]


def _beside_names(layers: list[Any], shown: pd.DataFrame) -> alt.HConcatChart:
    """A plane with the names of its numbered points to the right."""
    size = WIDTH - 270
    named = shown.assign(key=shown["number"] + "  " + shown["label"])
    text = alt.Chart(named).mark_text(align="left", fontSize=12, color=INK, limit=230)
    rank = alt.Y("number:N", sort=shown["number"].to_list(), axis=None)
    names = text.encode(x=alt.value(0), y=rank, text="key:N").properties(width=230, height=min(size, 24 * len(shown)))
    return alt.hconcat(alt.layer(*layers).properties(width=size, height=size), names, spacing=16)


def axis_heatmap(table: pd.DataFrame, edition: Edition) -> Drawing:
    """MVR of every evaluator and prompt on every axis, as numbers on shaded cells.

    Parameters
    ----------
    table : DataFrame
        `metrics.rates` by ``evaluator, prompt, axis``.
    edition : Edition
        For the title.
    """
    shown = _labelled(table)
    order = list(dict.fromkeys(shown["label"]))
    base = alt.Chart(shown).encode(
        x=alt.X(
            "axis:N", sort=list(AXES), title=None, axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)
        ),
        y=alt.Y("label:N", sort=order, title=None, axis=alt.Axis(domain=False, ticks=False, labelLimit=300)),
        tooltip=["label:N", "axis:N", alt.Tooltip("mvr:Q", format=".3f"), "n:Q"],
    )
    shades = alt.Scale(domain=[0, 1], range=["#F3F4F6", RAISED], interpolate="rgb")
    shade = alt.Color("mvr:Q", scale=shades, legend=None)
    dark_cell = alt.datum.mvr > 0.55
    number = base.mark_text(fontSize=13).encode(
        text=alt.Text("mvr:Q", format=".2f"), color=alt.condition(dark_cell, alt.value("#FFFFFF"), alt.value("#111827"))
    )
    hardest = shown.groupby("axis")["mvr"].mean().idxmax()
    title = f"Highest mean MVR on the {hardest} axis ({edition.name} edition {edition.version})"
    return (base.mark_rect(stroke="#FFFFFF").encode(color=shade) + number).properties(
        width=380, height=30 * len(order), title=title
    )


def prompt_bars(table: pd.DataFrame, published: pd.DataFrame) -> Drawing:
    """MVR of every judge under every prompt with its interval; the published aggregate as hollow marks.

    Parameters
    ----------
    table : DataFrame
        `metrics.rates` by ``evaluator, prompt``.
    published : DataFrame
        `reported.table3`.
    """
    shown = table.assign(label=[prompt_label(prompt) for prompt in table["prompt"]])
    theirs = published.assign(mvr=published["mvr_percent"] / 100)[["label", "mvr"]]
    frame = shown.merge(theirs.rename(columns={"mvr": "published"}), how="left", on="label")
    order = list(dict.fromkeys(published["label"]))
    y = alt.Y("label:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, domain=False, ticks=False))
    x = alt.X("mvr:Q", title="MVR (lower is better)", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    base = alt.Chart(frame).encode(y=y)
    bars = base.mark_bar(color=CALIBRATED, height=14, opacity=0.85).encode(x=x)
    intervals = base.mark_rule(color=INK, strokeWidth=1.5).encode(x="mvr_low:Q", x2="mvr_high:Q")
    hollow = base.mark_point(fill="#FFFFFF", stroke=REPORTED, opacity=1, size=70, strokeWidth=2).encode(x="published:Q")
    layered = (bars + intervals + hollow).properties(width=WIDTH - 200, height=130)
    title = f"Bars: judges recorded here. Hollow marks: the {PUBLISHED.lower()} aggregate of four hosted judges"
    return layered.facet(
        row=alt.Row("evaluator:N", title=None, header=alt.Header(labelAngle=0, labelAnchor="start", labelOrient="top"))
    ).properties(title=title)


def outcome_bars(table: pd.DataFrame) -> Drawing:
    """Every evaluator's pairs divided into ordered, tie, inversion and unusable.

    Parameters
    ----------
    table : DataFrame
        The result of `metrics.rates`.
    """
    shown = table.assign(
        label=[label(e, p) for e, p in zip(table["evaluator"], table["prompt"], strict=True)],
        ordered=table["n"] - table["violations"],
    )
    order = list(dict.fromkeys(shown["label"]))
    long = shown.melt(["label", "n"], list(OUTCOME_COLOURS), var_name="outcome", value_name="pairs")
    long["share"], long["rank"] = long["pairs"] / long["n"], long["outcome"].map(list(OUTCOME_COLOURS).index)
    most = shown.iloc[(shown["tie"] / shown["n"]).argmax()]
    title = f"Most ties: {most['label']}, {most['tie']} of {most['n']} pairs"
    scale = alt.Scale(domain=list(OUTCOME_COLOURS), range=list(OUTCOME_COLOURS.values()))
    chart = alt.Chart(long).mark_bar(height=16, stroke="#FFFFFF")
    return chart.encode(
        y=alt.Y("label:N", sort=order, title=None, axis=alt.Axis(labelLimit=300, domain=False, ticks=False)),
        x=alt.X("share:Q", title="share of pairs", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("outcome:N", scale=scale, title=None),
        order="rank:Q",
        tooltip=["label:N", "outcome:N", "pairs:Q"],
    ).properties(width=WIDTH - 150, height=26 * len(order), title=title)


def grouped_intervals(table: pd.DataFrame, group: str, *, title: str, measure: str = "mvr") -> Drawing:
    """One measure with its interval in each part of the evaluation set, one panel an evaluator and prompt.

    Parameters
    ----------
    table : DataFrame
        `metrics.rates` by ``evaluator, prompt`` and `group`.
    group : str
        The column that parts the evaluation set, such as ``"marker"``.
    title : str
        What is seen, computed by the caller.
    measure : {"mvr", "fs"}
        Which rate.
    """
    shown = _labelled(table)
    name = {"mvr": "MVR (lower is better)", "fs": "FS (higher is better)"}[measure]
    y = alt.Y(f"{group}:N", title=None, axis=alt.Axis(domain=False, ticks=False))
    base = alt.Chart(shown).encode(
        y=y, tooltip=["label:N", f"{group}:N", alt.Tooltip(f"{measure}:Q", format=".3f"), "n:Q"]
    )
    points = base.mark_point(filled=True, size=70, color=CALIBRATED, opacity=1)
    layered = alt.layer(
        base.mark_rule(color=CALIBRATED, strokeWidth=1.5).encode(x=f"{measure}_low:Q", x2=f"{measure}_high:Q"),
        points.encode(x=alt.X(f"{measure}:Q", title=name)),
    ).properties(width=WIDTH - 120, height=24 * shown[group].nunique())
    header = alt.Header(labelOrient="top", labelAnchor="start", labelAngle=0)
    row = alt.Row("label:N", title=None, sort=list(dict.fromkeys(shown["label"])), header=header)
    return layered.facet(row=row, spacing=6).properties(title=title)


def flow_bars(counts: pd.DataFrame) -> Drawing:
    """Rows at each step from candidates to the evaluation set.

    Parameters
    ----------
    counts : DataFrame
        The result of `corpus.flow_counts`.
    """
    shown = counts.assign(left=counts["step"].str.contains("Rejected|capped|Removed"))
    order = shown["step"].to_list()
    base = alt.Chart(shown).encode(
        y=alt.Y("step:N", sort=order, title=None, axis=alt.Axis(labelLimit=340, domain=False, ticks=False)),
        x=alt.X("total:Q", title="rows", axis=alt.Axis(tickMinStep=1)),
        tooltip=["step:N", "total:Q"],
    )
    colour = alt.condition(alt.datum.left, alt.value(REPORTED), alt.value(CALIBRATED))
    text = base.mark_text(align="left", dx=4, fontSize=13, color=INK).encode(text="total:Q")
    first, last = shown["total"].iloc[0], shown["total"].iloc[-1]
    title = f"{last} of {first} candidates reach the evaluation set"
    return (base.mark_bar(height=18).encode(color=colour) + text).properties(
        width=WIDTH - 200, height=28 * len(order), title=title
    )


def agreement_bars(found: pd.DataFrame) -> Drawing:
    """Share of equal labels on each field with its interval.

    Parameters
    ----------
    found : DataFrame
        The result of `agreement.between_reviewers`.
    """
    shown = found.assign(label=found["field"] + " (" + found["rows"] + ", n = " + found["n"].astype(str) + ")")
    y = alt.Y(
        "label:N", sort=shown["label"].to_list(), title=None, axis=alt.Axis(labelLimit=340, domain=False, ticks=False)
    )
    x = alt.X("same:Q", title="share of equal labels", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    base = alt.Chart(shown).encode(y=y, tooltip=["label:N", alt.Tooltip("same:Q", format=".3f")])
    lowest = shown.sort_values("same", kind="stable").iloc[0]
    title = f"The reviewers differ most on: {lowest['field'].lower()} ({lowest['same']:.2f})"
    return (
        base.mark_rule(color=CALIBRATED, strokeWidth=1.5).encode(x="same_low:Q", x2="same_high:Q")
        + base.mark_point(filled=True, size=80, color=CALIBRATED, opacity=1).encode(x=x)
    ).properties(width=WIDTH - 220, height=28 * len(shown), title=title)


def edit_shares(found: pd.DataFrame) -> Drawing:
    """How far apart the claims of each pair are: one tick a pair, the middle half of each axis as a bar.

    Parameters
    ----------
    found : DataFrame
        The result of `quality.locality`.
    """
    y = alt.Y("axis:N", sort=list(AXES), title=None, axis=alt.Axis(domain=False, ticks=False))
    most = max(0.1, found["edit_share"].max())
    scale, words = alt.Scale(domain=[0, most]), "share of the claims' words that stand in one of them alone"
    x = alt.X("edit_share:Q", title=words, scale=scale, axis=alt.Axis(format="%"))
    spread = found.groupby("axis")["edit_share"].quantile(pd.Series([0.25, 0.5, 0.75])).unstack()
    spread = spread.set_axis(["low", "median", "high"], axis=1).reset_index()
    half = alt.Chart(spread).encode(y=y)
    tooltip = ["pair_id:N", alt.Tooltip("edit_share:Q", format=".2f")]
    title = f"In half of the pairs at most {found['edit_share'].median():.0%} of the words differ"
    return (
        half.mark_bar(height=16, color=CALIBRATED, opacity=0.25).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
        + alt.Chart(found).mark_tick(size=16, color=CALIBRATED, opacity=0.6).encode(x=x, y=y, tooltip=tooltip)
        + half.mark_point(shape="diamond", filled=True, size=70, color=RAISED, opacity=1).encode(x="median:Q")
    ).properties(width=WIDTH - 120, height=34 * len(spread), title=title)


def failure_modes(found: pd.DataFrame) -> Drawing:
    """In which way each system and policy fails on quartets, with intervals; lower is better.

    Parameters
    ----------
    found : DataFrame
        The result of `quartets.failure_rates`.
    """
    names = [label(system, policy.lower()) for system, policy in zip(found["system"], found["policy"], strict=True)]
    shown = found.assign(label=names)
    order = list(dict.fromkeys(names))
    worst = shown.iloc[shown["share"].argmax()]
    y = alt.Y("label:N", sort=order, title=None, axis=alt.Axis(labelLimit=300, domain=False, ticks=False))
    x = alt.X(
        "share:Q",
        title="share of the contexts (lower is better)",
        scale=UNIT,
        axis=alt.Axis(format="%", tickCount=3),
    )
    base = alt.Chart(shown).encode(y=y, tooltip=["label:N", "failure:N", alt.Tooltip("share:Q", format=".3f"), "n:Q"])
    layered = alt.layer(
        base.mark_rule(color=CALIBRATED, strokeWidth=1.5).encode(x="low:Q", x2="high:Q"),
        base.mark_point(filled=True, size=70, color=CALIBRATED, opacity=1).encode(x=x),
    ).properties(width=WIDTH - 230, height=20 * len(order))
    header = alt.Header(labelOrient="top", labelAnchor="start", labelAngle=0)
    row = alt.Row("failure:N", title=None, sort=list(dict.fromkeys(shown["failure"])), header=header)
    title = f"Most often: {worst['label']} {worst['failure']} ({worst['share']:.0%})"
    return layered.facet(row=row, spacing=6).properties(title=title)
