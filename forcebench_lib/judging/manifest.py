"""What a run is: the record beside its judgments, and the name that follows from it."""

import hashlib
import json
import os
import platform
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Annotated, Any, Literal, TypeVar, overload

from pydantic import AfterValidator, Field, ValidationError

from ..schema import InputError, Record
from .reply import PARSER_VERSION
from .store import Amount, Recorded

FILE = "manifest.json"
LONGEST_NAME = 200
MOST_REPEATS = 1000
PACKAGES = ("litellm", "openai", "httpx", "pydantic")

Scoring = Literal["labels", "graded"]
Passage = Literal["cited", "licensing"]


def _each_once(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
    if len(set(passages)) != len(passages):
        raise ValueError("a passage is named twice")
    return passages


class PromptNote(Record):
    """The prompt as it was when the run began."""

    id: str
    version: int
    title: str
    sha256: str
    labels: dict[str, float] = Field(default_factory=dict)


class EditionNote(Record):
    """The edition as it was when the run began."""

    name: str
    version: str
    sha256: str


class Session(Record):
    """One stretch of asking. `stopped` is empty if it came to the end of its plan.

    It is entered as it begins. Where nothing could be written at its end, `ended` stays empty, and `asked` counts what
    came before that entry alone.
    """

    started: str
    ended: str
    asked: int
    concurrency: int
    stopped: str = ""


class Totals(Record):
    """Counts over all judgments of the run.

    `cost_usd` is None where any price was unknown, `latency_s_median` where every time was.
    """

    recorded: int
    statuses: dict[str, int]
    requests: int
    retries: int
    prompt_tokens: int
    completion_tokens: int
    without_usage: int
    cost_usd: Amount | None
    latency_s_median: Amount | None
    models: dict[str, int]


class RunManifest(Record):
    """Everything about a run but its records.

    `carried` counts the replies taken over from other runs; `imported` names the tool whose log the run was made from.
    """

    format: Literal[1] = 1
    run: str
    evaluator: str = Field(max_length=LONGEST_NAME)
    model: str
    api_base: str | None
    model_file: str = ""
    prompt: PromptNote
    edition: EditionNote
    requested: dict[str, Any]
    effective: dict[str, Any]
    dropped: dict[str, str]
    repeats: int = Field(ge=1, le=MOST_REPEATS)
    carried: dict[str, int] = Field(default_factory=dict)
    imported: str = Field(default="", exclude_if=lambda tool: not tool)
    parser: int = PARSER_VERSION
    python: str
    packages: dict[str, str]
    sessions: tuple[Session, ...] = ()
    totals: Totals | None = None


class Manifest(RunManifest):
    """The manifest of a run on pairs."""

    scoring: Scoring
    pairs: tuple[str, ...]
    passages: Annotated[tuple[Passage, ...], Field(min_length=1), AfterValidator(_each_once)]

    @property
    def judge(self) -> str:
        """The judge as tables name it; scores from log probabilities are told apart."""
        return self.evaluator + (" (graded)" if self.scoring == "graded" else "")


M = TypeVar("M", bound=RunManifest)


def run_id(
    *,
    model: str,
    api_base: str | None,
    prompt: PromptNote,
    edition: EditionNote,
    scoring: str,
    requested: Mapping[str, Any],
) -> str:
    """A readable name with eight digits of a hash.

    Another prompt text, edition, model, address, scoring or parameter is another run.
    """
    identity = [model, api_base, prompt.sha256, edition.sha256, scoring, requested]
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]
    parts = (model.rpartition("/")[2], prompt.id, edition.name, *(["graded"] if scoring == "graded" else []))
    return "--".join([re.sub(r"[^a-z0-9._]+", "-", part.lower()).strip("-.") for part in parts] + [digest])


def folders(runs: Path) -> list[Path]:
    """The folders of all runs in a folder, by name."""
    return sorted(path.parent for path in runs.glob(f"*/{FILE}"))


def surroundings() -> dict[str, Any]:
    """The Python and the packages that take part in a judgment."""
    return {"python": platform.python_version(), "packages": {name: version(name) for name in PACKAGES}}


def totals(records: Iterable[Recorded]) -> Totals:
    """Add up a run in one pass. A question whose error was followed by a reply counts once; its requests count all.

    What was carried over was paid by another run and is not in the cost.
    """
    statuses, models, sums = Counter[str](), Counter[str](), Counter[str]()
    failed, latencies = set[str](), array("d")
    cost, priced = 0.0, True
    for one in records:
        sums["requests"] += one.attempts
        sums["retries"] += one.attempts - 1 - len(one.earlier)
        sums.update({name: one.usage.get(name, 0) for name in ("prompt_tokens", "completion_tokens")})
        cost += 0.0 if one.carried else one.cost_usd or 0.0
        if not one.answered:
            failed.add(one.key)
            continue
        failed.discard(one.key)
        statuses[one.status] += 1
        models[one.model] += 1
        sums["without_usage"] += "prompt_tokens" not in one.usage
        priced &= one.cost_usd is not None or bool(one.carried)
        if one.latency_s:
            latencies.append(one.latency_s)
    if failed:
        statuses["api_error"] = len(failed)
    return Totals(
        recorded=statuses.total(),
        statuses=dict(sorted(statuses.items())),
        requests=sums["requests"],
        retries=sums["retries"],
        prompt_tokens=sums["prompt_tokens"],
        completion_tokens=sums["completion_tokens"],
        without_usage=sums["without_usage"],
        cost_usd=round(cost, 6) if priced else None,
        latency_s_median=round(median(latencies), 3) if latencies else None,
        models=dict(sorted(models.items())),
    )


def write(manifest: RunManifest, folder: Path) -> None:
    """Write the manifest whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f"{FILE}.tmp"
    temporary.write_text(json.dumps(manifest.model_dump(), indent=1) + "\n", encoding="utf-8")
    os.replace(temporary, folder / FILE)


@overload
def read(folder: Path) -> Manifest: ...
@overload
def read(folder: Path, kind: type[M]) -> M: ...
def read(folder: Path, kind: type[RunManifest] = Manifest) -> RunManifest:
    """Read a run's manifest, by default that of a run on pairs.

    Raises
    ------
    InputError
        For a folder without one, or one that does not fit.
    """
    path = folder / FILE
    if not path.is_file():
        raise InputError(f"{path}: there is no such file, expected the folder of a recorded run.")
    try:
        return kind.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        if kind is Manifest and any(found["loc"] == ("quartets",) for found in error.errors()):
            raise InputError(
                f"{path}: found a run on quartets, expected one on pairs "
                "('python -m forcebench_lib quartets repair' sets broken lines of such a run aside)."
            ) from None
        raise InputError(
            f"{path}: {'.'.join(str(part) for part in first['loc']) or 'the file'}: {first['msg']}."
        ) from None
