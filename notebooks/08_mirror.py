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
# # The mirror test: does an evaluator read the evidence?
#
# **What this chapter shows.**
# Token overlap orders {num}`08_mirror::rules.token_overlap.ordered:.0%` of the pairs on the claim side. On {num}`08_mirror::rules.token_overlap.both:.0%` of all pairs it also notices when the evidence gets stronger.
# A count of hedges orders {num}`08_mirror::rules.hedge_count.ordered:.0%` of the pairs without reading any passage. The mirror test gives it nothing: {num}`08_mirror::rules.hedge_count.both:.0%`.
# No rule, and no judge that gives labels, has both sides right on more than {num}`08_mirror::best:.0%` of the pairs. Three random scores would reach a third.
#
# The paper does not measure this side. It is an addition of this book.

# %% tags=["parameters"]
edition = "open"
wave = 0
evaluator = ""
example = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, wave=int, evaluator=str, example=str)

# %% [markdown]
# ## One pair, from the other side
#
# MVR holds the passage fixed and raises the claim. The mirror holds the raised claim fixed and changes the passage.
# Open *Rationale, repair, licensing passage* on the card: a few words of the passage differ, and now the claim on the right is warranted.
# Its score must rise.

# %%
from forcebench_lib import card, charts, corpus, evaluators, judging, metrics, tables

data = corpus.load_edition(edition, wave=wave)
shown = next((pair for pair in data.pairs if pair.id == example), data.evaluation[0])
show.html(card.pair_card(shown))

# %% [markdown]
# ## Evaluators that need no model
#
# *Both orderings hold* is the rate to look at: the calibrated claim beats the raised one, and the better evidence beats the weaker.
# *Denies a licensed claim* counts over-caution: the passage says it in full, and the evaluator still says no.

# %%
scores = evaluators.score_roster(data.evaluation, own=evaluator)
claim_side = metrics.outcomes(scores, data.evaluation)
evidence_side = metrics.outcomes(scores, data.evaluation, side="evidence")
results = tables.evaluator_rates(claim_side, evidence_side)
show.table(tables.both_sides(results, metrics.over_caution(scores, data.evaluation), data))

# %%
show.chart(
    charts.two_sides(results),
    description="Each evaluator as a point: claim-side violation rate across, evidence-side violation rate up, with 95% intervals.",
    table=tables.table2(results, data, name="mirror_plane_data"),
    name="mirror_plane",
)

# %% [markdown]
# ## Evidence or taste?
#
# Take the pairs that an evaluator orders on the claim side. On some of them it also sees the better evidence.
# On the others its preference was taste: it liked the more cautious sentence, whatever the passage said.
# For a control that reads no passage, all of it is taste.

# %%
show.table(tables.ordered_but_blind(claim_side, evidence_side, data))

# %% [markdown]
# ## Model judges
#
# The recorded runs on the same pairs.

# %%
judged = judging.scores(run for run in judging.recorded(edition=data) if run.covers(data))
judged_evidence = metrics.outcomes(judged, data.evaluation, side="evidence")
best = results["both"].max()
if not judged_evidence.empty:  # a run on the cited passages alone has no evidence side
    judged_claim = metrics.outcomes(judged, data.evaluation)
    judged_results = tables.evaluator_rates(judged_claim, judged_evidence)
    best = max(best, judged_results["both"].max())
    caution = metrics.over_caution(judged, data.evaluation)
    show.table(tables.both_sides(judged_results, caution, data, name="judges_both_sides"))
    show.table(tables.ordered_but_blind(judged_claim, judged_evidence, data, name="judges_ordered_but_blind"))

# %% [markdown]
# ## By axis

# %%
show.table(tables.by_group(claim_side, "axis", data, evidence_side=evidence_side, name="both_by_axis"))


# %% [markdown]
# ## What to take away
#
# - Report both sides, and the share of pairs on which both hold. One side alone can be passed by taste.
# - A control that reads nothing sets the floor on the claim side. It cannot move on the evidence side.
# - Caution is not calibration. An evaluator that denies what the passage says in full is wrong too.
#
# **Exercise.** An evaluator gives every claim the same score under every passage. What are its MVR, its evidence-side rate and its joint rate?
#
# ```{dropdown} One solution
# Every pair ties on both sides. So MVR is 1, the evidence-side rate is 1, and both orderings hold on no pair.
# ```
#
# **Exercise.** Write a claim-only evaluator with an MVR as low as you can. Run it with `-p evaluator your_module:score`. Where does it stand in the plane?
#
# ```{dropdown} One solution
# Anywhere along the upper edge. However clever its word lists are, swapping the passage cannot change its score.
# ```
#
# **Data and code.** `licensing_passage` in `data/open/pairs.jsonl`, {mod}`forcebench_lib.metrics`.

# %%
keys = results["evaluator"].str.lower().str.replace(" ", "_")
rules = results.assign(ordered=1 - results["mvr"]).set_index(keys)
record(
    {
        "n": len(data.evaluation),
        "rules": rules[["mvr", "ordered", "mirror", "both"]].to_dict("index"),
        "best": best,
    }
)
