"""A small quartet of our own, and outputs that are right in every context of it."""

from typing import Any

from forcebench_lib.quartets import Output, Quartet, Quote, examples

SUPPORT = "The Tarn lamp runs on one cell. A full cell lasts 14 hours in dry air. The switch is at the back."
CONFLICT = "The Tarn lamp runs on one cell. A full cell lasts 9 hours in dry air. The switch is at the back."


def document(title: str, text: str) -> dict[str, str]:
    return {"title": title, "text": text}


def row(id: str = "q-1", **changes: Any) -> Quartet:
    fields = {
        "id": id,
        "source": f"Manual {id}",
        "domain": "manuals",
        "question": "How long does a full cell of the Tarn lamp last in dry air?",
        "answer": "14 hours",
        "aliases": ("fourteen hours", "14 h"),
        "support": document("Lamp manual", SUPPORT),
        "support_span": "A full cell lasts 14 hours in dry air.",
        "distractors": (
            document("Wet air", "In wet air the Tarn lamp runs for 3 hours."),
            document("Old lamp", "The Fell lamp runs for 20 hours."),
        ),
        "unrelated": (document("Tent", "The tent sleeps two."), document("Stove", "The stove burns spirit.")),
        "conflict": document("Lamp manual", CONFLICT),
        "conflict_answer": "9 hours",
        "conflict_span": "A full cell lasts 9 hours in dry air.",
        "kind": "quantity",
    }
    return Quartet.model_validate(fields | changes)


def right(quartet: Quartet, **changes: Any) -> list[Output]:
    """The right output in each context of a quartet."""
    outputs = []
    for one in examples([quartet]):
        said: dict[str, Any] = {"action": one.gold.action}
        if one.gold.answerable:
            said |= {"answer": quartet.answer, "citations": tuple(Quote(id=i, quote=q) for i, q in one.gold.spans)}
        outputs.append(Output(quartet=quartet.id, variant=one.variant, **(said | changes)))
    return outputs
