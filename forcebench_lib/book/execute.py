"""Running notebooks: papermill in separate processes, outputs that hold no time and no chance, stamps that say when."""

import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from forcebench_lib.book import stamps
from forcebench_lib.book.layout import Book, write_text
from forcebench_lib.book.scripts import METADATA, stable_ids
from forcebench_lib.schema import InputError


@dataclass(frozen=True)
class Run:
    """One executed notebook: how long it took, what it wrote to stderr, and its error, empty where there is none."""

    name: str
    seconds: float
    warnings: str = ""
    error: str = ""
    text: str = field(default="", repr=False)


class ExecutionError(InputError):
    """One or more notebooks failed; the text holds a block for each with its cell and exception."""


def stale(book: Book, parameters: dict[str, Any] | None = None, names: list[str] | None = None) -> dict[str, str]:
    """Return the notebooks that must run, name → stamp: never run, or something they depend on has changed.

    Raises
    ------
    InputError
        For a name in `names` that is no notebook.
    """
    known = [script.stem for script in book.scripts()]
    for name in names or []:
        if name not in known:
            raise InputError(f"{name}: there is no such notebook, expected one of {', '.join(known)}.")
    shared = stamps.common(book)
    due = {}
    for name in names or known:
        stamp = stamps.stamp(book.notebooks / f"{name}.ipynb", parameters or {}, shared)
        done = _stamp_file(book, name)
        fresh = (book.executed / f"{name}.ipynb").is_file() and done.is_file() and done.read_text() == stamp
        if not fresh:
            due[name] = stamp
    return due


def execute(
    book: Book | None = None,
    *,
    names: list[str] | None = None,
    parameters: dict[str, Any] | None = None,
    jobs: int = 2,
    force: bool = False,
    meanwhile: Callable[[bool], None] = lambda running: None,
) -> list[Run]:
    """Run the notebooks that are stale and keep their outputs in ``executed/``.

    An output that is stale goes before its notebook runs, so that a failure or an interruption never leaves an old
    result that would render as if it were fresh.

    Parameters
    ----------
    book : Book, optional
        Default the project's own.
    names : list of str, optional
        Only these notebooks.
    parameters : dict, optional
        Injected into each of them.
    jobs : int
        How many run at once, each in its own process.
    force : bool
        Run also what is not stale.
    meanwhile : callable
        Called once, with True while notebooks run, with False where none has to. If it raises, no output is kept.

    Raises
    ------
    ExecutionError
        Where a notebook fails, after the others have ended.
    """
    book = book or Book()
    book.build.mkdir(parents=True, exist_ok=True)
    with FileLock(book.build / "execute.lock"):  # a second run waits, and then finds its work done
        return _execute(book, names, parameters or {}, jobs=jobs, force=force, meanwhile=meanwhile)


