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
# # Quartets: does a system change its mind when its evidence changes?
#
# **What this chapter shows.**
# The book has {num}`09_quartets::quartets` questions of its own, each under four contexts: with its support, with noise, without support, and with a contradiction.
# A reader that only counts shared words answers {num}`09_quartets::overlap.sufficient:.0%` of them right when it is given the support alone, and gets all four contexts right on {num}`09_quartets::overlap.qcs:.0%`.
# Of all systems that ran here, and those without a model are among them, the best keeps all four on {num}`09_quartets::best.qcs:.0%`. In the published table the best is at {num}`09_quartets::published_best:.0%`.
#
# The test is EviScope's {cite}`eviscope`. Rows, prompts and code here are our own.

# %% tags=["parameters"]
outputs = ""
example = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), outputs=str, example=str)

# %% [markdown]
# ## One question, four contexts
#
# The question stays the same. Only the documents change, and with them what is right.
# A document keeps its id in all four contexts, and the ids are shuffled, so that neither place nor number gives anything away.

# %%
from forcebench_lib import charts, quartets, reported, tables

data = quartets.load()
stages = quartets.load_stages()
shown = example or data.quartets[0].id
show.table(tables.quartet_documents(data, shown))

# %%
show.table(tables.quartet_contexts(data, shown))

# %% [markdown]
# The conflict is the support with its answer changed. Nothing in it says which of the two is newer or truer: the only right action is to say that they disagree.
#
# ## The rows
#
# Every person, place and product is invented, so no model can answer from memory. At most three questions share a source.

# %%
show.table(tables.quartet_kinds(data))

# %% [markdown]
# A conflict passage must keep six constraints. Each has a check that needs no model.

# %%
show.table(tables.quartet_lints(stages, data))

# %% [markdown]
# ## Two reviews of every context
#
# Reviewers saw one context at a time, in a random order, under aliases of their own. They were not told what it was made to be.
# Adjudication mended {num}`09_quartets::reviews.mended_rows` rows, most of them in a title: reviewers had seen that one of two titles looked like the original.
# So {num}`09_quartets::reviews.mended_contexts` contexts were reviewed again, by two others who had not seen them. The table counts both rounds.
#
# ```{admonition} Who reviewed
# :class: important
# Drafters, reviewers and adjudicator are language models of one family. That they agree shows that the contexts are plain to such a reader. It is no agreement between people.
# ```

# %%
show.table(tables.quartet_agreement(stages))

# %%
show.table(tables.quartet_design(stages))

# %% [markdown]
# ## The systems
#
# Two need no model and set the floor. *Word overlap* quotes the sentence that shares most words with the question, if it shares at least half; two such documents it calls a conflict.
# *Always abstain* does what its name says.
#
# A model is asked under two policies, with the same documents and at temperature 0.
# *Vanilla* answers with a citation, abstains or flags a conflict. *Gate* first writes down whether the documents are answerable, insufficient or conflicting. The prompts differ in nothing else.
# The models here are small enough for a laptop. Their rows show that the test tells failures apart; they rank nothing.

# %%
runs = quartets.recorded(data)
said = [one for name, reader in quartets.READERS.items() for one in quartets.ask(reader, data.quartets, system=name)]
said += [one for run in runs for one in run.outputs(data)]
if outputs:
    said += quartets.read_outputs(outputs, data.quartets, partial=True)
marked = quartets.marks(said, data.quartets)
print(f"{len(runs)} recorded runs on these quartets." if runs else "No model has been recorded on these quartets yet.")

# %% [markdown]
# ## All four contexts together
#
# *Answers* is the share of right answers where the support is there, *joint* the share of all contexts that end right. The other four ask whether a *change* of the evidence changes the behaviour.
# A system that always answers loses ERS and CS. One that always abstains loses all four.

# %%
show.table(tables.quartet_table3(marked, data))

# %%
show.table(tables.quartet_table4(marked, data))

# %% [markdown]
# ## Three failures, kept apart
#
# One number hides which of them a system has. They call for different repairs: a threshold, a comparison of documents, a less timid prompt.

# %%
failures = quartets.failure_rates(marked)
show.chart(
    charts.failure_modes(failures),
    description="For each system and policy, how often it answers without support, answers a conflict, or withholds an answer that is there, with 95% intervals.",
    table=failures,
    name="quartet_failures",
)

# %%
show.table(tables.quartet_outcomes(marked, data))

# %%
show.table(tables.quartet_rows(marked, data))

