"""The records of one run: a file that only grows by whole lines, each on disk before the next question is asked."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Annotated, ClassVar, Literal, Self, TypeVar

from filelock import FileLock, Timeout
from pydantic import AfterValidator, Field, NonNegativeInt, ValidationError

from ..schema import InputError, Record
from .graded import plausible
from .reply import Status

FILE = "judgments.jsonl"


def _of_probabilities(logprobs: dict[str, float] | None) -> dict[str, float] | None:
    if logprobs and not plausible(logprobs):
        raise ValueError("log probabilities are finite and at most 0")
    return logprobs


Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Recorded(Record):
    """One reply to one question, as it came, and what it was read as.

    `label` is that reading in one word, `carried` the run that the record was taken over from.
    """

    mended_by: ClassVar[str] = "judge --repair"

    key: str
    repeat: int = 0
    status: Status
    label: str = ""
    reply: str = ""
    reply_chars: int = 0
    earlier: tuple[str, ...] = ()
    finish_reason: str = ""
    refusal: str = ""
    logprobs: Annotated[dict[str, float] | None, AfterValidator(_of_probabilities)] = None
    usage: dict[str, NonNegativeInt] = Field(default_factory=dict)
    cost_usd: Amount | None = None
    latency_s: Amount = 0.0
    attempts: NonNegativeInt = 1
    model: str = ""
    error: str = ""
    at: str = ""
    carried: str = ""

    @property
    def answered(self) -> bool:
        """Whether a reply came; what failed on the way is asked again when the run continues."""
        return self.status != "api_error"


class Place(Record):
    """Which claim was asked about, beside which passage; `options` are the labels in the order of A, B, C ..."""

    key: str
    pair_id: str
    passage: Literal["cited", "licensing"]
    claim: Literal["safe", "raised"]
    repeat: int = 0
    options: tuple[str, ...] = ()


class Judgment(Recorded, Place):  # a line begins with the fields of the class named last
    """One answer of a judge on one claim."""


R = TypeVar("R", bound=Recorded)


def read_judgments(path: Path) -> Iterator[Judgment]:
    """Yield the judgments of a file, see `read_records`."""
    return read_records(path, Judgment)


def latest(folder: Path, kind: type[R]) -> list[R]:
    """The last record of each question of a run, in the order in which they were first written.

    An error never takes the place of an answer.
    """
    found: dict[str, R] = {}
    for one in read_records(folder / FILE, kind):
        if one.answered or one.key not in found or not found[one.key].answered:
            found[one.key] = one
    return list(found.values())


def read_records(path: Path, kind: type[R]) -> Iterator[R]:
    """Yield the records of a file in the order in which they were written.

    A last line without its end, as a killed process leaves it, is passed over unless it is whole.

    Raises
    ------
    InputError
        For any other line that is not such a record: file, line, and how to repair it.
    """
    if not path.is_file():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield kind.model_validate_json(line)
            except ValidationError as error:
                if not line.endswith(b"\n"):
                    return
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"]) or "the line"
                raise InputError(
                    f"{path}, line {number}: {where}: {first['msg']}; expected one {kind.__name__.lower()} a line "
                    f"('python -m forcebench_lib {kind.mended_by} {path.parent}' sets broken lines aside)."
                ) from None


def repair(folder: Path, kind: type[Recorded] = Judgment) -> int:
    """Move lines that are no such records to ``judgments.broken``; returns how many there were.

    Raises
    ------
    InputError
        Where the folder holds no records.
    """
    path, kept, broken = folder / FILE, list[bytes](), list[bytes]()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file, expected the records of a run.")
    with Store(folder, kind, end=False):
        for line in path.read_bytes().splitlines(keepends=True):
            whole = line if line.endswith(b"\n") else line + b"\n"
            try:
                kind.model_validate_json(line)
                kept.append(whole)
            except ValidationError:
                broken.append(whole)
        if broken:
            with (folder / "judgments.broken").open("ab") as aside:
                aside.writelines(broken)
            temporary = path.with_suffix(".tmp")
            temporary.write_bytes(b"".join(kept))
            os.replace(temporary, path)
    return len(broken)


class Store:
    """The run's file opened for writing, by one process at a time.

    Parameters
    ----------
    folder : Path
        The run's folder; it is made when the first record is written.
    kind : type
        The kind of record that a whole line holds.
    end : bool
        Whether to mend the end of the file that a killed process left.

    Raises
    ------
    InputError
        On entering, if another process writes this run.
    """

    def __init__(self, folder: Path, kind: type[Recorded] = Judgment, *, end: bool = True) -> None:
        self.path = folder / FILE
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"), thread_local=False)
        self._kind, self._mend = kind, end
        self._file: int | None = None
        self._written = self._synced = 0
        self._syncing = asyncio.Lock()

    def __enter__(self) -> Self:
        runs = self.path.parent.parent
        try:
            runs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{runs}: {error.strerror or error}, expected a folder for the runs.") from None
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError(
                f"{self.path.parent}: another process is writing this run; wait for it or stop it."
            ) from None
        if self._mend and self.path.is_file():
            _mend_end(self.path, self._kind)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._lock.release()

    def append(self, record: Recorded) -> None:
        """Write one record as a whole line and put it on disk; a line that does not fit leaves nothing of itself."""
        os.fsync(self._write(record))

    async def land(self, record: Recorded) -> None:
        """The same, while other replies may come in; one sync serves every line that was written before it began."""
        file = self._write(record)
        mine = self._written
        async with self._syncing:
            if self._synced < mine:
                served = self._written
                await asyncio.to_thread(os.fsync, file)
                self._synced = served

    def _write(self, record: Recorded) -> int:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        line = record.model_dump_json(exclude_defaults=True, ensure_ascii=True).encode() + b"\n"
        size = os.fstat(self._file).st_size
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError:
            os.ftruncate(self._file, size)
            raise
        self._written += 1
        return self._file


def _mend_end(path: Path, kind: type[Recorded]) -> None:
    """End the last line if it is whole, take it away if it is not."""
    with path.open("r+b") as file:
        content_end = file.seek(0, os.SEEK_END)
        start = content_end
        tail = b""
        while start and b"\n" not in tail:
            step = min(start, 1 << 16)
            start -= step
            file.seek(start)
            tail = file.read(step) + tail
        last = tail[tail.rfind(b"\n") + 1 :]
        if not last:
            return
        try:
            kind.model_validate_json(last)
            file.seek(content_end)
            file.write(b"\n")
        except ValidationError:
            file.truncate(content_end - len(last))
        file.flush()
        os.fsync(file.fileno())
