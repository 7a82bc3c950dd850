"""Tables of the mirror test: both sides of every evaluator, and how much of its ordering is taste."""

import pandas as pd

from ..corpus import Edition
from .frame import INTERVAL, edition_line, intervals, prompt_label, titled


def both_sides(
    table: pd.DataFrame, caution: pd.DataFrame, edition: Edition, *, name: str = "both_sides"
) -> pd.DataFrame:
    """Claim side, evidence side, both together, and over-caution of every evaluator and prompt.

    Parameters
    ----------
    table : DataFrame
        The result of `evaluator_rates` with the evidence side.
    caution : DataFrame
        The result of `metrics.over_caution`.
    edition : Edition
        For the caption.
    name : str
        Name of the CSV.
    """
    rows = table.merge(caution.drop(columns="n"), how="left", on=["evaluator", "prompt"])
    frame = pd.DataFrame(
        {
            "evaluator": rows["evaluator"],
            "prompt": [prompt_label(prompt) for prompt in rows["prompt"]],
            "claim side: MVR": intervals(rows, "mvr", digits=2),
            "evidence side: violations": intervals(rows, "mirror", digits=2),
            "evidence side: mean margin": intervals(rows, "mirror_margin"),
            "both orderings hold": intervals(rows, "both", digits=2),
            "denies a licensed claim": intervals(rows, "over_caution", digits=2),
        }
    )
    caption = f"Both sides of every evaluator, {edition_line(edition)}."
    note = f"{INTERVAL} A licensed claim is denied where its score is under 0.5."
    return titled(frame, name=name, caption=caption, note=note)


def ordered_but_blind(
    claim_side: pd.DataFrame, evidence_side: pd.DataFrame, edition: Edition, *, name: str = "ordered_but_blind"
) -> pd.DataFrame:
    """Of the pairs that an evaluator orders on the claim side, how many it also orders on the evidence side.

    What is missing from the second is taste: the calibrated claim was preferred, and the evidence made no difference.
    """
    keys = ["evaluator", "prompt", "pair_id"]
    sides = claim_side[[*keys, "outcome"]].merge(
        evidence_side[[*keys, "outcome"]], on=keys, suffixes=("_claim", "_evidence")
    )
    ordered = sides[sides["outcome_claim"] == "ordered"]
    seen = ordered.assign(seen=ordered["outcome_evidence"] == "ordered")
    groups = seen.groupby(["evaluator", "prompt"], sort=False)["seen"].agg(["size", "sum"]).reset_index()
    frame = pd.DataFrame(
        {
            "evaluator": groups["evaluator"],
            "prompt": [prompt_label(prompt) for prompt in groups["prompt"]],
            "ordered on the claim side": groups["size"],
            "of these, evidence seen": groups["sum"],
            "of these, taste alone": groups["size"] - groups["sum"],
            "share of taste": (groups["size"] - groups["sum"]) / groups["size"],
        }
    )
    caption = (
        f"Pairs that are ordered on the claim side, and what the evidence side says of them, {edition_line(edition)}."
    )
    return titled(frame, name=name, caption=caption)
