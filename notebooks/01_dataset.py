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
# # The edition: what the pairs are and how they were chosen
#
# **What this chapter shows.**
# The {num}`01_dataset::edition.name` edition holds {num}`01_dataset::flow.candidates` candidates.
# Two reviewers read each; {num}`01_dataset::flow.accepted` were accepted.
# The evaluation set has {num}`01_dataset::flow.evaluation` pairs, and {num}`01_dataset::flow.development` more are kept for development.
#
# The edition was written for this book. It is not the authors' release, whose rows cannot be had here.
# The paper's counts stand beside ours in every table.

# %% tags=["parameters"]
edition = "open"
example = ""

# %%
from forcebench_lib.book import parameters, record, show

parameters.check(globals(), edition=str, example=str)

# %%
from forcebench_lib import card, charts, corpus, quality, tables

data = corpus.load_edition(edition)
staged = data.manifest.selection is not None
flow = corpus.select(corpus.load_stages(edition)) if staged else None

# %% [markdown]
# ## One pair
#
# Read the passage first. Then read the two claims.
# Only one of them may stand beside this citation.

# %%
shown = next((pair for pair in data.pairs if pair.id == example), data.evaluation[0])
show.html(card.pair_card(shown))

# %% [markdown]
# The marked words of the passage set the limit. The marked words of the claims are all that differs.
# The claim on the left says what the passage warrants. The claim on the right says more.
#
# ## Table 1: pairs by axis and severity
#
# Severity 1 is a subtle shift. Severity 2 is a clear mismatch.
# Severity 3 would lead a reader to decide the other way, or to harm.

# %%
show.table(tables.table1(data))

# %% [markdown]
# ## Table 4: from candidates to the evaluation set
#
# Every step is code over files. The quality control checks that spans are exact, claims differ and licensing passages exist.
# The cap keeps one axis from outweighing the others. The locality audit is a fresh reading of every evaluated pair.

# %%
if flow is not None:
    show.table(tables.table4(flow, data))
    counts = corpus.flow_counts(flow)
    show.chart(
        charts.flow_bars(counts),
        description="Bars with the number of rows at each step, from the candidates down to the evaluation set.",
        table=tables.flow_table(flow, data),
        name="flow",
    )

# %% [markdown]
# ## Where the limits lie
#
# An *overt* limiter is one word, number or date that sets the limit by itself.
# An *implicit* one asks the reader to put two statements together.
# A limiter in the last third of a passage is easier to miss.

# %%
show.table(tables.limiters(data))

# %% [markdown]
# ## Is there a shortcut in the claims?
#
# A pair is worth little if its claims give the answer away.
# Suppose that the calibrated claim were always the longer one: a judge that likes long sentences would win without reading.
# So each shortcut below must *fail* on a good part of the pairs, and fail on every axis.
#
# - *More hedges win*, *longer wins*, *shorter wins*, *fewer universal words win*: four likings that never read the passage.
#   The figure is their MVR. High is good here.
# - *Learned from the claims' words*: a classifier sees the words and word pairs of the two claims, and learns on other pairs.
#   Half is chance. It orders {num}`01_dataset::quality.learned:.1%` of the pairs that it has not seen.
# - *Content-word recall*: how many of the claim's words stand in the passage. Copied words must not look like warrant.
#   In the *mirror* the passage changes and the claim stays.
#
# The other rows ask how the set is made up, and whether two of all rows are alike.
# Each bound stands beside what was found. {num}`01_dataset::quality.held` of {num}`01_dataset::quality.asked` checks hold.

# %%
rows = list(flow.candidates) if flow else list(data.pairs)
found = quality.report(data.evaluation, rows)
checks = tables.quality_checks(found, data)
show.table(checks)

# %% [markdown]
# A check that does not hold is a finding about the edition. It is shown, and mended by better rows, never by dropping the
# pairs on which an evaluator does badly.
#
# ## No two rows alike
#
# Two texts are compared by their word shingles: every run of two or three words.
# The Jaccard index is the share of shingles that both have. Here are the closest two rows of each kind of text.
# A *frame* is a claim with its names and numbers masked, so that a template with other nouns would be caught.

