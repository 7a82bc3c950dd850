"""Taking over replies from other runs: an edition that grows is not paid for again from the start."""

from typing import Any

from . import manifest as manifests
from .manifest import RunManifest
from .questionnaire import Questionnaire
from .store import Store, latest


def carry(
    task: Questionnaire[Any], store: Store, known: RunManifest | None, left: list[Any]
) -> tuple[RunManifest | None, list[Any]]:
    """Copy what another run holds for the very same question: same model, address, messages and parameters in force.

    Returns
    -------
    known : RunManifest or None
        The manifest, which begins here if nothing was recorded before and something could be copied.
    left : list of Question
        The questions that nobody has answered yet.
    """
    for folder in manifests.folders(task.runs):
        other = manifests.read(folder, task.manifest_kind)
        if other.run == task.run_id or not task.akin(other):
            continue
        begun = known or task.manifest(other.effective, other.dropped)
        held = {one.key: one for one in latest(folder, task.record) if one.answered}
        keys = {task.key(item, begun.effective): item for item in left}
        shared = [(item, held[key]) for key, item in keys.items() if key in held]
        if not shared:
            continue
        count = begun.carried.get(other.run, 0) + len(shared)
        known = begun.model_copy(update={"carried": {**begun.carried, other.run: count}})
        manifests.write(known, task.folder)
        for item, one in shared:
            store.append(one.model_copy(update={**item.place, "carried": other.run}))
        taken = {id(item) for item, _ in shared}
        left = [item for item in left if id(item) not in taken]
    return known, left
