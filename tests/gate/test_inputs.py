import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.gate import Answers, inputs, read_answers, read_sources
from forcebench_lib.schema import InputError

CLAIM = {"text": "Tea is hot.", "source_id": "T"}


def test_a_bare_list_and_an_object_are_read_alike(write):
    bare, wrapped = write("a.json", [CLAIM, CLAIM]), write("b.json", {"claims": [CLAIM, CLAIM]})
    assert read_answers(bare).claims == read_answers(wrapped).claims
    assert len(read_answers(bare).claims) == 2


def test_the_generator_may_stand_beside_the_claims(write):
    assert read_answers(write("a.json", {"claims": [CLAIM], "generator": "openai/x"})).generator == "openai/x"


SHAPES = [
    [{"id": "T", "version": "1", "content": "a"}, {"id": "T", "version": "2", "content": "b"}],
    {"sources": [{"id": "T", "version": 1, "content": "a"}, {"id": "T", "version": 2, "content": "b"}]},
    {"T": [{"version": "1", "content": "a"}, {"version": "2", "content": "b"}]},
    {"sources": {"T": [{"version": "1", "content": "a"}, {"id": "T", "version": 2, "content": "b"}]}},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_sources_come_in_four_shapes(write, shape):
    found = read_sources(write("s.json", shape))
    assert [(one.id, one.version, one.content, one.status) for one in found] == [
        ("T", "1", "a", "current"),
        ("T", "2", "b", "current"),
    ]


def test_a_mapping_may_hold_the_content_alone_or_one_source(write):
    found = read_sources(
        write("s.json", {"T": "tea", "U": {"content": "milk", "status": None}, "V": {"content": None}})
    )
    assert [(one.id, one.content) for one in found] == [("T", "tea"), ("U", "milk"), ("V", "")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"a\.json: found no JSON list"),
        ("12", r"a\.json: found no JSON list"),
        ("[]", r"a\.json: found no claim"),
        ('{"claims": []}', r"a\.json: found no claim"),
        ('{"answers": []}', r"a\.json: the key 'claims' is missing"),
        ('{"claims": {"a": 1}}', r"line 1: 'claims' is an object"),
        ('{"claims": 3}', r"line 1: claims: expected a list"),
        ('{"claims": [], "clams": []}', r"line 1: found an unknown field 'clams'"),
        ('{"claims": [],\n"claims": []}', r"line 2: the key 'claims' is there twice"),
        ('[\n{"text": "a", "source_id": "b"},\n3]', r"a\.json, line 3: found a int, expected one JSON object"),
        ('[\n{"text": "a", "source_id": "b"},\n{"text": "a"}]', r"a\.json, line 3: the field 'source_id' is missing"),
        ('[{"text": "a", "source_id": "b", "sorce": 1}]', r"line 1: found an unknown field 'sorce'"),
        ('[{"text": 3, "source_id": "b"}]', r"line 1: text: found 3, .*string"),
        ('[{"text": "", "source_id": "b"}]', r"line 1: text: found '', "),
        ('[{"text": "a", "source_id": ""}]', r"line 1: source_id: found '', "),
        ('[{"text": "a", "source_id": true}]', r"line 1: source_id: found True"),
        ('[{"text": "a", "text": "b", "source_id": "b"}]', r"line 1: .*names a key twice"),
        ('[{"text": "a", "source_id": "b"},]', r"line 1: the file is not JSON"),
        ('[{"text": "a" "source_id": "b"}]', r"line 1: the file is not JSON"),
        ('[{"text": "a", "source_id": "b"}', r"line 1: the file is not JSON"),
        ('[{"text": "a", "source_id": "b"}] x', r"line 1: the file is not JSON \(something follows"),
        ('{"claims": [{"text": "a", "source_id": "b"}]} x', r"line 1: the file is not JSON \(something follows"),
        ("[" * 100_000, r"nested too deep"),
        ('[{"text": ' + "9" * 5000 + "}]", r"line 1: the file is not JSON"),
    ],
)
def test_what_is_no_answers_file_is_one_sentence(write, text, sentence):
    with pytest.raises(InputError, match=sentence) as error:
        read_answers(write("a.json", text))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([{"id": "T", "content": "a"}, {"id": "T", "content": "b"}], "'T' is there twice"),
        ([{"id": "T", "status": "gone"}], "line 1: status: found 'gone', .*'current', 'superseded', 'deleted'"),
        ([{"id": "T", "content": 3}], "line 1: content: found 3"),
        ({"T": {"id": "U", "content": "a"}}, "line 1: id: found 'U', expected 'T'"),
        ({"T": 3}, "line 1: found a int"),
    ],
)
def test_what_is_no_sources_file_is_one_sentence(write, value, sentence):
    with pytest.raises(InputError, match=sentence):
        read_sources(write("s.json", value))


def test_files_that_cannot_be_read_are_named(tmp_path: Path):
    with pytest.raises(InputError, match="there is no such file"):
        read_answers(tmp_path / "none.json")
    with pytest.raises(InputError, match=r"the file cannot be read \(Is a directory\)"):
        read_answers(tmp_path)
    (tmp_path / "latin.json").write_bytes(b'[{"text": "caf\xe9"}]')
    with pytest.raises(InputError, match="not UTF-8"):
        read_answers(tmp_path / "latin.json")


def test_size_and_number_have_bounds(write, monkeypatch):
    path = write("a.json", [CLAIM] * 3)
    monkeypatch.setattr(inputs, "MAX_CLAIMS", 2)
    with pytest.raises(InputError, match="more than 2 claims"):
        read_answers(path)
    monkeypatch.setattr(inputs, "MAX_BYTES", 20)
    with pytest.raises(InputError, match="too large"):
        read_answers(path)
    monkeypatch.undo()
    long = write("b.json", [{"text": "x" * 5001, "source_id": "T"}])
    with pytest.raises(InputError, match=r"line 1: text: .*at most 5000 characters"):
        read_answers(long)


def test_a_byte_order_mark_is_no_trouble(write):
    assert read_answers(write("a.json", "\ufeff" + json.dumps([CLAIM]))).claims[0].text == "Tea is hot."


def test_text_that_no_report_could_hold_is_refused(write):
    with pytest.raises(InputError, match="line 1: text: found "):
        read_answers(write("a.json", '[{"text": "a\\ud800", "source_id": "T"}]'))


@given(
    st.lists(
        st.fixed_dictionaries({"text": st.text(min_size=1, max_size=30), "source_id": st.text(min_size=1, max_size=9)}),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([None, 1, 4]),
)
def test_each_claim_is_read_whole_and_known_by_its_line(tmp_path_factory, claims, indent):
    path = tmp_path_factory.mktemp("law") / "a.json"
    path.write_text(json.dumps(claims, indent=indent), encoding="utf-8")
    found = read_answers(path)
    assert isinstance(found, Answers)
    lines = path.read_text(encoding="utf-8").split("\n")
    assert [one.text for one in found.claims] == [one["text"] for one in claims]
    assert all("{" in lines[line - 1] for line in found.lines)
    expected = [1] * len(claims) if indent is None else [2 + 4 * number for number in range(len(claims))]
    assert list(found.lines) == expected
