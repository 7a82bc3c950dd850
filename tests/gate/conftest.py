import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib.gate import Claim, Source


def claim(text: str, source_id: str = "DOC-7", **fields: Any) -> Claim:
    return Claim(text=text, source_id=source_id, **fields)


def source(content: str, id: str = "DOC-7", **fields: Any) -> Source:
    return Source(id=id, content=content, **fields)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Write a value as JSON, or a text as it is."""

    def put(name: str, value: Any) -> Path:
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    return put
