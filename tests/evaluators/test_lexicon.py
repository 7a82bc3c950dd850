import re
from collections import Counter

import pytest

from forcebench_lib.evaluators import lexicon
from forcebench_lib.evaluators.limiters import find_limiters, find_raisers
from forcebench_lib.paths import LEXICONS
from forcebench_lib.schema import AXES, InputError

ROLES = ("limiter", "raiser", "before_number", "after_number", "population")
LISTS = [(role, name, words) for role in ROLES for _, name, words in lexicon.axis_lists(role)]


def test_every_axis_has_words_that_limit_and_words_that_raise():
    limiting = {axis for role in ("limiter", "before_number") for axis, _, _ in lexicon.axis_lists(role)}
    assert limiting == set(AXES)
    assert {axis for axis, _, _ in lexicon.axis_lists("raiser")} == set(AXES)


@pytest.mark.parametrize("role", ROLES)
def test_no_word_stands_twice_in_a_role(role):
    counts = Counter(word for found, _, words in LISTS if found == role for word in words.words)
    assert [word for word, count in counts.items() if count > 1] == []


def test_no_word_both_limits_and_raises():
    of_role = {role: {word for found, _, words in LISTS if found == role for word in words.words} for role in ROLES}
    assert of_role["limiter"] & of_role["raiser"] == set()


@pytest.mark.parametrize(("role", "find"), [("limiter", find_limiters), ("raiser", find_raisers)])
def test_every_word_is_found_where_it_stands(role, find):
    for _, _, words in lexicon.axis_lists(role):
        for word in words.words:
            text = f"then {word.rstrip('*')} then"
            found = [mark for mark in find(text) if mark.start <= 5 < mark.end]
            assert found, word


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for path in LEXICONS.glob("*.yml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(lexicon, "LEXICONS", tmp_path)
    lexicon.word_lists.cache_clear()
    lexicon.weights.cache_clear()
    yield tmp_path
    lexicon.word_lists.cache_clear()
    lexicon.weights.cache_clear()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hedges: {role: limiter, words: [may]}", "modality.yml: hedges: source: Field required"),
        ("hedges: {role: limit, source: own, words: [may]}", "modality.yml: hedges: role: .* found 'limit'"),
        ("hedges: {role: limiter, source: own, words: []}", "modality.yml: hedges: words: "),
        ("- may", "modality.yml: found a list"),
        ("hedges: [may", "modality.yml: the file is not YAML"),
    ],
)
def test_a_broken_list_is_one_sentence(folder, text, sentence):
    (folder / "modality.yml").write_text(text)
    with pytest.raises(InputError, match=sentence):
        lexicon.word_lists("modality")


def test_a_missing_file_is_named(folder):
    (folder / "modality.yml").unlink()
    with pytest.raises(InputError, match=r"modality\.yml: there is no such file"):
        lexicon.word_lists("modality")


def test_weights_cover_every_axis(folder):
    path = folder / "forcecheck.yml"
    path.write_text("\n".join(line for line in path.read_text().splitlines() if "scope" not in line))
    with pytest.raises(InputError, match="axis: 'scope' is missing"):
        lexicon.weights()


def test_a_penalty_may_not_take_the_whole_score(folder):
    path = folder / "forcecheck.yml"
    path.write_text(re.sub(r"rule: \{dropped: [\d.]+", "rule: {dropped: 1.0", path.read_text()))
    with pytest.raises(InputError, match=r"rule\.dropped: .* found 1\.0"):
        lexicon.weights()
