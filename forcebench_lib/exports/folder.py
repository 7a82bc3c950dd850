"""The judging task as a folder that another tool runs: its files from ``harnesses/``, and the questions beside them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import paths
from ..corpus import Edition
from ..files import make_folder, write_files
from ..judging import Prompt, plan, reply
from ..judging.manifest import Passage
from ..judging.plan import Item
from ..schema import InputError

HARNESSES = {"inspect": "inspect_ai", "lm-eval": "lm_eval", "promptfoo": "promptfoo"}
FOLDER = paths.ROOT / "harnesses"


def write_export(
    name: str,
    edition: Edition,
    prompt: Prompt,
    *,
    out: Path,
    passages: Sequence[Passage] = ("cited", "licensing"),
    limit: int | None = None,
) -> list[Path]:
    """Write one prompt on one edition for another tool. The folder needs nothing of this project.

    Replies are read there by the same rule: the module `judging.reply` is part of every export.

    Parameters
    ----------
    name : {"inspect", "lm-eval", "promptfoo"}
        The tool.
    edition : Edition
        Its evaluation set is asked about.
    prompt : Prompt
        From `judging.load_prompt`.
    out : Path
        A folder that is new or empty.
    passages : sequence of {"cited", "licensing"}
        As in `judging.task`.
    limit : int, optional
        Only the first so many pairs.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    InputError
        For another tool, a limit under 1, or a folder that holds something.
    """
    if name not in HARNESSES:
        raise InputError(f"export: found {name!r}, expected one of {', '.join(HARNESSES)}.")
    if limit is not None and limit < 1:
        raise InputError(f"limit: found {limit}, expected 1 or more.")
    if make_folder(out) and any(out.iterdir()):
        raise InputError(f"{out}: found {min(out.iterdir()).name} in it, expected a new or an empty folder.")
    items = plan.items(edition.evaluation[:limit], prompt, passages=passages)
    tool = sorted(path for path in (FOLDER / HARNESSES[name]).iterdir() if path.is_file())
    files = {path.name: path.read_bytes() for path in (*tool, FOLDER / "forcebench_pairs.py")}
    files["forcebench_reply.py"] = Path(reply.__file__).read_bytes()
    files["task.json"] = (json.dumps(_task(edition, prompt), indent=1) + "\n").encode()
    files["questions.jsonl"] = "".join(json.dumps(_question(item)) + "\n" for item in items).encode()
    write_files({out / file: content for file, content in files.items()})
    return [out / file for file in files]


def question_id(item: Item) -> str:
    """The name of a question in a tool's log: pair, passage and claim."""
    return f"{item.pair.id}:{item.passage}:{item.claim}"


def _task(edition: Edition, prompt: Prompt) -> dict[str, Any]:
    return {
        "name": f"forcebench-{edition.name}-{prompt.id}",
        "edition": edition.name,
        "edition_version": edition.version,
        "edition_sha256": edition.sha256,
        "prompt": prompt.id,
        "prompt_version": prompt.version,
        "prompt_sha256": prompt.sha256,
        "labels": prompt.labels,
        "schema": prompt.json_schema,
    }


def _question(item: Item) -> dict[str, str]:
    texts = {message["role"]: message["content"] for message in item.messages}
    return {
        "id": question_id(item),
        "pair_id": item.pair.id,
        "passage": item.passage,
        "claim": item.claim,
        "system": texts["system"],
        "user": texts["user"],
    }
