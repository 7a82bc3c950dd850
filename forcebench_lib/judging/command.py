"""``python -m forcebench_lib judge``: run a model judge from the command line."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from .. import paths
from ..corpus import load_edition
from ..schema import InputError
from . import manifest as manifests
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
    add("--api-base", help="address of an OpenAI-compatible server")
    add(
        "--api-key-env",
        metavar="NAME",
        help="environment variable that holds the key, where it is not the provider's own",
    )
    add("--evaluator", default="", help="name in tables (default: the last part of the model)")
    add("--passages", default="cited,licensing", help="cited, licensing or both, with a comma")
    add("--limit", type=int, help="only the first so many pairs")
    add("--scoring", choices=["labels", "graded"], default="labels")
    add("--repeats", type=int, default=1)
    add("--temperature", type=_number_or_none, default=0.0, help="a number, or none to leave it out")
    add("--max-tokens", type=int, default=256, help="a model that reasons first needs thousands")
    add("--seed", type=_whole_or_none, default=0, help="a number, or none to leave it out")
    add("--parameters", default="{}", metavar="JSON", help="further litellm parameters")
    add("--model-file-note", default="", help="for a local model: the publisher's file and its SHA-256")
    add("--concurrency", type=int, default=4, help="1 for a local server with one slot")
    add("--processes", type=int, help="processes to ask from (default: one for every 32 questions at once)")
    add("--max-cost-usd", type=float, help="stop before the run's cost could pass this")
    add(
        "--price-per-million",
        nargs=2,
        type=float,
        metavar=("PROMPT", "REPLY"),
        help="US dollars, if litellm knows none",
    )
    add("--timeout", type=float, default=120.0, help="seconds for one attempt")
    add("--retries", type=int, default=5)
    add("--runs", type=Path, default=paths.RUNS, help="folder of all runs")
    add("--dry-run", action="store_true", help="show calls, tokens and cost, and ask nothing")
    add("--repair", type=Path, metavar="RUN", help="set the broken lines of a run's folder aside, and ask nothing")
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
    price = tuple(arguments.price_per_million) if arguments.price_per_million else None
    if arguments.dry_run:
        for one in tasks:
            print(f"{one.run_id}: {preview(one, price_per_million=price)}.")
        return 0
    try:
        runs = [
            run(
                one,
                api_key=_key(arguments.api_key_env),
                concurrency=arguments.concurrency,
                processes=arguments.processes,
                max_cost_usd=arguments.max_cost_usd,
                price_per_million=price,
                timeout_s=arguments.timeout,
                retries=arguments.retries,
            )
            for one in tasks
        ]
    except RunError as error:
        print(error, file=sys.stderr)
        return 1
    print(summary(runs).to_string(index=False))
    return 0


def _task(arguments: argparse.Namespace, edition: Any, prompt: str) -> Task:
    try:
        parameters = json.loads(arguments.parameters)
    except json.JSONDecodeError as error:
        raise InputError(f"--parameters: found text that is not JSON ({error}), expected one object.") from None
    if not isinstance(parameters, dict):
        raise InputError(f"--parameters: found a {type(parameters).__name__}, expected one JSON object.")
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
        parameters=parameters,
        model_file=arguments.model_file_note,
        runs=arguments.runs,
    )


def _key(variable: str | None) -> str | None:
    if variable and not os.environ.get(variable):
        raise InputError(f"--api-key-env: the environment variable {variable} is not set.")
    return os.environ[variable] if variable else None


def _number_or_none(text: str) -> float | None:
    return None if text == "none" else float(text)


def _whole_or_none(text: str) -> int | None:
    return None if text == "none" else int(text)
