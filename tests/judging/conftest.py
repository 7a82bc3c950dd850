import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forcebench_lib.corpus import Edition, Manifest
from forcebench_lib.judging import client
from forcebench_lib.schema import Pair

from .fault_server import FaultServer


def make_edition(count: int, *, faults: tuple[str, ...] = (), note: str = "") -> Edition:
    """Pairs whose safe claims ask the server for a fault each; raised claims and other pairs are answered."""
    pairs = []
    for number in range(count):
        fault = f" FAULT={faults[number]}" if number < len(faults) else ""
        pairs.append(
            Pair(
                id=f"t-{number:03}",
                source="news-report",
                domain="test",
                question=f"Question {number}? {note}",
                passage=f"Passage {number} says that it may rain. " + "Other things happened too. " * 4,
                evidence_spans=("it may rain",),
                safe_claim=f"Claim {number}: it may rain.{fault}",
                raised_claim=f"The raised claim {number}: it will rain.",
                repair="It may rain.",
                rationale="The passage says may.",
                axis="modality",
                severity=1,
                licensing_passage=f"Passage {number} says that it will rain. " + "Other things happened too. " * 4,
            )
        )
    return Edition(Manifest(name="toy", version="1", files={"pairs": "pairs.jsonl"}), Path("toy"), tuple(pairs))


@pytest.fixture
def edition() -> Callable[..., Edition]:
    return make_edition


@pytest.fixture
def server() -> Iterator[FaultServer]:
    running = FaultServer()
    yield running
    running.shutdown()
    running.server_close()


def warm(server: FaultServer) -> None:
    """Let litellm load what it loads with its first call, which must not count against a short timeout."""
    asyncio.run(client.Client("openai/toy", api_base=server.base).ask([{"role": "user", "content": "warm up"}], {}))
    server.bodies.clear()
    server.headers.clear()
    server.times.clear()


@pytest.fixture
def client_library() -> Callable[[], object]:
    """Loads litellm as the client does."""
    return client._litellm
