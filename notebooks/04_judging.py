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
# # Model judges: the same question, asked of language models
#
# **What this chapter shows.**
# {num}`04_judging::judges` local model{num}`04_judging::judges_plural` judged {num}`04_judging::n` pairs under {num}`04_judging::prompts` prompts.
# With the generic support prompt the pooled MVR is {num}`04_judging::pooled.generic_support.mvr:.1%`, with the axis-list force-aware one {num}`04_judging::pooled.force_aware.mvr:.1%`.
# The paper reports {num}`04_judging::published.generic_support:.1%` and {num}`04_judging::published.force_aware:.1%` for four hosted models.
#
# ```{admonition} A small panel
# :class: important
# The judges here are small open models that run on a laptop. They show that everything works and what the tables look
# like. They say nothing about large hosted models. Add yours with one line, see [](../book/rerun.md).
#
# Two of the three come from one family, and the smallest is there as a floor. Nobody should read the table as a ranking of models.
# ```

# %% tags=["parameters"]
model = ""
prompts = ["generic_support", "axis_free", "force_aware", "dummy_axis"]
edition = "open"
wave = 0
scoring = "labels"
passages = ["cited", "licensing"]
limit = None
repeats = 1
concurrency = 4
max_cost_usd = None
api_base = ""
temperature = 0.0
max_tokens = 256
name = ""
example = ""

# %%
from typing import Literal

from forcebench_lib.book import parameters, record, show

parameters.check(
    globals(),
    model=str,
    prompts=list[str],
    edition=str,
    wave=int,
    scoring=Literal["labels", "graded"],
    passages=list[Literal["cited", "licensing"]],
    limit=int | None,
    repeats=int,
    concurrency=int,
    max_cost_usd=float | None,
    api_base=str,
    temperature=float | None,
    max_tokens=int,
    name=str,
    example=str,
)

# %%

import pandas as pd

from forcebench_lib import card, charts, corpus, evaluators, judging, metrics, panel, reported, tables

