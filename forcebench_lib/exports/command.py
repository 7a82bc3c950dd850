"""``python -m forcebench_lib export`` and ``import-run``: the judging task for other tools, and their logs as runs."""

import argparse
from pathlib import Path

from .. import paths
from ..corpus import load_edition
from ..judging import load_prompt
from .folder import HARNESSES, write_export
from .recording import import_log


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``export`` and ``import-run``."""
    export = subparsers.add_parser("export", help="write the judging task for inspect_ai, lm-eval or promptfoo")
    export.add_argument("name", choices=list(HARNESSES), metavar="TOOL", help=", ".join(HARNESSES))
    export.add_argument("--out", type=Path, required=True, help="folder to write, new or empty")
    export.add_argument("--passages", default="cited,licensing", help="cited, licensing or both, with a comma")
    export.add_argument("--limit", type=int, help="only the first so many pairs")
    export.set_defaults(run=_export)
    back = subparsers.add_parser("import-run", help="record a log of inspect_ai, lm-eval or promptfoo as a run")
    back.add_argument("name", choices=list(HARNESSES), metavar="TOOL", help=", ".join(HARNESSES))
    back.add_argument("log", type=Path, metavar="LOG", help="the file that the tool wrote")
    back.add_argument("--evaluator", default="", help="name in tables (default: model and tool)")
    back.add_argument("--runs", type=Path, default=paths.RUNS, help="folder of all runs")
    back.set_defaults(run=_import)
    for parser in (export, back):
        parser.add_argument("--edition", default="open", help="name or folder (default: open)")
        parser.add_argument("--wave", type=int, default=0, help="only the first so many waves, 0 for all (default: 0)")
    export.add_argument("--prompt", default="generic_support", help="id or path (default: generic_support)")
    back.add_argument("--prompt", default="", help="id or path (default: the one that the log shows)")


def _export(arguments: argparse.Namespace) -> int:
    edition, prompt = load_edition(arguments.edition, wave=arguments.wave), load_prompt(arguments.prompt)
    passages = arguments.passages.split(",")
    written = write_export(arguments.name, edition, prompt, out=arguments.out, passages=passages, limit=arguments.limit)
    pairs = len(edition.evaluation[: arguments.limit])
    print(f"{arguments.out}: {len(written)} files; {prompt.title} on {pairs} pairs of the {edition.name} edition.")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    edition = load_edition(arguments.edition, wave=arguments.wave)
    runs = import_log(
        arguments.name,
        arguments.log,
        edition,
        prompt=arguments.prompt,
        evaluator=arguments.evaluator,
        runs=arguments.runs,
    )
    for run in runs:
        one = run.manifest
        held = f"{one.sessions[0].asked} replies on {len(one.pairs)} of {len(edition.evaluation)} pairs"
        print(f"{run.folder}: {held}, from {one.imported}.")
        if one.sessions[0].stopped:
            print(f"{one.sessions[0].stopped}.")
        if not run.covers(edition):
            print("The run does not cover the edition: chapters on the whole edition leave it out.")
    return 0
