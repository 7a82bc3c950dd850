"""Each resource in a small file of its own format, written for this test."""

import csv
import gzip
import json
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib.importers import Context, import_contexts
from forcebench_lib.schema import InputError

Writer = Callable[..., Path]


def expertqa(**claim: Any) -> dict[str, Any]:
    fields = {
        "claim_string": "  Kites need wind [2].",
        "evidence": ["[2] https://example.org/kites\n\n Kites mostly need wind."],
        "support": "Partial",
        "reason_missing_support": "mostly",
        "revised_claim": "Kites mostly need wind.",
        "revised_evidence": ["any", "list"],
        "source_reliability": None,
    }
    answer = {"answer_string": "…", "attribution": ["[2] https://example.org/kites"], "claims": [fields | claim]}
    return {"question": "What do kites need?", "answers": {"bot": answer}, "metadata": {"field": "Sport"}}


def test_expertqa_gives_claim_label_system_and_the_experts_revision(jsonl: Writer) -> None:
    (one,) = import_contexts("expertqa", jsonl([expertqa()])).contexts
    assert (one.claim, one.passage, one.url) == (
        "Kites need wind.",
        "Kites mostly need wind.",
        "https://example.org/kites",
    )
    assert (one.source, one.original_label, one.system) == ("ExpertQA", "Partial", "bot")
    assert one.details == {
        "field": "Sport",
        "reason_missing_support": "mostly",
        "revised_claim": "Kites mostly need wind.",
    }


def test_expertqa_counts_questions_without_answers_empty_lists_and_bare_addresses(jsonl: Writer) -> None:
    rows = [
        {"question": "Why?", "answers": {}, "metadata": {}},
        {"question": "Why?", "answers": {"bot": {"claims": []}}},
        expertqa(evidence=[]),
        expertqa(evidence=["[1] https://example.org/a", "Kites need wind."], support=None),
    ]
    done = import_contexts("expertqa", jsonl(rows))
    assert [(one.line, one.reference_number, one.references, one.original_label) for one in done.contexts] == [
        (4, 2, 2, "")
    ]
    assert done.counts.unusable == Counter(
        {
            "the row holds no claim": 2,
            "the claim cites nothing": 1,
            "the reference is an address without text": 1,
        }
    )


def test_expertqa_names_the_field_that_another_file_lacks(jsonl: Writer) -> None:
    with pytest.raises(InputError, match=r"rows\.jsonl, line 1: the field 'answers' is missing\.$"):
        import_contexts("expertqa", jsonl([{"question": "Why?", "answer": "So."}]))
    broken = expertqa()
    del broken["answers"]["bot"]["claims"][0]["claim_string"]
    with pytest.raises(InputError, match=r"line 2: the field 'answers\.bot\.claims\.0\.claim_string' is missing\.$"):
        import_contexts("expertqa", jsonl([expertqa(), broken]))


def attributionbench(**changes: Any) -> dict[str, Any]:
    fields = {
        "question": "How long is the pier?",
        "claim": "The pier is 90 m long [1].",
        "claim_raw_string": "The pier is 90 m long [1].",
        "response": "…",
        "references": ["[1] The pier is about 90 m long."],
        "citation_links": [],
        "webpage_references": [],
        "attribution_label": "not attributable",
        "src_dataset": "HAGRID",
        "id": "HAGRID_1",
    }
    return fields | changes


def test_attributionbench_keeps_the_data_set_and_takes_addresses_where_there_is_one_each(jsonl: Writer) -> None:
    rows = [
        attributionbench(),
        attributionbench(src_dataset="Stanford-GenSearch", id="S_1", citation_links=["https://example.org/pier"]),
        attributionbench(src_dataset="LFQA", id="L_1", references=["Title: Piers\nText: Long.", "Short."]),
        attributionbench(id="HAGRID_2", references=[], citation_links=None, claim_raw_string="It is 90 m."),
    ]
    done = import_contexts("attributionbench", jsonl(rows))
    assert [(one.source, one.url, one.references, one.original_id) for one in done.contexts] == [
        ("HAGRID", "", 1, "HAGRID_1"),
        ("Stanford-GenSearch", "https://example.org/pier", 1, "S_1"),
        ("LFQA", "", 2, "L_1"),
        ("LFQA", "", 2, "L_1"),
    ]
    assert done.contexts[0].claim == "The pier is 90 m long."
    assert done.contexts[0].passage == "The pier is about 90 m long."
    assert done.contexts[0].details == {}
    assert {one.original_label for one in done.contexts} == {"not attributable"}
    assert done.counts.unusable == Counter({"the claim cites nothing": 1})


