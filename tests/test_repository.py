"""What the repository itself may hold: nothing huge, nothing generated, no trace of the machine it was written on."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from forcebench_lib.paths import ROOT

MOST_BYTES = 2_000_000
LARGER: dict[str, str] = {}  # file → why it may be larger
# In parts, or this file would be its own finding.
TRACES = {
    "a path of a machine": r"(?<![\w.~-])/(?:work" r"|tmp/fb|root)/",
    "a package registry": r"pypi\."
    r"org|python"
    r"hosted\.org|registry\.npm"
    r"js\.|proxy\.golang\."
    r"org|static\.crates\."
    r"io",
}


def listed(*options: str) -> list[str]:
    try:
        found = subprocess.run(
            ["git", "ls-files", "-z", *options], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no git checkout")
    return [name for name in found.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> dict[str, str]:
    return {name: (ROOT / name).read_text(encoding="utf-8", errors="replace") for name in listed()}


def test_no_file_is_large_without_a_reason() -> None:
    large = {name for name in listed() if (ROOT / name).stat().st_size > MOST_BYTES}
    assert large == set(LARGER)


def test_no_ignored_file_is_tracked() -> None:
    assert listed("--cached", "--ignored", "--exclude-standard") == []


@pytest.mark.parametrize("trace", TRACES)
def test_no_file_tells_where_it_was_written(trace: str) -> None:
    pattern = re.compile(TRACES[trace])
    assert [f"{name}: {found[0]}" for name, text in texts().items() if (found := pattern.search(text))] == []


@pytest.mark.parametrize(
    ("trace", "text"),
    [
        ("a path of a machine", " /" + "work/main"),
        ("a path of a machine", '"/' + 'root/.cache"'),
        ("a package registry", "https://pypi" + ".org/simple"),
    ],
)
def test_a_trace_is_found(trace: str, text: str) -> None:
    assert re.search(TRACES[trace], text)


def test_no_notebook_is_tracked_with_outputs() -> None:
    for name, text in texts().items():
        if Path(name).suffix == ".ipynb":
            cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
            assert not any(cell["outputs"] or cell["execution_count"] for cell in cells), name
