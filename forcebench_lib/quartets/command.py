"""``python -m forcebench_lib quartets build | check | review-sheet | run | repair``."""

import argparse
import json
import os
import sys
from pathlib import Path

from .. import judging
from ..files import read_text
from ..judging import manifest as manifests
from ..schema import InputError, read_jsonl
from . import dataset, lints, policies, reviews, runs
from .contrasts import quartet_rates
from .records import Quartet
from .scoring import marks


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``quartets`` with its actions."""
    summary = "generate and check the quartets, print a sheet for reviewers, ask a model under the two policies"
    actions = subparsers.add_parser("quartets", help=summary, description=summary).add_subparsers(
        required=True, metavar="ACTION"
    )
    build = actions.add_parser("build", help="generate quartets.jsonl from candidates, reviews and adjudications")
    check = actions.add_parser("check", help="the lints, on the quartets or on a file of drafted rows")
    check.add_argument("file", type=Path, nargs="?", help="JSONL of rows (default: quartets.jsonl)")
    sheet = actions.add_parser("review-sheet", help="print every context as a reviewer should see it, one a line")
    sheet.add_argument("file", type=Path, help="JSONL of rows")
    sheet.add_argument("--reviewer", required=True, help="a name; each has an order and letters of its own")
    mend = actions.add_parser("repair", help="set the broken lines of a recorded run aside")
    mend.add_argument("run_folder", type=Path, metavar="RUN", help="the folder of the run")
    for parser, function in ((build, _build), (check, _check), (sheet, _sheet), (mend, _repair)):
        parser.set_defaults(run=function)
    for parser in (build, check):
        parser.add_argument("--folder", type=Path, default=dataset.FOLDER, help="folder of the quartets")
    _add_run(actions)


def _add_run(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = actions.add_parser("run", help="ask a model in every context, and record its replies")
    add = parser.add_argument
    add("--model", required=True, help="as litellm names it, for example openai/NAME with --api-base")
    add("--policy", action="append", help="id or path, may be repeated (default: vanilla and gate)")
    add("--api-base", help="address of an OpenAI-compatible server")
    add("--api-key-env", metavar="NAME", help="environment variable of the key, where it is not the provider's own")
    add("--system", default="", help="name in tables (default: the last part of the model)")
    add("--limit", type=int, help="only the first so many quartets")
    add("--temperature", type=_number_or_none, default=0.0, help="a number, or none to leave it out")
    add("--seed", type=_number_or_none, default=0, help="a number, or none to leave it out")
    add("--max-tokens", type=int, default=runs.MAX_TOKENS, help="a model that reasons first needs thousands")
    add("--parameters", default="{}", metavar="JSON", help="further litellm parameters")
    add("--model-file-note", default="", help="for a local model: the publisher's file and its SHA-256")
    add("--concurrency", type=int, default=4, help="1 for a local server with one slot")
    add("--max-cost-usd", type=float, help="stop before a run's cost could pass this")
    add("--price-per-million", nargs=2, type=float, metavar=("PROMPT", "REPLY"), help="US dollars")
    add("--timeout", type=float, default=120.0, help="seconds for one attempt")
    add("--retries", type=int, default=5)
    add("--runs", type=Path, default=dataset.RUNS, help="folder of all runs on quartets")
    add("--folder", type=Path, default=dataset.FOLDER, help="folder of the quartets")
    add("--dry-run", action="store_true", help="show calls, tokens and cost, and ask nothing")
    parser.set_defaults(run=_run)


def _build(arguments: argparse.Namespace) -> int:
    print(f"{len(dataset.build(arguments.folder))} quartets.")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    path = arguments.file or arguments.folder / "quartets.jsonl"
    rows = read_jsonl(path, Quartet)
    stages = arguments.folder / "candidates.jsonl"
    written = not arguments.file and stages.is_file()
    if written and read_text(path) != dataset.text(dataset.settled(dataset.load_stages(arguments.folder))):
        raise InputError(f"{path}: differs from what its stages give, run 'python -m forcebench_lib quartets build'.")
    found = lints.check(rows)
    print("\n".join(map(str, found)) or f"{path}: {len(rows)} quartets, nothing found.")
    return 1 if found else 0


def _sheet(arguments: argparse.Namespace) -> int:
    for item in reviews.sheet(read_jsonl(arguments.file, Quartet), reviewer=arguments.reviewer):
        print(json.dumps(item, ensure_ascii=False))
    return 0


def _repair(arguments: argparse.Namespace) -> int:
    folder = arguments.run_folder
    manifests.read(folder, runs.QuartetManifest)  # lines of a run of another kind would all count as broken
    print(f"{folder}: {judging.repair(folder, runs.QuartetReply)} broken lines set aside.")
    return 0


def _run(arguments: argparse.Namespace) -> int:
    data = dataset.load(arguments.folder)
    tasks = [_task(arguments, data, policy) for policy in arguments.policy or policies.NAMES]
    price = tuple(arguments.price_per_million) if arguments.price_per_million else None
    if arguments.dry_run:
        for one in tasks:
            print(f"{one.run_id}: {judging.preview(one, price_per_million=price)}.")
        return 0
    for one in tasks:
        try:
            run = judging.run(
                one,
                api_key=_key(arguments.api_key_env),
                concurrency=arguments.concurrency,
                max_cost_usd=arguments.max_cost_usd,
                price_per_million=price,
                timeout_s=arguments.timeout,
                retries=arguments.retries,
            )
        except judging.RunError as error:
            print(error, file=sys.stderr)
            return 1
        print(quartet_rates(marks(run.outputs(data), data.quartets)).round(3).iloc[0].to_string())
    return 0


def _task(arguments: argparse.Namespace, data: dataset.QuartetSet, policy: str) -> runs.QuartetTask:
    try:
        parameters = json.loads(arguments.parameters)
    except json.JSONDecodeError as error:
        raise InputError(f"--parameters: found text that is not JSON ({error}), expected one object.") from None
    if not isinstance(parameters, dict):
        raise InputError(f"--parameters: found a {type(parameters).__name__}, expected one JSON object.")
    return runs.task(
        data,
        model=arguments.model,
        policy=policy,
        api_base=arguments.api_base,
        system=arguments.system,
        limit=arguments.limit,
        temperature=arguments.temperature,
        seed=None if arguments.seed is None else int(arguments.seed),
        max_tokens=arguments.max_tokens,
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
