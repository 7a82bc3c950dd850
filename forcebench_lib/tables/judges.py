"""Tables of recorded runs: what was asked, what was answered, with what certainty."""

import pandas as pd

from ..corpus import Edition
from .frame import edition_line, prompt_label, titled


def run_list(summary: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """Every recorded run on the edition, from `judging.summary`."""
    frame = pd.DataFrame(
        {
            "judge": summary["evaluator"],
            "prompt": [prompt_label(prompt) for prompt in summary["prompt"]],
            "scoring": summary["scoring"],
            "pairs": summary["pairs"],
            "judgments": summary["judgments"],
            "unusable": summary["unusable"],
            "requests": summary["requests"],
            "median seconds": summary["latency_s"].astype(float),
            "cost (USD)": summary["cost_usd"].astype(float),
            "run": summary["run"].str[-8:],
        }
    )
    note = "A dash under cost: the price of the model is not known, which is not the same as nothing."
    formats = {"median seconds": ".2f", "cost (USD)": ".2f"}
    caption = (
        f"Recorded runs on the {edition.name} edition. The last column ends the name of the run's folder in data/runs/."
    )
    return titled(frame, name="runs", caption=caption, note=note, **formats)


def label_counts(judgments: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """How often each judge gave each label to each claim under its cited passage."""
    cited = judgments[(judgments["passage"] == "cited") & (judgments["repeat"] == 0)]
    said = cited["label"].where(cited["label"].astype(bool), cited["status"])
    counts = cited.assign(label=said).groupby(["evaluator", "prompt", "label", "claim"], sort=False).size()
    wide = counts.unstack(fill_value=0).reindex(columns=["safe", "raised"], fill_value=0).reset_index()
    wide["prompt"] = [prompt_label(prompt) for prompt in wide["prompt"]]
    wide = wide.rename_axis(columns=None).rename(
        columns={"evaluator": "judge", "safe": "evidence-calibrated", "raised": "force-raised"}
    )
    return titled(wide, name="label_counts", caption=f"Labels given to the two claims, {edition_line(edition)}.")


def label_mass(judgments: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """The probability that a graded judge's first token is one of the options, over all its judgments."""
    mass = judgments.assign(low=judgments["mass"] < 0.9).groupby(["evaluator", "prompt"], sort=False)
    frame = mass["mass"].agg(["count", "median", "min"]).assign(low=mass["low"].mean()).reset_index()
    frame = frame.rename(columns={"count": "judgments", "min": "lowest", "low": "share under 0.9"})
    frame["prompt"] = [prompt_label(prompt) for prompt in frame["prompt"]]
    note = "Under 0.9 a graded score is noise: the model wanted to say something else."
    caption = f"Probability mass on the label tokens, {edition_line(edition)}."
    return titled(frame.rename(columns={"evaluator": "judge"}), name="label_mass", caption=caption, note=note)
