"""What every kind of task is to the session, the store and the client: questions, and how a reply to one is read."""

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from ..schema import InputError
from . import manifest as manifests
from . import plan
from .client import Reply
from .manifest import EditionNote, PromptNote, RunManifest
from .prompt import Message
from .redaction import keylike, refuse_credentials
from .reply import Reading
from .store import Recorded

RunT = TypeVar("RunT")
RESERVED = {
    "model",
    "messages",
    "api_base",
    "base_url",
    "max_retries",
    "num_retries",
    "timeout",
    "stream",
    "n",
    "drop_params",
}
LENGTHS = ("max_tokens", "max_completion_tokens")  # parameters that limit a reply


class Question(Protocol):
    """One question: what is sent, and the fields of its record that say which question it was."""

    @property
    def repeat(self) -> int: ...

    @property
    def messages(self) -> list[Message]: ...

    @property
    def chars(self) -> int:
        """Length of all messages together."""
        ...

    @property
    def place(self) -> dict[str, Any]:
        """Fields of the record, `repeat` among them."""
        ...


@dataclass(frozen=True, kw_only=True)
class Questionnaire(ABC, Generic[RunT]):
    """Questions for one model under fixed parameters. A subclass says which, and how a reply is read.

    `record` is the kind of record that a reply becomes, `manifest_kind` that of the manifest beside them, and `RunT`
    what `run` returns.
    """

    record: ClassVar[type[Recorded]]
    manifest_kind: ClassVar[type[RunManifest]]

    model: str
    evaluator: str
    repeats: int
    requested: Mapping[str, Any]
    api_base: str | None
    model_file: str
    runs: Path

    def __post_init__(self) -> None:
        if len(self.evaluator) > manifests.LONGEST_NAME:  # the manifest would refuse it after the first paid question
            raise InputError(
                f"evaluator: found a name of {len(self.evaluator)} characters, expected at most "
                f"{manifests.LONGEST_NAME}, since tables show it."
            )
        if self.repeats > manifests.MOST_REPEATS:
            raise InputError(f"repeats: found {self.repeats}, expected at most {manifests.MOST_REPEATS}.")
        stated = {"model": self.model, "evaluator": self.evaluator, "model_file": self.model_file}
        for name, value in (*stated.items(), *self.requested.items()):
            _check_storable(name, value)

    @property
    @abstractmethod
    def items(self) -> Sequence[Any]:
        """All questions (each a `Question`), in their fixed order."""

    @property
    @abstractmethod
    def prompt_note(self) -> PromptNote: ...

    @property
    @abstractmethod
    def edition_note(self) -> EditionNote: ...

    @property
    @abstractmethod
    def run_id(self) -> str:
        """The name of the run that this task belongs to."""

    @abstractmethod
    def read(self, item: Any, reply: Reply) -> Reading:
        """What a reply that arrived whole is read as."""

    @abstractmethod
    def manifest(self, effective: Mapping[str, Any], dropped: Mapping[str, str]) -> Any:
        """The manifest of a run that begins, of the kind `manifest_kind`."""

    @abstractmethod
    def extended(self, known: Any) -> Any:
        """The manifest of a run that this task continues; a run never gets smaller."""

    @abstractmethod
    def opened(self, manifest: Any) -> RunT:
        """The recorded run."""

    @property
    def folder(self) -> Path:
        return self.runs / self.run_id

    @property
    def longest_reply(self) -> int:
        """The most tokens of a reply, 0 where no parameter says."""
        return max(int(self.requested.get(name) or 0) for name in LENGTHS)

    def run_name(self, scoring: str) -> str:
        """The name of a run whose replies are scored so; see `manifest.run_id`."""
        return manifests.run_id(
            model=self.model,
            api_base=self.api_base,
            prompt=self.prompt_note,
            edition=self.edition_note,
            scoring=scoring,
            requested=self.requested,
        )

    def key(self, item: Any, effective: Mapping[str, Any]) -> str:
        """The key of one question under the parameters in force."""
        return plan.key(item, model=self.model, api_base=self.api_base, effective=effective)

    def left(self, known: RunManifest | None, answered: Collection[str]) -> list[Any]:
        """The questions that have no reply yet."""
        return [item for item in self.items if known is None or self.key(item, known.effective) not in answered]

    def akin(self, other: Any) -> bool:
        """Whether a run with this manifest may hold the same questions, under another edition or prompt."""
        mine = (self.model, self.api_base, dict(self.requested))
        return mine == (other.model, other.api_base, other.requested)

    def common(self, effective: Mapping[str, Any], dropped: Mapping[str, str]) -> dict[str, Any]:
        """The fields that the manifests of all kinds of tasks share."""
        return {
            "run": self.run_id,
            "evaluator": self.evaluator,
            "model": self.model,
            "api_base": self.api_base,
            "model_file": self.model_file,
            "prompt": self.prompt_note,
            "edition": self.edition_note,
            "requested": dict(self.requested),
            "effective": dict(effective),
            "dropped": dict(dropped),
            "repeats": self.repeats,
            **manifests.surroundings(),
        }


def check_request(
    parameters: Mapping[str, Any] | None, *, numbers: Mapping[str, int | None], names: Mapping[str, str]
) -> dict[str, Any]:
    """Check what is recorded of a request before anything is asked; returns the further parameters.

    Parameters
    ----------
    parameters : mapping or None
        What litellm is to pass on to the model.
    numbers : mapping
        Settings that must be 1 or more, where they are given.
    names : mapping
        What stands in the manifest as text.

    Raises
    ------
    InputError
        For a number below 1, a credential anywhere, a longest reply that is no whole number, or a parameter that is
        the client's own.
    """
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise InputError(f"{name}: found {number}, expected 1 or more.")
    extra = dict(parameters or {})
    refuse_credentials(extra)
    for name, text in names.items():
        if keylike(text):
            raise InputError(f"{name}: found a piece that is shaped like a key, but it is recorded in the run.")
    if taken := RESERVED & extra.keys():
        raise InputError(f"parameters: found {min(taken)!r}, expected only what litellm passes on to the model.")
    for name in LENGTHS:
        longest = extra.get(name)
        if longest is not None and (type(longest) is not int or longest < 1):
            raise InputError(f"parameters.{name}: found {longest!r}, expected a whole number, 1 or more.")
    return extra


def _check_storable(name: str, value: Any) -> None:
    """What no JSON file can hold would make the manifest unreadable after the first paid question."""
    try:
        json.dumps([name, value], ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError):
        raise InputError(
            f"{name!a}: found a value that JSON cannot hold, such as NaN or half a character, but it is recorded in "
            "the run."
        ) from None
