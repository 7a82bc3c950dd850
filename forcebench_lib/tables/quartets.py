"""Tables of the evidence quartets: the rows, their reviews and checks, and what systems do in the four contexts."""

from typing import Any

import pandas as pd

from .. import reported
from ..quartets import (
    CONSTRAINTS,
    MEASURES,
    OUTCOMES,
    VARIANTS,
    Comparison,
    QuartetSet,
    QuartetStages,
    against_design,
    agreement,
    check,
    compare,
    example,
    quartet_rates,
    row_rates,
)
from ..quartets.reviews import GROUPS
from .frame import OURS, PUBLISHED, intervals, p_value, titled, with_interval

SHORT = {
    "evidence_removal_sensitivity": "ERS",
    "noise_robustness": "NR",
    "conflict_sensitivity": "CS",
    "quartet_consistency": "QCS",
}
LEGEND = (
    "Answers: right where the support is there. Joint: all contexts that end right. "
    "ERS: right with the support and abstains without it. NR: right with and without distractors. "
    "CS: right with the support alone and flags the conflict. QCS: all four."
)


def quartets_line(data: QuartetSet) -> str:
    """The quartets and their number, for captions."""
    return f"{data.name} {data.version}, {len(data.quartets)} quartets"


def quartet_contexts(data: QuartetSet, id_: str) -> pd.DataFrame:
    """The four contexts of one quartet: which documents stand in each, and what is right."""
    row = next(row for row in data.quartets if row.id == id_)
    roles = {row.document_ids[role]: role for role in row.documents}
    contexts = [example(row, variant) for variant in VARIANTS]
    frame = pd.DataFrame(
        {
            "context": [one.variant for one in contexts],
            "documents": [
                ", ".join(f"{source.id} ({roles[source.id]})" for source in one.documents) for one in contexts
            ],
            "right action": [one.gold.action.replace("_", " ") for one in contexts],
            "right answer": [one.gold.answers[0] if one.gold.answerable else "" for one in contexts],
            "right source": [", ".join(one.gold.supporting) if one.gold.answerable else "" for one in contexts],
        }
    )
    return titled(frame, name="quartet_contexts", caption=f"The four contexts of {id_} and what is right in each.")


def quartet_documents(data: QuartetSet, id_: str) -> pd.DataFrame:
    """The six documents of one quartet."""
    row = next(row for row in data.quartets if row.id == id_)
    frame = pd.DataFrame(
        [(row.document_ids[role], role, one.title, one.text) for role, one in row.documents.items()],
        columns=["id", "role", "title", "text"],
    )
    return titled(frame.sort_values("id"), name="quartet_documents", caption=f"{row.question} ({id_})")


def quartet_kinds(data: QuartetSet) -> pd.DataFrame:
    """How many quartets ask for each kind of answer."""
    rows = pd.DataFrame(
        [(row.kind, row.domain, row.source) for row in data.quartets], columns=["kind", "domain", "source"]
    )
    groups = rows.groupby("kind")
    frame = groups.agg(quartets=("kind", "size"), domains=("domain", "nunique"), sources=("source", "nunique"))
    caption = f"Quartets by the kind of answer: {quartets_line(data)}."
    return titled(frame.reset_index().rename(columns={"kind": "answer is a"}), name="quartet_kinds", caption=caption)


def quartet_lints(stages: QuartetStages, data: QuartetSet) -> pd.DataFrame:
    """How many rows broke each constraint on conflict passages, as drafted and in the end."""
    drafted, final = (
        {name: len({one.quartet for one in check(rows) if one.constraint == name}) for name in CONSTRAINTS}
        for rows in (stages.candidates, data.quartets)
    )
    frame = pd.DataFrame({"constraint": list(CONSTRAINTS), "as drafted": drafted.values(), "final": final.values()})
    caption = f"Conflict passages that break a constraint, of {len(data.quartets)}."
    return titled(frame, name="quartet_lints", caption=caption)


def quartet_agreement(stages: QuartetStages) -> pd.DataFrame:
    """Agreement of two reviewers on the three groups of fields, published beside ours."""
    published, ours = reported.eviscope_agreement().set_index("field"), agreement(stages.reviews)
    columns: dict[Any, Any] = {
        ("fields", ""): list(GROUPS),
        (PUBLISHED, "equal"): published.loc[list(GROUPS), "agreement"].to_list(),
        (PUBLISHED, "Cohen's kappa"): published.loc[list(GROUPS), "cohen_kappa"].to_list(),
        (OURS, "contexts"): ours["n"].to_list(),
        (OURS, "equal"): intervals(ours, "same"),
        (OURS, "Cohen's kappa"): intervals(ours, "kappa"),
    }
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(columns)
    note = (
        "Two reviews agree where they agree on every field of the group. A context that was mended was reviewed again."
    )
    return titled(frame, name="quartet_agreement", caption="Agreement of the two reviewers of each context.", note=note)


