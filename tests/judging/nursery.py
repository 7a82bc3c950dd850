"""Warms litellm up once, then forks a judge for every line read; prints the child's process id, and how it ended.

Killing twenty judges would otherwise cost twenty imports.
"""

import asyncio
import os
import sys
from pathlib import Path

from forcebench_lib import judging
from forcebench_lib.judging.client import Client

from .conftest import make_edition


def main(base: str, runs: str, count: int) -> None:
    asyncio.run(Client("openai/toy", api_base=base).ask([{"role": "user", "content": "warm up"}], {}))
    task = judging.task(make_edition(count), model="openai/toy", prompt="force_aware", api_base=base, runs=Path(runs))
    print(task.run_id, flush=True)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            judging.run(task, concurrency=4, progress=False)
            os._exit(0)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print("done" if status == 0 else "killed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
