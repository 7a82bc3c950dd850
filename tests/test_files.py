import json
import os
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from forcebench_lib import files
from forcebench_lib.schema import InputError


class Fruit(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    weights: list[int] = []


def said(call: object, *arguments: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)  # type: ignore[operator]  # each test names what it calls
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf_8_is_read_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_text("né", encoding=encoding)
    assert files.read_text(tmp_path / "a.txt") == "né"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_another_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.yml"
    path.write_text("name: né", encoding=encoding)
    for reader in (files.read_text, files.read_json):
        assert f"{path}: the file is not UTF-8" in said(reader, path)
    assert "not UTF-8" in said(files.read_yaml, path, Fruit, expected="a fruit")


def test_what_is_no_file_to_read_is_named(tmp_path: Path) -> None:
    assert said(files.read_text, tmp_path / "no", expected="a fruit").endswith("no such file, expected a fruit.")
    assert "cannot be read (Is a directory)" in said(files.read_text, tmp_path)
    assert "cannot be read (File name too long)" in said(files.read_text, tmp_path / ("x" * 300))
    (tmp_path / "a").write_text("12345")
    assert files.read_text(tmp_path / "a", most=5) == "12345"
    assert "too large" in said(files.read_text, tmp_path / "a", most=4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("weights: [1]", "the field 'name' is missing"),
        ("{name: a, weights: [1, x]}", "weights.1: found 'x', expected a valid integer"),
        ("{name: a, size: 2}", "found an unknown field 'size'"),
        ("- name", "the whole: found ['name'], expected a mapping"),
        ("", "the whole: found None, expected a mapping"),
        ("name: [", "the file is not YAML"),
        ("name: 2026-13-45", "the file is not YAML (month must be in 1..12)"),
        ("[" * 400, "the file is not YAML"),
        ("name: \x07", "the file is not YAML"),
    ],
)
def test_yaml_that_does_not_fit_is_one_sentence(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "fruit.yml"
    path.write_text(text)
    assert said(files.read_yaml, path, Fruit, expected="a fruit").startswith(f"{path}: {expected}")


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "9" * 5000, "PK\x03\x04"])
def test_json_that_is_none_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    assert "the file is not one JSON document" in said(files.read_json, tmp_path / "a.json")


def test_a_file_that_is_read_is_no_target_under_any_of_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    read.write_text("{}")
    (tmp_path / "link").symlink_to(read)
    os.link(read, tmp_path / "twin")
    monkeypatch.chdir(tmp_path)
    for name in ("a.jsonl", "./x/../a.jsonl", "link", "twin"):
        (tmp_path / "x").mkdir(exist_ok=True)
        assert "found a file that is read here" in said(files.check_target, Path(name), reads=[other, read])
    files.check_target(other, reads=[read])
    assert "found a file that is read here" in said(files.check_target, other, reads=[Path("b.jsonl")])


def test_a_target_needs_a_folder_and_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "no/out", tmp_path / "file/out"):
        assert f"{path}: found no folder to write this file into" in said(files.check_target, path)
    assert files.make_folder(tmp_path / "a/b").is_dir()
    for path in (tmp_path / "file", tmp_path / "file/out"):
        assert f"{path}: the folder cannot be made" in said(files.make_folder, path)


def test_files_are_written_together_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    files.write_files({first: "né\n", second: b"\x00"})
    assert (first.read_bytes(), second.read_bytes()) == ("né\n".encode(), b"\x00")
    whole = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.name.startswith(".b"):
            whole(path, content[:1])
            raise OSError(28, "No space left on device")
        return whole(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert said(files.write_files, {first: "new", second: "new"}) == (
        f"{second}: the file cannot be written (No space left on device)."
    )
    assert "cannot be written" in said(files.write_files, {first: json.loads('"\\ud800"')})
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}
    assert first.read_text() == "né\n"