def quartet_design(stages: QuartetStages) -> pd.DataFrame:
    """How often a reviewer, who was not told, found what a context was made to be."""
    found = (
        against_design(stages.reviews)
        .groupby("variant", sort=False)[["n", "status", "behaviour"]]
        .sum()
        .loc[list(VARIANTS)]
    )
    frame = found.reset_index().set_axis(["context", "reviews", "status as meant", "behaviour as meant"], axis=1)
    return titled(frame, name="quartet_design", caption="Reviews against what the contexts were made to be.")


def quartet_table3(marked: pd.DataFrame, data: QuartetSet) -> pd.DataFrame:
    """EviScope, Table 3: quartet metrics, the published rows above those of this edition."""
    ours = row_rates(marked).merge(quartet_rates(marked).drop(columns="n"), on=["system", "policy"])
    published = reported.eviscope_table3().rename(columns={"model": "system"})
    published["policy"] = published["policy"].str.capitalize()
    measures = sorted(MEASURES, key=lambda name: name != "quartet_consistency")  # what the chapter quotes comes first
    columns = ["answer_accuracy", "joint_success", *measures]
    parts = []
    for origin, rows in ((PUBLISHED, published), (OURS, ours)):
        part = rows[["system", "policy", *columns]].copy()
        if origin == OURS:
            part[list(MEASURES)] = pd.DataFrame({name: intervals(rows, name) for name in MEASURES}, index=rows.index)
        else:
            part[list(MEASURES)] = part[list(MEASURES)].map("{:.3f}".format)
        part.insert(0, "from", origin.lower())
        parts.append(part)
    names = {"answer_accuracy": "answers", "joint_success": "joint"}
    frame = pd.concat(parts, ignore_index=True).rename(columns=names | SHORT)
    caption = (
        f"Table 3 of EviScope, published on 40 quartets of its own, and recomputed on ours: {quartets_line(data)}."
    )
    note = f"{LEGEND} Brackets hold Wilson's 95% intervals."
    return titled(frame, name="quartet_table3", caption=caption, note=note)


def quartet_table4(marked: pd.DataFrame, data: QuartetSet) -> pd.DataFrame:
    """EviScope, Table 4: what is done where no answer is expected, the published rows above those of this edition."""
    published = reported.eviscope_table4().rename(columns={"model": "system"})
    published["policy"] = published["policy"].str.capitalize()
    ours = row_rates(marked).rename(
        columns={"abstention_recall": "insufficient_abstained", "conflict_accuracy": "conflict_flagged"}
    )
    columns = ["insufficient_abstained", "conflict_flagged", "conflict_answered"]
    frame = pd.concat(
        [
            rows[["system", "policy", *columns]].assign(**{"from": origin.lower()})
            for origin, rows in ((PUBLISHED, published), (OURS, ours))
        ],
        ignore_index=True,
    )
    frame = frame[["from", "system", "policy", *columns]]
    frame = frame.set_axis(["from", "system", "policy", "abstained", "flagged", "answered"], axis=1)
    caption = (
        f"Table 4 of EviScope: insufficient and conflicting contexts, published and on ours: {quartets_line(data)}."
    )
    note = "Abstained: of the insufficient contexts. Flagged, answered: of the conflicting ones."
    return titled(frame, name="quartet_table4", caption=caption, note=note)


def quartet_rows(marked: pd.DataFrame, data: QuartetSet) -> pd.DataFrame:
    """The row metrics that no table of EviScope prints: sources, quotes, abstentions."""
    found = row_rates(marked)
    names = {
        "source_accuracy": "right source",
        "right_answer_wrong_source": "answer only",
        "right_source_wrong_answer": "source only",
        "unsupported_citation": "other cited",
        "span_f1": "quotes F1",
        "abstention_precision": "abstains P",
        "abstention_recall": "abstains R",
        "hallucination": "hallucinated",
    }
    frame = found[["system", "policy", *names]].rename(columns=names)
    note = (
        "Answer only: right answer, wrong source; source only: the reverse. Other cited: cited documents that "
        "do not support the answer. P and R: precision and recall. "
        "Hallucinated: answers where none is expected. A dash: nothing was cited, or nobody abstained."
    )
    return titled(
        frame, name="quartet_rows", caption=f"Sources, quotes and abstentions: {quartets_line(data)}.", note=note
    )


