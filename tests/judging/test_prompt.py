import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib import paths
from forcebench_lib.judging import prompt as prompts
from forcebench_lib.schema import InputError

SOURCE = (paths.PROMPTS / "generic_support.md").read_text(encoding="utf-8")


def axes(text: str) -> list[str]:
    return re.findall(r"^- ([A-Z]\w+): ", text, re.MULTILINE)


def test_the_four_prompts_of_the_paper_are_there() -> None:
    assert prompts.names() == ("axis_free", "dummy_axis", "force_aware", "generic_support")


def test_the_dummy_prompt_is_the_generic_one_with_an_axis_list_of_the_same_shape() -> None:
    generic, dummy, aware = (prompts.load(name) for name in ("generic_support", "dummy_axis", "force_aware"))
    assert (dummy.labels, dummy.meanings, dummy.json_schema) == (generic.labels, generic.meanings, generic.json_schema)
    assert len(axes(dummy.system)) == len(axes(aware.system)) == 5
    assert not set(axes(dummy.system)) & set(axes(aware.system))
    listed = re.compile(r"Compare the claim .*?\n\n", re.DOTALL)
    assert listed.sub("", dummy.system) == generic.system
    assert 0.8 < len(listed.findall(dummy.system)[0]) / len(listed.findall(aware.system)[0]) < 1.25


def test_the_axis_free_prompt_is_the_force_aware_one_without_its_list() -> None:
    free, aware = prompts.load("axis_free"), prompts.load("force_aware")
    assert (free.labels, free.meanings, free.user) == (aware.labels, aware.meanings, aware.user)
    assert re.sub(r"Compare the claim .*?\n\n", "", aware.system, flags=re.DOTALL) == free.system
    assert not axes(free.system)


@pytest.mark.parametrize("name", prompts.names())
def test_two_claims_on_one_passage_share_all_but_the_end(name: str) -> None:
    one, two = (
        prompts.messages(prompts.load(name), question="Q?", passage="P.", claim=claim) for claim in ("Safe.", "Raised.")
    )
    assert one[0] == two[0]
    assert one[1]["content"].endswith("P.\n\nClaim: Safe.")
    assert one[1]["content"].removesuffix("Safe.") == two[1]["content"].removesuffix("Raised.")


def test_labels_scoring_asks_for_json_and_graded_scoring_for_a_letter() -> None:
    aware = prompts.load("force_aware")
    as_json = prompts.messages(aware, question="Q", passage="P", claim="C")[0]["content"]
    as_letter = prompts.messages(aware, question="Q", passage="P", claim="C", options=list(aware.labels)[::-1])[0][
        "content"
    ]
    assert "\n- force_calibrated: " in as_json
    assert '{"label": "..."}' in as_json
    assert "\nA. contradicted: " in as_letter
    assert "\nD. force_calibrated: " in as_letter
    assert "one letter, A, B, C or D," in as_letter


@given(st.text(min_size=1), st.text(min_size=1), st.text(min_size=1))
def test_texts_go_in_as_they_are(question: str, passage: str, claim: str) -> None:
    user = prompts.messages(prompts.load("axis_free"), question=question, passage=passage, claim=claim)[1]["content"]
    assert user == f"Question: {question}\n\nPassage: {passage}\n\nClaim: {claim}"


def test_a_brace_in_a_passage_is_no_placeholder() -> None:
    user = prompts.messages(prompts.load("axis_free"), question="{claim}", passage="{0} {labels}", claim="C")[1][
        "content"
    ]
    assert "{0} {labels}" in user
    assert "Question: {claim}" in user


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("supported: 1.0", "supported: 1.5", "labels: 'supported' has the score 1.5"),
        ("enum: [supported, partially_supported,", "enum: [supported,", "properties.label.enum"),
        ("placeholders: [question, ", "placeholders: [", "placeholders: the text uses"),
        ("{claim}", "{clam}", "placeholders: the text uses"),
        ("kind: support", "kind: other", "kind"),
        ("version: 1", "version: 1\nauthor: me", "author"),
        ("title: Generic support", "title: [", "not a YAML mapping"),
        ("## User", "## Users", "sections"),
    ],
)
def test_a_prompt_that_does_not_fit_together_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "mine.md"
    path.write_text(SOURCE.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        prompts.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_prompt_in_another_encoding_or_a_folder_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "mine.md"
    path.write_text(SOURCE.replace("Generic", "Générique"), encoding=encoding)
    with pytest.raises(InputError, match="the file is not UTF-8"):
        prompts.load(path)


def test_a_prompt_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(InputError, match="axis_free, dummy_axis, force_aware, generic_support"):
        prompts.load("force_awre")


def test_any_change_of_the_file_changes_the_hash(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(SOURCE.replace("Decide whether", "Say whether"), encoding="utf-8")
    assert prompts.load(path).sha256 != prompts.load("generic_support").sha256
