from pathlib import Path

import pytest

from forcebench_lib import corpus, release
from forcebench_lib.__main__ import main
from forcebench_lib.schema import InputError
from tests.test_corpus import edition, row


def grown(folder: Path) -> str:
    """Two versions of an edition of pairs: x-1 stays, x-2 is mended, x-3 goes, x-4 comes, x-5 moves; its changelog."""
    first = [row("x-1"), row("x-2"), row("x-3"), row("x-5")]
    edition(folder, first, version="1")
    assert main(["changelog", str(folder)]) == 0
    second = [row("x-1"), row("x-2", severity=3), row("x-4", split="development"), row("x-5", split="development")]
    edition(folder, second, version="2")
    assert main(["changelog", str(folder)]) == 0
    return (folder / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_changelog_names_each_row_that_came_changed_moved_or_went(tmp_path: Path) -> None:
    assert grown(tmp_path).partition("\n## 2\n")[2] == (
        "\n- rows: 4; pairs: 2 evaluation and 2 development"
        "\n- added: 1 rows (x-4 to x-4); new pairs: 0 evaluation and 1 development"
        "\n- changed: 1 (x-2)"
        "\n- moved between splits or out of the pairs: 1 (x-5 (evaluation to development))"
        "\n- removed: 1 (x-3)"
        "\n\n## 1\n"
        "\n- rows: 4; pairs: 4 evaluation and 0 development"
        "\n- added: 4 rows (x-1 to x-5); new pairs: 4 evaluation and 0 development"
        "\n- changed: none"
        "\n- moved between splits or out of the pairs: none"
        "\n- removed: none\n"
    )


def test_a_version_in_the_making_is_recorded_once(tmp_path: Path) -> None:
    grown(tmp_path)
    edition(tmp_path, [row("x-1")], version="2")
    assert main(["changelog", str(tmp_path)]) == 0
    recorded = release.read_history(corpus.load_edition(tmp_path))
    assert [(one.version, list(one.rows)) for one in recorded] == [
        ("1", ["x-1", "x-2", "x-3", "x-5"]),
        ("2", ["x-1"]),
    ]


def test_an_earlier_version_cannot_be_recorded_again(tmp_path: Path) -> None:
    grown(tmp_path)
    before = (tmp_path / "history.jsonl").read_bytes()
    edition(tmp_path, [row("x-1")], version="1")
    with pytest.raises(InputError, match=r"edition\.yml: version: found '1'.*earlier version"):
        release.record_version(corpus.load_edition(tmp_path))
    assert main(["changelog", str(tmp_path)]) == 2
    assert (tmp_path / "history.jsonl").read_bytes() == before


def test_the_growth_of_the_open_edition_moved_and_changed_no_earlier_row() -> None:
    first, *_ = versions = release.read_history(corpus.load_edition("open"))
    assert first.version == "0.1.0"
    for later in versions[1:]:
        assert first.rows.keys() <= later.rows.keys()
        assert first.splits.items() <= later.splits.items()
