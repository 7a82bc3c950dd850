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
# # Annotation: two readings, and what their agreement can show
#
# **What this chapter shows.**
# The two reviewers gave the same decision on {num}`02_annotation::decision.same:.0%` of the candidates.
# Against what the drafter meant and hid, the one who works from the licence was right on
# {num}`02_annotation::intent.licence.same:.0%`, the sceptic on {num}`02_annotation::intent.sceptic.same:.0%`.
# In the paper, Cohen's kappa of the row decision was {num}`02_annotation::published_kappa:.2f`, between people.
#
# ```{admonition} Who reviewed
# :class: important
# The drafters, both reviewers, the adjudicator and the auditor of this edition are language models of one family, each
# in a context of its own. Two such reviewers are alike. That they agree does not show that the rows are right.
# ```

# %% tags=["parameters"]
edition = "open"
human_reviews = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, human_reviews=str)

# %%
from forcebench_lib import agreement, charts, corpus, human, reported, tables

data = corpus.load_edition(edition)
stages = corpus.load_stages(edition)

# %% [markdown]
# ## Against the drafter's hidden intent
#
# This comparison says most. The drafter wrote each row to be a force gap or to have one named fault.
# The reviewers saw neither the intent nor the drafted span, axis, severity, repair and rationale.

# %%
intent = agreement.against_intent(stages)
show.table(
    tables.agreement_table(intent, data, name="against_intent", caption="Each reviewer against the drafter's intent.")
)

# %% [markdown]
# ## The rows on the boundary
#
# Each of these rows was drafted with one fault. The table shows what adjudication made of them.
# A row that was meant to be faulty and was accepted is not an error by itself: the drafter can be wrong too.

# %%
boundary = agreement.boundary_outcomes(stages)
boundary.attrs |= {
    "name": "boundary",
    "caption": f"What became of the candidates, by what they were meant as. Edition {data.version}.",
}
show.table(boundary.rename(columns={"as_intended": "rejected as intended", "intent": "meant as"}))

# %% [markdown]
# ## Between the reviewers
#
# Each field is compared on the rows where both could answer.
# Cohen's kappa corrects the share of equal labels for agreement by chance.

# %%
between = agreement.between_reviewers(stages)
show.table(tables.agreement_table(between, data, name="between", caption="Agreement of the two reviewers."))

# %%
show.chart(
    charts.agreement_bars(between),
    description="For each field, the share of rows on which the two reviewers gave the same label, with its interval.",
    name="agreement",
)

# %% [markdown]
# ## Decision by axis

# %%
by_axis = agreement.decision_by_axis(stages)
show.table(tables.agreement_table(by_axis, data, name="by_axis", caption="Agreement on the decision, by drafted axis."))

# %% [markdown]
# ## Where they differed
#
# Every row on which the two decisions differ, with the adjudicator's reason.

# %%
show.table(tables.disagreements(stages, data))

# %% [markdown]
# ## Beside people
#
# The edition ships with no review by a person. With a file of such reviews, a table here compares every two readers on the
# rows that people reviewed. [](../book/elsewhere) says how to make the file with Label Studio, and how to run this chapter on it.

# %%
if human_reviews:
    people = human.beside(stages, human.read_reviews(human_reviews, stages))
    show.table(
        tables.agreement_table(people, data, name="people", caption="Reviews by people beside the edition's own.")
    )

# %% [markdown]
# ## What to take away
#
# - Kappa between two language models measures how alike they are.
# - The comparison with the hidden intent, the boundary rows and the reasons say more.
# - Severity and axis are weaker ground than the decision itself: read them as one careful opinion.
# - Human reviews of this edition would be worth more than all of the above.
#
# **Exercise.** Two reviewers each accept 9 of 10 rows, at random. How often do they agree by chance? What is kappa if they
# agree on 9 of 10?
#
# ```{dropdown} One solution
# By chance they agree on 0.9 × 0.9 + 0.1 × 0.1 = 0.82 of the rows.
# Kappa is (0.90 − 0.82) / (1 − 0.82) = 0.44. High agreement, middling kappa: most of it was chance.
# ```
#
# **Data and code.** `data/open/reviews.jsonl`, `data/open/adjudications.jsonl`, {mod}`forcebench_lib.agreement`.

# %%
decision = between.set_index("field").loc["Decision"]
meant = intent[intent["field"] == "Decision"].set_index("reviewer")
other = reported.other().set_index("quantity")["value"]
record(
    {
        "decision": decision[["n", "same", "same_low", "same_high", "kappa"]],
        "intent": {reviewer: meant.loc[reviewer, ["same", "same_low", "same_high"]] for reviewer in meant.index},
        "reviews": len(stages.reviews),
        "boundary": boundary.query("intent != 'force_gap'")[["drafted", "rejected", "as_intended", "accepted"]].sum(),
        "agree": between.set_index("field").loc[["Axis", "Severity"], "same"].rename(str.lower),
        "published_kappa": float(other["cohen_kappa_row_decision"]),
    }
)
