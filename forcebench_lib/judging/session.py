"""One stretch of asking: workers that take questions in order, a stop that every one of them sees, and the books."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from . import manifest as manifests
from .client import Client, Price, Reply
from .graded import plausible
from .manifest import RunManifest
from .plan import CHARS_PER_TOKEN
from .questionnaire import Question, Questionnaire
from .reply import MAX_CHARS, USABLE, Reading, Status
from .store import Recorded, Store, read_records

ASKED_AGAIN: tuple[Status, ...] = ("empty", "invalid_json", "invalid_label")
NO_ANSWER: tuple[Status, ...] = ("api_error", "truncated")
CUT_OFF = "cut off, or still going"
IN_A_ROW = 10
FEWEST_TOKENS_PER_CHAR = 1 / 50


class RunError(RuntimeError):
    """A run that could not go on. Its text is one sentence; what was recorded is kept and the next start continues."""


class Session:
    """The state that the workers of one session share; all of them run in one thread."""

    def __init__(
        self,
        task: Questionnaire[Any],
        store: Store,
        client: Client,
        known: RunManifest | None,
        *,
        price: Price | None,
        cap: float | None,
        spent: float,
        bar: Any,
    ) -> None:
        self.manifest: RunManifest | None = task.extended(known) if known else None
        self.stopped = ""
        self.failed = False
        self._task, self._store, self._client = task, store, client
        self._price, self._cap, self._spent, self._reserved = price, cap, spent, 0.0
        self._bar, self._started = bar, _now()
        self._asked = self._unusable = self._in_a_row = 0

    async def ask(self, items: list[Question], concurrency: int) -> None:
        """Ask the items, `concurrency` at a time."""
        waiting = iter(items)
        try:
            if self.manifest is None:
                await self._first(next(waiting))
            if self.manifest:
                manifests.write(self._entered(concurrency, ended="", stopped=CUT_OFF), self._task.folder)
                await asyncio.gather(*(self._worker(waiting) for _ in range(concurrency)))
        except OSError as error:
            self.stop(f"{self._store.path}: {error.strerror or error}; what was recorded before is kept", failed=True)
        finally:
            await self._client.close()

    def stop(self, reason: str, *, failed: bool = False) -> None:
        """Let no worker take another question."""
        self.stopped, self.failed = self.stopped or reason, self.failed or failed

    def close(self, concurrency: int) -> None:
        """Enter the session and the totals in the manifest."""
        if self.manifest is None or not self._store.path.is_file():
            return
        totals = manifests.totals(read_records(self._store.path, self._task.record))
        entered = self._entered(concurrency, ended=_now(), stopped=self.stopped)
        self.manifest = entered.model_copy(update={"totals": totals})
        try:
            manifests.write(self.manifest, self._task.folder)
        except OSError as error:
            self.stop(f"{self._task.folder}: {error.strerror or error}", failed=True)

    def _entered(self, concurrency: int, *, ended: str, stopped: str) -> RunManifest:
        """The manifest with this session in it."""
        assert self.manifest is not None
        session = manifests.Session(
            started=self._started, ended=ended, asked=self._asked, concurrency=concurrency, stopped=stopped
        )
        return self.manifest.model_copy(update={"sessions": (*self.manifest.sessions, session)})

    async def _first(self, item: Question) -> None:
        """Ask the first question of a run: it settles the parameters, and shows whether anybody answers."""
        if not self._may_pay(item):
            return
        effective, dropped, reply = await self._client.settle(item.messages, self._task.requested)
        reading = self._read(item, reply)
        if reading.status == "api_error":
            self.stop(f"{self._task.model}: the first question brought no usable answer: {reading.error}", failed=True)
            return
        self.manifest = self._task.manifest(effective, dropped)
        manifests.write(self.manifest, self._task.folder)
        await self._record(item, reply)

    async def _worker(self, waiting: Iterator[Question]) -> None:
        assert self.manifest is not None
        while not self.stopped and (item := next(waiting, None)) is not None:
            if self._may_pay(item):
                await self._record(item, await self._client.ask(item.messages, self.manifest.effective))

    async def _record(self, item: Question, reply: Reply) -> None:
        """Read a reply, ask once more if it is unusable in a way that may pass, and write the record."""
        assert self.manifest is not None
        replies = [reply]
        reading = self._read(item, reply)
        if reading.status in ASKED_AGAIN and not self.stopped:
            replies.append(await self._client.ask(item.messages, self.manifest.effective))
            reading = self._read(item, replies[-1])
        record = self._entry(item, replies, reading, self.manifest.effective)
        await self._store.land(record)
        self._book(item, record)

    def _read(self, item: Question, reply: Reply) -> Reading:
        if reply.kind == "refused":
            return Reading("refusal", error=reply.error)
        if error := reply.error or _not_arrived(item, reply):
            return Reading("api_error", error=error)
        return self._task.read(item, reply)

    def _entry(self, item: Question, replies: list[Reply], reading: Reading, effective: Mapping[str, Any]) -> Recorded:
        last = replies[-1]
        usage: Counter[str] = Counter()
        for reply in replies:
            usage.update(reply.usage)
        return self._task.record(
            key=self._task.key(item, effective),
            **item.place,
            status=reading.status,
            label=reading.label,
            reply=last.text[: MAX_CHARS + 1],
            reply_chars=len(last.text),
            earlier=tuple(reply.text[:MAX_CHARS] for reply in replies[:-1]),
            finish_reason=last.finish_reason,
            refusal=last.refusal[:MAX_CHARS],
            logprobs=dict(last.logprobs) if last.logprobs and plausible(last.logprobs) else None,
            usage=dict(usage),
            cost_usd=self._cost(usage),
            latency_s=last.latency_s,
            attempts=sum(reply.attempts for reply in replies),
            model=last.model,
            error=reading.error,
            at=_now(),
        )

    def _cost(self, usage: Mapping[str, int]) -> float | None:
        if self._price is None or "prompt_tokens" not in usage:
            return None
        return (usage["prompt_tokens"] * self._price[0] + usage.get("completion_tokens", 0) * self._price[1]) / 1e6

    def _dearest(self, item: Question) -> float:
        return dearest(item, self._task.longest_reply, self._price) if self._price else 0.0

    def _may_pay(self, item: Question) -> bool:
        """Set the price of a question aside, or stop the run if the cap could be passed."""
        most = self._dearest(item)
        if self._cap is not None and self._spent + self._reserved + most > self._cap:
            self.stop(
                f"the cap of ${self._cap:.2f} could be passed by the next question, ${self._spent:.4f} are spent "
                "(replies without token counts at their dearest)"
            )
            return False
        self._reserved += most
        return True

    def _book(self, item: Question, record: Recorded) -> None:
        most = self._dearest(item)
        self._reserved -= most
        self._spent += most if record.cost_usd is None else record.cost_usd
        self._asked += 1
        self._unusable += record.status not in USABLE
        self._in_a_row = self._in_a_row + 1 if record.status in NO_ANSWER else 0
        if self._in_a_row >= IN_A_ROW:
            why = record.error or "the reply ends at max_tokens before it answers; raise max_tokens"
            self.stop(
                f"{self._task.model}: {IN_A_ROW} questions in a row brought no answer, the last: {why}", failed=True
            )
        self._bar.update()
        cost = "unknown" if self._price is None else f"${self._spent:.4f}"
        self._bar.set_postfix_str(f"cost {cost}, unusable {self._unusable}", refresh=False)


def dearest(item: Question, longest_reply: int, price: Price) -> float:
    """The most US dollars that a question can cost, asked twice, a token for every three characters."""
    return 2 * (item.chars / (CHARS_PER_TOKEN - 1) * price[0] + longest_reply * price[1]) / 1e6


def _not_arrived(item: Question, reply: Reply) -> str:
    """What is wrong if far fewer tokens were counted than sent, as with the wrong chat template; else empty."""
    counted = reply.usage.get("prompt_tokens")
    if counted is None or counted + reply.usage.get("cached_tokens", 0) >= item.chars * FEWEST_TOKENS_PER_CHAR:
        return ""
    return f"the server counted {counted} prompt tokens for {item.chars} characters, so the prompt did not arrive whole"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
