"""Files as the commands read and write them: one sentence for what is wrong with one, written whole or not at all."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from .schema import InputError, problem

M = TypeVar("M", bound=BaseModel)


def read_text(path: Path, *, expected: str = "a text file", most: int = -1) -> str:
    """Read a file as UTF-8, with or without a byte order mark.

    Parameters
    ----------
    path : Path
        The file.
    expected : str
        What it should be, for the sentence about a file that is not there.
    most : int
        How many bytes it may have; any number by default.

    Raises
    ------
    InputError
        For a file that is missing, a folder, unreadable, too large, or in another encoding.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1) if most >= 0 else file.read()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file, expected {expected}.") from None
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        raise InputError(f"{path}: the file cannot be read ({reason(error)}), expected {expected}.") from None
    if 0 <= most < len(data):
        raise InputError(f"{path}: the file is too large, expected at most {most // 1_000_000} MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the file is not UTF-8 ({error}).") from None


def read_json(path: Path, *, expected: str = "one JSON document") -> Any:
    """Read a file that is one JSON document; see `read_text` for errors."""
    text = read_text(path, expected=expected)
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a character would fail only when it is written
        return value
    except (ValueError, RecursionError) as error:
        hint = ", name it .jsonl if it holds one object a line" if "Extra data" in str(error) else ""
        raise InputError(f"{path}: the file is not {expected} ({error}){hint}.") from None


def read_yaml(path: Path, model: type[M], *, expected: str) -> M:
    """Read a YAML file into a pydantic model; see `read_text` for errors."""
    text = read_text(path, expected=expected)
    try:
        return model.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        raise InputError(f"{path}: {problem(error)}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date such as 2026-13-45 is a ValueError
        raise InputError(
            f"{path}: the file is not YAML ({' '.join(str(error).split())}), expected {expected}."
        ) from None


def check_target(path: Path, *, reads: Iterable[Path] = ()) -> None:
    """Check, before anything is read or paid for, that a file can be written without loss of what is read.

    Raises
    ------
    InputError
        Where the path is one of `reads` under whatever name, is a folder, or lies in no folder.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"{path}: found no folder to write this file into, expected one that is there.")
    if any(_same(path, other) for other in reads):
        raise InputError(f"{path}: found a file that is read here, expected another one to write.")


def make_folder(path: Path) -> Path:
    """Make a folder to write into, with those above it, if it is missing.

    Raises
    ------
    InputError
        Where a file has its name, or it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{path}: the folder cannot be made ({reason(error)}), expected a folder to write into."
        ) from None
    return path


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Write files, all of them whole: under temporary names first, then moved over the old ones.

    Raises
    ------
    InputError
        Where one cannot be written; then none has changed.
    """
    partial = {path: partial_name(path) for path in contents}
    path = Path()
    try:
        for path, content in contents.items():
            partial[path].write_bytes(content.encode() if isinstance(content, str) else content)
        for path in contents:
            os.replace(partial[path], path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the file cannot be written ({reason(error)}).") from None
    finally:
        for draft in partial.values():
            draft.unlink(missing_ok=True)


def partial_name(path: Path) -> Path:
    """The name under which a file is written before it is whole; no file of a user's bears it."""
    return path.with_name(f".{path.name}.{os.getpid()}.partial")


def reason(error: Exception) -> str:
    """Why the system refused, in its words, without the path."""
    return str(getattr(error, "strerror", None) or error)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there yet
        return one.resolve() == other.resolve()
