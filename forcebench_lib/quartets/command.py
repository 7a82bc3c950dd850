"""``python -m forcebench_lib quartets build | check | review-sheet | run | repair``."""

import argparse
import json
import sys
from pathlib import Path

from .. import judging
from ..files import read_text
from ..judging import manifest as manifests
from ..judging.options import add_model_options, further_parameters, price, settings
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
    add("--system", default="", help="name in tables (default: the last part of the model)")
    add("--limit", type=int, help="only the first so many quartets")
    add("--runs", type=Path, default=dataset.RUNS, help="folder of all runs on quartets")
    add("--folder", type=Path, default=dataset.FOLDER, help="folder of the quartets")
    add_model_options(parser, max_tokens=runs.MAX_TOKENS)
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
    if arguments.dry_run:
        for one in tasks:
            print(f"{one.run_id}: {judging.preview(one, price_per_million=price(arguments))}.")
        return 0
    for one in tasks:
        try:
            run = judging.run(one, **settings(arguments))
        except judging.RunError as error:
            print(error, file=sys.stderr)
            return 1
        print(quartet_rates(marks(run.outputs(data), data.quartets)).round(3).iloc[0].to_string())
    return 0


def _task(arguments: argparse.Namespace, data: dataset.QuartetSet, policy: str) -> runs.QuartetTask:
    return runs.task(
        data,
        model=arguments.model,
        policy=policy,
        api_base=arguments.api_base,
        system=arguments.system,
        limit=arguments.limit,
        temperature=arguments.temperature,
        seed=arguments.seed,
        max_tokens=arguments.max_tokens,
        parameters=further_parameters(arguments.parameters),
        model_file=arguments.model_file_note,
        runs=arguments.runs,
    )
