"""Reading answers and sources that nobody has checked: bounded, strict, and with the line of every item."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import files
from ..schema import InputError, parse_record
from .records import Claim, Source

MAX_BYTES = 64_000_000
MAX_CLAIMS = 50_000
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class Answers:
    """The claims of an answers file, the line of each, and who wrote the answer if the file says so."""

    claims: tuple[Claim, ...]
    lines: tuple[int, ...]
    generator: str = ""


def read_answers(path: Path) -> Answers:
    """Read a list of claims, or an object with the key ``claims`` and, if you like, ``generator``.

    Raises
    ------
    InputError
        For a missing, huge or broken file, a claim with a missing, unknown or mistyped field, and for no claim at all:
        a gate that checks nothing must not pass.
    """
    text = read_text(path)
    items, rest = _listed(path, text, "claims", alone=("generator",))
    claims, lines = [], []
    for number, (key, value, line) in enumerate(items, 1):
        if key is not None:
            raise InputError(f"{path}, line {line}: 'claims' is an object, expected a list of claims.")
        if number > MAX_CLAIMS:
            raise InputError(f"{path}, line {line}: found more than {MAX_CLAIMS:,} claims, expected at most that many.")
        claims.append(parse_record(_object(path, value, line), Claim, path=path, line=line))
        lines.append(line)
    if not claims:
        raise InputError(f"{path}: found no claim, expected at least one.")
    generator = rest.get("generator") or ""
    if not isinstance(generator, str):
        raise InputError(f"{path}: generator: found a {type(generator).__name__}, expected the name of a model.")
    return Answers(tuple(claims), tuple(lines), generator)


def read_sources(path: Path) -> tuple[Source, ...]:
    """Read a list of sources, a mapping from id to source, or an object with either under the key ``sources``.

    In a mapping, the value is a source without its id, a list of such versions, or the content alone.

    Raises
    ------
    InputError
        For a file or source that is not what it should be, and for an id that has one version twice.
    """
    text = read_text(path)
    items, _ = _listed(path, text, "sources")
    sources = []
    for key, value, line in items:
        for version in value if key is not None and isinstance(value, list) else [value]:
            fields = {"content": version} if key is not None and isinstance(version, str) else version
            record = _object(path, fields, line)
            if key is not None and record.setdefault("id", key) != key:
                raise InputError(
                    f"{path}, line {line}: id: found {record['id']!r}, expected {key!r} as in the mapping."
                )
            sources.append(parse_record(record, Source, path=path, line=line))
    counts = Counter((source.id, source.version) for source in sources)
    if twice := [source.label for source in sources if counts[source.id, source.version] > 1]:
        raise InputError(f"{path}: {twice[0]!r} is there twice, expected each version of an id once.")
    return tuple(sources)


def read_object(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object."""
    walk = _Walk(path, read_text(path))
    start = walk.space(0)
    if walk.text[start : start + 1] != "{":
        raise InputError(f"{path}: found no JSON object.")
    return {str(key): value for key, value, _ in walk.members(start)}


def read_text(path: Path) -> str:
    """Read a text file of bounded size."""
    return files.read_text(path, expected="a text", most=MAX_BYTES)


Item = tuple[str | None, Any, int]


def _listed(path: Path, text: str, key: str, alone: tuple[str, ...] = ()) -> tuple[Iterator[Item], dict[str, Any]]:
    """The items of a bare list, of a mapping, or of what stands under `key`, and the other keys beside it."""
    walk = _Walk(path, text)
    start = walk.space(0)
    if text[start : start + 1] not in ("[", "{"):
        raise InputError(f"{path}: found no JSON list and no JSON object, expected {key}.")
    if text[start] == "[":
        return walk.items(start), {}
    places: dict[str, int] = {}
    rest: dict[str, Any] = {}
    for name, value, at in walk.members(start):
        if name in places:
            raise InputError(f"{path}, line {walk.line(at)}: the key {name!r} is there twice.")
        places[str(name)], rest[str(name)] = at, value
    if key not in places:
        if key == "claims":
            raise InputError(f"{path}: the key 'claims' is missing, expected a list of claims under it.")
        return walk.items(start), {}
    if unknown := [name for name in places if name != key and name not in (*alone, "metadata")]:
        raise InputError(f"{path}, line {walk.line(places[unknown[0]])}: found an unknown field {unknown[0]!r}.")
    if text[places[key]] not in "[{":
        raise InputError(f"{path}, line {walk.line(places[key])}: {key}: expected a list.")
    return walk.items(places[key]), rest


class _Walk:
    """A JSON text read item by item, so that each is known by its line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        self._decoder = json.JSONDecoder(object_pairs_hook=self._once)
        self._counted, self._line = 0, 1

    def line(self, at: int) -> int:
        """The line of a place; cheap as long as places do not go back."""
        if at < self._counted:
            self._counted, self._line = 0, 1
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def items(self, start: int) -> Iterator[Item]:
        for key, value, at in self.members(start):
            yield key, value, self.line(at)

    def members(self, start: int) -> Iterator[Item]:
        """Yield key (None in a list), value and place of each member of the list or object that begins at `start`."""
        close = {"[": "]", "{": "}"}[self.text[start]]
        at = self.space(start + 1)
        while self.text[at : at + 1] != close:
            key = None
            if close == "}":
                key, at = self._value(at)
                if not isinstance(key, str):
                    raise self._broken("a key is no text", at)
                at = self._sign(":", at)
            value, end = self._value(at)
            yield key, value, at
            at = self.space(end)
            if self.text[at : at + 1] != close:
                at = self._sign(",", at)
                if self.text[at : at + 1] == close:
                    raise self._broken(f"',' before {close!r}", at)
        if start == self.space(0) and (end := self.space(at + 1)) < len(self.text):
            raise self._broken("something follows the end", end)

    def _value(self, at: int) -> tuple[Any, int]:
        try:
            return self._decoder.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self._broken(error.msg, error.pos) from None
        except RecursionError:
            raise self._broken("it is nested too deep", at) from None
        except ValueError as error:  # a number of thousands of digits, a key twice
            raise self._broken(str(error), at) from None

    def _sign(self, sign: str, at: int) -> int:
        at = self.space(at)
        if self.text[at : at + 1] != sign:
            raise self._broken(f"{sign!r} is missing", at)
        return self.space(at + 1)

    def _broken(self, why: str, at: int) -> InputError:
        return InputError(f"{self.path}, line {self.line(at)}: the file is not JSON ({why}).")

    @staticmethod
    def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            raise ValueError("an object names a key twice")
        return value


def _object(path: Path, value: Any, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}, line {line}: found a {type(value).__name__}, expected one JSON object.")
    return dict(value)
