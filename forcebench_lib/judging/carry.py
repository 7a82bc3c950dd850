"""Taking over replies from other runs: an edition that grows is not paid for again from the start."""

from . import manifest as manifests
from .manifest import Manifest
from .plan import Item
from .store import Store
from .task import Run, Task, recorded


def carry(task: Task, store: Store, known: Manifest | None, left: list[Item]) -> tuple[Manifest | None, list[Item]]:
    """Copy what another run holds for the very same question: same model, address, messages and parameters in force.

    Returns
    -------
    known : Manifest or None
        The manifest, which begins here if nothing was recorded before and something could be copied.
    left : list of Item
        The questions that nobody has answered yet.
    """
    for run in recorded(task.runs):
        if run.id == task.run_id or not _related(run, task):
            continue
        begun = known or task.manifest(run.manifest.effective, run.manifest.dropped)
        held = {one.key: one for one in run.judgments() if one.answered}
        keys = {task.key(item, begun.effective): item for item in left}
        shared = [(item, held[key]) for key, item in keys.items() if key in held]
        if not shared:
            continue
        known = begun.model_copy(update={"carried": {**begun.carried, run.id: len(shared)}})
        manifests.write(known, task.folder)
        for item, one in shared:
            place = {"pair_id": item.pair.id, "passage": item.passage, "claim": item.claim}
            store.append(one.model_copy(update=place))
        taken = {id(item) for item, _ in shared}
        left = [item for item in left if id(item) not in taken]
    return known, left


def _related(run: Run, task: Task) -> bool:
    """Whether a run may hold the same questions, on another edition or under another version of the prompt."""
    one = run.manifest
    return (one.model, one.api_base, one.scoring, one.requested) == (
        task.model,
        task.api_base,
        task.scoring,
        dict(task.requested),
    )
