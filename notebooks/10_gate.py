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
# # The citation gate: how often is it right?
#
# **What this chapter shows.**
# The gate holds {num}`10_gate::suite.hold` of its {num}`10_gate::suite.n` regression cases. On the pairs of the edition, its rules pass
# {num}`10_gate::safe:.1%` of the calibrated claims and stop {num}`10_gate::raised:.1%` of the raised ones.
#
# Given a passage that licenses the raised claim, they pass only {num}`10_gate::licensed:.1%`: much of what stops a raised claim is a word list that
# dislikes strong wording, and not the source.
#
# So the default gate is a net with holes, and it also stops good claims. It costs nothing and gives the same answer every time.
# [](../book/gate.md) puts it to work.

# %% tags=["parameters"]
edition = "open"
evaluator = "rules"

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, evaluator=str)

# %%
from forcebench_lib import corpus, gate, tables

data = corpus.load_edition(edition)
judge = gate.supporter(evaluator)

# %% [markdown]
# ## The regression cases
#
# Each case is a folder with an answer that must fail, for one stated reason, and a repaired twin that must pass.

# %%
suite = tables.gate_suite(judge)
show.table(suite)

# %% [markdown]
# ## The pairs of the edition
#
# A calibrated claim should pass against its passage, a raised one should not. Against the passage that licenses it, the raised claim should pass.
# The cases above are written so that rules can decide them. These claims are not.

# %%
verdicts = tables.gate_verdicts(data, judge)
show.table(tables.gate_rates(verdicts, data))

# %% [markdown]
# ## What to take away
#
# - Quotes, numbers, dates, versions and missing sources are decided by rules. The regression suite shows each of them at work.
# - Force is found where one word carries it. Where two statements must be put together, rules have no word to find.
# - A model judge reads more and costs more: name one with `--evaluator`. [](04_judging) shows what small ones can do.
#
# **Exercise.** Run this chapter with `-p evaluator "Token overlap"`. Which regression cases still hold, and why those?
#
# ```{dropdown} One solution
# Those that the store decides alone, and those that the words of force decide after the score: an evaluator replaces the rules for support and
# nothing else. Wrong numbers, quotes and halves of sentences pass as soon as enough words agree.
# ```
#
# **Data and code.** `data/gate/`, {mod}`forcebench_lib.gate`.

# %%
right = verdicts["passed"] == (verdicts["wanted"] == "pass")
share = right.groupby(verdicts["case"]).mean()
record(
    {
        "suite": {"hold": int(suite["holds"].sum()), "n": len(suite)},
        "safe": share["calibrated, cited passage"],
        "raised": share["raised, cited passage"],
        "licensed": share["raised, licensing passage"],
        "n": len(data.evaluation),
    }
)
