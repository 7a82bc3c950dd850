"""The prompts: one Markdown file each, whose front matter holds labels, their scores and the schema of a reply."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal, TypeVar

import yaml
from pydantic import Field, ValidationError, model_validator

from .. import paths
from ..files import read_text
from ..schema import InputError, Record, Text

Message = dict[str, str]
P = TypeVar("P", bound=Record)

PLACEHOLDERS = ("question", "passage", "claim", "labels", "reply")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_FILE = re.compile(r"---\n(?P<front>.*?)\n---\n+## System\n+(?P<system>.*?)\n+## User\n+(?P<user>.*?)\s*", re.DOTALL)


class Prompt(Record):
    """A prompt as its file states it."""

    id: Text
    version: int = Field(ge=1)
    title: Text
    kind: Literal["support", "force", "control"]
    labels: dict[str, float] = Field(min_length=2)
    meanings: dict[str, Text]
    json_schema: dict[str, Any] = Field(alias="schema")
    placeholders: tuple[str, ...]
    system: Text
    user: Text
    sha256: str

    @model_validator(mode="after")
    def _consistent(self) -> "Prompt":
        for label, score in self.labels.items():
            if not 0 <= score <= 1:
                raise ValueError(f"labels: {label!r} has the score {score}, expected a number from 0 to 1")
        if list(self.meanings) != list(self.labels):
            raise ValueError(
                f"meanings: found {', '.join(self.meanings)}, expected one for each label in the order of labels"
            )
        enum = self.json_schema.get("properties", {}).get("label", {}).get("enum")
        if enum != list(self.labels):
            raise ValueError(f"schema: properties.label.enum is {enum}, expected the labels {list(self.labels)}")
        found = set(_PLACEHOLDER.findall(self.system + self.user))
        if found != set(self.placeholders) or not found <= set(PLACEHOLDERS):
            raise ValueError(
                f"placeholders: the text uses {', '.join(sorted(found))}, "
                f"expected those listed, out of {', '.join(PLACEHOLDERS)}"
            )
        for name in ("passage", "claim"):
            if f"{{{name}}}" not in self.user:
                raise ValueError(f"placeholders: the user message has no {{{name}}}")
        return self


def names() -> tuple[str, ...]:
    """The ids of the prompts in ``prompts/``, sorted."""
    return tuple(sorted(path.stem for path in paths.PROMPTS.glob("*.md") if path.stem != "README"))


def load(prompt: str | Path) -> Prompt:
    """Read a prompt by its id (a file in ``prompts/``) or by path.

    Raises
    ------
    InputError
        For a file that is missing or whose front matter, labels, schema or placeholders do not fit together.

    Examples
    --------
    >>> load("force_aware").labels["force_gap"]
    0.0
    """
    path = Path(prompt)
    if path.suffix != ".md":
        path = paths.PROMPTS / f"{prompt}.md"
    if not path.is_file():
        raise InputError(
            f"{path}: there is no such prompt, expected one of {', '.join(names())} or the path of a .md file."
        )
    return read_prompt(path, Prompt)


def read_prompt(path: Path, kind: type[P]) -> P:
    """Read a prompt file as a record of any kind that has the fields ``system``, ``user`` and ``sha256``."""
    text, content = read_text(path, expected="a prompt"), path.read_bytes()
    match = _FILE.fullmatch(text)
    if match is None:
        raise InputError(
            f"{path}: expected front matter between two lines '---', then the sections '## System' and '## User'."
        )
    try:
        front = yaml.safe_load(match["front"])
        return kind.model_validate(
            {**front, "system": match["system"], "user": match["user"], "sha256": hashlib.sha256(content).hexdigest()}
        )
    except (yaml.YAMLError, TypeError) as error:
        raise InputError(f"{path}: the front matter is not a YAML mapping ({' '.join(str(error).split())}).") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{path}: {field + ': ' if field else ''}{first['msg'].removeprefix('Value error, ')}."
        ) from None


def messages(prompt: Prompt, *, question: str, passage: str, claim: str, options: Sequence[str] = ()) -> list[Message]:
    """The system and the user message for one claim.

    Parameters
    ----------
    prompt : Prompt
        The prompt.
    question, passage, claim : str
        Put in as they are; a brace in them is never read as a placeholder.
    options : sequence of str
        For graded scoring: the labels in the order in which they become the options A, B, C ... Empty asks for JSON.
    """
    if options:
        lines = [
            f"{letter}. {label}: {prompt.meanings[label]}"
            for letter, label in zip(ascii_uppercase, options, strict=False)
        ]
        letters = ascii_uppercase[: len(options)]
        reply = f"Reply with one letter, {', '.join(letters[:-1])} or {letters[-1]}, and nothing else."
    else:
        lines = [f"- {label}: {meaning}" for label, meaning in prompt.meanings.items()]
        reply = 'Reply with one JSON object and nothing else: {"label": "..."}, with one of the labels above.'
    values = {"question": question, "passage": passage, "claim": claim, "labels": "\n".join(lines), "reply": reply}
    return [
        {"role": role, "content": _PLACEHOLDER.sub(lambda match: values[match[1]], text)}
        for role, text in (("system", prompt.system), ("user", prompt.user))
    ]
