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
# # Baselines: what rules and word counts can see
#
# **What this chapter shows.**
# Axis ForceCheck, a rule rebuilt from the paper's description, violates {num}`03_baselines::claim.axis_forcecheck.mvr:.1%` of the pairs on the claim side.
# Swap in a passage that licenses the raised claim, and it fails to notice on {num}`03_baselines::claim.axis_forcecheck.mirror:.1%`.
# Both orderings hold on {num}`03_baselines::claim.axis_forcecheck.both:.1%`.
#
# The word lists and penalties were tuned on the {num}`03_baselines::development` development pairs, and on nothing else.

# %% tags=["parameters"]
edition = "open"
evaluator = ""
example = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, evaluator=str, example=str)

# %%
from forcebench_lib import card, charts, corpus, evaluators, metrics, quality, reported, tables

data = corpus.load_edition(edition)
scores = evaluators.score_roster(data.evaluation, own=evaluator)
claim_side = metrics.outcomes(scores, data.evaluation)
evidence_side = metrics.outcomes(scores, data.evaluation, side="evidence")
results = tables.evaluator_rates(claim_side, evidence_side)

# %% [markdown]
# ## Table 2: the evaluators that need no model
#
# *Citation presence* gives every cited claim the same score, so it violates every pair: it cannot tell the claims apart.
# *Token overlap* and *entity overlap* ask how much of the claim stands in the passage.
# *Rule ForceCheck* and *axis ForceCheck* look for limiters that the claim dropped: may → will, a range → its endpoint,
# a date → no date, a subgroup → everyone, an association → a cause.
#
# *Hedge count* and *claim length* never read the passage. They are controls: whatever they reach needs no evidence at all.

# %%
show.table(tables.table2(results, data))

# %% [markdown]
# ## Both sides in one plane
#
# To the left, fewer raised claims pass. Further down, more licensed claims are recognised.
# A control that never reads the passage cannot leave the upper edge: swapping the passage changes nothing for it.

# %%
show.chart(
    charts.two_sides(results),
    description="Each evaluator as a point: claim-side violation rate across, evidence-side violation rate up, with 95% intervals.",
    table=tables.table2(results, data),
    name="two_sides",
)

# %% [markdown]
# ## How violations come about
#
# A tie is a violation too: an evaluator that cannot tell the two claims apart has let the raised one pass.

# %%
show.table(tables.violation_split(results, data))

# %%
show.chart(
    charts.outcome_bars(results),
    description="For each evaluator, the share of pairs that are ordered, tied, inverted or unusable.",
    name="outcomes",
)

# %% [markdown]
# ## Figure 4: axis by axis
#
# Which kind of raise does an evaluator miss? In the paper, axis ForceCheck had an MVR of
# {num}`03_baselines::published.numeric:.3f` on the numeric and {num}`03_baselines::published.temporal:.3f` on the temporal axis.

# %%
by_axis = metrics.rates(claim_side, by=["evaluator", "prompt", "axis"])
show.chart(
    charts.axis_heatmap(by_axis, data),
    description="MVR of each evaluator on each of the five axes, as numbers on shaded cells.",
    table=tables.by_group(claim_side, "axis", data, evidence_side=evidence_side),
    name="figure4",
)

# %% [markdown]
# ## Overt and implicit limiters
#
# Rules look for words. Where the limit follows from two statements or from a design, there is no word to find.

# %%
show.table(tables.by_group(claim_side, "marker", data, evidence_side=evidence_side))

# %% [markdown]
# ## Where copied words do not help
#
# Calibrated claims tend to copy the passage. On *recall-hard* pairs the raised claim has at least as many of the
# passage's words as the calibrated one, so copied words point the wrong way or nowhere.
# An evaluator that does well on the others alone has counted words.

# %%
hard = quality.recall_hard(data.evaluation)
parts = [
    side.assign(recall=["recall-hard" if pair in hard else "others" for pair in side["pair_id"]])
    for side in (claim_side, evidence_side)
]
show.table(tables.by_group(parts[0], "recall", data, evidence_side=parts[1]))

# %% [markdown]
# ## By severity and source

# %%
show.table(tables.by_group(claim_side, "severity", data, evidence_side=evidence_side))

# %%
show.table(tables.by_group(claim_side, "source", data))

# %% [markdown]
# ## What axis ForceCheck says about one pair

# %%
shown = next((pair for pair in data.pairs if pair.id == example), data.evaluation[0])
score = evaluators.axis_forcecheck([shown.passage] * 2, [shown.safe_claim, shown.raised_claim])
verdicts = {
    claim: card.Verdict(
        "; ".join(finding.text for finding in evaluators.explain(shown.passage, text)) or "no finding", value
    )
    for claim, text, value in zip(("safe", "raised"), (shown.safe_claim, shown.raised_claim), score, strict=True)
}
show.html(card.pair_card(shown, verdicts=verdicts, judge="Axis ForceCheck"))

# %% [markdown]
# ## What to take away
#
# - Word overlap is not warrant. Raised claims often copy the passage's own words.
# - A rule that punishes strong wording passes the claim side by taste. The evidence side shows whether it read the passage.
# - A control that reads nothing is the floor. Compare with it before you compare with each other.
#
# **Exercise.** Write an evaluator that gives 1 to every claim with the word “may” and 0 to the others.
# Where will it stand in the plane? Run it with `-p evaluator your_module:score` and check.
#
# ```{dropdown} One solution
# It never reads the passage, so it stands at the upper edge: every pair is a tie on the evidence side.
# How far to the left it stands depends on how many calibrated claims carry the word.
# ```
#
# **Data and code.** `data/lexicons/`, {mod}`forcebench_lib.evaluators`, {mod}`forcebench_lib.metrics`.

# %%
keys = results["evaluator"].str.lower().str.replace(" ", "_")
measures = ["mvr", "mvr_low", "mvr_high", "fs", "mirror", "mirror_low", "mirror_high", "both", "n"]
other = reported.other().set_index("quantity")["value"]
record(
    {
        "claim": results.set_index(keys)[measures].to_dict("index"),
        "published": {axis: float(other[f"axis_forcecheck_mvr_{axis}"]) for axis in ("numeric", "temporal")},
        "development": len(data.development),
        "n": len(data.evaluation),
    }
)
