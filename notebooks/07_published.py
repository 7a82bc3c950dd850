# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What can be checked from the paper alone
#
# **What this chapter shows.**
# The published figures agree with each other: {num}`07_published::checks.hold` of {num}`07_published::checks.total` checks hold.
# Each printed rate belongs to exactly one count.
# The paper prints no paired test of its two main prompts, but its totals leave no doubt about that one.
# They leave doubt about others.
#
# No row of the paper is used here, and none of ours. All figures are facts read from two papers, kept in `data/reported/`.

# %% tags=["parameters"]
folder = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), folder=str)

# %%
from pathlib import Path

from forcebench_lib import consistency, paths, reported, tables

figures = Path(folder) if folder else paths.REPORTED
checks = consistency.checks(figures)

# %% [markdown]
# ## The sums hold
#
# Take the last line of Table 1 in the paper. {num}`07_published::total.severity_1` subtle, {num}`07_published::total.severity_2` clear and
# {num}`07_published::total.severity_3` severe pairs should be the {num}`07_published::total.eval` of the evaluation set. They are. The other sums hold too.

# %%
show.table(
    consistency.table1_sums(figures),
    name="published_sums",
    caption="ForceBench, Table 1: axes add up to totals, and severities to the evaluated pairs of an axis.",
)

# %%
show.table(
    consistency.row_flow(figures),
    name="published_flow",
    caption="ForceBench: the rows from candidates to the evaluation set.",
)

# %% [markdown]
# ## Each rate belongs to one count
#
# Token overlap has a violation rate of {num}`07_published::token_overlap.mvr:.3f` on {num}`07_published::token_overlap.units` pairs.
# Only one whole number fits: {num}`07_published::token_overlap.violations`.
# With the count comes an interval, which the paper does not print.
#
# For the aggregates over four models the interval is too narrow. It takes four models on 198 pairs for 792 independent units, and they are not.

# %%
rates = reported.rates(figures)
rates["MVR"] = [tables.with_interval(*row) for row in rates[["mvr", "low", "high"]].to_numpy()]
show.table(
    rates[["evaluator", "prompt", "units", "violations", "MVR"]].replace(tables.PROMPT_LABELS),
    name="published_rates",
    caption="ForceBench: the count behind each printed violation rate, and its 95% Wilson interval.",
)

# %% [markdown]
# ## Almost nothing is reversed
#
# Suppose the labels of a prompt score 1 and 0. Then a unit has one of three margins:
# 1 where it is ordered, 0 where it is tied or unusable, and −1 where it is reversed. So
#
# $$\text{FS} = (1 - \text{MVR}) - \text{share of reversed units}.$$
#
# Both FS and MVR are printed. What is left between them is the number of reversed units:
# {num}`07_published::reversed.force_aware` of 792 under the force-aware prompt.
# Its other {num}`07_published::tied.force_aware` violations are ties or unusable replies: the judge gave both claims the same label.
# The dummy-axis control is counted on the same supposition, which the paper does not state for it.

# %%
reversed_units = reported.reversals(figures).replace(tables.PROMPT_LABELS)
show.table(
    reversed_units.rename(columns={"fs": "FS", "reversed_least": "reversed, least", "reversed_most": "reversed, most"}),
    name="published_reversals",
    caption="ForceBench: the reversed units that fit the printed FS, of 792, if the labels score 1 and 0.",
    note="The rounded figures leave one whole number each.",
)

