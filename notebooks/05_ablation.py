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
# # The prompt ablation: is it the axes, or the question?
#
# **What this chapter shows.**
# Four prompts ask the same judges about the same pairs.
# The paper finds that a minimal question about force does as well as the full list of axes
# ({num}`05_ablation::published.axis_free.mvr:.1%` and {num}`05_ablation::published.force_aware.mvr:.1%` violations), and that a list of irrelevant axes does not help ({num}`05_ablation::published.dummy_axis.mvr:.1%`).
# On this edition the same prompts give {num}`05_ablation::pooled.axis_free.mvr:.1%`, {num}`05_ablation::pooled.force_aware.mvr:.1%` and {num}`05_ablation::pooled.dummy_axis.mvr:.1%`, and the generic one {num}`05_ablation::pooled.generic_support.mvr:.1%`.

# %% tags=["parameters"]
edition = "open"
wave = 0
baseline = "generic_support"

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, wave=int, baseline=str)

# %%
from forcebench_lib import charts, corpus, judging, metrics, reported, tables

data = corpus.load_edition(edition, wave=wave)
runs = judging.covering(data)
scores = judging.scores(runs)
claim_side = metrics.outcomes(scores, data.evaluation)
evidence_side = metrics.outcomes(scores, data.evaluation, side="evidence")
published = reported.table3()
prompts = published["prompt"].to_list()

# %% [markdown]
# ## Table 3: four prompts
#
# *Generic support* asks whether the passage supports the claim.
# *Minimal axis-free force* asks whether the claim is stronger than the passage.
# *Axis-list force-aware* adds the five axes. The *dummy-axis control* lists axes that have nothing to do with force.

# %%
pooled = tables.pooled_rates(claim_side, evidence_side)
judges = claim_side["evaluator"].nunique()
show.table(tables.table3(pooled, data, judges=judges))

# %% [markdown]
# ## Figure 3: judge by judge

# %%
results = tables.evaluator_rates(claim_side, evidence_side)
show.chart(
    charts.prompt_bars(results, published),
    description="For each judge, its MVR under four prompts as bars with 95% intervals, beside the paper's aggregate.",
    table=tables.table2(results, data),
    name="figure3",
)

# %% [markdown]
# ## The same pairs, compared
#
# The paper prints totals. Totals do not say whether two prompts fail on the same pairs.
# Here each prompt meets the baseline pair by pair.

# %%
others = [prompt for prompt in prompts if prompt != baseline]
show.table(tables.prompt_comparisons(claim_side, data, baseline=baseline, prompts=others))

# %% [markdown]
# ## Over all judges
#
# Two ways to pool: resample the pairs, with every judge's outcomes on a pair moving together; and a logistic model with
# pairs as clusters. An odds ratio below 1 means fewer violations than the baseline.

# %%
show.table(tables.pooled_comparisons(claim_side, data, baseline=baseline, prompts=others))

# %% [markdown]
# ## Where a prompt helps
#
# The difference to the baseline, axis by axis, adjusted over the axes by Holm.

# %%
show.table(tables.axis_comparisons(claim_side, data, baseline=baseline, prompt="force_aware"))

# %% [markdown]
# ## What the judges answered
#
# How often each label was given to each claim. A judge that gives one label throughout ties on every pair.

# %%
show.table(tables.label_counts(judging.judgments(runs), data))

# %% [markdown]
# ## What to take away
#
# - In the paper, asking about warrant strength halves the violations, with or without the list of axes. Whether it does so for a judge here, the paired table says.
# - FS of prompts with different label scores is not on one scale. Compare MVR, and read FS within a prompt.
# - If two prompts disagree on 4 of 10 pairs, {num}`05_ablation::n` pairs tell differences in MVR apart from about {num}`05_ablation::detectable:.2f` on. The [table](06_limitations) has other shares; prompts that disagree rarely need less.
#
# **Exercise.** Two prompts each violate 60 of 120 pairs. Can one still be better than the other on the same pairs?
#
# ```{dropdown} One solution
# Not by this count: equal totals mean equal discordant counts, so McNemar's p is 1.
# They can fail on entirely different pairs, though, and that is worth knowing: together they would catch more.
# ```
#
# **Data and code.** `prompts/`, `data/runs/`, {mod}`forcebench_lib.stats`.

# %%
from forcebench_lib.stats import smallest_detectable

theirs = published.assign(mvr=published["mvr_percent"] / 100).set_index("prompt")[["mvr", "fs"]]
record(
    {
        "n": len(data.evaluation),
        "judges": judges,
        "published": theirs.to_dict("index"),
        "pooled": pooled.set_index("prompt")[["mvr", "mvr_low", "mvr_high", "fs", "n"]].to_dict("index"),
        "detectable": smallest_detectable(len(data.evaluation), discordant=0.4),
    }
)