def ratings(folder: Path, rows: list[dict[str, str]]) -> Path:
    columns = ["system_name", "question", "answer", "attribution", "passage", "human_rating", "auto_ais", "nli_score"]
    with (folder / "ratings.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, restval="")
        table.writeheader()
        table.writerows(rows)
    return folder / "ratings.csv"


def test_attributed_qa_reads_ratings_also_inside_the_archive(tmp_path: Path) -> None:
    cited = {"attribution": "http://example.org/Heron#Heron#2", "passage": 'Title: Heron Section: Size A "tall"\nbird.'}
    asked = {"question": "how tall is a heron", "system_name": "Post-0"}
    path = ratings(
        tmp_path,
        [
            asked | cited | {"answer": "90 cm", "human_rating": "Y", "auto_ais": "N", "nli_score": "0.25"},
            asked | cited | {"answer": "1.2"},
            asked | cited | {"answer": ""},
            asked | {"answer": "tall"},
            asked | {"answer": "tall", "attribution": "http://example.org/Heron"},
        ],
    )
    done = import_contexts("attributed_qa", path)
    assert [(one.line, one.claim, one.original_label, one.details) for one in done.contexts] == [
        (2, "90 cm", "Y", {"auto_ais": "N", "nli_score": "0.25"}),
        (4, "1.2", "", {}),
    ]
    assert done.contexts[0].passage == 'Title: Heron Section: Size A "tall"\nbird.'
    assert done.contexts[0].url == "http://example.org/Heron#Heron#2"
    assert [item.reason for item in done.unusable] == [
        "the row holds no claim",
        "the claim cites nothing",
        "the reference is an address without text",
    ]
    archive = tmp_path / "ratings.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.write(path, "folder/ratings.csv")
    assert [one.id for one in import_contexts("attributed_qa", archive).contexts] == [one.id for one in done.contexts]


def test_gensearch_prefers_what_the_annotator_copied_and_reads_gzip(tmp_path: Path) -> None:
    row = {
        "query": "Are there eels?",
        "response": "…",
        "statement": "There are eels [1].",
        "source_title": None,
        "source_text": "A page.\nEels were seen in May.",
        "source_raw_text": "A page. Eels were seen in May.",
        "source_supports_statement": "partial_support",
        "source_localized_evidence": "Eels were seen in May.",
        "source_url": "https://example.org/eels",
    }
    rows = [
        row,
        row | {"source_localized_evidence": None, "source_supports_statement": "no_support", "source_title": "Eels"},
        row | {"source_localized_evidence": "", "source_text": ""},
    ]
    path = tmp_path / "verifiability_judgments_dev.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in rows).encode()))
    done = import_contexts("gensearch", path)
    assert [(one.passage, one.original_label, one.details) for one in done.contexts] == [
        ("Eels were seen in May.", "partial_support", {"passage_is": "evidence copied by the annotator"}),
        ("A page.\nEels were seen in May.", "no_support", {"passage_is": "whole page", "source_title": "Eels"}),
    ]
    assert done.counts.unusable == Counter({"the reference is an address without text": 1})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="not a whole gzip file"):
        import_contexts("gensearch", path)
    path.write_text("plain", encoding="utf-8")
    with pytest.raises(InputError, match="not a whole gzip file"):
        import_contexts("gensearch", path)


def garage(**changes: Any) -> dict[str, Any]:
    fields = {
        "sample_id": 7,
        "question": "When does the ferry run?",
        "grounding": [
            {"text": "[4] The ferry runs in May.", "age": "2 days", "date": "2025-01-01", "provider": "web"},
            {"passage": "It ran in 2024.", "provider": "ent"},
            "[9] It may run at night.",
        ],
        "evidence_relevant": ["YES", "NO", "YES"],
        "evidence_correct": ["ANSWER-THE-QUESTION", "UNKNOWN"],
        "answer_generate": "It runs in May [4]. It ran before [2][9]. It is red. It is old [5].",
    }
    return fields | changes


