from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.importers import Context, Counts, Unusable
from forcebench_lib.importers.context import CitedClaim, Reference, contexts

FILE = Path("folder/answers.jsonl")


def found(**changes: Any) -> CitedClaim:
    fields: dict[str, Any] = {
        "line": 1,
        "question": "Does the dam leak?",
        "claim": " The dam leaks [2].",
        "references": (Reference(text="[2] https://example.org/dam\n\n The dam may leak."),),
        "source": "tests",
    }
    return CitedClaim(**fields | changes)


def items(*claims: CitedClaim) -> list[Context | Unusable]:
    return list(contexts(claims, resource="plain", file=FILE))


def reasons(*claims: CitedClaim) -> list[str]:
    return [item.reason if isinstance(item, Unusable) else "" for item in items(*claims)]


def test_a_context_holds_the_clean_and_the_written_claim_and_where_it_came_from() -> None:
    (one,) = items(
        found(original_label="Partial", original_id="7", system="bot", details={"field": "dams", "none": ""})
    )
    assert isinstance(one, Context)
    assert one.model_dump(exclude={"id"}) == {
        "resource": "plain",
        "source": "tests",
        "question": "Does the dam leak?",
        "passage": "The dam may leak.",
        "claim": "The dam leaks.",
        "url": "https://example.org/dam",
        "original_label": "Partial",
        "references": 1,
        "original_id": "7",
        "system": "bot",
        "written_claim": " The dam leaks [2].",
        "file": "answers.jsonl",
        "line": 1,
        "claim_number": 1,
        "reference_number": 1,
        "details": {"field": "dams"},
    }


def test_each_fault_has_its_reason() -> None:
    assert reasons(found(claim=None)) == ["the row holds no claim"]
    assert reasons(found(claim=" [1]. ")) == ["the claim holds no word"]
    assert reasons(found(question=" ")) == ["the question is blank"]
    assert reasons(found(references=())) == ["the claim cites nothing"]
    assert reasons(found(references=(Reference(text=None),))) == ["the cited passage is not in the row"]
    assert reasons(found(references=(Reference(text=" "),))) == ["the reference is blank"]
    assert reasons(found(references=(Reference(text="[1]"),))) == ["the reference is blank"]
    bare = "the reference is an address without text"
    assert reasons(found(references=(Reference(text="[1] https://example.org"),))) == [bare]
    assert reasons(found(references=(Reference(text="", url="https://example.org"),))) == [bare]
    assert reasons(found(), found(line=2)) == ["", "the same context stands further up"]


def test_a_number_is_a_claim_and_a_bare_bracket_is_none() -> None:
    assert reasons(found(claim="1986 [3]"), found(claim="[")) == ["", "the claim holds no word"]


def test_what_is_unusable_says_where_it_stands() -> None:
    at = [
        (item.line, item.claim_number, item.reference_number)
        for item in items(
            found(claim=None),
            found(line=4),
            found(line=4, references=()),
            found(line=4, references=(Reference(text="a dam"), Reference(text=""))),
        )
    ]
    assert at == [(1, 0, 0), (4, 1, 1), (4, 2, 0), (4, 3, 1), (4, 3, 2)]


def test_an_id_does_not_depend_on_the_place_and_does_on_label_and_system() -> None:
    def id_of(**changes: Any) -> str:
        (one,) = items(found(**changes))
        assert isinstance(one, Context)
        return one.id

    assert id_of() == id_of(line=99) == id_of(details={"note": "other"})
    assert len({id_of(), id_of(original_label="No"), id_of(system="bot"), id_of(claim="Dams leak.")}) == 4


def test_the_label_of_several_references_says_so() -> None:
    claim = found(references=(Reference(text="A dam."), Reference(text="A wall.")))
    assert [item.references for item in items(claim) if isinstance(item, Context)] == [2, 2]


TEXTS = st.sampled_from([None, "", "[1]", "[1] https://example.org", "A dam.", "[2] A wall."])
CLAIMS = st.tuples(
    st.sampled_from([None, "", "[1]", "It leaks [1].", "It holds."]), st.sampled_from(["", "Does it?"]), st.lists(TEXTS)
)


@given(st.lists(st.lists(CLAIMS, min_size=1, max_size=3)))
def test_every_citation_is_a_context_or_has_a_reason(
    rows: Sequence[Sequence[tuple[str | None, str, list[str | None]]]],
) -> None:
    claims, expected, spoken = [], 0, 0
    for line, row in enumerate(rows, 1):
        for claim, question, texts in row:
            references = tuple(Reference(text=text) for text in texts)
            claims.append(found(line=line, claim=claim, question=question, references=references))
            expected += 1 if claim is None else max(1, len(texts))
            spoken += claim is not None
    counts = Counts()
    ids = []
    for item in items(*claims):
        counts.add(item)
        ids += [item.id] if isinstance(item, Context) else []
    assert (counts.rows, counts.claims, counts.citations) == (len(rows), spoken, expected)
    assert counts.contexts + sum(counts.unusable.values()) == expected
    assert len(set(ids)) == len(ids) == counts.contexts
