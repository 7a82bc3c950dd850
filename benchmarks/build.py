"""Our build against stock ``jupyter-book build`` that executes the same notebooks itself in its ``cache`` mode.

Both render the same chapters on copies of the project, one after the other on one machine: from nothing, after an edit
of one notebook, with no change, and after an edit of the library, which stock does not see. Prints seconds, peak memory
and ratios ours / stock; below the target is better.

    python benchmarks/build.py [--notebooks 03_baselines 07_published]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import yaml

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("forcebench_lib", "data", "prompts", "notebooks", "book", "requirements.txt", "_config.yml")
TARGETS = {"cold": 0.75, "one notebook touched": 0.8, "no change": 1.0}
EDITED = ("forcebench_lib/book/table.py", ">CSV</a>", ">CSV file</a>")


@dataclass(frozen=True)
class Measured:
    """Wall-clock seconds and the highest sum of resident memory over the process and its children, in MB."""

    seconds: float
    megabytes: float


def measured(command: Sequence[str], folder: Path) -> Measured:
    environment = os.environ | {"PYTHONPATH": str(folder)}
    started = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = psutil.Popen(command, cwd=folder, env=environment, stdout=said, stderr=subprocess.STDOUT)
        peak = [0.0]
        watcher = threading.Thread(target=_watch, args=(process, peak))
        watcher.start()
        code = process.wait()
        seconds = time.perf_counter() - started
        watcher.join()
        said.seek(0)
        if code:
            raise SystemExit(f"{' '.join(command)} ended with {code}:\n{said.read().decode()}")
    return Measured(seconds, peak[0])


def _watch(process: psutil.Popen, peak: list[float]) -> None:
    while process.is_running():
        total = 0
        try:
            for each in (process, *process.children(recursive=True)):
                total += each.memory_info().rss
        except psutil.Error:  # one of them has just ended
            continue
        peak[0] = max(peak[0], total / 1e6)
        time.sleep(0.1)


def copied(folder: Path, names: list[str], pages: str) -> Path:
    """A copy of the project whose book is a start page and the chapters."""
    folder.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    for path in (folder / "notebooks").iterdir():
        if path.stem not in names:
            path.unlink()
    (folder / "book" / "start.md").write_text("# Start\n")
    chapters = [{"file": f"{pages}/{name}"} for name in names]
    (folder / "_toc.yml").write_text(yaml.safe_dump({"format": "jb-book", "root": "book/start", "chapters": chapters}))
    return folder


def stock_configuration(folder: Path) -> None:
    """Let jupyter-book execute in its cache mode, with all else as in the project."""
    path = folder / "_config.yml"
    config = yaml.safe_load(path.read_text())
    config["execute"] = {"execute_notebooks": "cache", "timeout": 600}
    config["exclude_patterns"].remove("notebooks/**")
    config["sphinx"]["config"]["nb_output_stderr"] = "remove"
    path.write_text(yaml.safe_dump(config))


def touch(ours: Path, stock: Path, name: str) -> None:
    """Edit one cell of one notebook, the same on both sides."""
    with (ours / "notebooks" / f"{name}.py").open("a") as script:
        script.write("\n# %%\nprint(1 + 1)\n")
    subprocess.run([sys.executable, "-m", "forcebench_lib", "notebooks"], cwd=ours, check=True, capture_output=True)
    shutil.copy(ours / "notebooks" / f"{name}.ipynb", stock / "notebooks")


def edit_library(folder: Path) -> None:
    name, before, after = EDITED
    text = (folder / name).read_text()
    if before not in text:
        raise SystemExit(f"{name} no longer holds {before!r}, so the edit of the library cannot be made.")
    (folder / name).write_text(text.replace(before, after))


def shows_the_edit(folder: Path) -> bool:
    return any(EDITED[2] in page.read_text() for page in (folder / "_build" / "html").rglob("[0-9][0-9]_*.html"))


def main(names: list[str]) -> None:
    builders = {
        "ours": [sys.executable, "-m", "forcebench_lib", "build", "--lenient"],
        "stock": [str(Path(sys.executable).with_name("jupyter-book")), "build", "."],
    }
    with tempfile.TemporaryDirectory() as temporary:
        folders = {
            "ours": copied(Path(temporary) / "ours", names, "executed"),
            "stock": copied(Path(temporary) / "stock", names, "notebooks"),
        }
        stock_configuration(folders["stock"])
        steps = {
            "cold": lambda: None,
            "one notebook touched": lambda: touch(folders["ours"], folders["stock"], names[0]),
            "no change": lambda: None,
            "library edited": lambda: [edit_library(folder) for folder in folders.values()],
        }
        print(f"{len(names)} notebooks, {os.cpu_count()} cores\n")
        print(f"{'':22}{'ours':>16}{'stock':>16}{'ratio':>8}{'target':>8}")
        for step, prepare in steps.items():
            prepare()
            both = {side: measured(builders[side], folders[side]) for side in builders}
            cells = "".join(f"{one.seconds:7.1f} s {one.megabytes:5.0f} MB" for one in both.values())
            ratio = both["ours"].seconds / both["stock"].seconds
            target = f"{TARGETS[step]:8.2f}" if step in TARGETS else ""
            print(f"{step:22}{cells}{ratio:8.2f}{target}", flush=True)
        answers = {side: "yes" if shows_the_edit(folder) else "no" for side, folder in folders.items()}
        print(f"\nThe pages show the edit of the library: ours {answers['ours']}, stock {answers['stock']}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.py"))
    parser.add_argument("--notebooks", nargs="+", default=known, choices=known)
    main(parser.parse_args().notebooks)