def quartet_outcomes(marked: pd.DataFrame, data: QuartetSet) -> pd.DataFrame:
    """How the contexts of each system end: right, or in which way not."""
    counts = marked.groupby(["system", "policy", "outcome"], sort=False).size().unstack(fill_value=0)
    frame = counts.reindex(columns=list(OUTCOMES), fill_value=0).rename(columns=_HEADS).reset_index()
    caption = f"How the {len(data.examples)} contexts end for each system and policy: {quartets_line(data)}."
    note = (
        "Wrong source: a right answer with another source. No support: answered without any. Conflict: answered a "
        "conflict. Withheld: abstained or flagged where something else was right."
    )
    return titled(frame.rename_axis(columns=None), name="quartet_outcomes", caption=caption, note=note)


_HEADS = {
    "right answer, wrong source": "wrong source",
    "answered without support": "no support",
    "answered a conflict": "conflict",
    "wrong non-answer": "withheld",
}


def quartet_comparisons(marked: pd.DataFrame, data: QuartetSet) -> pd.DataFrame:
    """Gate minus vanilla on each model that ran under both, with the published comparison above."""
    names = {**SHORT, "joint_success": "joint success"}
    rows = [_published_comparison(one) for one in reported.eviscope_paired().to_dict("records")]
    rows += [{"from": OURS.lower(), "model": name, **_comparison(found, names)} for name, found in both(marked).items()]
    caption = f"Gate minus vanilla, quartet by quartet: published on 40 quartets, and on ours: {quartets_line(data)}."
    note = "Brackets: paired bootstrap over quartets. The p is of the exact McNemar test on whole quartets (QCS)."
    return titled(pd.DataFrame(rows), name="quartet_comparisons", caption=caption, note=note)


def both(marked: pd.DataFrame) -> dict[str, Comparison]:
    """Gate against vanilla for each system that has both."""
    policies = marked.groupby("system", sort=False)["policy"].agg(set)
    return {
        str(system): compare(marked, first=(str(system), "Vanilla"), second=(str(system), "Gate"))
        for system, known in policies.items()
        if {"Vanilla", "Gate"} <= known
    }


def _published_comparison(one: dict[Any, Any]) -> dict[str, Any]:
    differences = {SHORT[name]: f"{one[f'{SHORT[name].lower()}_difference']:.3f}" for name in MEASURES}
    discordant = {"only vanilla": one["discordant_favour_vanilla"], "only gate": one["discordant_favour_gate"]}
    head = {"from": PUBLISHED.lower(), "model": one["model"]}
    minus = {name: value.replace("-", "−") for name, value in differences.items()}
    return head | minus | {"joint success": "–"} | discordant | {"p": p_value(one["mcnemar_exact_p"])}


def _comparison(found: Comparison, names: dict[str, str]) -> dict[str, Any]:
    differences = {
        short: with_interval(one.value, one.low, one.high)
        for name, short in names.items()
        for one in (found.differences[name],)
    }
    test = found.test
    return differences | {"only vanilla": test.only_first, "only gate": test.only_second, "p": p_value(test.p)}


def quartet_costs(marked: pd.DataFrame, data: QuartetSet) -> pd.DataFrame:
    """What a grounded outcome costs, for systems that made calls."""
    asked = marked[marked.groupby(["system", "policy"])["calls"].transform("sum") > 0]
    found = quartet_rates(asked)
    frame = pd.DataFrame(
        {
            "system": found["system"],
            "policy": found["policy"],
            "grounded utility": found["grounded_utility"],
            "calls": found["calls_each"],
            "tokens": found["tokens_each"],
            "seconds": found["seconds_each"],
            "US dollars": found["usd_each"].astype(float),
        }
    )
    caption = f"What each grounded outcome costs, all {len(data.examples)} contexts paid for: {quartets_line(data)}."
    note = "Grounded utility: joint success over mean calls. A dash: not known. A local model has no price."
    return titled(frame, name="quartet_costs", caption=caption, note=note, tokens=".0f", seconds=".1f", calls=".2f")
