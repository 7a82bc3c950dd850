"""``python -m forcebench_lib judge``: run a model judge from the command line."""

import argparse
import sys
from pathlib import Path
from typing import Any

from .. import paths
from ..corpus import load_edition
from ..schema import InputError
from . import manifest as manifests
from .options import add_model_options, further_parameters, price, settings
from .prompt import names
from .run import preview, run
from .scoring import summary
from .session import RunError
from .store import repair
from .task import Task, task


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``judge``."""
    parser = subparsers.add_parser("judge", help="ask a model about every claim of an edition, and record its replies")
    add = parser.add_argument
    add("--model", default="", help="as litellm names it, for example openai/NAME with --api-base")
    add("--prompt", action="append", help="id or path, may be repeated (default: every prompt)")
    add("--edition", default="open", help="name or folder (default: open)")
    add("--wave", type=int, default=0, help="only the first so many waves of the edition (default: 0, all of them)")
    add("--evaluator", default="", help="name in tables (default: the last part of the model)")
    add("--passages", default="cited,licensing", help="cited, licensing or both, with a comma")
    add("--limit", type=int, help="only the first so many pairs")
    add("--scoring", choices=["labels", "graded"], default="labels")
    add("--repeats", type=int, default=1)
    add("--runs", type=Path, default=paths.RUNS, help="folder of all runs")
    add("--repair", type=Path, metavar="RUN", help="set the broken lines of a run's folder aside, and ask nothing")
    add_model_options(parser, max_tokens=256)
    parser.set_defaults(run=_command)


def _command(arguments: argparse.Namespace) -> int:
    if arguments.repair:
        manifests.read(arguments.repair, manifests.Manifest)  # lines of a run of another kind would all count as broken
        print(f"{arguments.repair}: {repair(arguments.repair)} broken lines set aside.")
        return 0
    if not arguments.model:
        raise InputError("--model: found none, expected a model as litellm names it.")
    edition = load_edition(arguments.edition, wave=arguments.wave)
    tasks = [_task(arguments, edition, prompt) for prompt in arguments.prompt or names()]
    if arguments.dry_run:
        for one in tasks:
            print(f"{one.run_id}: {preview(one, price_per_million=price(arguments))}.")
        return 0
    try:
        runs = [run(one, **settings(arguments)) for one in tasks]
    except RunError as error:
        print(error, file=sys.stderr)
        return 1
    print(summary(runs).to_string(index=False))
    return 0


def _task(arguments: argparse.Namespace, edition: Any, prompt: str) -> Task:
    return task(
        edition,
        model=arguments.model,
        prompt=prompt,
        api_base=arguments.api_base,
        evaluator=arguments.evaluator,
        passages=arguments.passages.split(","),
        limit=arguments.limit,
        scoring=arguments.scoring,
        repeats=arguments.repeats,
        temperature=arguments.temperature,
        max_tokens=arguments.max_tokens,
        seed=arguments.seed,
        parameters=further_parameters(arguments.parameters),
        model_file=arguments.model_file_note,
        runs=arguments.runs,
    )
