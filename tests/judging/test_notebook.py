"""A run inside a notebook that papermill executes, with a key that must not show up in it."""

import os
from pathlib import Path

import nbformat
import papermill
import pytest

from forcebench_lib import paths

from .fault_server import FaultServer

CODE = """
import sys
sys.path[:0] = [root]
from pathlib import Path
from forcebench_lib import judging
from tests.judging.conftest import make_edition
task = judging.task(make_edition(2), model="openai/toy", prompt="axis_free", api_base=base, runs=Path(runs))
judging.scores(judging.run(task))
"""


def test_a_run_under_papermill_is_recorded_and_shows_no_key(
    tmp_path: Path, server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCEBENCH_API_KEY", "planted-notebook-key")
    notebook = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]  # nbformat ships no types
    parameters = nbformat.v4.new_code_cell("", metadata={"tags": ["parameters"]})  # type: ignore[no-untyped-call]  # as above
    notebook.cells = [parameters, nbformat.v4.new_code_cell(CODE)]  # type: ignore[no-untyped-call]  # as above
    nbformat.write(notebook, tmp_path / "in.ipynb")  # type: ignore[no-untyped-call]  # as above
    papermill.execute_notebook(
        tmp_path / "in.ipynb",
        tmp_path / "out.ipynb",
        parameters={"root": str(paths.ROOT), "base": server.base, "runs": str(tmp_path / "runs")},
        kernel_name="python3",
        language="python",
        progress_bar=False,
        cwd=tmp_path,
    )
    assert {headers["authorization"] for headers in server.headers} == {"Bearer planted-notebook-key"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"out.ipynb", "manifest.json", "judgments.jsonl"}
    assert not [path for path in files if b"planted" in path.read_bytes()]
    assert "force_calibrated" in "".join(path.read_text() for path in files if path.suffix == ".jsonl")
    assert os.environ["FORCEBENCH_API_KEY"] == "planted-notebook-key"