# %% [markdown]
# A source is right if the support is cited and nothing else. An answer is right if it is, or contains, one of the listed ways to write it: a whole quoted sentence counts.
#
# ## Does classifying first help?
#
# The two policies of one model are compared on the same questions. The published gate made two models worse, for different reasons: one no longer abstained when the support was missing, the other answered conflicts.

# %%
show.table(tables.quartet_comparisons(marked, data))

# %% [markdown]
# ## What a grounded outcome costs
#
# Everything a system spends on all contexts, for each context that it gets right. Rules that need no model cost nothing and are left out.

# %%
if runs or outputs:
    show.table(tables.quartet_costs(marked, data))

# %% [markdown]
# ## Your own system
#
# A retrieval system plugs in at the place where it has its documents. Give it as a function:
#
# ```{code-block} python
# from forcebench_lib import quartets
#
# def mine(question, documents):  # documents: a list of {"id", "title", "text"}
#     ...                         # call your model here
#     return {
#         "action": "answer",     # or "abstain", or "flag_conflict"
#         "answer": "every 10 days",
#         "citations": [{"id": "DOC-3", "quote": "rinse it every 10 days"}],
#         "tokens": 412,          # if you know it; also "calls" and "cost_usd"
#     }
#
# data = quartets.load()
# outputs = quartets.ask(mine, data.quartets, system="mine")
# marked = quartets.marks(outputs, data.quartets)
# print(quartets.row_rates(marked).T, quartets.quartet_rates(marked).T)
# ```
#
# Or write its outputs to a file, one line for each of the contexts that `data.examples` lists, and run this chapter on it:
#
# ```{code-block} json
# {"system": "mine", "quartet": "oq-001", "variant": "noisy", "action": "answer", "answer": "every 10 days", "citations": [{"id": "DOC-3", "quote": "rinse it every 10 days"}]}
# ```
#
# ```{code-block} console
# $ papermill notebooks/09_quartets.ipynb out.ipynb -p outputs /path/to/outputs.jsonl
# ```
#
# Its rows then stand in every table above. A line with an unknown id or action is refused with a sentence. An output that is missing or cannot be read is a failure, and the number of contexts stays the same.
#
# To record a model under both policies: `python -m forcebench_lib quartets run --model … --api-base …`. It continues where it stopped.

# %% [markdown]
# ## What to take away
#
# - Test the same question with the evidence changed. Accuracy on answerable questions says nothing about the rest.
# - Keep the failures apart. Abstaining more often repairs one of them and breaks another.
# - A step that sounds careful, such as classifying first, is a hypothesis. Compare it on the same questions.
# - {num}`09_quartets::quartets` questions find large differences only. Read the brackets.
#
# **Exercise.** Table 3 prints answer accuracy over the 80 answerable contexts and joint success over all 160, Table 4 the two shares of 40. Show from them that in the paper every right answer also cited the right source.
#
# ```{dropdown} One solution
# Joint success must be (2 × answer accuracy + abstained + flagged) / 4 if no right answer is lost to a wrong source. For Qwen2.5-7B under vanilla:
# (2 × 0.738 + 1.000 + 0.800) / 4 = 0.819, as printed. It holds in all six rows, up to rounding. `tests/quartets/test_scoring.py` checks them.
# ```
#
# **Exercise.** Write a system that answers every context with the first sentence of its first document. Which of the four quartet metrics can be above zero?
#
# ```{dropdown} One solution
# NR alone. It never abstains and never flags, so ERS, CS and QCS are zero whatever its answers are.
# ```
#
# **Data and code.** `data/quartets/`, `prompts/quartets/`, {mod}`forcebench_lib.quartets`.

# %%
held = quartets.quartet_rates(marked)
named = held.set_index("system")
best = held.loc[held["quartet_consistency"].idxmax()]
found = quartets.agreement(stages.reviews).set_index("field")
record(
    {
        "quartets": len(data.quartets),
        "contexts": len(data.examples),
        "runs": len(runs),
        "overlap": {
            "sufficient": quartets.successes(marked).groupby("system")["sufficient"].mean()["Word overlap"],
            "qcs": named.loc["Word overlap", "quartet_consistency"],
        },
        "best": {"system": best["system"], "policy": best["policy"], "qcs": best["quartet_consistency"]},
        "published_best": reported.eviscope_table3()["quartet_consistency"].max(),
        "reviews": {
            "n": len(stages.reviews),
            "status_and_behaviour": found["same"].iloc[0],
            "mended_rows": sum(bool(one.final) for one in stages.adjudications),
            "mended_contexts": len(quartets.mended(stages)),
        },
    }
)
