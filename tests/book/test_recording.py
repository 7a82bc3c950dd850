import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from forcebench_lib.book.recording import MIMETYPE, flatten, read
from forcebench_lib.schema import InputError


def _notebook(path: Path, *records: dict[str, Any]) -> Path:
    outputs = [{"output_type": "display_data", "data": {MIMETYPE: json.dumps(values)}} for values in records]
    path.write_text(json.dumps({"cells": [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": outputs}]}))
    return path


def test_numpy_and_pandas_values_become_plain_numbers() -> None:
    values = {
        "a": np.float64(0.5),
        "b": np.int64(3),
        "c": np.array([1, 2]),
        "d": pd.Series({"x": 1.5}),
        "e": np.bool_(True),
    }
    flat = flatten(values)
    assert flat == {"a": 0.5, "b": 3, "c.0": 1, "c.1": 2, "d.x": 1.5, "e": True}
    assert json.loads(json.dumps(flat)) == flat


def test_what_is_no_number_is_kept_as_none() -> None:
    assert flatten({"a": float("nan"), "b": float("inf"), "c": None}) == {"a": None, "b": None, "c": None}


def test_other_values_and_a_name_that_comes_twice_are_refused() -> None:
    with pytest.raises(InputError, match=r"'a\.b' is a set"):
        flatten({"a": {"b": {1}}})
    with pytest.raises(InputError, match=r"'a\.b' comes twice"):
        flatten({"a": {"b": 1}, "a.b": 2})


def test_all_records_of_a_notebook_are_read(tmp_path: Path) -> None:
    assert read(_notebook(tmp_path / "a.ipynb", {"x": 1}, {"y": "two"}, {"x": 1})) == {"x": 1, "y": "two"}


def test_two_values_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'x' is recorded as 1 and as 2"):
        read(_notebook(tmp_path / "a.ipynb", {"x": 1}, {"x": 2}))


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.ipynb: there is no such file"):
        read(tmp_path / "a.ipynb")
    (tmp_path / "a.ipynb").write_text("[1]")
    with pytest.raises(InputError, match=r"a\.ipynb: it is no notebook"):
        read(tmp_path / "a.ipynb")
