"""``python -m forcebench_lib notebooks | execute | build``."""

import argparse
import sys
from pathlib import Path
from typing import Any

from forcebench_lib.book.layout import Book
from forcebench_lib.schema import InputError


def add_command(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands of the book."""
    notebooks = _add(subparsers, "notebooks", "generate the notebooks from their scripts", _notebooks)
    notebooks.add_argument(
        "--check", action="store_true", help="change nothing; fail where one differs from its script"
    )
    execute = _add(subparsers, "execute", "run the notebooks that are stale", _execute)
    execute.add_argument("names", nargs="*", metavar="NN_name", help="only these notebooks")
    execute.add_argument("-y", "--yaml", default="", metavar="YAML", help="parameters, as in 'models: [a, b]'")
    execute.add_argument("--force", action="store_true", help="run also what is not stale")
    build = _add(subparsers, "build", "run what is stale and render the site", _build)
    build.add_argument("--clean", action="store_true", help="read every page anew")
    build.add_argument("--lenient", action="store_true", help="let warnings pass")
    _add(subparsers, "readme", "write the figure and the numbers of the README anew", _readme)
    for parser in (execute, build):
        parser.add_argument("--jobs", type=_jobs, default=2, help="how many notebooks run at once (default 2)")


def _add(subparsers: Any, name: str, summary: str, function: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=summary, description=summary)
    parser.add_argument("--root", type=Path, default=Book().root, help="the book's folder (default: this project)")
    parser.set_defaults(run=function)
    return parser


def _jobs(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {number}, expected at least 1")
    return number


def _notebooks(options: argparse.Namespace) -> int:
    from forcebench_lib.book import scripts

    book = Book(options.root.resolve())
    lines = scripts.check(book) if options.check else [f"{path}: written." for path in scripts.write(book)]
    print("\n".join(lines or ["All notebooks agree with their scripts."]))
    return 1 if options.check and lines else 0


def _execute(options: argparse.Namespace) -> int:
    from forcebench_lib.book.execute import ExecutionError, execute

    book, parameters = Book(options.root.resolve()), _parameters(options.yaml)
    try:
        runs = execute(book, names=options.names, parameters=parameters, jobs=options.jobs, force=options.force)
    except ExecutionError as failure:
        print(failure, file=sys.stderr)
        return 1
    print("\n".join(f"{run.name}: {run.seconds:.1f} s" for run in runs) or "Nothing is stale.")
    return 0


def _parameters(text: str) -> dict[str, Any]:
    import yaml

    try:
        parameters = yaml.safe_load(text) or {}
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"--yaml: found text that is not YAML ({' '.join(str(error).split())}).") from None
    if not isinstance(parameters, dict) or not all(isinstance(name, str) for name in parameters):
        raise InputError(f"--yaml: found {text!r}, expected parameters, as in 'models: [a, b]'.")
    return parameters


def _readme(options: argparse.Namespace) -> int:
    from forcebench_lib.book import readme

    print("\n".join(f"{path}: written." for path in readme.write(Book(options.root.resolve()))))
    return 0


def _build(options: argparse.Namespace) -> int:
    from forcebench_lib.book.build import RenderError, build
    from forcebench_lib.book.execute import ExecutionError

    book = Book(options.root.resolve())
    try:
        site = build(book, strict=not options.lenient, jobs=options.jobs, clean=options.clean)
    except (ExecutionError, RenderError) as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"The book is built: {site / 'index.html'}")
    return 0
