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
# # The run browser: every reply, beside its passage and claims
#
# **What this chapter shows.**
# {num}`11_runs::runs` recorded runs hold {num}`11_runs::replies:,d` replies about {num}`11_runs::pairs` pairs. All of them can be read here, as they came.
# {num}`11_runs::unusable:,d` replies could not be used. On {num}`11_runs::never` pairs no run puts the calibrated claim first.
#
# Rates hide what a judge says. Read a few pairs before you believe a number.

# %% tags=["parameters"]
edition = "open"
first = ""
second = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, first=str, second=str)

# %%
from forcebench_lib import browser, panel, tables

data = panel.waves(edition)[0]
runs = panel.entries(edition)

# %% [markdown]
# ## The runs
#
# One run is one model under one prompt. Its number here is its name on this page.

# %%
show.table(tables.runs_overview(runs))

# %% [markdown]
# ## What was asked, of whom, and how it went
#
# Open a run. *Requested* is what was asked for, *in force* what the model took, *dropped* what it refused, in its provider's words.

# %%
show.html(browser.manifests(runs))

# %% [markdown]
# ## The replies
#
# The {num}`11_runs::evaluated` evaluated pairs stand here; development pairs were asked of no judge. Choose a run, then open a pair. *Outcome* is that of the claim side. *Words* looks in questions, passages, claims and replies.
#
# Without JavaScript the pairs can be read and the replies downloaded; the search stays away.
# Characters that are not seen stand as their codes, such as ⟨U+202E⟩. Replies come from models: nothing in them is checked, and nothing in them runs.

# %%
show.html(browser.pairs(runs, data))

# %% [markdown]
# ## Every pair under every run
#
# A row of ties means that the judges could not tell the two claims apart. Sort by a run to see where it fails.

# %%
from forcebench_lib.book.table import table_html

matrix = tables.outcome_matrix(runs, data)
show.html(f'<details class="run-fold"><summary>All pairs and runs as one table</summary>{table_html(matrix)}</details>')

# %% [markdown]
# ## Two runs compared
#
# By default the first judge under the generic and under the force-aware prompt. Choose others with `-p first` and `-p second`: the id of a run, or its last eight digits.
# Equal rates can hide many changes. The second table shows them.

# %%
two = panel.chosen(runs, first=first, second=second)
if two:
    show.table(tables.run_comparison(*two))
    show.table(tables.outcome_flips(*two))

# %% [markdown]
# ### The pairs that changed

# %%
if two:
    show.html(browser.changed(*two))

# %% [markdown]
# ## The same question twice
#
# A run with `repeats` asks everything more than once. Where the label changes, one reply is a draw from a lottery.
# `-p repeats 3` in [](04_judging) records one. Without such a run no table stands here.

# %%
repeated = tables.repeat_rates(runs)
if len(repeated):
    show.table(repeated)

# %% [markdown]
# ## What to take away
#
# - A rate is a sum of replies. When two rates differ, look at the pairs that changed.
# - A tie that every run shares says something about the labels, or about the pair. An inversion that one run has alone says something about that judge.
# - The manifest is part of the result: the same model under other parameters is another evaluator.
#
# **Exercise.** Choose a run and the outcome *inversion*. Read three pairs. Is the judge wrong in one way or in three?
#
# ```{dropdown} One solution
# Look at the axis and at what the raised claim adds. Small judges often give the longer or the bolder claim the better label, which is one way.
# If the three have nothing in common, the labels may be close to chance: compare how often the judge orders a pair the right way.
# ```
#
# **Data and code.** `data/runs/`, {mod}`forcebench_lib.panel`, {mod}`forcebench_lib.browser`.

# %%
known = [entry for entry in runs if entry.edition is not None]
words = matrix.drop(columns=["pair", "axis", "violated by"])
record(
    {
        "runs": len(runs),
        "evaluated": len(data.evaluation),
        "pairs": len({pair.id for entry in known for pair in entry.pairs}),
        "replies": sum(len(entry.judgments) for entry in runs),
        "unusable": sum(entry.unusable for entry in runs),
        "never": int(((words != "ordered").all(axis=1) & words.notna().any(axis=1)).sum()) if known else 0,
    }
)
