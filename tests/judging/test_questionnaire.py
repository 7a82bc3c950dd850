"""A task that does not ask about pairs runs in the same session, store and client."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pytest

from forcebench_lib import judging
from forcebench_lib.judging import manifest as manifests
from forcebench_lib.judging import store
from forcebench_lib.judging.client import Reply
from forcebench_lib.judging.manifest import EditionNote, PromptNote, RunManifest
from forcebench_lib.judging.prompt import Message
from forcebench_lib.judging.questionnaire import Questionnaire
from forcebench_lib.judging.reply import Reading, read_object
from forcebench_lib.judging.store import Recorded
from forcebench_lib.schema import InputError

from .fault_server import FaultServer


class Guess(Recorded):
    riddle: str


class Sheet(RunManifest):
    riddles: tuple[str, ...]


@dataclass(frozen=True)
class Riddle:
    name: str
    fault: str = ""
    repeat: int = 0

    @property
    def messages(self) -> list[Message]:
        return [{"role": "user", "content": f"Riddle {self.name}: what falls and never breaks? {self.fault}"}]

    @property
    def chars(self) -> int:
        return len(self.messages[0]["content"])

    @property
    def place(self) -> dict[str, Any]:
        return {"riddle": self.name, "repeat": self.repeat}


@dataclass(frozen=True, kw_only=True)
class Riddles(Questionnaire[list[Guess]]):
    record: ClassVar[type[Recorded]] = Guess
    manifest_kind: ClassVar[type[RunManifest]] = Sheet
    faults: Mapping[str, str]

    @cached_property
    def items(self) -> list[Riddle]:
        return [Riddle(name, fault) for name, fault in self.faults.items()]

    @property
    def prompt_note(self) -> PromptNote:
        return PromptNote(id="riddle", version=1, title="Riddle", sha256="0")

    @property
    def edition_note(self) -> EditionNote:
        return EditionNote(name="riddles", version="1", sha256="".join(self.faults))

    @property
    def run_id(self) -> str:
        return manifests.run_id(
            model=self.model,
            api_base=self.api_base,
            prompt=self.prompt_note,
            edition=self.edition_note,
            scoring="guesses",
            requested=self.requested,
        )

    def read(self, item: Riddle, reply: Reply) -> Reading:
        def understand(found: dict[str, Any]) -> Reading:
            return Reading("ok", found["label"]) if set(found) == {"label"} else Reading("invalid_label")

        return read_object(reply.text, understand, finish_reason=reply.finish_reason, refusal=reply.refusal)

    def manifest(self, effective: Mapping[str, Any], dropped: Mapping[str, str]) -> Sheet:
        return Sheet(**self.common(effective, dropped), riddles=tuple(self.faults))

    def extended(self, known: Sheet) -> Sheet:
        return known

    def opened(self, manifest: Sheet) -> list[Guess]:
        return store.latest(self.folder, Guess)


def riddles(server: FaultServer, runs: Path, **faults: str) -> Riddles:
    return Riddles(
        faults=faults,
        model="openai/toy",
        evaluator="Toy",
        repeats=1,
        requested={"temperature": 0, "max_tokens": 9},
        api_base=server.base,
        model_file="",
        runs=runs,
    )


def test_another_kind_of_question_is_recorded_resumed_and_carried(server: FaultServer, tmp_path: Path) -> None:
    server.refuses = {"temperature"}
    task = riddles(server, tmp_path, rain="", night="FAULT=fenced", snow="FAULT=500", dew="FAULT=not_json")
    found = judging.run(task, concurrency=1, retries=0, progress=False)
    assert [(one.riddle, one.status, one.label) for one in found] == [
        ("rain", "ok", "force_calibrated"),
        ("night", "fenced", "force_gap"),
        ("snow", "api_error", ""),
        ("dew", "invalid_json", ""),
    ]
    sheet = manifests.read(task.folder, Sheet)
    assert (sheet.riddles, list(sheet.dropped)) == (("rain", "night", "snow", "dew"), ["temperature"])
    assert judging.preview(task).calls == 1
    assert (tmp_path / task.run_id / store.FILE).read_text(encoding="utf-8").startswith('{"key":"')

    asked = len(server.bodies)
    more = riddles(server, tmp_path, rain="", frost="")
    assert more.run_id != task.run_id
    assert [one.riddle for one in judging.run(more, progress=False)] == ["rain", "frost"]
    assert manifests.read(more.folder, Sheet).carried == {task.run_id: 1}
    assert len(server.bodies) == asked + 1


def test_a_broken_line_of_another_kind_is_named_and_repaired(server: FaultServer, tmp_path: Path) -> None:
    task = riddles(server, tmp_path, rain="")
    judging.run(task, progress=False)
    path = task.folder / store.FILE
    path.write_bytes(b'{"key": "k", "status": "ok"}\n' + path.read_bytes())
    with pytest.raises(InputError, match=r"line 1: riddle: .*one guess a line"):
        judging.run(task, progress=False)
    assert store.repair(task.folder, Guess) == 1
    assert [one.riddle for one in store.latest(task.folder, Guess)] == ["rain"]
