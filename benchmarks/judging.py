"""What judging costs beside the model: ours, bare litellm and, where it is installed, inspect_ai.

All ask the same questions of one local mock that answers each after a fixed delay, so that the ideal is
calls / at_once * delay. Prints a table with wall time, CPU per call and the ratios, then resume and memory.

    python benchmarks/judging.py [--calls 1584] [--at-once 32] [--delay 0.2] [--processes N] [--inspect-python PYTHON]

inspect_ai is not among the pins: give it an environment of its own and name its Python.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPLY = json.dumps({"label": "force_gap"})


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """One keep-alive connection of the mock."""
    payload = json.dumps(
        {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "toy",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": REPLY}}],
            "usage": {"prompt_tokens": 400, "completion_tokens": 8, "total_tokens": 408},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n".encode()
    try:
        while True:
            request = await reader.readuntil(b"\r\n\r\n")
            [length] = [line for line in request.lower().split(b"\r\n") if line.startswith(b"content-length")]
            await reader.readexactly(int(length.partition(b":")[2]))
            await asyncio.sleep(delay)
            writer.write(head + payload)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def mock(delay: float) -> None:
    async def serve() -> None:
        server = await asyncio.start_server(lambda r, w: answer(r, w, delay), "127.0.0.1", 0, backlog=256)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(serve())


def questions(calls: int, base: str, runs: str):
    """A task of `calls` questions on filler: at most 1,000 different ones, so that a long plan is one of repeats."""
    from forcebench_lib import judging
    from forcebench_lib.corpus import Edition, Manifest
    from forcebench_lib.schema import Pair

    filler = "The committee met in spring and heard from four members of the public. " * 10
    pairs = tuple(
        Pair(
            id=f"b-{number}",
            source="news-report",
            domain="benchmark",
            question=f"What did meeting {number} decide?",
            passage=f"{filler} The vote of meeting {number} may be taken again.",
            evidence_spans=("may be taken again",),
            safe_claim=f"The vote of meeting {number} may be taken again.",
            raised_claim=f"The vote of meeting {number} will be taken again.",
            repair="It may be taken again.",
            rationale="The passage says may.",
            axis="modality",
            severity=1,
        )
        for number in range(min(calls, 2_000) // 2)
    )
    edition = Edition(Manifest(name="benchmark", version="1", files={"pairs": "none"}), Path(), pairs)
    return judging.task(
        edition,
        model="openai/toy",
        prompt="force_aware",
        api_base=base,
        passages=["cited"],
        repeats=max(1, calls // 2_000),
        max_tokens=64,
        runs=Path(runs),
    )


def ours(options: argparse.Namespace) -> None:
    from forcebench_lib import judging

    task = questions(options.calls, options.base, options.runs)
    judging.run(task, concurrency=options.at_once, processes=options.processes, progress=False)


def resume(options: argparse.Namespace) -> None:
    from forcebench_lib import judging

    run = judging.run(questions(options.calls, options.base, options.runs), progress=False)
    assert run.manifest.totals
    assert run.manifest.totals.recorded == options.calls


def bare(options: argparse.Namespace) -> None:
    """Bare litellm: the same messages and parameters, at most so many at once, replies dropped."""
    task = questions(options.calls, options.base, options.runs)
    import litellm

    litellm.suppress_debug_info = True

    async def all_() -> None:
        gate = asyncio.Semaphore(options.at_once)

        async def one(messages) -> None:
            async with gate:
                await litellm.acompletion(
                    model="openai/toy",
                    messages=messages,
                    api_base=options.base,
                    api_key="none",
                    max_retries=0,
                    **task.requested,
                )

        await asyncio.gather(*(one(item.messages) for item in task.items))

    asyncio.run(all_())


def inspect(options: argparse.Namespace) -> None:
    """The same questions as an inspect_ai task; runs in its own environment, so it takes them from a file."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    rows = json.loads(Path(options.runs, "questions.json").read_text(encoding="utf-8"))
    samples = [
        Sample(input=[ChatMessageSystem(content=system), ChatMessageUser(content=user)], target="force_gap")
        for system, user in rows
    ]
    model = get_model(
        "openai/toy",
        base_url=options.base,
        api_key="none",
        responses_api=False,  # the chat endpoint, as the others
        config=GenerateConfig(max_connections=options.at_once, temperature=0, max_tokens=64),
    )
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes())
    [log] = eval(task, model=model, log_dir=options.runs + "/inspect", display="none", max_samples=options.at_once)
    if log.status != "success":  # a run that failed early would look fast
        raise SystemExit(f"inspect_ai did not finish: {log.error.message if log.error else log.status}")


