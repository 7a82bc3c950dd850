import pytest

from forcebench_lib.evaluators import entity_overlap
from forcebench_lib.evaluators.entities import topical_entities


def test_names_numbers_and_long_words_are_entities():
    found = topical_entities("Last year the Cray bridge got 14 piers. Repairs in Om cost 1,400.")
    assert found == {"cray", "bridg", "14", "repair", "om", "1400"}


@pytest.mark.parametrize(
    ("claim", "share"),
    [
        ("Bridges in Cray have 14 piers.", 1.0),
        ("Bridges in Cray have 15 piers.", 2 / 3),
        ("Bridges in Cray may have 14 piers.", 1.0),  # short force words are not seen
        ("It may be so.", 0.0),
    ],
)
def test_entity_overlap(claim, share):
    assert entity_overlap(["Cray has a bridge on 14 piers."], [claim]) == [pytest.approx(share)]
