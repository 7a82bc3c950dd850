from pathlib import Path

import pytest

from forcebench_lib import corpus, release
from forcebench_lib.schema import InputError
from tests.test_corpus import edition, row, staged


def sheet(folder: Path, text: str) -> release.Sheet:
    (folder / "datasheet.yml").write_text(text, encoding="utf-8")
    return release.read_sheet(corpus.load_edition(folder))


def test_counts_are_filled_in(tmp_path: Path) -> None:
    edition(tmp_path, [row("x-1"), row("x-2", split="development"), row("x-3", split="development")])
    found = sheet(tmp_path, "summary: '{evaluation} and {development} of {pairs}'\nrai: {dataBiases: 'from {version}'}")
    assert found.summary == "1 and 2 of 3"
    assert found.rai == {"dataBiases": "from 1"}


def test_counts_of_the_stages_are_filled_in(tmp_path: Path) -> None:
    """60 candidates, 5 rejected, none drafted with a fault, one removed; both reviewers accept every row."""
    corpus.write_pairs(staged(tmp_path, removed=("x-07",)))
    text = "summary: '{candidates} {reviews} {rejected} {boundary} {removed} {decision_same}'"
    assert sheet(tmp_path, text).summary == "60 120 5 0 1 100.0%"


def test_braces_of_a_citation_are_left_alone(tmp_path: Path) -> None:
    edition(tmp_path, [row("x-1")])
    assert sheet(tmp_path, "cite: '@misc{own, version = {{version}}}'").cite == "@misc{own, version = {1}}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("summary: '{evaluated} pairs'", r"'evaluated' in braces is no count, expected one of version, pairs"),
        ("rai: {biases: x}", r"rai\.biases: found 'biases', expected 'dataCollection'"),
        ("colour: red", r"found an unknown field 'colour'"),
        ("summary: [", r"the file is not YAML"),
        ("summary: '{pairs'", r"a text has braces that name no count"),
        ("summary: '{}'", r"a text has braces that name no count"),
        ("summary: '{version.x}'", r"a text has braces that name no count"),
        ("- summary", r"the whole: found \['summary'\], expected a mapping"),
    ],
)
def test_a_wrong_sheet_is_named_in_a_sentence(tmp_path: Path, text: str, expected: str) -> None:
    edition(tmp_path, [row("x-1")])
    with pytest.raises(InputError, match=rf"datasheet\.yml: {expected}") as caught:
        sheet(tmp_path, text)
    assert "\n" not in str(caught.value)
