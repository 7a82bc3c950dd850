"""MVR and FS over the pairs of an exported task. Standard library alone: this file travels with every export."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from forcebench_reply import USABLE, Reading, read

HERE = Path(__file__).resolve().parent
TASK: dict[str, Any] = json.loads((HERE / "task.json").read_text(encoding="utf-8"))


def questions() -> list[dict[str, Any]]:
    """The questions of the task, in the order in which they are asked; the two claims of a pair follow each other."""
    return [json.loads(line) for line in (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def reading(reply: str, *, finish_reason: str = "stop") -> Reading:
    """What a reply is read as, by the rule of the book: ``label`` is empty where the reply is unusable."""
    return read(reply, labels=TASK["labels"], finish_reason=finish_reason)


def said(found: Reading) -> str:
    """The label, or why there is none."""
    return found.label if found.status in USABLE else found.status


def pair_rates(rows: Iterable[tuple[dict[str, Any], str]]) -> dict[str, float]:
    """MVR and FS over the pairs whose cited passage was asked about (ForceBench, section 2).

    Parameters
    ----------
    rows : iterable of (question, said)
        A question of the task, and what `said` made of the reply. A pair with an unusable or missing member is a
        violation with margin 0.
    """
    pairs: dict[str, dict[str, float]] = {}
    for question, word in rows:
        if question["passage"] == "cited":
            members = pairs.setdefault(question["pair_id"], {})
            if word in TASK["labels"]:
                members[question["claim"]] = TASK["labels"][word]
    margins = [pair["safe"] - pair["raised"] if len(pair) == 2 else 0.0 for pair in pairs.values()]
    if not margins:
        return {"mvr": float("nan"), "fs": float("nan"), "pairs": 0}
    violations = sum(margin <= 0 for margin in margins)
    return {"mvr": violations / len(margins), "fs": sum(margins) / len(margins), "pairs": len(margins)}
