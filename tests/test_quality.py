from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forcebench_lib import quality
from forcebench_lib.quality.locality import edit_share
from forcebench_lib.schema import MECHANISMS, Pair
from tests.test_corpus import row


def pair(row_id: str = "x-1", **changes: object) -> Pair:
    return Pair.model_validate(row(row_id, **changes))


def claims(row_id: str, safe: str, raised: str, **changes: object) -> Pair:
    return pair(row_id, safe_claim=safe, raised_claim=raised, **changes)


def found(frame: pd.DataFrame, check: str, part: str = "all") -> float:
    return float(frame.set_index(["check", "part"])["found"][check, part])


# Four pairs; which shortcut orders which is plain from the words.
FOUR = [
    claims("a", "Rain may fall.", "Rain will fall soon."),  # a hedge, shorter
    claims("b", "Rain fell in one of the northern towns.", "Rain fell everywhere."),  # longer, no universal word
    claims("c", "Snow was seen in the north.", "Snow was always seen in all the north.", axis="scope", mechanism=""),
    claims("d", "Rain may fall in the far north.", "Rain may fall for all in the north.", axis="scope", mechanism=""),
]


def test_claim_shortcuts_by_hand() -> None:
    frame = quality.claim_shortcuts(FOUR)
    assert found(frame, "More hedges win") == 0.75  # only a
    assert found(frame, "Longer wins") == 0.75  # only b
    assert found(frame, "Shorter wins") == 0.25  # a, c and d
    assert found(frame, "Fewer universal words win") == 0.25  # not a
    assert found(frame, "Shorter wins", "scope") == 0.0
    held = frame.set_index(["check", "part"])["holds"]
    assert held["Longer wins", "all"]
    assert not held["Shorter wins", "all"]
    assert not held["Shorter wins", "scope"]


def test_a_bound_is_met_by_its_own_value() -> None:
    assert quality.Bound("at least", 0.4).holds(0.4)
    assert quality.Bound("at most", 0.4).holds(0.4)
    assert not quality.Bound("at least", 0.4).holds(0.39)
    assert not quality.Bound("at most", 0.4).holds(0.41)


def test_recall_counts_a_tie_as_violation_and_names_the_hard_pairs() -> None:
    passage = "Rain may fall in the north. It is dry now."
    easy = claims("e", "Rain may fall.", "Storms rage.", passage=passage, licensing_passage="Storms rage now.")
    hard = claims("h", "Showers may come.", "Rain may fall.", passage=passage, licensing_passage=f"{passage} Yes.")
    frame = quality.recall([easy, hard])
    assert found(frame, "Content-word recall") == 0.5
    assert found(frame, "Content-word recall, mirror") == 0.5  # both passages hold all words of the hard raised claim
    assert quality.recall_hard([easy, hard]) == {"h"}


def test_a_classifier_learns_a_giveaway_word_and_nothing_from_chance() -> None:
    nouns = [f"town{letter}" for letter in "abcdefghijklmnopqrst"]
    giveaway = [claims(noun, f"Rain fell at {noun} mildly.", f"Rain fell at {noun} hard.") for noun in nouns]
    assert found(quality.ngram_classifier(giveaway), "Learned from the claims' words") == 1.0
    nothing = [claims(noun, f"It is {noun} one{noun}.", f"It is {noun} two{noun}.") for noun in nouns]
    assert found(quality.ngram_classifier(nothing), "Learned from the claims' words") == 0.0  # all ties


def test_a_classifier_that_learned_the_opposite_orders_nothing() -> None:
    half = [claims(f"m{n}", "Rain fell mildly.", "Rain fell hard.") for n in range(10)]
    other = [claims(f"h{n}", "Rain fell hard.", "Rain fell mildly.") for n in range(10)]
    share = found(quality.ngram_classifier(half + other), "Learned from the claims' words")
    assert share <= 0.5  # whichever way it leans, one half is wrong


def test_too_few_pairs_for_a_classifier_give_no_figure() -> None:
    frame = quality.ngram_classifier(FOUR)
    assert frame["found"].isna().all()
    assert frame["holds"].isna().all()


def test_the_limit_is_complete_where_its_last_span_stands() -> None:
    passage = "A" * 10 + "bbb" + "C" * 10 + "ddd" + "E" * 4  # 30 letters: bbb at 10, ddd at 23
    assert quality.limiter_third(pair(passage=passage, evidence_spans=["bbb"])) == 1
    assert quality.limiter_third(pair(passage=passage, evidence_spans=["ddd", "bbb"])) == 2


def test_composition_by_hand() -> None:
    names = MECHANISMS["modality"]
    pairs = [pair(f"x-{n}", mechanism=name, marker="implicit" if n < 4 else "overt") for n, name in enumerate(names)]
    frame = quality.composition(pairs)
    assert found(frame, "Implicit limiters") == 0.5
    assert found(frame, "Limit complete only in the last third") == 0.0
    assert found(frame, "Pairs of the rarest mechanism", "modality") == 1
    assert not frame.set_index("check")["holds"]["Pairs of the rarest mechanism"]
    twice = quality.composition([*pairs, *(one.model_copy(update={"id": f"y-{one.id}"}) for one in pairs)])
    assert twice.set_index("check")["holds"]["Pairs of the rarest mechanism"]


def test_composition_leaves_out_what_an_edition_does_not_have() -> None:
    bare = quality.composition([pair(marker="", mechanism="")])
    assert bare["check"].unique().tolist() == ["Limit complete only in the last third"]