def test_garage_finds_passages_by_their_number_or_place(jsonl: Writer) -> None:
    done = import_contexts("garage", jsonl([garage(), garage(answer_generate=None)]))
    assert [(one.claim, one.passage) for one in done.contexts] == [
        ("It runs in May.", "The ferry runs in May."),
        ("It ran before.", "It ran in 2024."),
        ("It ran before.", "It may run at night."),
    ]
    assert done.contexts[0].details == {
        "age": "2 days",
        "date": "2025-01-01",
        "provider": "web",
        "evidence_relevant": "YES",
        "evidence_correct": "ANSWER-THE-QUESTION",
    }
    assert done.contexts[2].details == {"evidence_relevant": "YES"}
    assert {one.original_label for one in done.contexts} == {""}
    assert [item.reason for item in done.unusable] == [
        "the claim cites nothing",
        "the cited passage is not in the row",
        "the row holds no claim",
    ]


@pytest.mark.parametrize("element", [{"body": "x"}, 3, {"text": None}])
def test_garage_says_what_a_passage_without_text_holds(jsonl: Writer, element: object) -> None:
    with pytest.raises(InputError, match=r"line 1: grounding\.0: found .*, expected a text or an object"):
        import_contexts("garage", jsonl([garage(grounding=[element])]))


def as_json(folder: Path, value: object) -> Path:
    (folder / "outputs.json").write_text(json.dumps(value), encoding="utf-8")
    return folder / "outputs.json"


OUTPUT = {
    "sample_id": "-12",
    "question": "Is the lake deep?",
    "output": "Lakes are deep [1][3]. One is shallow [2, 1].\n\nBoth freeze.",
    "docs": [
        {"id": "1", "title": "Lakes", "text": "Most lakes are deep.", "score": 1.5},
        {"title": "", "text": "A full page.", "sent": "One is shallow."},
    ],
    "answer": "…",
}


def test_alce_outputs_are_read_with_their_run_and_as_a_bare_list(tmp_path: Path) -> None:
    whole = {"args": {"model": "some-model", "dataset_name": "asqa", "shot": 2}, "data": [OUTPUT]}
    done = import_contexts("alce", as_json(tmp_path, whole))
    assert [(one.claim, one.passage, one.system, one.source, one.original_id) for one in done.contexts] == [
        ("Lakes are deep.", "Title: Lakes\n\nMost lakes are deep.", "some-model", "ALCE asqa", "-12"),
        ("One is shallow.", "One is shallow.", "some-model", "ALCE asqa", "-12"),
        ("One is shallow.", "Title: Lakes\n\nMost lakes are deep.", "some-model", "ALCE asqa", "-12"),
    ]
    assert [(item.claim_number, item.reference_number, item.reason) for item in done.unusable] == [
        (1, 2, "the cited passage is not in the row"),
        (3, 0, "the claim cites nothing"),
    ]
    bare = import_contexts("alce", as_json(tmp_path, [OUTPUT | {"output": ["Lakes are deep [1].", ""]}]))
    assert [(one.source, one.system) for one in bare.contexts] == [("ALCE", "")]
    assert [item.reason for item in bare.unusable] == ["the row holds no claim"]


def test_citeeval_outputs_are_read_as_a_list_or_as_lines(tmp_path: Path, jsonl: Writer) -> None:
    row = {
        "id": "e1",
        "query": "Is the lake deep?",
        "passages": [{"text": "Most lakes are deep.", "title": ""}, {"text": "", "title": "Lakes"}],
        "pred": "Lakes are deep [1]. [2]",
    }
    done = import_contexts("citeeval", as_json(tmp_path, [row, row | {"pred": None}]))
    assert [(one.claim, one.passage, one.references) for one in done.contexts] == [
        ("Lakes are deep.", "Most lakes are deep.", 2)
    ]
    assert [item.reason for item in done.unusable] == ["the reference is blank", "the row holds no claim"]
    assert import_contexts("citeeval", jsonl([row])).contexts[0].id == done.contexts[0].id


def test_a_context_comes_back_from_its_json(jsonl: Writer) -> None:
    (one,) = import_contexts("expertqa", jsonl([expertqa()])).contexts
    assert Context.model_validate_json(one.model_dump_json()) == one
