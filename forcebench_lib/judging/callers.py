"""Asking from several processes: litellm spends milliseconds of CPU on a call, so one process cannot keep many waiting.

The run, its store and its caps stay in one process. Helpers only ask: a question goes to one as a line of JSON on its
standard input, and the reply comes back as a line on its standard output. Each ends when that input closes.
"""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from .. import paths
from .client import Client, Reply
from .prompt import Message

AT_ONCE = 32  # what one process serves where a model answers in 200 ms; most answer later
LONGEST_LINE = 1 << 30


def processes(concurrency: int) -> int:
    """How many processes to ask from: one for every 32 questions at once, and no more than there are cores.

    >>> processes(8), processes(32)
    (1, 1)
    """
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()  # only Linux has it
    return min(here or 1, -(-concurrency // AT_ONCE))


class Callers(Client):
    """A client that shares its questions with helpers as soon as they have loaded litellm.

    Parameters
    ----------
    model : str
        As for `Client`.
    helpers : int
        Processes beside this one. They start with the second question that is on its way at once.
    options
        The other parameters of `Client`.
    """

    def __init__(self, model: str, *, helpers: int, **options: Any) -> None:
        super().__init__(model, **options)
        self._setup = {"model": model, **options}
        self._helpers = [_Helper() for _ in range(helpers)]
        self._listening: list[asyncio.Task[None]] = []
        self._busy = 0

    async def ask(self, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Reply:
        """Ask from the process that has the fewest questions on their way."""
        if self._busy and not self._listening:
            self._listening = [asyncio.create_task(helper.listen(self._setup)) for helper in self._helpers]
        idlest = min((one for one in self._helpers if one.ready), key=lambda one: one.busy, default=None)
        if idlest and idlest.busy < self._busy:
            return await idlest.ask(messages, parameters)
        self._busy += 1
        try:
            return await super().ask(messages, parameters)
        finally:
            self._busy -= 1

    async def close(self) -> None:
        """Close all connections and end the helpers."""
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        await super().close()


class _Helper:
    """One process that asks."""

    def __init__(self) -> None:
        self.ready = False
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._number = 0

    @property
    def busy(self) -> int:
        return len(self._waiting)

    async def listen(self, setup: Mapping[str, Any]) -> None:
        """Start the process, hand out its replies, and end it when this is cancelled."""
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(paths.ROOT), *sys.path])},
            start_new_session=True,  # an interrupt is for the run, which waits for replies on their way
        )
        assert process.stdout
        try:
            self._send(setup)
            async for line in process.stdout:
                number, reply = json.loads(line)
                if number:
                    self._waiting.pop(number).set_result(Reply(**reply))
                else:
                    self.ready = True
        finally:
            self.ready = False
            for future in self._waiting.values():
                future.set_result(Reply(error="the process that asked has ended", kind="passing"))
            self._waiting.clear()
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def ask(self, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Reply:
        self._number += 1
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = future
        self._send([self._number, list(messages), dict(parameters)])
        return await future

    def _send(self, content: Any) -> None:
        assert self._process
        assert self._process.stdin
        self._process.stdin.write(json.dumps(content).encode() + b"\n")


async def _serve() -> None:
    """What a helper does: ask whatever comes in, until nobody listens any more."""
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a library prints is no reply
    questions = asyncio.StreamReader(limit=LONGEST_LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    client = Client(**json.loads(await questions.readline()))

    def say(number: int, reply: Mapping[str, Any]) -> None:
        line = memoryview(json.dumps([number, reply]).encode() + b"\n")
        while line:
            line = line[replies.write(line) or 0 :]

    async def answer(number: int, messages: Sequence[Message], parameters: Mapping[str, Any]) -> None:
        say(number, asdict(await client.ask(messages, parameters)))

    say(0, {})
    asking = set[asyncio.Task[None]]()
    async for line in questions:
        task = asyncio.create_task(answer(*json.loads(line)))
        asking.add(task)
        task.add_done_callback(asking.discard)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(_serve())
