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
# # Limitations, computed where they can be
#
# **What this chapter shows.**
# With {num}`06_limitations::n` pairs, an MVR of 0.50 has an interval of ±{num}`06_limitations::half_width:.2f`.
# Two evaluators that differ on 4 of 10 pairs must differ in MVR by about {num}`06_limitations::detectable:.2f` to be told apart.
# Leaving one source out moves an MVR by at most {num}`06_limitations::largest_shift:.2f`.

# %% tags=["parameters"]
edition = "open"
wave = 0

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, wave=int)

# %%
import pandas as pd

from forcebench_lib import corpus, evaluators, judging, metrics, stats, tables

data = corpus.load_edition(edition, wave=wave)
runs = judging.covering(data, needed=False)
rules = evaluators.score_roster(data.evaluation, controls=False, passages=["cited"])
claim_side = metrics.outcomes(pd.concat([rules, judging.scores(runs)]), data.evaluation)

# %% [markdown]
# ## What this book can and cannot say
#
# | question | the paper | this book |
# | --- | --- | --- |
# | rows | the authors' release | written for this book, all names invented |
# | writers and reviewers | people, kappa printed | language models of one family, agreement shown with its limits |
# | model judges | four hosted models | small open models on one machine |
# | prompts | the authors' | our own wording of the same four ideas |
# | evidence side | not measured | licensing passage for every pair |
#
# So no number computed here confirms or refutes a number of the paper. The book shows the method, openly, end to end.
#
# ## A tie is a violation
#
# The paper counts a tie as a violation, since the raised claim passed. Another reading of ties moves some evaluators a lot.

# %%
show.table(tables.tie_policies(claim_side, data))

# %% [markdown]
# ## Replies that cannot be used
#
# A pair with an unusable reply counts as a violation with margin 0. Leaving it out would reward a judge for silence.

# %%
show.table(tables.policies(claim_side, data))

# %% [markdown]
# ## Does one source carry the result?
#
# Each row leaves one kind of source out in turn and shows the range of MVR over these eight looks.

# %%
left_out = metrics.leave_one_source_out(claim_side)
show.table(tables.source_sensitivity(claim_side, left_out, data))

# %% [markdown]
# ## What the sample size can tell apart
#
# The smallest difference in MVR between two evaluators on the same pairs that an exact McNemar test finds with 80% power.
# It depends on how often they differ at all.

# %%
show.table(tables.detectable(data))

# %% [markdown]
# ## What is not measured
#
# - **Retrieval.** Every passage here is given. Whether a system finds the right source is another question.
# - **Correctness.** Names are invented and nothing is true or false in the world. Warrant is not truth.
# - **Coverage.** One sentence at a time. A long answer can be warranted in every sentence and still mislead by selection.
# - **Other languages.** All rows are in English.
# - **Style.** All rows come from one family of language models and share its habits, however varied the genres.
#
# ## What to take away
#
# - Report N, the interval, the split and the policy with every MVR.
# - Differences smaller than the table above allows are not findings.
# - A benchmark row is an opinion that was checked. The [annotation chapter](02_annotation) shows how well.
#
# **Exercise.** How many pairs would make the interval of an MVR of one half ±5%?
#
# ```{dropdown} One solution
# The half width is about 0.98 / √N. For 0.05, N is about 384.
# ```
#
# **Data and code.** {mod}`forcebench_lib.metrics`, {mod}`forcebench_lib.stats`.

# %%
n = len(data.evaluation)
half = stats.wilson(n // 2, n)
whole = metrics.rates(claim_side).set_index(["evaluator", "prompt"])["mvr"]
shift = (left_out.set_index(["evaluator", "prompt"])["mvr"] - whole).abs()
record(
    {
        "n": n,
        "half_width": (half.high - half.low) / 2,
        "detectable": stats.smallest_detectable(n, discordant=0.4),
        "largest_shift": shift.max(),
    }
)
