import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from forcebench_lib import corpus, release
from forcebench_lib.__main__ import main
from forcebench_lib.corpus import Edition
from forcebench_lib.schema import InputError
from tests.test_corpus import edition, row, staged

STAGES = ("candidates", "reviews", "adjudications", "locality_audit")


def whole(folder: Path) -> Edition:
    """A made-up edition with all its stages and an up-to-date changelog."""
    corpus.write_pairs(staged(folder))
    assert main(["changelog", str(folder)]) == 0
    return corpus.load_edition(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Edition, Path]:
    folder = tmp_path_factory.mktemp("edition")
    out = tmp_path_factory.mktemp("out") / "release"
    own = whole(folder)
    release.write_release(own, out)
    return own, out


def test_the_same_rows_give_the_same_bytes(made: tuple[Edition, Path], tmp_path: Path) -> None:
    own, out = made
    release.write_release(own, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(out)


def test_writing_over_the_same_release_changes_nothing(made: tuple[Edition, Path]) -> None:
    own, out = made
    before = contents(out)
    release.write_release(own, out)
    assert contents(out) == before


def test_checksums_cover_every_other_file(made: tuple[Edition, Path]) -> None:
    files = contents(made[1])
    lines = files.pop("SHA256SUMS").decode().splitlines()
    assert lines == [f"{hashlib.sha256(files[name]).hexdigest()}  {name}" for name in sorted(files)]


@pytest.mark.parametrize("stage", STAGES)
def test_both_formats_hold_the_rows_of_the_stage(made: tuple[Edition, Path], stage: str) -> None:
    own, out = made
    written = (own.folder / own.manifest.files[stage]).read_text(encoding="utf-8")  # type: ignore[index]  # a stage
    expected = [json.loads(line) for line in written.splitlines()]
    lines = [json.loads(line) for line in (out / f"jsonl/{stage}.jsonl").read_text(encoding="utf-8").splitlines()]
    cells = parquet_rows(out / f"parquet/{stage}-full.parquet")
    assert cells == lines
    assert [{name: one[name] for name in wanted} for one, wanted in zip(lines, expected, strict=True)] == expected


def parquet_rows(path: Path) -> list[dict[str, object]]:
    import pyarrow.parquet as pq

    rows: list[dict[str, object]] = pq.read_table(path).to_pylist()
    return rows


def test_pairs_stand_in_the_file_of_their_split(made: tuple[Edition, Path]) -> None:
    own, out = made
    for split, pairs in (("evaluation", own.evaluation), ("development", own.development)):
        frame = pd.read_parquet(out / f"parquet/pairs-{split}.parquet")
        assert frame["id"].tolist() == [pair.id for pair in pairs]
        assert frame["severity"].dtype == "int64"
        assert [list(spans) for spans in frame["evidence_spans"]] == [list(pair.evidence_spans) for pair in pairs]


def test_missing_values_are_missing_and_not_text(made: tuple[Edition, Path]) -> None:
    frame = pd.read_parquet(made[1] / "parquet/adjudications-full.parquet")
    assert frame["boundary_type"].isna().sum() == 55
    assert frame["boundary_type"].dropna().tolist() == ["ambiguous"] * 5


def test_an_edition_of_pairs_alone_is_released_without_stages(tmp_path: Path) -> None:
    own = corpus.load_edition(edition(tmp_path, [row("x-1")]))
    written = release.write_release(own, tmp_path / "out")
    assert {path.relative_to(tmp_path / "out").as_posix() for path in written} == {
        "README.md",
        "SHA256SUMS",
        "croissant.json",
        "jsonl/pairs.jsonl",
        "parquet/pairs-evaluation.parquet",
    }


def mended_review(folder: Path) -> None:
    path = folder / "r.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"same"', '"different"', 1), encoding="utf-8")


def other_changelog(folder: Path) -> None:
    (folder / "CHANGELOG.md").write_text("something else", encoding="utf-8")


@pytest.mark.parametrize("change", [mended_review, other_changelog])
def test_a_history_that_does_not_fit_the_rows_stops_the_release(tmp_path: Path, change: Callable[[Path], None]) -> None:
    own = whole(tmp_path)
    change(tmp_path)
    with pytest.raises(InputError, match=r"CHANGELOG\.md: differs .*forcebench_lib changelog"):
        release.write_release(own, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_named_and_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = edition(tmp_path, [row("x-1")])
    for out in ("edition.yml", "edition.yml/out"):
        assert main(["release", str(folder), "--out", str(folder / out)]) == 2
        assert "the folder cannot be made" in capsys.readouterr().err
    assert main(["release", str(folder), "--out", str(folder)]) == 2
    assert corpus.load_edition(folder).name == "own"


def test_a_changelog_is_not_written_over_the_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = edition(tmp_path, [row("x-1")], files={"pairs": "CHANGELOG.md"})
    (folder / "pairs.jsonl").rename(folder / "CHANGELOG.md")
    assert main(["changelog", str(folder)]) == 2
    assert "CHANGELOG.md: found a file that is read here" in capsys.readouterr().err
    assert corpus.load_edition(folder).pairs[0].id == "x-1"
    assert not (folder / "history.jsonl").exists()


def test_other_files_are_not_mixed_with_a_release(tmp_path: Path) -> None:
    own = corpus.load_edition(edition(tmp_path, [row("x-1")]))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"found notes\.txt, expected an empty folder"):
        release.write_release(own, tmp_path / "out")
    assert contents(tmp_path / "out") == {"notes.txt": b"mine"}


def test_the_command_releases_the_open_edition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also proves that the changelog and the datasheet of the open edition fit its rows."""
    assert main(["release", "--out", str(tmp_path / "out")]) == 0
    own = corpus.load_edition("open")
    assert capsys.readouterr().out.startswith(f"open {own.version}: ")
    assert (tmp_path / "out/jsonl/pairs.jsonl").read_bytes() == (own.folder / "pairs.jsonl").read_bytes()
