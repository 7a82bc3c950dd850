"""A task, what to ask of whom, and a run, what was recorded of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from .. import paths
from ..corpus import Edition
from ..schema import InputError, Pair
from . import graded, plan
from . import manifest as manifests
from .client import Reply
from .manifest import EditionNote, Manifest, Passage, PromptNote, RunManifest, Scoring
from .plan import Item
from .prompt import Prompt, load
from .questionnaire import Questionnaire, check_request
from .redaction import plain_url
from .reply import Reading
from .reply import read as read_reply
from .store import Judgment, Recorded, latest


@dataclass(frozen=True, kw_only=True)
class Task(Questionnaire["Run"]):
    """One model × one prompt × one edition. Made by `task`."""

    record: ClassVar[type[Recorded]] = Judgment
    manifest_kind: ClassVar[type[RunManifest]] = Manifest

    edition: Edition
    pairs: tuple[Pair, ...]
    prompt: Prompt
    passages: tuple[Passage, ...]
    scoring: Scoring

    @cached_property
    def items(self) -> list[Item]:
        """All questions, in their fixed order."""
        return plan.items(self.pairs, self.prompt, passages=self.passages, scoring=self.scoring, repeats=self.repeats)

    @cached_property
    def prompt_note(self) -> PromptNote:
        prompt = self.prompt
        return PromptNote(
            id=prompt.id, version=prompt.version, title=prompt.title, sha256=prompt.sha256, labels=prompt.labels
        )

    @cached_property
    def edition_note(self) -> EditionNote:
        return EditionNote(name=self.edition.name, version=self.edition.version, sha256=self.edition.sha256)

    @cached_property
    def run_id(self) -> str:
        """The name of the run that this task belongs to; `limit`, `passages` and `repeats` only extend a run."""
        return self.run_name(self.scoring)

    def read(self, item: Item, reply: Reply) -> Reading:
        """A label, or the likeliest of the options."""
        if not item.options:
            labels = self.prompt.labels
            return read_reply(reply.text, labels=labels, finish_reason=reply.finish_reason, refusal=reply.refusal)
        return graded.read(reply.logprobs, item.options)

    def akin(self, other: Manifest) -> bool:
        """Whether a run may hold the same questions, on another edition or under another version of the prompt."""
        return super().akin(other) and other.scoring == self.scoring

    def manifest(self, effective: Mapping[str, Any], dropped: Mapping[str, str]) -> Manifest:
        """The manifest of a run that begins."""
        return Manifest(
            **self.common(effective, dropped),
            scoring=self.scoring,
            pairs=tuple(pair.id for pair in self.pairs),
            passages=self.passages,
        )

    def extended(self, known: Manifest) -> Manifest:
        """The manifest of a run that this task continues; a run never gets smaller."""
        pairs = {*known.pairs, *(pair.id for pair in self.pairs)}
        passages = {*known.passages, *self.passages}
        return known.model_copy(
            update={
                "pairs": tuple(pair.id for pair in self.edition.evaluation if pair.id in pairs),
                "passages": tuple(passage for passage in ("cited", "licensing") if passage in passages),
                "repeats": max(known.repeats, self.repeats),
            }
        )

    def opened(self, manifest: Manifest) -> "Run":
        return Run(self.folder, manifest)


def task(
    edition: Edition,
    *,
    model: str,
    prompt: str | Path | Prompt,
    api_base: str | None = None,
    evaluator: str = "",
    passages: Sequence[Passage] = ("cited", "licensing"),
    limit: int | None = None,
    scoring: Scoring = "labels",
    repeats: int = 1,
    temperature: float | None = 0.0,
    max_tokens: int = 256,
    seed: int | None = 0,
    parameters: Mapping[str, Any] | None = None,
    model_file: str = "",
    runs: Path = paths.RUNS,
) -> Task:
    """State what to ask.

    Parameters
    ----------
    edition : Edition
        Its evaluation set is judged.
    model : str
        As litellm names it.
    prompt : str, Path or Prompt
        The id of a prompt in ``prompts/`` or the path of one.
    api_base : str, optional
        Address of an OpenAI-compatible server.
    evaluator : str
        The name in tables; by default the last part of `model`.
    passages : sequence of {"cited", "licensing"}
        Cited passages are asked about with both claims, licensing passages with the raised one.
    limit : int, optional
        Only the first so many pairs.
    scoring : {"labels", "graded"}
        A label as JSON, or the log probabilities of one letter.
    repeats : int
        How often each question is asked.
    temperature, seed : number or None
        None leaves the parameter out.
    max_tokens : int
        Longest reply of labels scoring. A model that reasons first needs thousands.
    parameters : mapping, optional
        Further litellm parameters, for example ``{"extra_body": {"cache_prompt": False}}``.
    model_file : str
        For a local model: the publisher's file and its SHA-256, for the manifest.
    runs : Path
        The folder of all runs.
    """
    if scoring not in ("labels", "graded"):
        raise InputError(f"scoring: found {scoring!r}, expected 'labels' or 'graded'.")
    evaluator = evaluator or model.rpartition("/")[2]
    extra = check_request(
        parameters,
        numbers={"limit": limit, "repeats": repeats, "max_tokens": max_tokens},
        names={"model": model, "evaluator": evaluator, "model_file": model_file},
    )
    read_prompt = prompt if isinstance(prompt, Prompt) else load(prompt)
    return Task(
        edition=edition,
        pairs=edition.evaluation[:limit],
        prompt=read_prompt,
        model=model,
        evaluator=evaluator,
        passages=tuple(passages),
        scoring=scoring,
        repeats=repeats,
        requested=requested_parameters(read_prompt, scoring, temperature, max_tokens, seed) | extra,
        api_base=plain_url(api_base) if api_base else None,
        model_file=model_file,
        runs=runs,
    )


def requested_parameters(
    prompt: Prompt, scoring: Scoring, temperature: float | None, max_tokens: int, seed: int | None
) -> dict[str, Any]:
    """The litellm parameters that a judge is asked with; None leaves temperature or seed out."""
    asked: dict[str, Any] = {"temperature": temperature, "seed": seed}
    if scoring == "graded":
        asked |= graded.PARAMETERS
    else:
        schema = {"name": "judgment", "strict": True, "schema": prompt.json_schema}
        asked |= {"max_tokens": max_tokens, "response_format": {"type": "json_schema", "json_schema": schema}}
    return {name: value for name, value in asked.items() if value is not None}


@dataclass(frozen=True)
class Run:
    """A recorded run."""

    folder: Path
    manifest: Manifest

    @property
    def id(self) -> str:
        return self.manifest.run

    def judgments(self) -> list[Judgment]:
        """The last judgment of each question, in the order in which they were first written."""
        return latest(self.folder, Judgment)

    def covers(self, edition: Edition) -> bool:
        """Whether every pair of the evaluation set was asked about in full, on this very edition.

        That is both claims beside the cited passage, the raised one beside the licensing passage too if the run has
        these, and under graded scoring each with both orders of the options.
        """
        manifest = self.manifest
        if manifest.edition.sha256 != edition.sha256:
            return False
        asked = {(one.pair_id, one.passage, one.claim, one.options) for one in self.judgments() if not one.repeat}
        wanted = plan.questions(
            edition.evaluation,
            tuple(manifest.prompt.labels),
            passages={"cited", *manifest.passages},
            scoring=manifest.scoring,
        )
        return all((pair.id, *rest) in asked for pair, *rest in wanted)


def read_run(run: str | Path, *, runs: Path = paths.RUNS) -> Run:
    """Read a run by its id (a folder in ``data/runs/``) or by the path of its folder."""
    folder = Path(run) if Path(run).is_dir() else runs / run
    return Run(folder, manifests.read(folder))


def covering(
    edition: Edition, *, scoring: Scoring = "labels", needed: bool = True, runs: Path = paths.RUNS
) -> list[Run]:
    """Recorded runs with one scoring that cover the whole evaluation set of an edition.

    Parameters
    ----------
    scoring : {"labels", "graded"}
        Which runs.
    needed : bool
        Whether there must be one; otherwise the list may be empty.

    Raises
    ------
    InputError
        Where there is none yet but one is needed: the sentence says how to record one.
    """
    asked = (run for run in recorded(runs, edition=edition) if run.manifest.scoring == scoring)
    found = [run for run in asked if run.covers(edition)]
    if needed and not found:
        raise InputError(
            f"{edition.name} edition: no recorded run covers its {len(edition.evaluation)} evaluated pairs yet; "
            "notebook 04_judging with -p model and without limit records one."
        )
    return found


def recorded(runs: Path = paths.RUNS, *, edition: Edition | None = None) -> list[Run]:
    """All recorded runs, by id; with `edition`, those made on exactly its evaluation set."""
    found = map(read_run, manifests.folders(runs))
    return [run for run in found if edition is None or run.manifest.edition.sha256 == edition.sha256]
