import copy
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from forcebench_lib import corpus, release
from forcebench_lib.release.sheet import RaiField

mlcroissant = pytest.importorskip("mlcroissant")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "release"
    release.write_release(corpus.load_edition("open"), out, url="https://example.org/data")
    return out


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Any:
    return mlcroissant.Dataset(str(folder / "croissant.json"))


def plain(value: Any) -> Any:
    """A value as mlcroissant gives it, with texts for bytes."""
    if isinstance(value, bytes):
        return value.decode()
    return [plain(one) for one in value] if isinstance(value, list) else value


def test_mlcroissant_finds_no_fault(dataset: Any) -> None:
    issues = dataset.metadata.ctx.issues
    assert issues.errors == set()
    assert issues.warnings == set()
    assert dataset.metadata.ctx.is_v1_1()


def test_mlcroissant_would_find_a_fault(folder: Path, tmp_path: Path) -> None:
    metadata = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    wrong = copy.deepcopy(metadata)
    wrong["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "jsonl/missing.jsonl"
    (tmp_path / "croissant.json").write_text(json.dumps(wrong), encoding="utf-8")
    with pytest.raises(mlcroissant.ValidationError, match=r"missing\.jsonl"):
        mlcroissant.Dataset(str(tmp_path / "croissant.json"))


@pytest.mark.parametrize("name", ["pairs", "candidates", "reviews", "adjudications", "locality_audit"])
def test_mlcroissant_loads_the_rows(dataset: Any, folder: Path, name: str) -> None:
    lines = (folder / f"jsonl/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    loaded = [
        {field.removeprefix(f"{name}/"): plain(value) for field, value in record.items()}
        for record in dataset.records(name)
    ]
    assert loaded == [json.loads(line) for line in lines]


def test_every_responsible_ai_field_that_applies_is_read_back(dataset: Any, folder: Path) -> None:
    """Nothing was collected over time, imputed or lost, so three fields say nothing here."""
    metadata = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    given = {name.removeprefix("rai:") for name in metadata if name.startswith("rai:")}
    assert set(get_args(RaiField)) - given == {
        "dataCollectionMissingData",
        "dataCollectionTimeframe",
        "dataImputationProtocol",
    }
    assert dataset.metadata.data_biases == [metadata["rai:dataBiases"]]
    assert dataset.metadata.annotations_per_item == metadata["rai:annotationsPerItem"]


def test_every_column_is_described(folder: Path) -> None:
    metadata = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    fields = [field for records in metadata["recordSet"] for field in records["field"]]
    assert fields
    assert all(field["description"] for field in fields)


def test_files_are_named_with_their_size(folder: Path) -> None:
    metadata = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    sizes = {file["contentUrl"]: file["contentSize"] for file in metadata["distribution"]}
    data = [path for path in folder.rglob("*") if path.suffix in (".jsonl", ".parquet")]
    assert sizes == {path.relative_to(folder).as_posix(): f"{path.stat().st_size} B" for path in data}
