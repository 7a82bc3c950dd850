"""Another unit, sign, number word or date is another value; another spelling of one is not."""

import pytest

from forcebench_lib.gate import rules


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Refunds take 14 days.", "Refunds take 14 months."),
        ("The dose is 5 mg.", "The dose is 5 g."),
        ("Turnover was 3 million crowns.", "Turnover was 3 million dollars."),
        ("The fee is $5.", "The fee is €5."),
        ("Refunds take 14%.", "Refunds take 14 days."),
        ("Revenue was $1.5m.", "Revenue was $1.5bn."),
        ("Refunds take 14 days.", "Refunds take thirty days."),
        ("Refunds take 14 days.", "Refunds take twenty-one days."),
        ("Refunds take 14 days.", "Refunds take one day."),
        ("The law passed on 2031-06-12.", "The law passed on 1999-06-12."),
        ("The law passed on 2031-06-12.", "The law passed on 13 June 2031."),
        ("It closes at -5 degrees.", "It closes at 5 degrees."),
        ("It closes at 5 degrees.", "It closes at −5 degrees."),
        ("It opens at 9 a.m. daily.", "It opens at 9 p.m. daily."),
        ("Call 555-1234. Refunds take 14 days.", "Refunds take 600 days."),
    ],
)
def test_another_value_is_not_supported(passage: str, claim: str) -> None:
    assert rules.read(passage, claim).score == 0.0
    assert rules.read(claim, claim).score == 1.0


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Refunds take 14 working days.", "Refunds take 14 days."),
        ("Refunds take fourteen days.", "Refunds take 14 days."),
        ("The dose is 5 kg.", "The dose is 5 kilograms."),
        ("The rate is 5 percent.", "The rate is 5%."),
        ("The law passed on 2031-06-12.", "The law passed on 12 June 2031."),
        ("It closes at -5 degrees.", "It closes at −5 degrees."),
        ("Refunds take 10 to 14 days.", "Refunds take 10 to 14 days."),
        ("Revenue was $1.5m.", "Revenue was $1.5 million."),
    ],
)
def test_another_spelling_of_a_value_is_supported(passage: str, claim: str) -> None:
    assert "The claim says" not in rules.read(passage, claim).detail
