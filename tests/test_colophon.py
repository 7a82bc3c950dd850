"""The tables of the colophon: versions as installed, hashes of what judges see, runs that may not be there yet."""

import hashlib
from importlib.metadata import version
from pathlib import Path

import pytest

from forcebench_lib import corpus, paths, tables


def test_versions_are_those_installed_and_name_each_dependency_once() -> None:
    shown = dict(zip(*(tables.versions()[column] for column in ("package", "version")), strict=True))
    assert shown["papermill"] == version("papermill")
    assert "pytest" not in shown
    assert len(shown) == len(tables.versions())


def test_hashes_change_with_what_a_judge_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = corpus.load_edition("open")
    prompt = (paths.PROMPTS / "axis_free.md").read_bytes()
    (tmp_path / "axis_free.md").write_bytes(prompt + b"\n")
    before = tables.hashes(edition)
    assert hashlib.sha256(prompt).hexdigest()[:16] in before["SHA-256"].to_list()
    assert edition.sha256[:16] == before["SHA-256"].iloc[0]
    monkeypatch.setattr(paths, "PROMPTS", tmp_path)
    after = tables.hashes(edition)
    assert after["what"].to_list() == [f"open {edition.version}", "axis_free, version 1", "requirements.txt"]
    assert after["SHA-256"].iloc[1] == hashlib.sha256(prompt + b"\n").hexdigest()[:16]


def test_a_clone_without_runs_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forcebench_lib.judging.recorded", list)
    assert tables.recorded_runs(corpus.load_edition("open")).to_dict("list") == {"run": ["none yet"]}