data = corpus.load_edition(edition, wave=wave)
for prompt in prompts if model else []:
    task = judging.task(
        data,
        model=model,
        prompt=prompt,
        api_base=api_base or None,
        evaluator=name,
        passages=passages,
        limit=limit,
        scoring=scoring,
        repeats=repeats,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    judging.run(task, concurrency=concurrency, max_cost_usd=max_cost_usd)

# %%
runs = judging.recorded(edition=data)
labels = judging.covering(data)

# %% [markdown]
# ## The recorded runs
#
# One run is one model under one prompt on this edition. Each reply is kept as it came.
# Tables hold runs that cover the whole evaluation set; a trial with `limit` is listed here alone. The [run browser](11_runs) also has runs on earlier parts of the edition.

# %%
show.table(tables.run_list(judging.summary(runs), data))

# %% [markdown]
# What is different from the paper's study stands in one table. No number of one confirms or refutes a number of the other.

# %%
show.table(tables.deviations(labels, data))

# %% [markdown]
# ## Table 2: model judges
#
# A pair whose reply cannot be read counts as a violation with margin 0, as in the paper.
# The aggregate pools the judges over the same pairs; its interval resamples pairs.

# %%
scores = judging.scores(labels)
claim_side = metrics.outcomes(scores, data.evaluation)
evidence_side = metrics.outcomes(scores, data.evaluation, side="evidence")
results = tables.evaluator_rates(claim_side, evidence_side)
with_aggregate = tables.with_aggregate(results, claim_side, evidence_side)
pooled = with_aggregate[with_aggregate["evaluator"] == "Model aggregate"]
show.table(tables.table2(with_aggregate, data))

# %% [markdown]
# ## Figure 2: the step from generic to force-aware
#
# Left is better on MVR, up is better on FS. Hollow marks are the paper's, filled ones are computed here.
# A dashed line joins the two prompts of one judge.

# %%
published = reported.table2().fillna({"prompt": ""})
two = results[results["prompt"].isin(["generic_support", "force_aware"])]
show.chart(
    charts.mvr_fs_plane(two, published[published["kind"] == "model"], arrows=[("generic_support", "force_aware")]),
    description="Judges under two prompts as points: MVR across, FS up, with 95% intervals; the paper's aggregate as hollow points.",
    table=tables.table2(two, data),
    name="figure2",
)

# %% [markdown]
# ## How violations come about
#
# A judge with few labels ties often, and a tie is a violation.

# %%
show.table(tables.violation_split(results, data))

# %%
show.chart(
    charts.outcome_bars(results),
    description="For each judge and prompt, the share of pairs that are ordered, tied, inverted or unusable.",
    name="judge_outcomes",
)

# %% [markdown]
# ## Judge against judge
#
# Overlapping intervals do not say that two judges are alike. On the same pairs, the pairs that only one of them violates decide.
# The [ablation](05_ablation) compares the prompts of one judge in the same way.

# %%
show.table(tables.judge_comparisons(claim_side, data, prompts=["generic_support", "force_aware"]))

# %% [markdown]
# ## Both sides, all evaluators
#
# The evidence side holds the raised claim fixed and swaps in the passage that licenses it. Support must rise.
# Hollow marks are the paper's evaluators: their evidence side was not measured, so they stand at the upper edge.

# %%
everything = pd.concat([evaluators.score_roster(data.evaluation), scores])
both_sides = tables.evaluator_rates(
    metrics.outcomes(everything, data.evaluation), metrics.outcomes(everything, data.evaluation, side="evidence")
)
two_prompts = both_sides[both_sides["prompt"].isin(["", "generic_support", "force_aware"])]
show.chart(
    charts.two_sides(two_prompts, published, arrows=[("generic_support", "force_aware")]),
    description="Every evaluator as a point: claim-side violation rate across, evidence-side violation rate up, with 95% intervals; a dashed line from the generic to the force-aware prompt of each judge.",
    table=tables.table2(two_prompts, data, name="headline_data"),
    name="headline",
)

# %% [markdown]
# ## Axis by axis

# %%
by_axis = metrics.rates(claim_side, by=["evaluator", "prompt", "axis"])
show.chart(
    charts.axis_heatmap(by_axis, data),
    description="MVR of each judge and prompt on each of the five axes, as numbers on shaded cells.",
    table=tables.by_group(claim_side, "axis", data, evidence_side=evidence_side),
    name="judge_axes",
)

# %% [markdown]
# ## One pair, as judged

# %%
judge = labels[-1].manifest.evaluator
shown = next((pair for pair in data.evaluation if pair.id == example), data.evaluation[0])
for prompt in ("generic_support", "force_aware"):
    show.html(card.judged_card(shown, judging.judgments(labels), claim_side, judge=judge, prompt=prompt))

# %% [markdown]
# ## Labels and graded scores
#
# *Labels* reads the one label that a judge writes. *Graded* takes the expected score over all labels from the judge's
# log probabilities, so two claims almost never tie.
# Strict ordering of a continuous score is an easier test: a coin has an MVR of 1/2, and both orders hold by chance on 1/3 of the pairs.
# Read it beside the evidence side, and never compare it with labels alone.

# The table holds both scorings on the same pairs: those that the graded runs cover.

# %%
part, graded = panel.covered(edition, scoring="graded")
if graded:
    here = scores["pair_id"].isin([pair.id for pair in part.evaluation])
    same = scores["prompt"].isin([run.manifest.prompt.id for run in graded])
    side_by_side = pd.concat([scores[here & same], judging.scores(graded)])
    rates = tables.evaluator_rates(
        metrics.outcomes(side_by_side, part.evaluation),
        metrics.outcomes(side_by_side, part.evaluation, side="evidence"),
    )
    show.table(tables.table2(rates, part, name="graded"))
    show.table(tables.label_mass(judging.judgments(graded), part))

# %% [markdown]
# ## What to take away
#
# - The prompt is part of the evaluator. Name it whenever you report a number.
# - Ties hide behind accuracy. Show the split.
# - A judge that gains on the claim side may only have learnt a taste for caution. Show the evidence side.
#
# **Exercise.** A judge with the labels *supported* (1) and *not supported* (0) has MVR 0.40 and never errs the other way round.
# What is its FS?
#
# ```{dropdown} One solution
# Every ordered pair has margin 1 and every violation is a tie with margin 0. So FS = 1 − 0.40 = 0.60.
# ```
#
# **Data and code.** `data/runs/`, `prompts/`, {mod}`forcebench_lib.judging`.

# %%
measures = ["mvr", "mvr_low", "mvr_high", "fs", "mirror", "mirror_low", "mirror_high", "both", "n", "violations"]
theirs = published.set_index(["evaluator", "prompt"])["mvr"]["Model aggregate"]
number = claim_side["evaluator"].nunique()
record(
    {
        "judges": number,
        "judges_plural": "" if number == 1 else "s",
        "n": len(data.evaluation),
        "prompts": claim_side["prompt"].nunique(),
        "runs": len(runs),
        "judgments": len(scores),
        "pooled": pooled.set_index("prompt").reindex(columns=measures).to_dict("index"),
        "published": {prompt: theirs[prompt] for prompt in ("generic_support", "force_aware")},
    }
)