def timed(
    options: argparse.Namespace, what: str, *, python: str = sys.executable, warm: str = ""
) -> tuple[float, float, float]:
    """Wall and CPU seconds of a step without its imports, and peak memory in MB, in a process of its own."""
    command = [python, __file__, "--step", what, "--calls", str(options.calls), "--at-once", str(options.at_once)]
    command += ["--processes", str(options.processes)] if options.processes else []
    done = subprocess.run(
        [*command, "--base", options.base, "--runs", options.runs, "--warm", warm],
        env=os.environ | {"PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{what} failed:\n{done.stderr[-2000:]}")
    wall, cpu, peak = (float(number) for number in done.stdout.split()[-3:])
    return wall, cpu, peak


def spent() -> float:
    """CPU seconds of this process and of those that it started and that have ended."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def step(options: argparse.Namespace) -> None:
    for module in options.warm.split(",") if options.warm else []:
        __import__(module)
    wall, cpu = time.perf_counter(), spent()
    {"ours": ours, "bare": bare, "inspect": inspect, "resume": resume}[options.step](options)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.perf_counter() - wall, spent() - cpu, peak)


def filled(options: argparse.Namespace, calls: int) -> argparse.Namespace:
    """A finished run of `calls` judgments, written without asking."""
    from forcebench_lib.judging import Judgment
    from forcebench_lib.judging import manifest as manifests
    from forcebench_lib.judging.store import FILE

    runs = tempfile.mkdtemp(dir=options.runs)
    task = questions(calls, options.base, runs)
    task.folder.mkdir(parents=True)
    with (task.folder / FILE).open("w", encoding="utf-8") as lines:
        for item in task.items:
            one = Judgment(
                key=task.key(item, task.requested),
                pair_id=item.pair.id,
                passage=item.passage,
                claim=item.claim,
                status="ok",
                label="force_gap",
                reply=REPLY,
                usage={"prompt_tokens": 400, "completion_tokens": 8},
            )
            lines.write(one.model_dump_json(exclude_defaults=True) + "\n")
    totals = manifests.totals(Judgment.model_validate_json(line) for line in (task.folder / FILE).open("rb"))
    manifests.write(task.manifest(task.requested, {}).model_copy(update={"totals": totals}), task.folder)
    return argparse.Namespace(**vars(options) | {"calls": calls, "runs": runs})


def main(options: argparse.Namespace) -> None:
    server = subprocess.Popen(
        [sys.executable, __file__, "--step", "mock", "--delay", str(options.delay)], stdout=subprocess.PIPE
    )
    assert server.stdout
    options.base = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    ideal = options.calls / options.at_once * options.delay
    try:
        with tempfile.TemporaryDirectory() as runs:
            options.runs = runs
            task = questions(options.calls, options.base, runs)
            rows = [[message["content"] for message in item.messages] for item in task.items]
            Path(runs, "questions.json").write_text(json.dumps(rows), encoding="utf-8")
            found = {
                "ours": timed(options, "ours", warm="litellm,forcebench_lib.judging"),
                "bare litellm": timed(options, "bare", warm="litellm,forcebench_lib.judging"),
            }
            again = timed(options, "resume")
            if options.inspect_python:
                found["inspect_ai"] = timed(
                    options, "inspect", python=options.inspect_python, warm="inspect_ai.model,inspect_ai"
                )
            print(f"{options.calls} calls, {options.at_once} at once, {options.delay:g} s each: ideal {ideal:.1f} s\n")
            print(f"{'':14}{'wall s':>8}{'x ideal':>9}{'CPU ms/call':>13}{'peak MB':>9}")
            for name, (wall, cpu, peak) in found.items():
                print(f"{name:14}{wall:8.1f}{wall / ideal:9.2f}{1000 * cpu / options.calls:13.2f}{peak:9.0f}")
            mine = found["ours"]
            print(f"\nours / ideal: {mine[0] / ideal:.2f} (target 1.30)")
            print(f"ours / bare litellm, CPU per call: {mine[1] / found['bare litellm'][1]:.2f} (target 1.10)")
            if "inspect_ai" in found:
                print(f"ours / inspect_ai, wall: {mine[0] / found['inspect_ai'][0]:.2f} (target 0.50)")
            else:
                print("inspect_ai: not measured (name its Python with --inspect-python)")
            print(f"resume of the finished run, imports included: {again[0]:.2f} s (target 2)")
            small, large = (timed(filled(options, calls), "resume") for calls in (1_000, 100_000))
            print(f"peak memory of a resume: {small[2]:.0f} MB over 1,000 judgments, {large[2]:.0f} MB over 100,000")
    finally:
        server.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1584)
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--inspect-python", default="", help="Python of an environment that holds inspect_ai")
    parser.add_argument("--processes", type=int, help="processes that ours asks from (default: its own choice)")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    parser.add_argument("--base", default="", help=argparse.SUPPRESS)
    parser.add_argument("--runs", default="", help=argparse.SUPPRESS)
    parser.add_argument("--warm", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.step == "mock":
        mock(chosen.delay)
    elif chosen.step:
        step(chosen)
    else:
        main(chosen)
