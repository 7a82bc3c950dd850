"""The two policies: prompts that tell a model how to answer from documents, and the strict reading of its reply."""

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from .. import paths
from ..judging.prompt import Message, read_prompt
from ..judging.reply import USABLE, Reading, read_object
from ..schema import InputError, Record, Text
from .outputs import Quote
from .records import Action, Source

FOLDER = paths.PROMPTS / "quartets"
NAMES = ("vanilla", "gate")
PLACEHOLDERS = ("question", "documents")

_PLACEHOLDER = re.compile(r"\{(question|documents)\}")


class Policy(Record):
    """A policy as its file states it."""

    id: Text
    version: int = Field(ge=1)
    title: Text
    json_schema: dict[str, Any] = Field(alias="schema")
    placeholders: tuple[Literal["question", "documents"], ...]
    system: Text
    user: Text
    sha256: str

    @model_validator(mode="after")
    def _consistent(self) -> "Policy":
        found = set(_PLACEHOLDER.findall(self.system + self.user))
        if found != set(PLACEHOLDERS) or found != set(self.placeholders):
            raise ValueError(f"placeholders: the text uses {sorted(found)}, expected {list(PLACEHOLDERS)}")
        if not {"action", "answer", "citations"} <= self.fields:
            raise ValueError("schema: expected 'action', 'answer' and 'citations' among the required fields")
        return self

    @cached_property
    def fields(self) -> set[str]:
        """The fields that a reply must have, and the only ones that it may have."""
        return set(self.json_schema.get("required", []))


class Said(Record):
    """A reply that could be read. `context` is the class that the gate policy asks for first."""

    context: Literal["answerable", "insufficient", "conflicting"] | None = None
    action: Action
    answer: str
    citations: tuple[Quote, ...]


def load(policy: str | Path) -> Policy:
    """Read a policy by its id (a file in ``prompts/quartets/``) or by path.

    Raises
    ------
    InputError
        For a file that is missing or whose front matter does not fit its text.

    Examples
    --------
    >>> sorted(load("gate").fields - load("vanilla").fields)
    ['context']
    """
    path = Path(policy) if str(policy).endswith(".md") else FOLDER / f"{policy}.md"
    if not path.is_file():
        raise InputError(f"{path}: there is no such policy, expected {' or '.join(NAMES)} or the path of a .md file.")
    return read_prompt(path, Policy)


def messages(policy: Policy, question: str, documents: Sequence[Source]) -> list[Message]:
    """The system and the user message for one context. Braces in a document are never read as a placeholder."""
    shown = "\n\n".join(f"id: {one.id}\ntitle: {one.title}\ntext: {one.text}" for one in documents)
    values = {"question": question, "documents": shown}
    return [
        {"role": role, "content": _PLACEHOLDER.sub(lambda match: values[match[1]], text)}
        for role, text in (("system", policy.system), ("user", policy.user))
    ]


def read(
    text: str, fields: Collection[str], *, finish_reason: str = "stop", refusal: str = ""
) -> tuple[Reading, Said | None]:
    """Read a reply: one JSON object with exactly the fields of a policy, in a code fence or bare.

    Nothing is mended. An action that is none of the three is ``invalid_label``.

    Examples
    --------
    >>> reading, said = read('{"action": "abstain", "answer": "", "citations": []}', load("vanilla").fields)
    >>> reading.status, said.action
    ('ok', 'abstain')
    """
    said: list[Said] = []

    def understand(value: dict[str, Any]) -> Reading:
        if set(value) != set(fields):
            return Reading("invalid_json")
        try:
            said.append(Said.model_validate(value))
        except ValidationError as error:
            wrong = {one["loc"][0] for one in error.errors()}
            return Reading("invalid_label" if "action" in wrong else "invalid_json")
        return Reading("ok", said[-1].action)

    reading = read_object(text, understand, finish_reason=finish_reason, refusal=refusal)
    return reading, said[-1] if said and reading.status in USABLE else None
