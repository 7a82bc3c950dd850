"""A quartet: one question held fixed, four contexts made by code from one row, and what a good system does in each."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field, model_validator

from ..corpus import stable_hash
from ..schema import Record, Text

Variant = Literal["sufficient", "noisy", "insufficient", "conflicting"]
Action = Literal["answer", "abstain", "flag_conflict"]
Kind = Literal["number", "quantity", "date", "name", "place", "term"]

VARIANTS: tuple[Variant, ...] = get_args(Variant)
ACTIONS: tuple[Action, ...] = get_args(Action)
EXPECTED: dict[Variant, Action] = {
    "sufficient": "answer",
    "noisy": "answer",
    "insufficient": "abstain",
    "conflicting": "flag_conflict",
}


class Document(Record):
    """A passage with its title, as a retriever would return it."""

    title: Text
    """the title of the document"""
    text: Text
    """the passage"""


class Quartet(Record):
    """One row: a question, its answer, and the documents of which the four contexts are made."""

    id: Text
    """stable name of the quartet, never used again"""
    source: Text
    """title of the invented source; at most three quartets a title"""
    domain: Text
    """a topic word"""
    question: Text
    """what a user asks"""
    answer: Text
    """the shortest full answer"""
    aliases: tuple[Text, ...] = ()
    """every other honest way to write the answer"""
    support: Document
    """the document that answers the question"""
    support_span: Text
    """the exact piece of the support that gives the answer"""
    distractors: tuple[Document, ...] = Field(min_length=2, max_length=2)
    """two documents close to the question that do not answer it"""
    unrelated: tuple[Document, ...] = Field(min_length=2, max_length=2)
    """two documents about other things"""
    conflict: Document
    """the support with its answer-bearing claim changed"""
    conflict_answer: Text
    """the answer that the conflict gives"""
    conflict_span: Text
    """the exact piece of the conflict that gives it"""
    kind: Kind
    """what kind of thing the answer is"""

    @model_validator(mode="after")
    def _consistent(self) -> "Quartet":
        for field, span, document in (
            ("support_span", self.support_span, self.support),
            ("conflict_span", self.conflict_span, self.conflict),
        ):
            if document.text.count(span) != 1:
                raise ValueError(
                    f"{field}: {span[:60]!r} stands {document.text.count(span)} times in its passage, "
                    "expected an exact piece of it that stands there once"
                )
        return self

    @property
    def answers(self) -> tuple[str, ...]:
        """The answer and its aliases."""
        return (self.answer, *self.aliases)

    @property
    def documents(self) -> dict[str, Document]:
        """Its six documents by their role."""
        return {
            "support": self.support,
            "distractor 1": self.distractors[0],
            "distractor 2": self.distractors[1],
            "unrelated 1": self.unrelated[0],
            "unrelated 2": self.unrelated[1],
            "conflict": self.conflict,
        }

    @property
    def document_ids(self) -> dict[str, str]:
        """From role to id. The order follows from a hash of the quartet's id, so that no place means anything.

        A document keeps its id in every context of its quartet.
        """
        order = sorted(self.documents, key=lambda role: stable_hash(role, self.id))
        return {role: f"DOC-{number}" for number, role in enumerate(order, 1)}


@dataclass(frozen=True)
class Source:
    """A document in a context, under its id."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Gold:
    """What is right in one context. `answers` and `spans` are empty where the support is not in it."""

    action: Action
    answers: tuple[str, ...] = ()
    supporting: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    spans: tuple[tuple[str, str], ...] = ()

    @property
    def answerable(self) -> bool:
        return self.action == "answer"


@dataclass(frozen=True)
class Example:
    """One question in one context: what a system is given, and what is right."""

    quartet: str
    variant: Variant
    question: str
    documents: tuple[Source, ...]
    gold: Gold


def roles(quartet: str, variant: Variant) -> tuple[str, ...]:
    """The documents of a context by their role.

    About half of the quartets, by a hash of their id, show one distractor and one unrelated document instead of two, so
    that the number of documents does not give the context away.

    Examples
    --------
    >>> roles("oq-001", "conflicting")
    ('support', 'conflict')
    """
    two = int(stable_hash("documents", quartet)[:8], 16) % 2 == 0
    held: dict[Variant, tuple[str, ...]] = {
        "sufficient": ("support",),
        "noisy": ("support", "distractor 1", "distractor 2") if two else ("support", "distractor 1"),
        "insufficient": ("unrelated 1", "unrelated 2") if two else ("unrelated 1",),
        "conflicting": ("support", "conflict"),
    }
    return held[variant]


def example(quartet: Quartet, variant: Variant) -> Example:
    """One context of a quartet, its documents in the order of their ids."""
    ids, held = quartet.document_ids, roles(quartet.id, variant)
    shown = sorted(held, key=lambda role: ids[role])
    supported = "support" in held
    return Example(
        quartet=quartet.id,
        variant=variant,
        question=quartet.question,
        documents=tuple(
            Source(ids[role], quartet.documents[role].title, quartet.documents[role].text) for role in shown
        ),
        gold=Gold(
            action=EXPECTED[variant],
            answers=quartet.answers if supported else (),
            supporting=(ids["support"],) if supported else (),
            conflicting=(ids["conflict"],) if "conflict" in held else (),
            spans=((ids["support"], quartet.support_span),) if supported else (),
        ),
    )


def examples(quartets: Iterable[Quartet]) -> list[Example]:
    """All contexts: four a quartet, in the order of `VARIANTS`."""
    return [example(quartet, variant) for quartet in quartets for variant in VARIANTS]
