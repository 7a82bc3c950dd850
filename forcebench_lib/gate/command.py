"""``python -m forcebench_lib gate``: hold the claims of an answer against their sources."""

import argparse
import io
import json
import os
import sys
from pathlib import Path

from ..files import check_target, write_files
from ..schema import InputError
from .engine import check
from .inputs import read_answers, read_sources, read_text
from .records import MAX_NAME_CHARS
from .reports import FORMATS, one_line
from .splitting import split_answer
from .suite import SUITE, read_suite, run_suite
from .supporters import RULES, Supporter, supporter


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``gate``."""
    parser = subparsers.add_parser("gate", help="does each cited source support the claim beside it?")
    add = parser.add_argument
    add("answers", type=Path, nargs="?", help="JSON with claims; with --split, the text of an answer")
    add("--sources", type=Path, help="JSON with sources")
    add("--format", choices=list(FORMATS), default="text")
    add("--output", type=Path, metavar="FILE", help="write the report there, and show it as text")
    add("--evaluator", default=RULES, metavar="NAME", help="rules, an evaluator, module:function or provider/model")
    add("--threshold", type=float, help="a claim with a lower score fails (default: 0.5; 0.75 for a model)")
    add("--generator", default="", metavar="MODEL", help="who wrote the answer, for a warning if it judges itself")
    add("--prompt", default="force_aware", help="for a model: id or path of the prompt")
    add("--api-base", help="for a model: address of an OpenAI-compatible server")
    add("--api-key-env", metavar="NAME", help="for a model: environment variable that holds the key")
    add("--split", action="store_true", help="print the claims of an answer with markers such as [DOC-7] as JSON")
    add("--references", default="{}", metavar="JSON", help='with --split: ids for markers, such as {"1": "DOC-7"}')
    add("--suite", type=Path, nargs="?", const=SUITE, metavar="FOLDER", help="run the regression suite, or your own")
    parser.set_defaults(run=_command)


def _command(arguments: argparse.Namespace) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that cannot show a sign must not look like a failed claim
        sys.stdout.reconfigure(errors="replace")
    if (arguments.split or arguments.suite) and (arguments.output or arguments.format != "text"):
        raise InputError("--output and --format: found beside --split or --suite, expected with a report alone.")
    if arguments.split:
        return _split(_given(arguments.answers, "answers"), arguments.references)
    if arguments.output:
        check_target(arguments.output, reads=filter(None, (arguments.answers, arguments.sources)))
    judge = supporter(
        arguments.evaluator,
        threshold=arguments.threshold,
        prompt=arguments.prompt,
        api_base=arguments.api_base,
        api_key=_key(arguments.api_key_env),
    )
    if arguments.suite:
        return _suite(arguments.suite, judge)
    answers, sources = _given(arguments.answers, "answers"), _given(arguments.sources, "--sources")
    report = check(read_answers(answers), read_sources(sources), supporter=judge, generator=arguments.generator)
    shown = FORMATS[arguments.format](report, answers.as_posix())
    if arguments.output:
        write_files({arguments.output: shown + "\n"})
        shown = FORMATS["text"](report, answers.as_posix())
    print(shown)
    return 0 if report.passed else 1


def _split(path: Path, references: str) -> int:
    try:
        names = json.loads(references)
    except ValueError as error:
        raise InputError(f"--references: found text that is not JSON ({error}), expected one object.") from None
    if not isinstance(names, dict) or not all(
        isinstance(value, str) and 0 < len(value.strip()) <= MAX_NAME_CHARS for value in names.values()
    ):
        raise InputError(
            f"--references: expected one JSON object from markers to ids of 1 to {MAX_NAME_CHARS} characters."
        )
    split = split_answer(read_text(path), references=names)
    for note in split.notes:
        print(f"{note.why}: {one_line(note.text, 200)}", file=sys.stderr)
    if not split.claims:
        raise InputError(f"{path}: found no claim with a marker such as [DOC-7], expected at least one.")
    claims = [claim.model_dump(exclude_defaults=True) for claim in split.claims]
    print(json.dumps({"claims": claims}, indent=2))
    return 0


def _suite(folder: Path, judge: Supporter) -> int:
    table = run_suite(read_suite(folder), judge)
    for row in table.to_dict("records"):
        verdict = "holds" if row["holds"] else "DOES NOT HOLD"
        print(f"{verdict}: {row['case']}: expected {row['expected']}, found {row['found']}; repaired {row['repaired']}")
    print(f"{int(table['holds'].sum())} of {len(table)} cases hold.")
    return 0 if table["holds"].all() else 1


def _given(path: Path | None, name: str) -> Path:
    if path is None:
        raise InputError(f"{name}: found none, expected a file.")
    return path


def _key(variable: str | None) -> str | None:
    if variable and not os.environ.get(variable):
        raise InputError(f"--api-key-env: the environment variable {variable} is not set.")
    return os.environ[variable] if variable else None
