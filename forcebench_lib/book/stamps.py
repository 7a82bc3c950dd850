"""What an executed notebook depends on, as one digest: a notebook whose digest changed must run again."""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forcebench_lib.book.layout import Book

# These render what was executed and are never imported by a kernel, so an edit of them cannot change an output.
RENDERING = frozenset({"build.py", "command.py", "extension.py", "stamps.py"})


def inputs(book: Book, *, rendering: bool = False) -> Iterator[Path]:
    """Yield every file that a notebook may read beside its own script: the library, data, prompts and pins.

    With `rendering` also the modules that only pages depend on.
    """
    for folder in ("forcebench_lib", "data", "prompts"):
        for path in sorted((book.root / folder).rglob("*")):
            hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(book.root).parts)
            skipped = not rendering and path.parent.name == "book" and path.name in RENDERING
            if path.is_file() and not hidden and not skipped and path.suffix != ".lock":
                yield path
    pins = book.root / "requirements.txt"
    if pins.is_file():
        yield pins


def digest_of(paths: Iterator[Path] | list[Path], root: Path) -> str:
    """Return one digest over the names and bytes of files."""
    digest = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()}\0{content}\n".encode())
    return digest.hexdigest()


def common(book: Book) -> str:
    """Return the digest of all that the notebooks share; an edit of one library file changes it."""
    python = ".".join(map(str, sys.version_info[:3]))
    return hashlib.sha256(f"{python}\n{digest_of(inputs(book), book.root)}".encode()).hexdigest()


def stamp(notebook: Path, parameters: dict[str, Any], shared: str) -> str:
    """Return the digest of one notebook, its parameters and what all notebooks share."""
    text = json.dumps(parameters, sort_keys=True, default=str)
    return hashlib.sha256(notebook.read_bytes() + f"\0{text}\0{shared}".encode()).hexdigest()
