from pathlib import Path

import yaml

from forcebench_lib import corpus, release
from tests.test_corpus import edition, row


def released(folder: Path, name: "str | Path") -> tuple[dict[str, object], str]:
    """Front matter and text of the card of a released edition."""
    release.write_release(corpus.load_edition(name), folder)
    _, matter, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(matter), text


def test_each_config_names_files_that_are_there(tmp_path: Path) -> None:
    matter, _ = released(tmp_path, "open")
    configs = {one["config_name"]: one for one in matter["configs"]}  # type: ignore[attr-defined]  # a list, as YAML gives it
    assert [one["split"] for one in configs["pairs"]["data_files"]] == ["evaluation", "development"]
    assert [name for name, one in configs.items() if one.get("default")] == ["pairs"]
    named = {file["path"] for one in configs.values() for file in one["data_files"]}
    assert named == {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.parquet")}


def test_the_front_matter_states_licence_and_language(tmp_path: Path) -> None:
    matter, _ = released(tmp_path, "open")
    assert (matter["license"], matter["language"]) == ("cc-by-4.0", ["en"])


def test_the_card_counts_its_rows_and_says_who_reviewed(tmp_path: Path) -> None:
    own = corpus.load_edition("open")
    _, text = released(tmp_path, "open")
    assert f"| `pairs` | evaluation | {len(own.evaluation)} |" in text
    assert "No person has reviewed the rows." in text
    assert f"Version {own.version}." in text


def test_an_edition_without_datasheet_has_a_card(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    matter, text = released(tmp_path / "out", edition(tmp_path / "own", [row("x-1")], title="Of my own"))
    assert matter["pretty_name"] == "Of my own"
    assert "license" not in matter
    assert "| `pairs` | evaluation | 1 |" in text