def _execute(
    book: Book,
    names: list[str] | None,
    parameters: dict[str, Any],
    *,
    jobs: int,
    force: bool,
    meanwhile: Callable[[bool], None],
) -> list[Run]:
    if force:
        _drop(book, names or [script.stem for script in book.scripts()])
    due = stale(book, parameters, names)
    if not due:
        meanwhile(False)
        return []
    _drop(book, list(due))
    # "spawn", for papermill changes the working folder of its whole process and fork would copy our threads' locks
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(due)), mp_context=context) as pool:
        futures = [pool.submit(run, book, name, parameters) for name in _longest_first(book, due)]
        try:
            meanwhile(True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        runs = sorted((_kept(book, future, due) for future in futures), key=lambda run: run.name)
    _write_times(book, runs)
    failed = [run.error for run in runs if run.error]
    if failed:
        raise ExecutionError("\n\n".join(failed))
    return runs


def run(book: Book, name: str, parameters: dict[str, Any]) -> Run:
    """Run one notebook in this process and return its text, without time and chance, or its error."""
    import nbformat
    import papermill

    os.environ.update(_environment(book))
    source, started = book.notebooks / f"{name}.ipynb", time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
            notebook = papermill.execute_notebook(
                source, None, parameters=parameters, cwd=book.notebooks, progress_bar=False, **_engine(sockets)
            )
    except papermill.PapermillExecutionError as failure:
        return Run(name, time.monotonic() - started, error=_block(source, failure))
    except Exception as failure:  # a kernel that died or did not start is this notebook's failure, not the pool's
        return Run(name, time.monotonic() - started, error=f"{source}: {type(failure).__name__}: {failure}")
    warnings = tidy(notebook)
    text = nbformat.writes(notebook)  # type: ignore[no-untyped-call]  # nbformat has no types
    return Run(name, time.monotonic() - started, warnings, text=text.rstrip("\n") + "\n")


def tidy(notebook: Any) -> str:
    """Take out of an executed notebook what differs between two runs, fold its code, and return what stderr held."""
    warnings = []
    notebook.metadata = dict(METADATA)
    for cell in notebook.cells:
        tags = list(cell.metadata.get("tags", []))
        if cell.cell_type == "code":
            # the injected values stay in sight: they are what sets this page apart from the book's own
            if not any(tag.startswith(("hide-", "remove-", "injected-")) for tag in tags):
                tags.append("hide-input")
            warnings += [output.text for output in cell.outputs if output.get("name") == "stderr"]
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        cell.metadata = {"tags": tags} if tags else {}
    stable_ids(notebook.cells)
    return "".join(warnings)


def _environment(book: Book) -> dict[str, str]:
    paths = [str(book.root), str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    return {
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(path for path in paths if path)),
        "PYTHONHASHSEED": "0",  # the order of a set must not differ between two runs
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # else the kernel's debugger writes a warning into stderr
    }


def _engine(sockets: str) -> dict[str, Any]:
    """How papermill reaches its kernel: by files in a folder of its own, as two kernels could take one port.

    The kernel's own log tells nothing but that it was asked to stop.
    """
    from traitlets.config import Config

    manager = {"transport": "ipc", "ip": f"{sockets}/kernel"} if os.name == "posix" else {}
    config = Config(KernelManager=manager, AsyncKernelManager=manager)
    return {"kernel_name": "python3", "config": config, "extra_arguments": ["--log-level=CRITICAL"]}


def _block(source: Path, failure: Any) -> str:
    """A failed cell as one block: notebook, cell, its code, the exception."""
    code = "\n".join(f"    {line}" for line in str(failure.source).splitlines())
    trace = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in failure.traceback]
    ours = "\n".join(trace) if len(trace) <= 1 else f"{failure.ename}: {failure.evalue}"
    return f"{source}, cell In [{failure.exec_count}] failed:\n{code}\n{ours}"


def _kept(book: Book, future: "Future[Run]", due: dict[str, str]) -> Run:
    done = future.result()
    if not done.error:
        write_text(book.executed / f"{done.name}.ipynb", done.text)
        write_text(_stamp_file(book, done.name), due[done.name])
    if done.warnings:
        print(f"{done.name}: stderr\n{done.warnings}", file=sys.stderr)
    return done


def _drop(book: Book, names: list[str]) -> None:
    for name in names:
        _stamp_file(book, name).unlink(missing_ok=True)
        (book.executed / f"{name}.ipynb").unlink(missing_ok=True)


def _stamp_file(book: Book, name: str) -> Path:
    return book.executed / f"{name}.stamp"


def times(book: Book) -> dict[str, float]:
    """Return how many seconds each notebook last took; they lie in ``executed/times.json``."""
    path = book.executed / "times.json"
    return dict(json.loads(path.read_text())) if path.is_file() else {}


def _write_times(book: Book, runs: list[Run]) -> None:
    seconds = times(book) | {run.name: round(run.seconds, 1) for run in runs if not run.error}
    write_text(book.executed / "times.json", json.dumps(seconds, indent=1, sort_keys=True) + "\n")


def _longest_first(book: Book, names: dict[str, str]) -> list[str]:
    """The order that ends soonest on few processes; a notebook never timed counts as long."""
    last = times(book)
    return sorted(names, key=lambda name: -last.get(name, 1e9))
