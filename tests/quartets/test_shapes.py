import pytest

from forcebench_lib.quartets.records import Kind
from forcebench_lib.quartets.shapes import same_type


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("14 hours", "nine hours", "quantity"),
        ("at least 40 litres", "up to 65 litres", "quantity"),
        ("every 10 days", "25 days", "quantity"),
        ("1 day", "3 days", "quantity"),
        ("twenty-four", "31", "number"),
        ("14 March 2031", "2 June 2031", "date"),
        ("Monday", "Friday", "date"),
        ("Little Haddow Pool", "Tew Drain", "place"),
        ("Berit Holm", "A. Lund", "name"),
        ("P7", "E4", "term"),
        ("half calf", "green cloth", "term"),
    ],
)
def test_one_type(first: str, second: str, kind: Kind) -> None:
    assert same_type(first, second, kind)
    assert same_type(second, first, kind)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("14 hours", "14 metres", "quantity"),
        ("7,500", "12,000 cycles", "number"),
        ("14 March 2031", "March 2031", "date"),
        ("Monday", "14 March", "date"),
        ("Little Haddow Pool", "the eastern pool", "place"),
        ("Berit Holm", "14", "name"),
        ("P7", "red", "term"),
    ],
)
def test_two_types(first: str, second: str, kind: Kind) -> None:
    assert not same_type(first, second, kind)
    assert not same_type(second, first, kind)
