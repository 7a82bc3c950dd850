"""Asking a model under a policy, through the store and the client that judges use, and reading what was recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ..judging import manifest as manifests
from ..judging.client import Reply
from ..judging.manifest import EditionNote, PromptNote, RunManifest
from ..judging.prompt import Message
from ..judging.questionnaire import Questionnaire, check_request
from ..judging.redaction import plain_url
from ..judging.reply import Reading
from ..judging.store import Recorded, latest
from .dataset import RUNS, QuartetSet
from .outputs import Output, completed
from .policies import Policy, Said, load, messages, read
from .records import Example, Variant

MAX_TOKENS = 256


class QuartetReply(Recorded):
    """One reply in one context of a quartet. `label` is the action."""

    mended_by: ClassVar[str] = "quartets repair"

    quartet: str
    variant: Variant


class QuartetManifest(RunManifest):
    """The manifest of a run on quartets."""

    quartets: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """One context under one policy."""

    example: Example
    policy: Policy
    repeat: int = 0

    @property
    def messages(self) -> list[Message]:
        return messages(self.policy, self.example.question, self.example.documents)

    @property
    def chars(self) -> int:
        return sum(len(message["content"]) for message in self.messages)

    @property
    def place(self) -> dict[str, Any]:
        return {"quartet": self.example.quartet, "variant": self.example.variant, "repeat": self.repeat}


@dataclass(frozen=True)
class QuartetRun:
    """A recorded run of one model under one policy."""

    folder: Path
    manifest: QuartetManifest

    @property
    def id(self) -> str:
        return self.manifest.run

    def replies(self) -> list[QuartetReply]:
        """The last reply in each context."""
        return latest(self.folder, QuartetReply)

    def covers(self, data: QuartetSet) -> bool:
        """Whether every context was asked about, on these very quartets."""
        asked = {(one.quartet, one.variant) for one in self.replies()}
        wanted = {(one.quartet, one.variant) for one in data.examples}
        return self.manifest.edition.sha256 == data.sha256 and wanted <= asked

    def outputs(self, data: QuartetSet) -> list[Output]:
        """What the model said in every context of the quartets; what is not recorded is a missing output."""
        ids = {row.id for row in data.quartets}
        found = [output(one, self.manifest) for one in self.replies() if one.quartet in ids]
        return completed(found, data.quartets)


def output(reply: QuartetReply, manifest: QuartetManifest) -> Output:
    """A recorded reply as an output. It is read anew, so that the parser of today decides."""
    known = {
        "system": manifest.evaluator,
        "policy": manifest.prompt.title,
        "quartet": reply.quartet,
        "variant": reply.variant,
        "tokens": sum(reply.usage[name] for name in _COUNTED) if reply.usage.keys() >= set(_COUNTED) else None,
        "calls": 1 + len(reply.earlier),
        "latency_s": reply.latency_s,
        "cost_usd": reply.cost_usd,
    }
    said = _said(reply, manifest)
    if said is None:
        return Output(status="unreadable", error=reply.error or reply.status, **known)
    return Output(action=said.action, answer=said.answer, citations=said.citations, **known)


_COUNTED = ("prompt_tokens", "completion_tokens")


def _said(reply: QuartetReply, manifest: QuartetManifest) -> Said | None:
    fields = manifest.requested["response_format"]["json_schema"]["schema"]["required"]
    return read(reply.reply, set(fields), finish_reason=reply.finish_reason, refusal=reply.refusal)[1]


@dataclass(frozen=True, kw_only=True)
class QuartetTask(Questionnaire[QuartetRun]):
    """One model × one policy × the quartets. Made by `task`."""

    record: ClassVar[type[Recorded]] = QuartetReply
    manifest_kind: ClassVar[type[RunManifest]] = QuartetManifest

    data: QuartetSet
    policy: Policy
    limit: int | None = None

    @property
    def _ids(self) -> tuple[str, ...]:
        return tuple(row.id for row in self.data.quartets[: self.limit])

    @cached_property
    def items(self) -> Sequence[Question]:
        """All contexts, quartet by quartet."""
        asked = set(self._ids)
        return [Question(one, self.policy) for one in self.data.examples if one.quartet in asked]

    @property
    def prompt_note(self) -> PromptNote:
        one = self.policy
        return PromptNote(id=one.id, version=one.version, title=one.title, sha256=one.sha256)

    @cached_property
    def edition_note(self) -> EditionNote:
        return EditionNote(name=self.data.name, version=self.data.version, sha256=self.data.sha256)

    @cached_property
    def run_id(self) -> str:
        return self.run_name("action")

    def read(self, item: Question, reply: Reply) -> Reading:
        fields = item.policy.fields
        return read(reply.text, fields, finish_reason=reply.finish_reason, refusal=reply.refusal)[0]

    def manifest(self, effective: Mapping[str, Any], dropped: Mapping[str, str]) -> QuartetManifest:
        return QuartetManifest(**self.common(effective, dropped), quartets=self._ids)

    def extended(self, known: QuartetManifest) -> QuartetManifest:
        asked = {*known.quartets, *self._ids}
        return known.model_copy(update={"quartets": tuple(row.id for row in self.data.quartets if row.id in asked)})

    def opened(self, manifest: QuartetManifest) -> QuartetRun:
        return QuartetRun(self.folder, manifest)


def task(
    data: QuartetSet,
    *,
    model: str,
    policy: str | Path | Policy,
    api_base: str | None = None,
    system: str = "",
    limit: int | None = None,
    temperature: float | None = 0.0,
    max_tokens: int = MAX_TOKENS,
    seed: int | None = 0,
    parameters: Mapping[str, Any] | None = None,
    model_file: str = "",
    runs: Path = RUNS,
) -> QuartetTask:
    """State what to ask of a model; `judging.run` and `judging.preview` take it.

    Parameters
    ----------
    data : QuartetSet
        The quartets.
    model : str
        As litellm names it.
    policy : str, Path or Policy
        ``vanilla``, ``gate`` or the path of a prompt of one's own.
    api_base : str, optional
        Address of an OpenAI-compatible server.
    system : str
        The name in tables; by default the last part of `model`.
    limit : int, optional
        Only the first so many quartets.
    temperature, seed : number or None
        None leaves the parameter out.
    max_tokens : int
        Longest reply. A model that reasons first needs thousands.
    parameters : mapping, optional
        Further litellm parameters.
    model_file : str
        For a local model: the publisher's file and its SHA-256, for the manifest.
    runs : Path
        The folder of all runs on quartets.
    """
    system = system or model.rpartition("/")[2]
    extra = check_request(
        parameters,
        numbers={"limit": limit, "max_tokens": max_tokens},
        names={"model": model, "system": system, "model_file": model_file},
    )
    read_policy = policy if isinstance(policy, Policy) else load(policy)
    schema = {"name": "output", "strict": True, "schema": read_policy.json_schema}
    asked = {
        "temperature": temperature,
        "seed": seed,
        "max_tokens": max_tokens,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    return QuartetTask(
        data=data,
        policy=read_policy,
        limit=limit,
        model=model,
        evaluator=system,
        repeats=1,
        requested={name: value for name, value in asked.items() if value is not None} | extra,
        api_base=plain_url(api_base) if api_base else None,
        model_file=model_file,
        runs=runs,
    )


def recorded(data: QuartetSet, *, runs: Path = RUNS) -> list[QuartetRun]:
    """The recorded runs that cover these very quartets, vanilla before gate for each model."""
    found = [QuartetRun(folder, manifests.read(folder, QuartetManifest)) for folder in manifests.folders(runs)]
    whole = [run for run in found if run.covers(data)]
    return sorted(whole, key=lambda run: (run.manifest.evaluator, run.manifest.prompt.id != "vanilla"))
