"""The word lists of ``data/lexicons/`` and the weights of ForceCheck, read once and checked."""

import re
from functools import cache
from typing import Any, Literal, TypeVar

import yaml
from pydantic import Field, ValidationError

from ..paths import LEXICONS
from ..schema import AXES, Axis, InputError, Record, Text

Role = Literal[
    "stopword",
    "limiter",
    "raiser",
    "before_number",
    "after_number",
    "population",
    "number",
    "negation",
    "connective",
    "scale",
    "measure",
    "abbreviation",
]
NUMBER = r"\d+(?:[.,]\d+)*"


class WordList(Record):
    """One list: words or phrases with one role, and where they come from."""

    role: Role
    source: Text
    words: tuple[Text, ...] = Field(min_length=1)

    @property
    def regex(self) -> str:
        """A pattern that matches any word of the list as whole words; a star stands for any ending.

        Examples
        --------
        >>> words = WordList(role="limiter", source="own", words=("suggest*", "at risk"))
        >>> re.findall(words.regex, "It suggested that some are at risk.", re.IGNORECASE)
        ['suggested', 'at risk']
        """
        longest_first = sorted(self.words, key=lambda word: (-len(word), word))
        parts = (re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in longest_first)
        return rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)"


class Weights(Record):
    """The share of the score that one finding takes away, by what was found."""

    dropped: float = Field(ge=0, lt=1)
    raised: float = Field(ge=0, lt=1)


class ForceCheckWeights(Record):
    """The content of ``forcecheck.yml``."""

    evidence_share: float = Field(gt=0, le=1)
    rule: Weights
    axis: dict[Axis, Weights]


@cache
def word_lists(name: str) -> dict[str, WordList]:
    """Read the lists of one file, such as ``"modality"``, by their names.

    Raises
    ------
    InputError
        For a missing file, a list without words or source, or an unknown role.
    """
    lists = {}
    for key, value in _read(name).items():
        lists[key] = _validate(WordList, value, f"{name}.yml: {key}")
    return lists


@cache
def axis_lists(role: Role) -> tuple[tuple[Axis, str, WordList], ...]:
    """Collect all lists of one role as ``(axis, name, list)`` in the order of the axes."""
    return tuple((axis, name, words) for axis in AXES for name, words in word_lists(axis).items() if words.role == role)


@cache
def weights() -> ForceCheckWeights:
    """Read ``forcecheck.yml``; every axis has its weights."""
    found = _validate(ForceCheckWeights, _read("forcecheck"), "forcecheck.yml")
    if missing := [axis for axis in AXES if axis not in found.axis]:
        raise InputError(
            f"{LEXICONS / 'forcecheck.yml'}: axis: {missing[0]!r} is missing, expected weights for each axis."
        )
    return found


def _read(name: str) -> dict[str, Any]:
    path = LEXICONS / f"{name}.yml"
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file, expected a file of word lists.") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path}: the file is not YAML ({' '.join(str(error).split())}).") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: found a {type(value).__name__}, expected names with their lists.")
    return value


R = TypeVar("R", bound=Record)


def _validate(record: type[R], value: Any, where: str) -> R:
    try:
        return record.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{LEXICONS / where}: {field}: {first['msg']}, found {first['input']!r}.") from None
