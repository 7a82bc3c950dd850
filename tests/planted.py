"""Recorded runs made for a test: whole folders with the keys, totals and names that asking would have given them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from forcebench_lib import judging
from forcebench_lib.corpus import Edition
from forcebench_lib.judging import manifest as manifests
from forcebench_lib.judging.plan import Item
from forcebench_lib.judging.store import FILE

Said = Callable[[Item], dict[str, Any]]


def says(label: str) -> dict[str, Any]:
    """The fields of a judgment whose reply is one label as JSON."""
    reply = f'{{"label": "{label}"}}'
    return {"status": "ok", "label": label, "reply": reply, "reply_chars": len(reply)}


def plant(
    runs: Path, edition: Edition, said: Said, *, dropped: dict[str, str] | None = None, **asked: Any
) -> judging.Run:
    """Write a run whose judge answers each question as `said` does; `asked` goes to `judging.task`."""
    task = judging.task(edition, runs=runs, **({"model": "openai/toy", "prompt": "force_aware"} | asked))
    found = []
    for number, item in enumerate(task.items):
        place = {"pair_id": item.pair.id, "passage": item.passage, "claim": item.claim, "repeat": item.repeat}
        fields = place | {"options": item.options, "latency_s": 0.5 + number % 4, "model": "toy"} | said(item)
        found.append(judging.Judgment(key=task.key(item, task.requested), **fields))
    session = manifests.Session(
        started="2026-01-01T10:00:00+00:00", ended="2026-01-02T10:00:00+00:00", asked=len(found), concurrency=1
    )
    manifest = task.manifest(task.requested, dropped or {})
    manifests.write(
        manifest.model_copy(update={"sessions": (session,), "totals": manifests.totals(found)}), task.folder
    )
    lines = [one.model_dump_json(exclude_defaults=True, ensure_ascii=True) + "\n" for one in found]
    (task.folder / FILE).write_text("".join(lines), encoding="utf-8")
    return judging.read_run(task.folder)
