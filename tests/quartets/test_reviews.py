import json
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib import reported
from forcebench_lib.quartets import VARIANTS, against_design, agreement, examples
from forcebench_lib.quartets.dataset import Review
from forcebench_lib.quartets.reviews import item_name, read_sheet, sheet
from forcebench_lib.schema import InputError

from .rows import SUPPORT, row

QUARTETS = [row("a"), row("b"), row("c")]


def review(reviewer: str, variant: str, quartet: str = "a", **changes: Any) -> Review:
    fields = {
        "quartet": quartet,
        "variant": variant,
        "reviewer": reviewer,
        "evidence_status": {"noisy": "sufficient"}.get(variant, variant),
        "expected_behaviour": {"insufficient": "abstain", "conflicting": "flag_conflict"}.get(variant, "answer"),
        "answer_valid": "yes",
        "citation_valid": "yes",
        "conflict_present": "yes" if variant == "conflicting" else "no",
    }
    return Review.model_validate(fields | changes)


def test_a_sheet_holds_every_context_once_and_names_none() -> None:
    found = sheet(QUARTETS, reviewer="one")
    assert {one["item"] for one in found} == {item_name(one, "one") for one in examples(QUARTETS)}
    text = json.dumps(found)
    assert not any(word in text for word in (*VARIANTS, "DOC-", "support_span", "distractor"))
    assert [one["item"] for one in found] != [one["item"] for one in sheet(QUARTETS, reviewer="two")]


def test_the_proposed_citation_is_the_support_or_none() -> None:
    for one in sheet(QUARTETS, reviewer="one"):
        texts = {document["alias"]: document["text"] for document in one["documents"]}
        assert texts.get(one["proposed_citation"]) == (SUPPORT if SUPPORT in texts.values() else None)
        assert one["proposed_answer"] == "14 hours"


def test_a_filled_sheet_becomes_reviews(tmp_path: Path) -> None:
    path = tmp_path / "filled.jsonl"
    empty = review("one", "noisy").model_dump(exclude={"quartet", "variant", "reviewer"})
    filled = [{"item": one["item"]} | empty for one in sheet(QUARTETS, reviewer="one")]
    path.write_text("".join(json.dumps(one) + "\n" for one in filled), encoding="utf-8")
    found = read_sheet(path, QUARTETS, reviewer="one")
    assert [(one.quartet, one.variant) for one in found] == [(one.quartet, one.variant) for one in examples(QUARTETS)]
    with pytest.raises(InputError, match="expected each item of two's sheet once"):
        read_sheet(path, QUARTETS, reviewer="two")
    path.write_text(json.dumps(filled[0]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="11 of 12 items are missing"):
        read_sheet(path, QUARTETS, reviewer="one")


def test_reviews_agree_on_a_group_where_they_agree_on_all_its_fields() -> None:
    pairs = [(review("one", variant), review("two", variant)) for variant in VARIANTS]
    pairs[0] = (pairs[0][0], review("two", "sufficient", citation_valid="no"))
    found = agreement([one for pair in pairs for one in pair]).set_index("field")
    assert list(found.index) == reported.eviscope_agreement()["field"].tolist()
    assert found["same"].tolist() == [1, 1, 0.75]
    assert found["n"].tolist() == [4, 4, 4]
    # the second reviewer wrote yes/no once, the first never: agreement by chance is 3/4, so kappa is 0
    assert found["kappa"].tolist() == [1, 1, pytest.approx(0)]


def test_each_reviewer_is_held_against_the_design() -> None:
    rows = [review("one", variant) for variant in VARIANTS]
    rows.append(review("two", "insufficient", evidence_status="ambiguous"))
    found = against_design(rows).set_index(["reviewer", "variant"])
    assert found.loc[("one", "noisy"), ["n", "status", "behaviour"]].tolist() == [1, 1, 1]
    assert found.loc[("two", "insufficient"), ["n", "status", "behaviour"]].tolist() == [1, 0, 1]
