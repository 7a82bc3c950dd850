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
# # The leaderboard, and how to send in a run
#
# **What this chapter shows.**
# {num}`12_leaderboard::whole` of {num}`12_leaderboard::runs` recorded runs cover every pair of their text and stand here, by {num}`12_leaderboard::judges` judge{num}`12_leaderboard::plural`.
#
# ```{admonition} A small panel is no ranking
# :class: important
# The judges are few, and so are the pairs. Two rows whose intervals overlap cannot be told apart by this table. Where two runs judged the same pairs, the paired test in [](11_runs) says more.
# ```

# %% tags=["parameters"]
edition = "open"

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str)

# %%
from forcebench_lib import panel, tables

runs = panel.entries(edition)

# %% [markdown]
# ## The tables
#
# Rows stand in one table only if they can be compared: the same text of the edition, the same scoring, the same passages.
# *Both hold* comes first: the calibrated claim beats the raised one, and the better evidence beats the weaker. A judge that merely likes caution cannot score there.
# Three random scores hold both orders on a third of the pairs. A graded run whose interval holds 1/3 cannot be told from a coin; labels tie, and lie lower.
# Click a head to sort by it.

# %%
for board in tables.leaderboards(runs):
    show.table(board)

# %% [markdown]
# Rules and controls, which cost nothing, stand in the chapters on [baselines](03_baselines) and on the [mirror test](08_mirror). A judge should beat them.
#
# ## Send in a run
#
# 1. **Record it**, on all pairs and under all four prompts. [](../book/rerun.md) says how.
#
#    ```console
#    $ python -m forcebench_lib judge --model provider/model-name --max-cost-usd 5
#    $ python -m forcebench_lib judge --model openai/my-model --api-base http://127.0.0.1:8080/v1 --concurrency 1
#    ```
#
# 2. **Look at the replies.** They are published as they came. Build the book and open your run in the [run browser](11_runs).
#
# 3. **Check it.** The command says in one sentence each what is wrong. With nothing to say it ends with exit code 0.
#
#    ```console
#    $ python -m forcebench_lib runs check data/runs/NAME
#    ```
#
# 4. **Commit the folder**, `manifest.json` and `judgments.jsonl` and nothing else, and open a pull request. Say whether you had a hand in the model.
#
# ## What is checked
#
# | what | against |
# | --- | --- |
# | the name of the run | the hash over model, address, prompt, edition and parameters, computed again |
# | the prompt | the text of a file in `prompts/`, by SHA-256 |
# | the edition | the text of the edition today, whole or after one of its waves, by SHA-256 |
# | the number of pairs | every evaluated pair once, none left out |
# | the key of each reply | the hash over the question and the parameters in force, computed again |
# | the replies | one for each question, none answered twice |
# | status and label | what the parser reads in the reply today |
# | the totals | what the judgments add up to |
# | the folder | no other file, and nothing shaped like a key or a password |
#
# What no check can see: whether the replies came from the model that is named. A provider's record of the calls, or a second run by somebody else, can.
#
# ## What to take away
#
# - Compare rows of one table, and read the interval before the order.
# - A run is data: anybody can compute its row again without asking the model.
#
# **Exercise.** Someone sends in a run with only the pairs that the model got right. Which check stops it?
#
# ```{dropdown} One solution
# The number of pairs: every evaluated pair must be there. Taking single lines out does not help either, since each question must have its reply.
# ```
#
# **Data and code.** `data/runs/`, {mod}`forcebench_lib.submission`.

# %%
whole = [entry for entry in runs if entry.whole]
judges = len({entry.manifest.evaluator for entry in whole})
record({"runs": len(runs), "whole": len(whole), "judges": judges, "plural": "" if judges == 1 else "s"})
