"""A release as a folder: all files of it, their checksums, and the command that writes them."""

import argparse
import hashlib
import json
from pathlib import Path

from ..corpus import Edition, edition_files, load_edition
from ..files import check_target, make_folder, read_text, write_files
from ..schema import InputError
from . import history
from .card import dataset_card, parquet_path
from .croissant import croissant
from .sheet import read_sheet
from .table import jsonl, parquet, release_tables


def write_release(edition: Edition, out: Path, *, url: str = "") -> list[Path]:
    """Write a release of an edition into a folder; the same edition gives the same bytes.

    Parameters
    ----------
    edition : Edition
        What to release.
    out : Path
        The folder, made if it is missing. Files of another release in it are an error.
    url : str
        Where the release will be found, for its metadata.

    Raises
    ------
    InputError
        Where the changelog of the edition is not up to date, or the folder holds other files.
    """
    files = {Path(name): content for name, content in _content(edition, url).items()}
    there = {path.relative_to(out) for path in out.rglob("*") if path.is_file()} if out.is_dir() else set()
    if there - files.keys():
        raise InputError(f"{out}: found {min(there - files.keys())}, expected an empty folder or this release.")
    for folder in {(out / name).parent for name in files}:
        make_folder(folder)
    write_files({out / name: content for name, content in files.items()})
    return [out / name for name in files]


def _content(edition: Edition, url: str) -> dict[str, bytes]:
    """Path inside the release → bytes."""
    tables, sheet = release_tables(edition), read_sheet(edition)
    data = {f"jsonl/{table.name}.jsonl": jsonl(table.rows) for table in tables}
    for table in tables:
        data |= {parquet_path(table, split): parquet(table, rows) for split, rows in table.splits.items()}
    sums = {name: (hashlib.sha256(content).hexdigest(), len(content)) for name, content in data.items()}
    metadata = json.dumps(croissant(edition, sheet, tables, sums, url=url), indent=2, ensure_ascii=False) + "\n"
    texts = {"README.md": dataset_card(edition, sheet, tables), "croissant.json": metadata}
    if edition.manifest.selection is not None or history.read_history(edition):
        texts["CHANGELOG.md"] = _checked_changelog(edition)
    files = data | {name: text.encode() for name, text in texts.items()}
    lines = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    return files | {"SHA256SUMS": "".join(lines).encode()}


def _checked_changelog(edition: Edition) -> str:
    """The changelog of the edition, which must be the one that its rows give, as must the history behind it."""
    path = edition.folder / "CHANGELOG.md"
    versions = history.record_version(edition)
    expected = history.changelog(edition, versions)
    found = read_text(path) if path.is_file() else ""
    if found != expected or history.read_history(edition) != versions:
        raise InputError(f"{path}: differs from what the rows give, run 'python -m forcebench_lib changelog'.")
    return expected


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``release`` and ``changelog``."""
    release = commands.add_parser("release", help="write an edition for use elsewhere")
    release.add_argument("edition", nargs="?", default="open", help="name or folder of the edition")
    release.add_argument("--out", type=Path, required=True, help="folder to write")
    release.add_argument("--url", default="", help="where the release will be found, for its metadata")
    release.set_defaults(run=_release)
    log = commands.add_parser("changelog", help="bring an edition's history and changelog of rows up to date")
    log.add_argument("edition", nargs="?", default="open", help="name or folder of the edition")
    log.set_defaults(run=_changelog)


def _release(arguments: argparse.Namespace) -> int:
    edition = load_edition(arguments.edition)
    written = write_release(edition, arguments.out, url=arguments.url)
    print(f"{edition.name} {edition.version}: {len(written)} files in {arguments.out}")
    return 0


def _changelog(arguments: argparse.Namespace) -> int:
    edition = load_edition(arguments.edition)
    versions = history.record_version(edition)
    lines = "".join(json.dumps(version.model_dump(), ensure_ascii=False) + "\n" for version in versions)
    text = history.changelog(edition, versions)
    files = {edition.folder / "history.jsonl": lines, edition.folder / "CHANGELOG.md": text}
    for path in files:
        check_target(path, reads=edition_files(edition.folder))
    write_files(files)
    print(text.split("\n## ")[1].rstrip())
    return 0