# %% [markdown]
# ## The paired comparison that is not printed
#
# Generic support violates {num}`07_published::headline.violations_first` of {num}`07_published::headline.units` units, force-aware {num}`07_published::headline.violations_second`.
# How many units does only one of them violate? The paper does not say. But the difference is fixed: {num}`07_published::headline.difference`.
# At the least, the discordant units are {num}`07_published::headline.difference` to 0.
# At the most, they are {num}`07_published::headline.violations_first` to {num}`07_published::headline.violations_second`.
# An exact McNemar test needs the discordant units only, and its p grows with them. So p lies between two bounds,
# and the larger is {num}`07_published::paired.generic_support-force_aware.p_most:.1e`.
#
# The four models judge the same pairs, so the units are not independent.
# A bound that holds whatever the models share comes from Hoeffding's inequality over the 198 pairs:
# p is at most {num}`07_published::paired.generic_support-force_aware.p_clustered:.4f`. The main result stands.
#
# Two other comparisons do not follow from the totals:
#
# - Dummy-axis control against generic support: p may be as small as {num}`07_published::paired.generic_support-dummy_axis.p_least:.1e`
#   or as large as {num}`07_published::paired.generic_support-dummy_axis.p_most:.2f`.
# - Axis ForceCheck against token overlap: p may be as large as {num}`07_published::paired.token_overlap-axis_forcecheck.p_most:.3f`.

# %%
paired = reported.paired(figures)
paired_shown = paired.replace(tables.PROMPT_LABELS).rename(columns=lambda name: name.replace("_", " "))
show.table(
    paired_shown,
    name="published_paired",
    caption="ForceBench: the exact McNemar p that the published totals allow, least and most.",
    note="p clustered: an upper bound that also holds where the models err on the same pairs.",
    formats={name: ".2g" for name in paired_shown if name.startswith("p ")},
)

# %% [markdown]
# ## The second paper
#
# EviScope compares two policies on 40 quartets of contexts and prints its discordant quartets.
# For Qwen2.5-7B they are 15 to 1. There are $2^{16} = 65536$ ways in which 16 fair coins can fall,
# and 34 of them are as one-sided as this: all, or all but one, on either side.
# So p is 34/65536. For 13 to 2 it is 242/32768. Both are what the paper prints.

# %%
show.table(
    consistency.mcnemar(figures),
    name="published_mcnemar",
    caption="EviScope: discordant quartets against the printed differences and p-values.",
)

# %% [markdown]
# ## What to take away
#
# - Sums, rates and p-values of both papers agree. An error in copying a figure into `data/reported/` would show here.
# - The gain from generic to force-aware prompting is beyond doubt on the paper's pairs, even for fully dependent models.
# - The paper's totals alone do not separate the dummy-axis control from generic support, nor one baseline from another.
#   That takes the rows, which later chapters have for our edition.
#
# **Exercise.** An evaluator has a printed violation rate of 0.364 on 198 pairs. Which count is behind it?
# Another has 0.36 on 40 pairs. Which count is behind that?
#
# ```{dropdown} One solution
# $0.364 \cdot 198 = 72.07$, and $72/198 = 0.3636$ rounds to 0.364. $71/198$ and $73/198$ do not, so it is 72.
#
# With 40 pairs the rates go in steps of 0.025: 0.350, then 0.375. No count gives 0.360, so one of the two figures is wrong
# or the number of pairs is another.
# ```
#
# **Data and code.** `data/reported/`, {mod}`forcebench_lib.reported`, {mod}`forcebench_lib.consistency`.

# %%
reversals = reported.by_key(reported.reversals(figures), "prompt")
compared = paired.assign(difference=paired["violations_first"] - paired["violations_second"])
compared.index = (paired["first"] + "-" + paired["second"]).str.lower().str.replace(" ", "_")
record(
    {
        "checks": {"total": len(checks), "hold": int(checks["holds"].sum())},
        "total": {name: value for name, value in reported.table1(figures).iloc[-1].items() if name != "axis"},
        "token_overlap": reported.by_key(rates.drop(columns="MVR"), "evaluator")["Token overlap"],
        "reversed": {prompt: row["reversed_most"] for prompt, row in reversals.items()},
        "tied": {prompt: row["violations"] - row["reversed_most"] for prompt, row in reversals.items()},
        "headline": compared.loc["generic_support-force_aware"].drop(["first", "second"]),
        "paired": compared[["p_least", "p_most", "p_clustered"]].to_dict("index"),
    }
)
