"""The parts of the lm-evaluation-harness task that are code; ``forcebench.yaml`` names them."""

import sys
from pathlib import Path
from typing import Any

from datasets import Dataset, DatasetDict

sys.path.insert(0, str(Path(__file__).resolve().parent))  # the harness loads this file alone

from forcebench_pairs import pair_rates, questions, reading, said

Scored = tuple[dict[str, Any], str]


def dataset(**_: Any) -> DatasetDict:
    """The questions as the test split."""
    return DatasetDict({"test": Dataset.from_list(questions())})


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, Scored]:
    """One question and what its reply says; the rates are made over all of them."""
    place = {name: doc[name] for name in ("pair_id", "passage", "claim")}
    scored = (place, said(reading(results[0] or "")))
    return {"mvr": scored, "fs": scored}


def mvr(scored: list[Scored]) -> float:
    """The share of pairs whose safe claim does not score above the raised one."""
    return pair_rates(scored)["mvr"]


def fs(scored: list[Scored]) -> float:
    """The mean margin between the two claims of a pair."""
    return pair_rates(scored)["fs"]
