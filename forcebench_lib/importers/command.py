"""``python -m forcebench_lib import``: real cited answers as contexts to draft pairs from."""

import argparse
from pathlib import Path

from .registry import IMPORTERS
from .result import write_contexts


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``import``."""
    parser = subparsers.add_parser("import", help="turn real cited answers into contexts to draft pairs from")
    parser.add_argument("name", choices=list(IMPORTERS), metavar="NAME", help=", ".join(IMPORTERS))
    parser.add_argument("file", type=Path, metavar="FILE", help="a file of the resource")
    parser.add_argument("--out", type=Path, default=Path("contexts.jsonl"), help="default: contexts.jsonl")
    parser.add_argument("--mapping", type=Path, help="for plain: which column is which field")
    parser.add_argument(
        "--unusable", type=Path, metavar="OUT", help="list what could not be used, with line and reason"
    )
    parser.set_defaults(run=_command)


def _command(arguments: argparse.Namespace) -> int:
    counts = write_contexts(
        arguments.name, arguments.file, out=arguments.out, mapping=arguments.mapping, unusable=arguments.unusable
    )
    print(f"{arguments.file}: {counts}")
    print(f"Licence of {IMPORTERS[arguments.name].title}: {IMPORTERS[arguments.name].licence}.")
    return 0
