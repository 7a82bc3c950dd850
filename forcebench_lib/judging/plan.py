"""What a run will ask: each claim in a fixed order, with its key, and what it may cost."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..schema import InputError, Pair
from .manifest import Passage, Scoring
from .prompt import Message, Prompt, messages

if TYPE_CHECKING:
    from .questionnaire import Question

CHARS_PER_TOKEN = 4

Claim = Literal["safe", "raised"]


@dataclass(frozen=True, slots=True)
class Item:
    """One question: a claim against a passage, under one order of options, for one repeat."""

    pair: Pair
    prompt: Prompt
    passage: Passage
    claim: Claim
    repeat: int
    options: tuple[str, ...]

    @property
    def messages(self) -> list[Message]:
        """What is sent. Rendered when needed, so that a long plan stays small."""
        pair = self.pair
        return messages(
            self.prompt,
            question=pair.question,
            passage=pair.passage if self.passage == "cited" else pair.licensing_passage,
            claim=pair.safe_claim if self.claim == "safe" else pair.raised_claim,
            options=self.options,
        )

    @property
    def chars(self) -> int:
        return sum(len(message["content"]) for message in self.messages)

    @property
    def place(self) -> dict[str, Any]:
        """The fields of a judgment that say which question it answers."""
        return {
            "pair_id": self.pair.id,
            "passage": self.passage,
            "claim": self.claim,
            "repeat": self.repeat,
            "options": self.options,
        }


@dataclass(frozen=True)
class Estimate:
    """What is left to ask. Cost in US dollars, None where no price is known; four characters count as a token."""

    calls: int
    done: int
    prompt_tokens: int
    reply_tokens_at_most: int
    cost_usd_at_most: float | None

    def __str__(self) -> str:
        cost = (
            "cost unknown (no price for this model)"
            if self.cost_usd_at_most is None
            else f"at most ${self.cost_usd_at_most:.2f}"
        )
        return (
            f"{self.calls:,} calls to make, {self.done:,} already recorded; "
            f"about {self.prompt_tokens:,} prompt tokens, at most {self.reply_tokens_at_most:,} reply tokens; {cost}"
        )


def items(
    pairs: Sequence[Pair],
    prompt: Prompt,
    *,
    passages: Collection[Passage],
    scoring: Scoring = "labels",
    repeats: int = 1,
) -> list[Item]:
    """All questions in the order in which they are asked; those that begin alike follow each other, for prompt caches.

    Parameters
    ----------
    passages : sequence of {"cited", "licensing"}
        ``cited`` asks about both claims; ``licensing`` asks about the raised claim alone, and nothing for a pair
        without a licensing passage.
    scoring : {"labels", "graded"}
        ``graded`` asks twice, with the options in the order of the labels and in reverse, so that each label stands on
        average in the same place.
    """
    if not set(passages) <= {"cited", "licensing"} or not passages or len(set(passages)) < len(passages):
        raise InputError(f"passages: found {list(passages)}, expected 'cited', 'licensing' or both, each once.")
    return [
        Item(pair, prompt, passage, claim, repeat, options)
        for repeat in range(repeats)
        for pair, passage, claim, options in questions(pairs, tuple(prompt.labels), passages=passages, scoring=scoring)
    ]


def questions(
    pairs: Sequence[Pair], labels: tuple[str, ...], *, passages: Collection[Passage], scoring: Scoring
) -> Iterator[tuple[Pair, Passage, Claim, tuple[str, ...]]]:
    """What one repeat asks: pair, passage, claim and options, in the order in which they are asked."""
    orders = [labels, labels[::-1]] if scoring == "graded" else [()]
    wanted: list[tuple[Passage, Claim]] = []
    wanted += [("cited", "safe"), ("cited", "raised")] if "cited" in passages else []
    wanted += [("licensing", "raised")] if "licensing" in passages else []
    for options in orders:
        for pair in pairs:
            for passage, claim in wanted:
                if passage == "cited" or pair.licensing_passage:
                    yield pair, passage, claim, options


def key(item: "Question", *, model: str, api_base: str | None, effective: Mapping[str, Any]) -> str:
    """The key of a record: model, address, messages, effective parameters, repeat."""
    content = [model, api_base, item.messages, effective, item.repeat]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def estimate(
    left: Sequence["Question"], *, done: int, reply_tokens: int | None, price: tuple[float, float] | None
) -> Estimate:
    """Size and cost of what is left, with every reply as long as `reply_tokens` allows."""
    prompt_tokens = sum(item.chars for item in left) // CHARS_PER_TOKEN
    reply = len(left) * (reply_tokens or 0)
    cost = None if price is None else (prompt_tokens * price[0] + reply * price[1]) / 1e6
    return Estimate(len(left), done, prompt_tokens, reply, cost)
