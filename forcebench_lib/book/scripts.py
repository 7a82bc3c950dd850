"""Percent scripts to notebooks, one way: the script is the source, the ``.ipynb`` beside it is generated."""

import ast
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

from forcebench_lib.book.layout import Book, write_text
from forcebench_lib.schema import InputError

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def stable_ids(cells: list[Any]) -> None:
    """Give each cell an id made from its text, and its occurrence where a text comes twice."""
    seen: Counter[str] = Counter()
    for cell in cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        seen[digest] += 1
        cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def notebook_text(script: Path) -> str:
    """Return the notebook of a percent script as the text of an ``.ipynb`` file without outputs.

    The same script gives the same bytes: cell ids come from the cells' text and no version or time is written.

    Raises
    ------
    InputError
        Where the defaults cell holds more than literals or the parameters are not checked; see `defaults`.
    """
    import jupytext
    import nbformat

    notebook = jupytext.read(script, fmt="py:percent")
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})  # type: ignore[no-untyped-call]  # nbformat has no types
    stable_ids(notebook.cells)
    notebook.metadata = nbformat.from_dict(METADATA)  # type: ignore[no-untyped-call]  # as above
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    defaults(notebook.cells, script)
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]  # as above
    return text.rstrip("\n") + "\n"


def defaults(cells: list[Any], script: Path) -> dict[str, Any]:
    """Return the names and values of the defaults cell, ``{}`` for a notebook without one.

    A value computed in the defaults cell would be stale after papermill has injected another value below it, so the
    cell holds literals only, and the code cell after it checks what was injected.

    Raises
    ------
    InputError
        For a second defaults cell, anything but ``name = literal`` in it, or no ``parameters.check`` right after it.
    """
    code = [cell for cell in cells if cell.cell_type == "code"]
    tagged = [place for place, cell in enumerate(code) if "parameters" in cell.metadata.get("tags", [])]
    if len(tagged) > 1:
        raise InputError(f"{script}: found {len(tagged)} cells tagged 'parameters', expected one.")
    after = tagged[0] + 1 if tagged else 0
    if code and (after >= len(code) or "parameters.check(" not in code[after].source):
        raise InputError(
            f"{script}: the code cell after the defaults must call parameters.check(globals(), name=type)."
        )
    return _literals(code[tagged[0]].source, script) if tagged else {}


def _literals(source: str, script: Path) -> dict[str, Any]:
    values = {}
    for statement in ast.parse(source).body:
        try:
            if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
                raise ValueError
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if not isinstance(target, ast.Name):
                raise ValueError
            values[target.id] = ast.literal_eval(statement.value)
        except ValueError:
            found = ast.unparse(statement)
            raise InputError(f"{script}: the defaults cell holds {found!r}, expected only `name = literal`.") from None
    return values


def check(book: Book | None = None) -> list[str]:
    """Return one sentence for each notebook that is not what its script says; an empty list where all agree."""
    book = book or Book()
    drift = []
    for script in book.scripts():
        notebook = script.with_suffix(".ipynb")
        if not notebook.is_file():
            drift.append(f"{notebook}: there is no such file, expected the notebook of {script.name}.")
        elif notebook.read_text(encoding="utf-8") != notebook_text(script):
            drift.append(f"{notebook}: it differs from its script {script.name}.")
    scripts = {script.stem for script in book.scripts()}
    orphans = [path for path in sorted(book.notebooks.glob("*.ipynb")) if path.stem not in scripts]
    return drift + [f"{path}: it has no script {path.stem}.py beside it." for path in orphans]


def write(book: Book | None = None) -> list[Path]:
    """Generate every notebook whose text changed and return their paths."""
    book = book or Book()
    changed = []
    for script in book.scripts():
        notebook, text = script.with_suffix(".ipynb"), notebook_text(script)
        if not notebook.is_file() or notebook.read_text(encoding="utf-8") != text:
            write_text(notebook, text)
            changed.append(notebook)
    return changed
