"""Systems without a model, in the shape in which a system of one's own plugs in. They set the floor."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluators.words import content_stems, sentences
from .outputs import System

ENOUGH = 0.5  # half of the question's words; not tuned


def overlap_reader(question: str, documents: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Quote the sentence that shares most words with the question.

    A document answers if one of its sentences holds at least half of the content words of the question. Two such
    documents are called a conflict, none is a reason to abstain.

    Examples
    --------
    >>> ferry = {"id": "DOC-2", "text": "It is blue. The Tarn ferry sails at noon."}
    >>> overlap_reader("When does the Tarn ferry sail?", [ferry])["answer"]
    'The Tarn ferry sails at noon.'
    """
    asked = content_stems(question)
    best = {
        one["id"]: max(_sentences(one["text"]), key=lambda text: len(asked & content_stems(text))) for one in documents
    }
    near = {id_: text for id_, text in best.items() if len(asked & content_stems(text)) >= ENOUGH * len(asked)}
    if len(near) == 1:
        ((id_, text),) = near.items()
        return {"action": "answer", "answer": text, "citations": [{"id": id_, "quote": text}], "tokens": 0, "calls": 0}
    return {"action": "flag_conflict" if near else "abstain", "tokens": 0, "calls": 0}


def always_abstain(question: str, documents: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Abstain. Right in every insufficient context, and in no quartet."""
    return {"action": "abstain", "tokens": 0, "calls": 0}


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


READERS: dict[str, System] = {"Word overlap": overlap_reader, "Always abstain": always_abstain}
