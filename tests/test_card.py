from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcebench_lib import card
from forcebench_lib.markup import visible
from forcebench_lib.schema import Pair
from tests.test_metrics import pair

HOSTILE = '<script>alert(1)</script> & "quoted" <img src=x onerror=alert(2)>'


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(html: str) -> Seen:
    parser = Seen()
    parser.feed(html)
    return parser


def test_everything_in_a_record_is_escaped() -> None:
    fields = dict.fromkeys(("id", "domain", "question", "rationale", "repair", "source"), HOSTILE)
    passage = f"Rain may fall. {HOSTILE}"
    hostile = pair("x").model_copy(
        update=fields | {"passage": passage, "raised_claim": HOSTILE, "licensing_passage": HOSTILE}
    )
    html = card.pair_card(hostile, verdicts={"safe": card.Verdict(HOSTILE, None)}, outcome="tie", judge=HOSTILE)
    found = seen(html)
    assert not {"script", "img"} & set(found.tags)
    assert not any(name.startswith("on") for name in found.attributes)
    assert HOSTILE in found.text


def test_the_card_says_what_it_shows_in_words() -> None:
    text = seen(
        card.pair_card(pair("p-1"), verdicts={"raised": card.Verdict("force_gap", 0.0)}, outcome="ordered")
    ).text
    for words in (
        "Evidence-calibrated",
        "Force-raised",
        "modality",
        "severity 2",
        "overt limiter",
        "force_gap",
        "score 0.00",
        "ordered",
    ):
        assert words in text


def test_the_evidence_span_is_marked() -> None:
    assert '<mark class="evidence">may fall</mark>' in card.pair_card(pair("p-1"))


def test_overlapping_spans_are_marked_once() -> None:
    assert card.marked_spans("abcdef", ["abc", "bcd"]) == '<mark class="evidence">abc</mark>def'


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_marked_difference_keeps_both_texts(first: str, second: str) -> None:
    left, right = card.marked_difference(first, second)
    assert seen(left).text.split() == visible(first).split()
    assert seen(right).text.split() == visible(second).split()


@pytest.mark.parametrize("sign", ["\x00", "\x1c", "\x85", "\u2028", "\u202e", "\u2067", "\ufeff", "\udfff"])
def test_signs_that_nobody_would_see_are_shown_wherever_they_stand(sign: str) -> None:
    """Also where they count as white space, which stands outside the marked words."""
    fields = pair("x").model_dump()
    for name in ("question", "safe_claim", "raised_claim", "repair", "rationale", "domain", "id"):
        fields[name] = f"{sign}{fields[name]} {sign}x"
    for name in ("passage", "licensing_passage"):
        fields[name] = f"{fields[name]} {sign}{sign}"
    html = card.pair_card(
        Pair.model_construct(**fields),
        verdicts={"safe": card.Verdict(f"{sign}yes", 1.0)},
        outcome=f"tie{sign}",
        judge=f"a{sign}",
    )
    assert sign not in html
    assert f"⟨U+{ord(sign):04X}⟩" in html
