"""What the page holds of a run: outcomes by hand, hostile text made visible, and a budget that is kept."""

import gzip
import json
import random
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from forcebench_lib import browser, panel, tables
from forcebench_lib.book.table import table_html
from forcebench_lib.browser import replies
from forcebench_lib.judging.plan import Item
from forcebench_lib.markup import visible

from ..judging.conftest import make_edition
from ..planted import plant, says

EDITION = make_edition(3)
HOSTILE = '</script><script>document.title = "taken"</script><img src=x onerror=alert(1)> '
HOSTILE += "{num}`x::y` \u202eback\u202c \x00\x1b[31m"


def said(item: Item) -> dict[str, Any]:
    """The first pair is ordered, the second inverted, the third cannot be read."""
    if item.pair.id == "t-002":
        return {"status": "invalid_json", "reply": HOSTILE, "reply_chars": len(HOSTILE), "earlier": (HOSTILE,)}
    return says("force_calibrated" if (item.claim == "safe") == (item.pair.id == "t-000") else "force_gap")


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory) -> panel.Entry:
    asked = {"evaluator": f"Toy {HOSTILE}", "model_file": HOSTILE, "repeats": 2}
    return panel.Entry(7, plant(tmp_path_factory.mktemp("runs"), EDITION, said, **asked), EDITION)


def test_a_line_holds_the_outcomes_and_all_replies_of_a_pair(entry: panel.Entry) -> None:
    lines = {line["pair"]: line for line in browser.lines(entry)}
    assert [(line["claim_side"], line["evidence_side"]) for line in lines.values()] == [
        ("ordered", "tie"),  # the raised claim is denied under both passages
        ("inversion", "tie"),
        ("unusable", "unusable"),
    ]
    places = [(one["repeat"], one["passage"], one["claim"]) for one in lines["t-001"]["replies"] if "repeat" in one]
    assert places == [(1, "cited", "safe"), (1, "cited", "raised"), (1, "licensing", "raised")]
    first = lines["t-000"]["replies"][0]
    assert (first["label"], first["score"], first["reply"]) == (
        "force_calibrated",
        1.0,
        '{"label": "force_calibrated"}',
    )
    assert lines["t-000"]["replies"][1]["score"] == 0.0
    assert "score" not in lines["t-002"]["replies"][0]


def test_what_is_not_seen_or_turns_text_around_stands_as_its_code() -> None:
    assert visible("a\u202eb\x00\x1b\u2066\ud800\n\tz") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+001B⟩⟨U+2066⟩⟨U+D800⟩\n\tz"
    assert visible("naïve 中文 عربي 🙂") == "naïve 中文 عربي 🙂"


def test_no_markup_of_a_run_becomes_markup_of_the_page(entry: panel.Entry) -> None:
    html = browser.pairs([entry], EDITION) + browser.manifests([entry]) + browser.changed(entry, entry)
    page = BeautifulSoup(html, "html.parser")
    assert page.select("script, img, [onerror], [onload], [style]") == []
    assert "</script><script>document.title" in page.select_one(".run-manifest dl").get_text()  # type: ignore[union-attr]
    assert "\u202e" not in html
    assert "\x00" not in html


def test_the_replies_of_a_run_can_be_downloaded_without_a_script(entry: panel.Entry) -> None:
    page = BeautifulSoup(browser.pairs([entry], EDITION), "html.parser")
    link = page.select_one("a[data-run='7'][download$='.jsonl.gz']")
    assert link is not None
    data = gzip.decompress(b64decode(str(link["href"]).partition(",")[2])).decode()
    assert [json.loads(line) for line in data.splitlines()] == list(browser.lines(entry))
    assert page.form is not None
    assert page.form.has_attr("hidden")
    assert len(page.select("details.run-pair .pair-card")) == 3


def test_runs_on_another_text_are_listed_and_not_laid_beside_the_pairs(entry: panel.Entry) -> None:
    stranger = panel.Entry(8, entry.run, None)
    page = BeautifulSoup(browser.pairs([stranger], EDITION), "html.parser")
    assert page.select("a[data-run], select[name=run]") == []
    assert "on another text than today" in browser.manifests([stranger])


def test_long_replies_are_cut_until_the_page_keeps_its_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = random.Random(0)

    def rambles(item: Item) -> dict[str, Any]:
        text = "".join(noise.choices("abcdefghijklmnopqrstuvwxyz ", k=15_000))
        return {"status": "invalid_json", "reply": text, "reply_chars": 1_000_000}

    long = panel.Entry(1, plant(tmp_path, EDITION, rambles), EDITION)
    assert replies.within_budget([long])[1] == 20_001
    monkeypatch.setattr(replies, "BUDGET", 40_000)
    packed, longest = replies.within_budget([long])
    assert longest == 2_000
    assert sum(map(len, packed)) <= 40_000
    shown = next(browser.lines(long, longest=longest))["replies"][0]["reply"]
    assert shown.endswith(" … (1,000,000 characters in all)")
    assert len(shown) < 2_050
    assert "Replies are cut after 2,000 characters here." in browser.pairs([long], EDITION)


def test_the_recorded_runs_make_a_page_under_a_megabyte_and_a_half() -> None:
    listed, edition = panel.entries("open"), panel.waves("open")[0]
    matrix = table_html(tables.outcome_matrix(listed, edition))
    parts = [browser.manifests(listed), browser.pairs(listed, edition), matrix]
    assert sum(len(part.encode()) for part in parts) < 1_350_000  # the frame of a page takes 60,000


def test_changed_pairs_stand_as_cards_and_the_others_as_links(entry: panel.Entry, tmp_path: Path) -> None:
    other = panel.Entry(9, plant(tmp_path, EDITION, lambda item: says("force_gap")), EDITION)
    page = BeautifulSoup(browser.changed(entry, other, shown=1), "html.parser")
    assert page.summary.get_text() == "t-000 · modality · ✓ ordered → = tie"  # type: ignore[union-attr]
    said = [one.get_text() for one in page.select(".run-labels dd")]
    assert said == [
        "evidence-calibrated claim: force_calibrated; force-raised claim: force_gap",
        "evidence-calibrated claim: force_gap; force-raised claim: force_gap",
    ]
    assert [link["href"] for link in page.select(".run-more a")] == ["#pair-t-001", "#pair-t-002"]
    assert browser.changed(entry, entry) == ""