# %%
show.table(tables.closest_rows(rows, data))

# %% [markdown]
# All names are meant to be invented. Code can tell two things.
# No name of a country, a language, a currency or a large city may stand in a row (Unicode CLDR):
# {num}`01_dataset::names.known` such names were found. And no invented name may stand in two rows; these words do.

# %%
show.table(tables.names_in_two_rows(rows, data))

# %% [markdown]
# No list holds every person, firm, drug and village. Those names were judged by those who drafted and read the rows,
# and by nothing else. A name that sounds right may belong to somebody.
#
# ## How local the pairs are
#
# The claims of a pair should differ in their force and in nothing else.
# The share of words that stand in one claim alone says how much was changed.

# %%
distances = quality.locality(data.evaluation)
by_axis = tables.locality_by_axis(distances, data)
show.chart(
    charts.edit_shares(distances),
    description="For each axis, one tick a pair at the share of words that differ, with the middle half and the median.",
    table=by_axis,
    name="edit_shares",
)

# %%
show.table(by_axis)

# %% [markdown]
# Numbers move on the numeric axis, and dates on the temporal one. That is the raise itself.
# A pair is read again where its claims are unusually far apart, or where the raised claim brings in a name or number
# that neither the other claim nor the passage has.

# %%
show.table(tables.locality_outliers(distances, data))

# %% [markdown]
# ## Sources
#
# Every passage is written in the manner of one of eight kinds of source.
# The evaluation set takes turns over them, so that no kind dominates an axis.

# %%
show.table(tables.sources(data))

# %% [markdown]
# ## What was rejected, and why
#
# About a third of the candidates were drafted to fall on or over the boundary, and the reviewers were not told which.
# They keep their place in the release as rejected rows.

# %%
if flow is not None:
    show.table(tables.rejections(flow, data))

# %% [markdown]
# ## What to take away
#
# - A pair changes one thing: how strongly the claim is put.
# - The passage decides. All names are invented, so nobody can answer from memory.
# - {num}`01_dataset::implicit:.0%` of the evaluated pairs have an implicit limiter.
#
# **Exercise.** Take the pair above and write a third claim that is weaker than the left one. Is it still a good answer?
#
# ```{dropdown} One solution
# A weaker claim is warranted too, but it says less than the passage allows.
# The evidence-calibrated claim is the *strongest* warranted wording, not the most timid one.
# ```
#
# **Data and code.** `data/open/`, {mod}`forcebench_lib.corpus`, {mod}`forcebench_lib.quality`, {mod}`forcebench_lib.card`.

# %%
record(
    {
        "edition": {"name": data.name, "version": data.version, "sha256": data.sha256[:12]},
        "flow": {
            "candidates": len(flow.candidates) if flow else len(data.pairs),
            "accepted": len(flow.accepted) if flow else len(data.pairs),
            "rejected": len(flow.rejected) if flow else 0,
            "capped": len(flow.capped) if flow else 0,
            "removed": len(flow.removed) if flow else 0,
            "before_audit": len(flow.before_audit) if flow else len(data.evaluation),
            "evaluation": len(data.evaluation),
            "development": len(data.development),
            "reworded": len(flow.reworded) if flow else 0,
        },
        "quality": {
            "learned": found.set_index(["check", "part"])["found"]["Learned from the claims' words", "all"],
            "asked": int((checks["holds"] != "–").sum()),
            "held": int((checks["holds"] == "yes").sum()),
        },
        "names": {"known": len(quality.known_names(rows)), "shared": len(quality.shared_names(rows))},
        "words": data.frame()["passage"].str.split().str.len().agg(["min", "median", "max"]),
        "sources": data.frame()["source"].nunique(),
        "implicit": sum(pair.marker == "implicit" for pair in data.evaluation) / len(data.evaluation),
        "axis": data.frame().query("split == 'evaluation'")["axis"].value_counts(),
    }
)
