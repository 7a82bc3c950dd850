"""The project's own book in a real browser, over http and from the file system, in both colour schemes."""

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from .test_site import PAGES

CHROMIUM = Path("/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUIET += ["--disable-sync", "--no-first-run"]

# What the theme's own templates bring and a book cannot change, each with its reason.
THEMES_OWN = {
    "label-content-name-mismatch": "the search button and the links to the neighbouring pages have labels of their own",
}

pytestmark = pytest.mark.skipif(
    not CHROMIUM.exists() and "CI" not in os.environ, reason="there is no /usr/bin/chromium (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIET)
        yield opened
        opened.close()


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def addresses(site: Path) -> Iterator[dict[str, str]]:
    """Where the site begins, by scheme."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Silent, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {"http": f"http://127.0.0.1:{server.server_port}", "file": site.as_uri()}
        server.shutdown()


@dataclass
class Visit:
    """A page as opened, with all that went wrong on the way."""

    page: Page
    problems: list[str] = field(default_factory=list)


def _open(browser: Browser, address: str, *, colours: str = "light", width: int = 1200) -> Visit:
    page = browser.new_page(
        color_scheme="dark" if colours == "dark" else "light", viewport={"width": width, "height": 900}
    )
    visit = Visit(page)
    home = urlsplit(address)

    def inside(url: str) -> bool:
        asked = urlsplit(url)
        return asked.scheme in ("data", "blob") or (asked.scheme, asked.netloc) == (home.scheme, home.netloc)

    page.on("request", lambda asked: inside(asked.url) or visit.problems.append(f"outside: {asked.url}"))
    page.on("requestfailed", lambda asked: visit.problems.append(f"failed: {asked.url}"))
    page.on("response", lambda got: got.status < 400 or visit.problems.append(f"{got.status}: {got.url}"))
    page.on("console", lambda said: said.type != "error" or visit.problems.append(f"console: {said.text}"))
    page.on("pageerror", lambda error: visit.problems.append(f"script: {error}"))
    page.goto(address)
    page.wait_for_function(
        "document.querySelectorAll('.vl-chart').length === document.querySelectorAll('.vl-drawn').length"
    )
    return visit


MARKS = """() => [...document.querySelectorAll('.vl-chart')].map(chart => chart.querySelectorAll(
    '.vl-view svg :is(.mark-rect, .mark-symbol, .mark-line, .mark-rule, .mark-text, .mark-area) :is(path, line, text)'
).length)"""


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("scheme", "colours"), [("http", "light"), ("file", "dark")])
def test_every_page_loads_whole_alone_and_accessible(
    browser: Browser, addresses: dict[str, str], name: str, scheme: str, colours: str
) -> None:
    visit = _open(browser, f"{addresses[scheme]}/{name}.html", colours=colours)
    assert visit.problems == []
    assert visit.page.locator("html").get_attribute("data-theme") == colours
    assert 0 not in visit.page.evaluate(MARKS)
    found = Axe().run(visit.page).response["violations"]
    serious = [rule for rule in found if rule["impact"] in ("serious", "critical") and rule["id"] not in THEMES_OWN]
    assert [f"{rule['id']}: {node['html'][:200]}" for rule in serious for node in rule["nodes"]] == []
    visit.page.set_viewport_size({"width": 375, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 375
    assert visit.problems == []
    visit.page.close()


@pytest.fixture(scope="module")
def chart_page(site: Path) -> str:
    """The name of a page with a chart and a table."""
    for name in PAGES:
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        if 'class="vl-chart"' in text and 'class="data-table"' in text:
            return name
    raise AssertionError("no page of the book has a chart and a table")


def test_charts_are_redrawn_when_the_reader_changes_the_scheme(
    browser: Browser, addresses: dict[str, str], chart_page: str
) -> None:
    page = _open(browser, f"{addresses['http']}/{chart_page}.html").page
    ink = "() => getComputedStyle(document.querySelector('.vl-view svg .role-axis-title text')).fill"
    light = page.evaluate(ink)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"({ink})() !== {light!r}")
    assert page.evaluate(MARKS)[0] > 0
    page.close()


def test_a_chart_without_javascript_and_in_print_is_its_image(
    browser: Browser, addresses: dict[str, str], chart_page: str
) -> None:
    address = f"{addresses['file']}/{chart_page}.html"
    quiet = browser.new_context(java_script_enabled=False).new_page()
    quiet.goto(address)
    assert quiet.locator(".vl-chart > img").first.is_visible()
    assert quiet.locator(".vl-chart > img").first.bounding_box()["width"] > 100  # type: ignore[index]
    quiet.context.close()
    page = _open(browser, address, colours="dark").page
    assert not page.locator(".vl-chart > img").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator(".vl-chart > img").first.is_visible()
    assert not page.locator(".vl-view").first.is_visible()
    assert not page.locator("details.above-input").first.is_visible()
    page.close()


def test_a_table_is_sorted_by_the_head_that_is_clicked(
    browser: Browser, addresses: dict[str, str], chart_page: str
) -> None:
    page = _open(browser, f"{addresses['file']}/{chart_page}.html").page
    table = page.locator("table.data-table:has(th button)").first
    head = table.locator("th[scope=col]").first
    column = table.locator("tbody tr > :first-child")
    head.locator("button").click()
    first = column.all_inner_texts()
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column.all_inner_texts() == first[::-1]
    page.close()


def test_the_claims_of_a_pair_stand_side_by_side_and_on_a_phone_one_below_the_other(
    browser: Browser, addresses: dict[str, str], site: Path
) -> None:
    name = next(name for name in PAGES if 'class="pair-claims"' in (site / f"{name}.html").read_text(encoding="utf-8"))
    page = _open(browser, f"{addresses['file']}/{name}.html").page
    claims = page.locator(".pair-claims").first.locator(".claim")
    safe, raised = (claims.nth(place).bounding_box() for place in (0, 1))
    assert safe["y"] == raised["y"]  # type: ignore[index]
    page.set_viewport_size({"width": 375, "height": 800})
    safe, raised = (claims.nth(place).bounding_box() for place in (0, 1))
    assert safe["y"] + safe["height"] <= raised["y"]  # type: ignore[index]
    page.close()
