from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib.evaluators import find_limiters, find_raisers
from forcebench_lib.evaluators.limiters import bare_numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It may help.", [("modality", "hedges", "may")]),
        ("It fell in May 2031.", [("temporal", "date", "in May 2031")]),
        ("Read on 4 March, it stood at 2.3 mm.", [("temporal", "date", "4 March")]),
        ("The firm paid 2,000 crowns.", []),
        ("It is linked to falls.", [("relation", "associations", "linked to")]),
        ("About 40 roofs", [("numeric", "approximators", "About 40")]),
        ("a book about roofs", []),
        ("a book about wells", [("scope", "group", "wells")]),
        ("Some adults", [("scope", "quantifiers", "Some"), ("scope", "group", "adults")]),
        ("In men aged 65, falls were rare.", [("scope", "group", "men aged 65")]),
        ("Some 40 roofs", [("numeric", "approximators", "Some 40")]),
        ("Some roofs", [("scope", "quantifiers", "Some")]),
        ("between 3 and 5 weeks", [("numeric", "range", "between 3 and 5")]),
        ("1.5–2 litres", [("numeric", "range", "1.5–2")]),
        ("from 3 mm to 5 mm", [("numeric", "range", "3 mm to 5")]),
        ("They were 3 and 5.", []),
        ("Farms lost 12 lambs on average.", [("numeric", "afterthoughts", "12 lambs on average")]),
        ("It cost 40 crowns or more, 5 at noon", [("numeric", "afterthoughts", "40 crowns or more")]),
        ("up to twelve days", [("numeric", "bounds", "up to twelve")]),
        ("It works with version 3.2 here.", [("scope", "version", "version 3.2")]),
        ("Courts in Ferrand agree.", [("scope", "place", "in Ferrand")]),
        ("It calms older adults.", [("scope", "group", "older adults")]),
    ],
)
def test_limiters(text, found):
    assert [(mark.axis, mark.kind, mark.text) for mark in find_limiters(text)] == found


def test_values_of_numbers():
    marks = find_limiters("It fell by at least 1,400.5 and by between two and five.")
    assert [mark.values for mark in marks] == [(1400.5,), (2.0, 5.0)]


def test_bare_numbers_are_those_without_a_limit():
    assert bare_numbers("Of 90 wells, about 40 ran dry in 2031, 3 to 4 of them for good, with version 7.") == {90.0}


@given(st.text())
def test_marks_lie_in_the_text_in_order_and_apart(text):
    for find in (find_limiters, find_raisers):
        marks = find(text)
        assert all(text[mark.start : mark.end] == mark.text != "" for mark in marks)
        assert all(before.end <= after.start for before, after in pairwise(marks))
