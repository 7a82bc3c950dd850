"""The tests of the promptfoo configuration, and the assertion that reads a reply."""

from typing import Any

from forcebench_pairs import TASK, questions, reading, said


def cases() -> list[dict[str, Any]]:
    """One test for each question."""
    return [
        {
            "description": question["id"],
            "vars": {name: question[name] for name in ("passage", "claim", "system", "user")},
            "metadata": {name: question[name] for name in ("id", "pair_id", "passage", "claim")},
        }
        for question in questions()
    ]


def get_assert(output: str, context: dict[str, Any]) -> dict[str, Any]:
    """Passes where the reply holds a label; the score is the label's."""
    response = context.get("providerResponse") or {}
    found = reading(output or "", finish_reason=response.get("finishReason") or "stop")
    return {"pass": bool(found.label), "score": TASK["labels"].get(found.label, 0), "reason": said(found)}
