"""The run browser in a real browser: search, keyboard, hostile replies, no script, phone and both colour schemes."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from forcebench_lib import browser, panel
from forcebench_lib.judging.plan import Item
from forcebench_lib.markup import visible
from forcebench_lib.paths import BOOK

from ..judging.conftest import make_edition
from ..planted import plant, says
from .test_replies import HOSTILE, said

CHROMIUM = Path("/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
EDITION = make_edition(3)
LONG = (HOSTILE + "A" * 20_000)[:20_000]

pytestmark = pytest.mark.skipif(
    not CHROMIUM.exists() and "CI" not in os.environ, reason="there is no /usr/bin/chromium (apt-get install chromium)"
)


def rambles(item: Item) -> dict[str, Any]:
    if item.pair.id == "t-001":
        return {"status": "refusal", "refusal": LONG, "error": HOSTILE}
    return says("force_gap") | ({"reply": LONG} if item.pair.id == "t-000" else {})


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with the browser over two runs, styled as in the book."""
    folder = tmp_path_factory.mktemp("page")
    runs = [
        plant(folder / "runs", EDITION, said, model="openai/one", evaluator=f"One {HOSTILE}"),
        plant(folder / "runs", EDITION, rambles, model="openai/two", passages=["cited"]),
    ]
    listed = [panel.Entry(number, run, EDITION) for number, run in enumerate(runs, 1)]
    styles = "".join((BOOK / "_static" / name).read_text() for name in ("companion.css", "runs.css"))
    script = (
        "document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'"
    )
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>untouched</title>',
        f'<meta name="viewport" content="width=device-width"><style>{styles}',  # the theme's own colours are not here
        "body { background: var(--paper); color: var(--ink) } a { color: var(--relation) }</style>",
        f'<script>{script}</script></head><body><main class="bd-content"><h1>Runs</h1>',
        browser.manifests(listed),
        browser.pairs(listed, EDITION),
        f"</main><script>{(BOOK / '_static' / 'runs.js').read_text()}</script></body></html>",
    ]
    (folder / "page.html").write_text("\n".join(parts), encoding="utf-8")
    return (folder / "page.html").as_uri()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield opened
        opened.close()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    context = chromium.new_context()
    yield visit(context.new_page(), address)
    context.close()


def visit(page: Page, address: str) -> Page:
    """Open the page; whatever it asks for, shows or throws that it should not is kept in `page.problems`."""
    page.problems = []  # type: ignore[attr-defined]
    page.on("request", lambda asked: asked.url.startswith(address) or page.problems.append(asked.url))  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.problems.append(str(error)))  # type: ignore[attr-defined]
    page.on("dialog", lambda dialog: page.problems.append(dialog.message) or dialog.dismiss())  # type: ignore[attr-defined]
    page.goto(address)
    page.wait_for_selector("output:not(:empty)")
    return page


def shown(page: Page) -> list[str]:
    page.wait_for_selector("form[aria-busy=false]")  # the choice of a run is read from compressed data
    return [str(one.get_attribute("data-pair")) for one in page.locator(".run-pair:not([hidden])").all()]


def test_pairs_are_found_by_run_axis_outcome_status_and_words(page: Page) -> None:
    assert page.locator("output").inner_text() == "3 of 3 pairs"
    outcomes = [one.inner_text().strip() for one in page.locator(".run-outcome").all()]
    assert outcomes == ["✓ ordered", "✗ inversion", "∅ unusable"]
    page.select_option("select[name=outcome]", "inversion")
    assert shown(page) == ["t-001"]
    assert page.locator("output").inner_text() == "1 of 3 pairs"
    page.select_option("select[name=outcome]", "")
    page.select_option("select[name=status]", "invalid_json")
    assert shown(page) == ["t-002"]
    page.select_option("select[name=status]", "")
    page.fill("input[name=words]", "QUESTION T-001")
    assert shown(page) == ["t-001"]
    page.fill("input[name=words]", "document.title")  # stands in a reply alone
    assert shown(page) == ["t-002"]
    page.select_option("select[name=run]", "2")
    assert shown(page) == ["t-000", "t-001"]
    page.fill("input[name=words]", "")
    page.select_option("select[name=axis]", "scope")
    assert shown(page) == []


def test_hostile_replies_are_text_and_nothing_else(page: Page) -> None:
    for pair in page.locator(".run-pair > summary").all():
        pair.click()
    texts = page.locator("#pair-t-002 pre.run-text")
    assert texts.first.text_content() == visible(HOSTILE)
    page.select_option("select[name=run]", "2")
    page.wait_for_function("document.querySelector('#pair-t-000 pre').textContent.length > 10000")
    assert page.locator("#pair-t-000 pre").first.text_content() == visible(LONG)
    assert page.locator("#pair-t-000 pre").first.bounding_box()["height"] < 250  # type: ignore[index]
    assert page.locator("#pair-t-001 pre").count() == 4  # refusal and error of both claims
    page.wait_for_timeout(100)
    assert page.title() == "untouched"
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert page.problems == []  # type: ignore[attr-defined]
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_pair_opens_by_keyboard_and_shows_what_the_chosen_run_said(page: Page) -> None:
    page.locator("#pair-t-000 > summary").focus()
    page.keyboard.press("Enter")
    replies = page.locator("#pair-t-000 .run-reply")
    replies.first.wait_for()
    assert [one.locator(".claim-label").inner_text() for one in replies.all()] == [
        "Evidence-calibrated claim, cited passage",
        "Force-raised claim, cited passage",
        "Force-raised claim, licensing passage",
    ]
    assert replies.first.locator(".claim-verdict").inner_text() == "force_calibrated · score 1.00 · ok · 0.50 s"
    assert "Claim side: ✓ ordered" in page.locator("#pair-t-000 .run-said").inner_text()
    page.select_option("select[name=run]", "2")
    page.wait_for_function("document.querySelectorAll('#pair-t-000 .run-reply').length === 2")
    assert "Evidence side" not in page.locator("#pair-t-000 .run-said").inner_text()


def test_an_address_with_a_pair_opens_it(chromium: Browser, address: str) -> None:
    page = chromium.new_page()
    visit(page, f"{address}#pair-t-001")
    page.locator("#pair-t-001 .run-reply").first.wait_for()
    assert page.locator("#pair-t-001 .run-reply").first.is_visible()
    page.close()


def test_without_a_script_all_pairs_and_manifests_can_be_read(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert not page.locator("form").is_visible()
    page.locator("#pair-t-001 > summary").click()
    assert page.locator("#pair-t-001 .pair-card").is_visible()
    page.locator("#run-2 > summary").click()
    assert "openai/two" in page.locator("#run-2 dl").inner_text()
    context.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_open_browser_is_accessible(chromium: Browser, address: str, colours: Literal["light", "dark"]) -> None:
    context = chromium.new_context(color_scheme=colours)
    page = visit(context.new_page(), address)
    for summary in page.locator("details > summary").all():
        if summary.is_visible():
            summary.click()
    found = Axe().run(page, options={"preload": False}).response["violations"]
    serious = [rule for rule in found if rule["impact"] in ("serious", "critical")]
    assert [f"{rule['id']}: {node['html'][:200]}" for rule in serious for node in rule["nodes"]] == []
    context.close()
