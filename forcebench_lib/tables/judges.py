"""Tables of recorded runs: what was asked, what was answered, with what certainty."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from .. import reported
from ..corpus import Edition
from ..judging import Run
from .frame import edition_line, prompt_label, titled


def deviations(runs: Sequence[Run], edition: Edition) -> pd.DataFrame:
    """What differs between the paper's study of model judges and the one recorded here."""
    manifests = [run.manifest for run in runs]
    local = all((one.api_base or "").startswith(("http://127.", "http://localhost")) for one in manifests)
    theirs = reported.other().set_index("quantity")["value"]
    dates = sorted({session.started[:10] for one in manifests for session in one.sessions})
    days = [*dict.fromkeys([dates[0], dates[-1]])] if dates else []
    rows = [
        ("rows", "the authors' pairs", f"the {edition.name} edition {edition.version}, every name invented"),
        ("evaluated pairs", str(reported.table2()["units"].min()), str(len(edition.evaluation))),
        ("judges", theirs["models"].replace(";", ", "), _listed(one.evaluator for one in manifests)),
        ("asked at", "the providers' servers", "a server on one machine" if local else "see each manifest"),
        ("asked on", theirs["run_date"], " to ".join(days)),
        ("prompts", "the authors' texts", "the same four ideas in words of our own"),
        ("longest reply, tokens", theirs["output_cap_tokens"], _listed(_cap(one.effective) for one in manifests)),
        ("temperature", theirs["temperature"], _listed(one.effective.get("temperature", "–") for one in manifests)),
        ("evidence side", "not measured", "the licensing passage of every pair"),
    ]
    frame = pd.DataFrame(rows, columns=["", "the paper", "here"])
    return titled(frame, name="deviations", caption="What differs from the paper's study of model judges.")


def _cap(effective: Mapping[str, Any]) -> Any:
    return effective.get("max_tokens") or effective.get("max_completion_tokens") or "–"


def _listed(values: Iterable[Any]) -> str:
    """The different values, in the order in which they came."""
    return ", ".join(dict.fromkeys(str(value) for value in values))


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
