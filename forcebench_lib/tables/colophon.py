"""Tables of the colophon: versions, hashes and recorded runs of this build."""

import hashlib
import platform
import re
from importlib.metadata import requires, version
from typing import Any

import pandas as pd

from .. import judging, paths
from ..corpus import Edition
from .frame import edition_line, titled
from .judges import run_list


def versions() -> pd.DataFrame:
    """Python and the packages that the library depends on, as installed."""
    names = [re.split(r"[^\w.-]", line)[0] for line in requires("forcebench-lib") or () if "extra ==" not in line]
    rows = [("Python", platform.python_version()), ("forcebench-lib", version("forcebench-lib"))]
    rows += [(name, version(name)) for name in sorted(names)]
    frame = pd.DataFrame(rows, columns=["package", "version"])
    return titled(frame, name="versions", caption="Python and packages of this build.")


def hashes(edition: Edition) -> pd.DataFrame:
    """What a judge sees, by hash: the evaluation set and each prompt."""
    rows: list[tuple[Any, ...]] = [("edition", f"{edition.name} {edition.version}", edition.sha256)]
    for name in judging.prompt_names():
        prompt = judging.load_prompt(name)
        rows.append(("prompt", f"{prompt.id}, version {prompt.version}", prompt.sha256))
    pins = paths.ROOT / "requirements.txt"
    if pins.is_file():
        rows.append(("pins", pins.name, hashlib.sha256(pins.read_bytes()).hexdigest()))
    frame = pd.DataFrame(rows, columns=["kind", "what", "SHA-256"])
    frame["SHA-256"] = frame["SHA-256"].str[:16]
    note = "The first 16 digits. The edition's hash covers what a judge sees of the evaluation set."
    return titled(frame, name="hashes", caption=f"Data and prompts of this build, {edition_line(edition)}.", note=note)


def recorded_runs(edition: Edition) -> pd.DataFrame:
    """Every recorded run on the edition, on whichever of its waves it was made."""
    runs = [run for run in judging.recorded() if run.manifest.edition.name == edition.name]
    if not runs:
        frame = pd.DataFrame({"run": ["none yet"]})
        return titled(frame, name="runs", caption=f"Recorded runs on the {edition.name} edition.")
    return run_list(judging.summary(runs), edition)
