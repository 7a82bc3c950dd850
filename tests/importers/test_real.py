"""The importers on real rows, which the project does not ship: a test skips where they are not beside the checkout."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib.importers import Context, Imported, Unusable, import_contexts
from forcebench_lib.schema import InputError

Find = Callable[[str], Path]
BENCHES = [
    "attributionbench/all_sources.sample196.jsonl",
    "gensearch_via_attributionbench/Stanford-GenSearch.sample200.jsonl",
    "attributed_qa_via_attributionbench/AttributedQA.sample146.jsonl",
    "lfqa_chen_via_attributionbench/LFQA.sample100.jsonl",
]


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def accounted(done: Imported, citations: int) -> None:
    assert len(done.contexts) + len(done.unusable) == done.counts.citations == citations
    assert len({one.id for one in done.contexts}) == len(done.contexts)
    items: list[Context | Unusable] = [*done.contexts, *done.unusable]
    places = [(one.line, one.claim_number, one.reference_number) for one in items]
    assert len(set(places)) == citations
    for one in done.contexts:
        assert one.claim == one.claim.strip()
        assert one.passage == one.passage.strip()
        assert not re.search(r"\[\d+\]", one.claim)
        assert not re.match(r"\[\d+\]|https?://\S+$", one.passage)


def test_every_citation_of_expertqa_is_accounted_for(real: Find) -> None:
    path = real("expertqa/rand_test.sample100.jsonl")
    claims = [claim for row in lines(path) for answer in row["answers"].values() for claim in answer["claims"]]
    references = [text for claim in claims for text in claim["evidence"]]
    done = import_contexts("expertqa", path)
    accounted(done, sum(max(1, len(claim["evidence"])) for claim in claims))
    assert done.counts.claims == len(claims)
    bare = sum(len(text.split()) == 2 for text in references)
    assert done.counts.unusable["the claim cites nothing"] == sum(not claim["evidence"] for claim in claims) > 0
    assert done.counts.unusable["the reference is an address without text"] == bare > 0
    assert set(done.counts.unusable) <= {
        "the claim cites nothing",
        "the reference is an address without text",
        "the same context stands further up",
    }
    assert all(re.match(r"https?://\S+$", one.url) for one in done.contexts)
    assert {one.original_label for one in done.contexts} >= {"Complete", "Partial", "Incomplete"}


def test_questions_of_expertqa_without_answers_are_counted(real: Find) -> None:
    path = real("expertqa/r1_data_anon.sample20.jsonl")
    done = import_contexts("expertqa", path)
    assert done.counts.unusable == Counter({"the row holds no claim": len(lines(path))})


def test_the_other_format_of_expertqa_is_refused(real: Find) -> None:
    with pytest.raises(InputError, match=r"rand_lfqa_test\.sample20\.json, line 1: the field 'answers' is missing\.$"):
        import_contexts("expertqa", real("expertqa/rand_lfqa_test.sample20.json"))


@pytest.mark.parametrize("name", BENCHES)
def test_every_citation_of_attributionbench_is_accounted_for(real: Find, name: str) -> None:
    rows = lines(real(name))
    done = import_contexts("attributionbench", real(name))
    accounted(done, sum(max(1, len(row["references"])) for row in rows))
    usable = Counter(str(row["src_dataset"]) for row in rows for _ in row["references"])
    assert Counter(one.source for one in done.contexts) == usable
    assert {one.original_label for one in done.contexts} == {"attributable", "not attributable"}
    assert all(one.url for one in done.contexts if one.source == "Stanford-GenSearch")


def test_the_plain_importer_reads_the_same_rows_by_a_mapping(real: Find, tmp_path: Path) -> None:
    (tmp_path / "mapping.yml").write_text(
        "fields: {question: question, claim: claim, passage: references, original_label: attribution_label,"
        " source: src_dataset, original_id: id}\n",
        encoding="utf-8",
    )
    plain = import_contexts("plain", real(BENCHES[0]), mapping=tmp_path / "mapping.yml")
    known = import_contexts("attributionbench", real(BENCHES[0]))
    assert [(one.claim, one.passage, one.source) for one in plain.contexts] == [
        (one.claim, one.passage, one.source) for one in known.contexts
    ]
    assert plain.counts.unusable == known.counts.unusable


def test_every_marker_of_citeeval_is_accounted_for(real: Find) -> None:
    path = real("citeeval/system_eval_examples.json")
    rows = json.loads(path.read_text(encoding="utf-8"))
    done = import_contexts("citeeval", path)
    accounted(done, sum(len(re.findall(r"\[\d+\]", row["pred"])) for row in rows))  # no sentence is without a marker
    for one in done.contexts:
        assert one.passage in {passage["text"].strip() for passage in rows[one.line - 1]["passages"]}
