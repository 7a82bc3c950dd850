"""``python -m forcebench_lib corpus build | check | template``."""

import argparse
import sys
from pathlib import Path

from . import drafting
from .corpus import flow_counts, load_edition, load_stages, pairs_text, select, write_pairs
from .schema import InputError


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``corpus`` with its three actions."""
    summary = "generate and check the files of an edition, check drafted rows, print a template for them"
    parser = commands.add_parser("corpus", help=summary, description=summary)
    parser.add_argument("action", choices=["build", "check", "template"])
    what = "name or folder of the edition; for check also a JSONL file of drafted rows"
    parser.add_argument("edition", nargs="?", default="open", metavar="EDITION_OR_FILE", help=what)
    parser.set_defaults(run=_command)


def _command(arguments: argparse.Namespace) -> int:
    if arguments.action == "template":
        print(drafting.template())
        return 0
    if arguments.action == "build":
        return _build(arguments.edition)
    path = Path(arguments.edition)
    return _check_file(path) if path.is_file() or path.suffix == ".jsonl" else _check_edition(arguments.edition)


def _build(edition: str) -> int:
    flow = write_pairs(edition)
    print(flow_counts(flow).to_string(index=False))
    for id_, reason in flow.failed_control.items():
        print(f"{id_}: failed quality control: {reason}", file=sys.stderr)
    return 0


def _check_file(path: Path) -> int:
    found = drafting.check(path)
    print("\n".join(finding.text(path) for finding in found) or f"{path}: nothing found.")
    return 1 if found else 0


def _check_edition(name: str) -> int:
    edition = load_edition(name)
    if edition.manifest.selection is not None:
        expected = pairs_text(select(load_stages(name)).retained)
        pairs_file = edition.folder / edition.manifest.files["pairs"]
        if pairs_file.read_text(encoding="utf-8") != expected:
            raise InputError(
                f"{pairs_file}: differs from what its stages give, run 'python -m forcebench_lib corpus build'."
            )
    sizes = f"{len(edition.evaluation)} evaluation and {len(edition.development)} development pairs"
    print(f"{edition.name} {edition.version}: {sizes}")
    return 0
