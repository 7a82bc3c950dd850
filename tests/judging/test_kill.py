"""Kill -9 at random points: no judgment is lost, none is asked again, no half line is read as one."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from forcebench_lib import judging, paths
from forcebench_lib.judging.store import FILE, read_judgments

from .conftest import make_edition
from .fault_server import FaultServer

PAIRS = 100
KILLS = 20


def test_a_run_killed_twenty_times_loses_nothing_and_asks_nothing_twice(tmp_path: Path, server: FaultServer) -> None:
    server.delay = 0.01
    chance = random.Random(4)
    command = [sys.executable, "-m", "tests.judging.nursery", server.base, str(tmp_path), str(PAIRS)]
    with subprocess.Popen(command, cwd=paths.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        assert nursery.stdin
        assert nursery.stdout
        folder = tmp_path / nursery.stdout.readline().strip()
        items = {}
        kills, recorded, asked_then = 0, set[str](), Counter[str]()
        while True:
            print("go", file=nursery.stdin, flush=True)
            child = int(nursery.stdout.readline())
            start, goal = len(server.bodies), chance.randint(1, 3 * PAIRS // KILLS)
            while kills < KILLS and len(server.bodies) < start + goal and Path(f"/proc/{child}").exists():
                time.sleep(0.001)
            if kills < KILLS:
                time.sleep(chance.random() * 0.02)
                os.kill(child, signal.SIGKILL)
            ended = nursery.stdout.readline().strip()
            kills += ended == "killed"

            now = {one.key for one in read_judgments(folder / FILE)}
            assert recorded <= now
            asked_now = Counter(body["messages"][-1]["content"] for body in server.bodies)
            if not items:
                task = judging.task(
                    make_edition(PAIRS), model="openai/toy", prompt="force_aware", api_base=server.base, runs=tmp_path
                )
                effective = judging.read_run(folder).manifest.effective
                items = {task.key(item, effective): item.messages[-1]["content"] for item in task.items}
            assert all(asked_now[items[key]] == asked_then[items[key]] for key in recorded)
            recorded, asked_then = now, asked_now
            if ended == "done":
                break
        nursery.stdin.close()
    lines = (folder / FILE).read_bytes().splitlines()
    *cut_off, last = judging.read_run(folder).manifest.sessions
    assert 0 < len(cut_off) <= KILLS
    assert {(one.ended, one.stopped) for one in cut_off} == {("", "cut off, or still going")}
    assert last.ended >= last.started
    assert last.stopped == ""
    assert kills == KILLS
    assert recorded == set(items)
    assert len(lines) == len(items) == 3 * PAIRS
    assert len(server.bodies) <= 3 * PAIRS + 4 * KILLS
