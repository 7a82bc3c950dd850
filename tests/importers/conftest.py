import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from forcebench_lib.paths import ROOT

REAL = ROOT.parent / "shared" / "real"


@pytest.fixture
def jsonl(tmp_path: Path) -> Callable[..., Path]:
    """Write rows as a JSONL file."""

    def write(rows: Iterable[object], name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def real() -> Callable[[str], Path]:
    """The path of a real file of a resource; skips where this checkout has none beside it."""

    def find(name: str) -> Path:
        if not (REAL / name).is_file():
            pytest.skip(f"the real file {name} is not beside this checkout")
        return REAL / name

    return find
