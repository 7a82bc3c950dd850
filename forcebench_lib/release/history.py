"""Which rows each version of an edition held: ``history.jsonl``, and the changelog that is generated from it."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from ..corpus import Edition
from ..schema import InputError, Record, Text, json_lines, parse_record
from .table import release_tables

_CONTENT = 12  # hex digits of a row's digest


class Version(Record):
    """One version of an edition."""

    version: Text
    """its name in edition.yml"""
    rows: dict[str, str]
    """id to digest of every candidate, or of every pair where an edition has no candidates"""
    splits: dict[str, str]
    """id to split of every pair"""


def read_history(edition: Edition) -> list[Version]:
    """The recorded versions, oldest first; empty where none is recorded."""
    path = edition.folder / "history.jsonl"
    if not path.is_file():
        return []
    return [parse_record(value, Version, path=path, line=line) for line, value in json_lines(path)]


def present(edition: Edition) -> Version:
    """The edition as its files are now. A row's digest covers its draft, its reviews and what was settled on it."""
    written: dict[str, str] = {}
    pairs, *stages = release_tables(edition)
    for table in stages or [pairs]:
        for row in table.rows:
            fields = row.model_dump(exclude={"split", "wave"})
            text = json.dumps([table.name, fields], ensure_ascii=False, sort_keys=True)
            written[fields["id"]] = written.get(fields["id"], "") + text
    rows = {id_: hashlib.sha256(text.encode()).hexdigest()[:_CONTENT] for id_, text in sorted(written.items())}
    return Version(version=edition.version, rows=rows, splits={pair.id: pair.split for pair in edition.pairs})


def record_version(edition: Edition) -> list[Version]:
    """The history with the edition as it is now under its version, in place of what stood last under that version.

    Raises
    ------
    InputError
        Where an earlier version than the last bears this version's name.
    """
    before = read_history(edition)
    if before and before[-1].version == edition.version:
        before = before[:-1]
    if edition.version in {one.version for one in before}:
        raise InputError(
            f"{edition.folder / 'edition.yml'}: version: found {edition.version!r}, which is an earlier version, "
            "expected a new name."
        )
    return [*before, present(edition)]


def changelog(edition: Edition, versions: Sequence[Version]) -> str:
    """The changelog of an edition's rows, newest version first."""
    parts = [
        f"# Changelog of the {edition.name} edition\n\nGenerated from `history.jsonl`. Each row is named by its id.\n"
    ]
    empty = Version(version="none", rows={}, splits={})
    for before, after in reversed(list(zip([empty, *versions], versions, strict=False))):
        parts.append("\n".join([f"## {after.version}", "", *(f"- {line}" for line in _changes(before, after)), ""]))
    return "\n".join(parts)


def _changes(before: Version, after: Version) -> list[str]:
    added = [id_ for id_ in after.rows if id_ not in before.rows]
    changed = [id_ for id_ in after.rows if id_ in before.rows and after.rows[id_] != before.rows[id_]]
    removed = [id_ for id_ in before.rows if id_ not in after.rows]
    moved = [
        f"{id_} ({before.splits[id_]} to {after.splits.get(id_, 'no pair')})"
        for id_ in before.splits
        if id_ in after.rows and before.splits[id_] != after.splits.get(id_)
    ]
    new = {id_: split for id_, split in after.splits.items() if id_ not in before.splits}
    return [
        f"rows: {len(after.rows)}; pairs: {_by_split(after.splits)}",
        f"added: {len(added)} rows{_range(added)}; new pairs: {_by_split(new)}",
        f"changed: {_listed(changed)}",
        f"moved between splits or out of the pairs: {_listed(moved)}",
        f"removed: {_listed(removed)}",
    ]


def _by_split(splits: Mapping[str, str]) -> str:
    counted = [f"{list(splits.values()).count(split)} {split}" for split in ("evaluation", "development")]
    return " and ".join(counted)


def _range(ids: Sequence[str]) -> str:
    return f" ({min(ids)} to {max(ids)})" if ids else ""


def _listed(ids: Sequence[str]) -> str:
    return f"{len(ids)} ({', '.join(ids)})" if ids else "none"