def test_likeness_by_hand() -> None:
    texts = ["a1 b1 c1 d1", "a1 b1 c1 e1", "f1 g1 h1 i1"]
    frame = quality.likeness(texts, words=2)  # {ab, bc, cd} and {ab, bc, ce}: 2 of 4
    assert frame.to_dict("records") == [{"first": 0, "second": 1, "jaccard": 0.5}]


@settings(deadline=None)  # the first example imports scikit-learn
@given(st.lists(st.lists(st.sampled_from(["tea", "rain", "wall"]), min_size=2, max_size=6), min_size=2, max_size=6))
def test_likeness_is_the_jaccard_index_of_sets(texts: list[list[str]]) -> None:
    frame = quality.likeness([" ".join(words) for words in texts], words=2)
    got = {(row.first, row.second): row.jaccard for row in frame.itertuples()}
    sets = [set(pairwise(words)) for words in texts]
    for second in range(len(texts)):
        for first in range(second):
            a, b = sets[first], sets[second]
            assert got.get((first, second), 0.0) == pytest.approx(len(a & b) / len(a | b))


def test_a_frame_with_other_nouns_is_a_near_duplicate() -> None:
    passages = {
        "x": "The Torvik mill opened in 2031. Few came.",
        "y": "Where is the Ambla quarry? It lies by the lake.",
    }
    one = claims("x", "The Torvik mill sold 40 sacks a day.", "The Torvik mill sold 50 sacks.", passage=passages["x"],
                 evidence_spans=["Few"])  # fmt: skip
    two = claims("y", "The Ambla quarry sold 7,100 stones a day.", "No.", passage=passages["y"], evidence_spans=["by"])
    alike = two.model_copy(update={"safe_claim": "The Ambla mill sold 7,100 sacks a day."})
    counts = quality.near_duplicates([one, two]).set_index("check")["found"]
    assert counts.sum() == 0
    counts = quality.near_duplicates([one, alike]).set_index("check")["found"]
    assert counts["Near-duplicate calibrated frames"] == 1
    assert counts["Near-duplicate calibrated claims"] == 0  # 3 of 12 word pairs
    assert quality.closest([one, alike])["jaccard"].max() == 1.0


def test_names_are_capitalised_words_inside_a_sentence() -> None:
    one = pair(passage="Tides rose at Orrmouth in May. Dr Bellun's team saw it on Mondays at Orrmouth's pier.",
               evidence_spans=["rose"])  # fmt: skip
    assert quality.row_names(one) == {"Orrmouth", "Bellun"}


def test_a_name_in_two_rows_is_found_and_an_ordinary_word_is_not() -> None:
    first = pair("x-1", passage="By then Orrmouth had its Council.", evidence_spans=["had"])
    second = pair("x-2", passage="Ships left Orrmouth. The council and the Council sat.", evidence_spans=["sat"])
    shared = quality.shared_names([first, second])
    assert shared.to_dict("records") == [{"name": "Orrmouth", "rows": 2, "ids": "x-1, x-2"}]


def test_a_real_country_city_or_language_is_known() -> None:
    real = pair(passage="Ships left for Norway and Tirana with Basque crews from Orrmouth.", evidence_spans=["left"])
    names = quality.known_names([real]).set_index("name")["kind"].to_dict()
    assert names == {"Basque": "language", "Norway": "country or region", "Tirana": "city"}


def test_locality_by_hand() -> None:
    one = claims(
        "x",
        "In March the Torvik mill made 3 to 5 tonnes.",
        "The Torvik mill and the Ambla mill made 5 tonnes, or 9.",
        passage="The Torvik mill and the Ambla mill: 3 to 5 tonnes in March.",
        evidence_spans=["3 to 5"],
    )
    frame = quality.locality([one]).iloc[0]
    # shared in order: the torvik mill made 5 tonnes = 6 of 10 and 12 words
    assert frame["edit_share"] == pytest.approx(1 - 2 * 6 / 22)
    assert frame["names_kept"] == 1.0
    assert frame["numbers_kept"] == 0.5
    assert frame["new_names"] == ""  # Ambla is in the passage
    assert frame["new_numbers"] == "9"


def test_outliers_are_far_apart_or_bring_something_in() -> None:
    base = {"axis": "scope", "new_names": "", "new_numbers": ""}
    rows = [{"pair_id": f"p{n}", "edit_share": 0.2 + n / 100} | base for n in range(8)]
    rows += [{"pair_id": "far", "edit_share": 0.9} | base]
    rows += [{"pair_id": "new", "edit_share": 0.2} | base | {"new_names": "Ambla", "new_numbers": "9"}]
    told = quality.outliers(pd.DataFrame(rows)).set_index("pair_id")["reason"].to_dict()
    assert told == {"far": "far apart", "new": "new name, new number"}


@given(st.text("ab ", max_size=12), st.text("ab ", max_size=12))
def test_an_edit_share_lies_between_nothing_and_all(first: str, second: str) -> None:
    assert 0 <= edit_share(first, second) <= 1
    assert edit_share(first, first) == 0


def test_the_report_has_each_check_once_a_part() -> None:
    frame = quality.report(FOUR, FOUR)
    assert list(frame.columns) == list(quality.FINDING_COLUMNS)
    assert not frame.duplicated(["check", "part"]).any()
