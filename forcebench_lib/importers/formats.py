"""Reading the file formats that resources come in, one row at a time wherever the format allows it."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from pydantic import BaseModel, ConfigDict

from ..files import read_json, reason
from ..schema import InputError, json_lines

_LONGEST_CELL = 10_000_000
_SHOWN = 200


class Row(BaseModel):
    """Base of what an importer expects of a row: named fields are checked, all others are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


def json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield ``(place, object)`` of a file that is one JSON list; ``.jsonl`` is read line by line."""
    return json_lines(path) if ".jsonl" in path.suffixes else list_rows(read_json(path), path)


def list_rows(rows: Any, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield ``(place, object)`` of the list that a JSON document is or holds."""
    if not isinstance(rows, list):
        raise InputError(f"{path}: found {_kind(rows)}, expected a list of objects.")
    for place, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {place}: found {_kind(row)} in the list, expected an object.")
        yield place, row


def table_rows(path: Path, *, delimiter: str = ",") -> Iterator[tuple[int, dict[str, str]]]:
    """Yield ``(line, row)`` of a CSV file with a header, or of the only CSV file in a ``.zip``.

    ``line`` is where the row begins; a quoted cell may go over several lines.
    """
    try:
        with _open_table(path) as lines:
            yield from _rows(lines, path, delimiter)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file, expected a table with a header.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the file is not UTF-8 ({error}).") from None
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise InputError(f"{path}: the file is not a whole zip archive ({error}).") from None
    except (OSError, NotImplementedError, RuntimeError) as error:  # a RuntimeError asks for the password of an archive
        raise InputError(f"{path}: the file cannot be read ({reason(error)}).") from None


def _rows(lines: TextIO, path: Path, delimiter: str) -> Iterator[tuple[int, dict[str, str]]]:
    csv.field_size_limit(_LONGEST_CELL)  # the default of 128 KiB is shorter than a cited web page
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        if not header or len(set(header)) < len(header) or not all(header):
            found = str(header)[:_SHOWN]
            raise InputError(f"{path}, line 1: found the header {found}, expected different names of columns.")
        line = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(header):
                raise InputError(
                    f"{path}, line {line}: found {len(cells)} cells, expected {len(header)} as in the header."
                )
            if cells:
                yield line, dict(zip(header, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: the line is not CSV ({error}).") from None


def _open_table(path: Path) -> TextIO:
    if path.suffix != ".zip":
        return path.open(encoding="utf-8-sig", newline="")
    archive = zipfile.ZipFile(path)
    tables = [name for name in archive.namelist() if name.endswith(".csv") and not name.startswith("__MACOSX")]
    if len(tables) != 1:
        raise InputError(f"{path}: found {len(tables)} CSV files in the archive, expected one.")
    return io.TextIOWrapper(archive.open(tables[0]), encoding="utf-8-sig", newline="")


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
