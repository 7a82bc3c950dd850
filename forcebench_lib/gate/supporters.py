"""Who decides whether a passage supports a claim: the rules, any evaluator, or a model judge."""

import asyncio
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from .. import evaluators
from ..evaluators.scoring import score_texts
from ..judging.client import Client, Reply
from ..judging.prompt import Message, Prompt, load, messages
from ..judging.reply import USABLE
from ..judging.reply import read as read_reply
from ..judging.task import requested_parameters
from ..schema import InputError
from . import rules
from .records import Claim, Reading

RULES = "rules"


class Supporter(Protocol):
    """Anything that reads claims against their passages; under `threshold`, a claim does not pass."""

    @property
    def name(self) -> str: ...
    @property
    def threshold(self) -> float: ...
    def read(self, passages: Sequence[str], claims: Sequence[Claim]) -> list[Reading]:
        """One reading a claim."""


@dataclass(frozen=True)
class Rules:
    """The rules of `forcebench_lib.gate.rules`: deterministic, without a model."""

    name: str = RULES
    threshold: float = 0.5

    def read(self, passages: Sequence[str], claims: Sequence[Claim]) -> list[Reading]:
        return [rules.read(passage, claim.text) for passage, claim in zip(passages, claims, strict=True)]


@dataclass(frozen=True)
class Scored:
    """Any evaluator: a function of passages and claims."""

    name: str
    evaluator: evaluators.Evaluator
    threshold: float = 0.5

    def read(self, passages: Sequence[str], claims: Sequence[Claim]) -> list[Reading]:
        scores = score_texts(self.evaluator, passages, [claim.text for claim in claims], name=self.name)
        return [
            Reading(score, "The evaluator gave no answer." if math.isnan(score) else f"{self.name} scores {score:.2f}.")
            for score in scores
        ]


@dataclass(frozen=True, kw_only=True)
class Judge:
    """A model, asked about each claim with one of the prompts; a reply that cannot be read supports nothing.

    Attributes
    ----------
    model : str
        As litellm names it.
    prompt : str or Path
        The id of a prompt in ``prompts/`` or the path of one. One of the kind ``force`` judges the force as well.
    api_base, api_key : str, optional
        See `forcebench_lib.judging.client.Client`.
    concurrency : int
        Questions on their way at once.
    """

    model: str
    prompt: str | Path = "force_aware"
    api_base: str | None = None
    api_key: str | None = None
    concurrency: int = 4
    threshold: float = 0.75
    timeout_s: float = 120.0
    retries: int = 3

    @property
    def name(self) -> str:
        return self.model

    @cached_property
    def _prompt(self) -> Prompt:
        return load(self.prompt)

    def read(self, passages: Sequence[str], claims: Sequence[Claim]) -> list[Reading]:
        questions = [
            messages(self._prompt, question=claim.question, passage=passage, claim=claim.text)
            for passage, claim in zip(passages, claims, strict=True)
        ]
        if not questions:
            return []
        with ThreadPoolExecutor(1) as thread:  # a notebook has a running event loop of its own
            replies = thread.submit(asyncio.run, self._ask(questions)).result()
        return [self._reading(reply) for reply in replies]

    async def _ask(self, questions: Sequence[list[Message]]) -> list[Reply]:
        client = Client(
            self.model, api_base=self.api_base, api_key=self.api_key, timeout_s=self.timeout_s, retries=self.retries
        )
        requested = requested_parameters(self._prompt, "labels", 0.0, 256, 0)
        try:
            effective, _, first = await client.settle(questions[0], requested)
            if first.kind not in ("", "refused"):
                raise InputError(f"evaluator {self.model!r}: the first question brought no answer: {first.error}.")
            gate = asyncio.Semaphore(self.concurrency)

            async def ask(question: list[Message], parameters: dict[str, Any]) -> Reply:
                async with gate:
                    return await client.ask(question, parameters)

            return [first, *await asyncio.gather(*(ask(question, effective) for question in questions[1:]))]
        finally:
            await client.close()

    def _reading(self, reply: Reply) -> Reading:
        if reply.error:
            return Reading(math.nan, f"The judge gave no answer: {reply.error}.", weighed=True)
        labels = self._prompt.labels
        found = read_reply(reply.text, labels=labels, finish_reason=reply.finish_reason, refusal=reply.refusal)
        if found.status not in USABLE:
            return Reading(math.nan, f"The judge gave no answer that can be read ({found.status}).", weighed=True)
        force = self._prompt.kind == "force"
        said = f'The judge {self.model} says "{found.label}": {self._prompt.meanings[found.label]}'
        return Reading(labels[found.label], said, weighed=force, too_strong=found.label == "force_gap")


def supporter(
    name: str = RULES,
    *,
    threshold: float | None = None,
    prompt: str | Path = "force_aware",
    api_base: str | None = None,
    api_key: str | None = None,
) -> Supporter:
    """Find a supporter by name.

    Parameters
    ----------
    name : str
        ``"rules"``; whatever `forcebench_lib.evaluators.load` finds; or, with a slash in it, a model of litellm.
    threshold : float, optional
        From 0 to 1; by default 0.5, and 0.75 for a model, so that *partially supported* does not pass.
    prompt, api_base, api_key
        For a model, see `Judge`.

    Examples
    --------
    >>> supporter("Token overlap", threshold=0.8).threshold
    0.8
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise InputError(f"threshold: found {threshold:g}, expected a number in [0, 1].")
    if name == RULES:
        found: Rules | Judge | Scored = Rules()
    elif "/" in name:
        found = Judge(model=name, prompt=prompt, api_base=api_base, api_key=api_key)
    else:
        found = Scored(name, evaluators.load(name))
    return found if threshold is None else replace(found, threshold=threshold)
