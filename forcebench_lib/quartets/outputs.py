"""What a system said in each context: one record an output, from a JSONL file or by asking a callable."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from ..schema import InputError, Record, Text, json_lines, parse_record
from .records import ACTIONS, VARIANTS, Action, Example, Quartet, Variant, examples

OutputStatus = Literal["ok", "unreadable", "missing"]
System = Callable[[str, list[dict[str, str]]], Mapping[str, Any]]


class Quote(Record):
    """A cited document and the piece of it that is to support the answer."""

    id: str
    """the id of the document, such as DOC-3"""
    quote: str = ""
    """words of that document"""


def _quoted(citations: Any) -> Any:
    """A citation may be the bare id of a document."""
    if not isinstance(citations, list | tuple):
        return () if citations is None else citations
    return [{"id": one} if isinstance(one, str) else one for one in citations]


class Output(Record):
    """One system's output in one context, with what it cost. The action is None where nothing could be read."""

    system: Text = "your system"
    """the name in tables"""
    policy: str = ""
    """how the system was told to go about it"""
    quartet: Text
    """the id of the quartet"""
    variant: Variant
    """the context"""
    action: Action | None = None
    """what the system did"""
    answer: str = ""
    """the answer in a few words"""
    citations: Annotated[tuple[Quote, ...], BeforeValidator(_quoted)] = ()
    """what the answer rests on: objects with id and quote, or bare ids"""
    tokens: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """tokens of prompt and reply together, None where not known"""
    calls: float = Field(default=1, ge=0, allow_inf_nan=False)
    """model calls"""
    latency_s: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """seconds"""
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """US dollars"""
    status: OutputStatus = "ok"
    """missing and unreadable outputs count as failures"""
    error: str = ""
    """why an output is unreadable"""

    @model_validator(mode="before")
    @classmethod
    def _no_answer(cls, fields: Any) -> Any:
        """Where nothing is answered, the answer may be null."""
        if isinstance(fields, Mapping) and fields.get("action") != "answer" and fields.get("answer", "") is None:
            return {**fields, "answer": ""}
        return fields

    @model_validator(mode="after")
    def _consistent(self) -> "Output":
        if (self.action is None) == (self.status == "ok"):
            raise ValueError(
                f"action: found {self.action!r} where the status is {self.status!r}, "
                f"expected one of {', '.join(ACTIONS)} where it is 'ok' and none elsewhere"
            )
        return self


def read_outputs(path: Path | str, quartets: Sequence[Quartet], *, partial: bool = False) -> list[Output]:
    """Read a system's outputs from a JSONL file, one output a line in the fields of `Output`.

    Parameters
    ----------
    path : Path or str
        The file. A line needs ``quartet``, ``variant`` and ``action``.
    quartets : sequence of Quartet
        What the system was asked.
    partial : bool
        Whether contexts without an output are allowed. They count as failures then.

    Raises
    ------
    InputError
        For a broken line, an unknown quartet, context or action, two outputs for one context, or, unless `partial`,
        contexts without an output.
    """
    path = Path(path)
    outputs: dict[tuple[str, str, str, str], Output] = {}
    ids = {quartet.id for quartet in quartets}
    for line, value in json_lines(path):
        one = parse_record(value, Output, path=path, line=line)
        if one.quartet not in ids:
            raise InputError(f"{path}, line {line}: quartet: found {one.quartet!r}, expected the id of a quartet.")
        key = (one.system, one.policy, one.quartet, one.variant)
        if key in outputs:
            raise InputError(f"{path}, line {line}: found a second output for {one.quartet}, {one.variant}.")
        outputs[key] = one
    if not outputs:
        raise InputError(f"{path}: there is no output in it, expected one a context.")
    whole = completed(outputs.values(), quartets)
    missing = [one for one in whole if one.status == "missing"]
    if len(whole) > len(outputs) and not partial:
        raise InputError(
            f"{path}: {len(whole) - len(outputs)} of {len(whole)} contexts have no output, the first is "
            f"{missing[0].quartet}, {missing[0].variant}; expected all (partial=True counts them as failures)."
        )
    return whole


def completed(outputs: Iterable[Output], quartets: Sequence[Quartet]) -> list[Output]:
    """Outputs of each system and policy in the order of the contexts; what is not there is put in as missing."""
    found = {(one.system, one.policy, one.quartet, one.variant): one for one in outputs}
    if not found:
        raise InputError("outputs: found none, expected those of a system.")
    known = {quartet.id for quartet in quartets}
    if strange := next((quartet for _, _, quartet, _ in found if quartet not in known), ""):
        raise InputError(f"outputs: found one for the quartet {strange!r}, expected one of the {len(known)} asked.")
    systems = dict.fromkeys((system, policy) for system, policy, *_ in found)
    return [
        found.get((system, policy, quartet.id, variant))
        or Output(system=system, policy=policy, quartet=quartet.id, variant=variant, calls=0, status="missing")
        for system, policy in systems
        for quartet in quartets
        for variant in VARIANTS
    ]


def ask(answer: System, quartets: Sequence[Quartet], *, system: str = "your system", policy: str = "") -> list[Output]:
    """Ask a system of one's own in every context.

    Parameters
    ----------
    answer : callable
        Takes the question and a list of ``{"id", "title", "text"}``. Returns a mapping with ``action`` and, for an
        answer, ``answer`` and ``citations`` (ids, or ``{"id", "quote"}``); ``tokens``, ``calls`` and ``cost_usd`` where
        they are known.
    quartets : sequence of Quartet
        What to ask.
    system, policy : str
        Names in tables.

    Returns
    -------
    list of Output
        One a context. What the callable raises, or returns in another shape, is kept as an unreadable output.

    Raises
    ------
    InputError
        If no output at all could be read: the sentence holds the first error.
    """
    outputs = [_asked(answer, one, {"system": system, "policy": policy}) for one in examples(quartets)]
    if outputs and all(one.status != "ok" for one in outputs):
        raise InputError(f"{system}: no output could be read; the first: {outputs[0].error}.")
    return outputs


def _asked(answer: System, example: Example, names: dict[str, str]) -> Output:
    names = names | {"quartet": example.quartet, "variant": example.variant}
    documents = [{"id": one.id, "title": one.title, "text": one.text} for one in example.documents]
    started = time.perf_counter()
    try:
        said = dict(answer(example.question, documents))
        return Output.model_validate({"latency_s": time.perf_counter() - started} | said | names)
    except ValidationError as error:
        first = error.errors()[0]
        problem = f"{'.'.join(map(str, first['loc']))}: found {str(first['input'])[:60]!r}, {first['msg']}"
    except Exception as error:  # whatever a system under test raises is its output in this context
        problem = f"{type(error).__name__}: {error}"
    return Output(status="unreadable", error=problem, latency_s=time.perf_counter() - started, **names)
