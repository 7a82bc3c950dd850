"""The project's own book in a real browser, over http and from the file system, in both colour schemes."""

import functools
import http.server
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from .test_site import PAGES

CHROMIUM = Path("/usr/bin/chromium")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUIET += ["--disable-sync", "--no-first-run"]

# What the theme's own templates bring and a book cannot change, each with its reason.
THEMES_OWN = {
    "label-content-name-mismatch": "the search button and the links to the neighbouring pages have labels of their own",
    "aria-required-children": "docutils writes a bibliography as a list of doc-biblioentry, a role now withdrawn",
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


Visitor = Callable[..., Visit]


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    """Opens pages, and closes them whatever the test finds."""
    contexts = []

    def visit(address: str, *, colours: Literal["light", "dark"] = "light", script: bool = True) -> Visit:
        size: ViewportSize = {"width": 1200, "height": 900}
        context = browser.new_context(color_scheme=colours, viewport=size, java_script_enabled=script)
        contexts.append(context)
        visited = Visit(context.new_page())
        _watch(visited, urlsplit(address))
        visited.page.goto(address)
        if script:
            visited.page.wait_for_function(DRAWN)
        return visited

    yield visit
    for context in contexts:
        context.close()


def _watch(visit: Visit, home: SplitResult) -> None:
    def inside(url: str) -> bool:
        asked = urlsplit(url)
        return asked.scheme in ("data", "blob") or (asked.scheme, asked.netloc) == (home.scheme, home.netloc)

    note = visit.problems.append
    visit.page.on("request", lambda asked: inside(asked.url) or note(f"outside: {asked.url}"))
    visit.page.on("requestfailed", lambda asked: note(f"failed: {asked.url}"))
    visit.page.on("response", lambda got: got.status < 400 or note(f"{got.status}: {got.url}"))
    visit.page.on("console", lambda said: said.type != "error" or note(f"console: {said.text}"))
    visit.page.on("pageerror", lambda error: note(f"script: {error}"))


DRAWN = "document.querySelectorAll('.vl-chart').length === document.querySelectorAll('.vl-drawn').length"
MARKS = """() => [...document.querySelectorAll('.vl-chart')].map(chart => chart.querySelectorAll(
    '.vl-view svg :is(.mark-rect, .mark-symbol, .mark-line, .mark-rule, .mark-text, .mark-area) :is(path, line, text)'
).length)"""


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("scheme", "colours"), [("http", "light"), ("file", "dark")])
def test_every_page_loads_whole_alone_and_accessible(
    visitor: Visitor, addresses: dict[str, str], name: str, scheme: str, colours: Literal["light", "dark"]
) -> None:
    visit = visitor(f"{addresses[scheme]}/{name}.html", colours=colours)
    assert visit.problems == []
    assert visit.page.locator("html").get_attribute("data-theme") == colours
    assert 0 not in visit.page.evaluate(MARKS)
    # preloading would fetch each style sheet once more, which file:// refuses
    found = Axe().run(visit.page, options={"preload": False}).response["violations"]
    serious = [rule for rule in found if rule["impact"] in ("serious", "critical") and rule["id"] not in THEMES_OWN]
    assert [f"{rule['id']}: {node['html'][:200]}" for rule in serious for node in rule["nodes"]] == []
    visit.page.set_viewport_size({"width": 375, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 375
    assert visit.problems == []


@pytest.fixture(scope="module")
def chart_page(site: Path) -> str:
    """The name of a page with a chart and a table."""
    for name in PAGES:
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        if 'class="vl-chart"' in text and 'class="data-table"' in text:
            return name
    raise AssertionError("no page of the book has a chart and a table")


def test_charts_are_redrawn_when_the_reader_changes_the_scheme(
    visitor: Visitor, addresses: dict[str, str], chart_page: str
) -> None:
    page = visitor(f"{addresses['http']}/{chart_page}.html").page
    ink = "() => getComputedStyle(document.querySelector('.vl-view svg .role-axis-title text')).fill"
    light = page.evaluate(ink)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"({ink})() !== {light!r}")
    assert page.evaluate(MARKS)[0] > 0


def test_a_chart_without_javascript_and_in_print_is_its_image(
    visitor: Visitor, addresses: dict[str, str], chart_page: str
) -> None:
    address = f"{addresses['file']}/{chart_page}.html"
    quiet = visitor(address, script=False).page
    assert quiet.locator(".vl-chart > img").first.is_visible()
    assert quiet.locator(".vl-chart > img").first.bounding_box()["width"] > 100  # type: ignore[index]
    page = visitor(address, colours="dark").page
    assert not page.locator(".vl-chart > img").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator(".vl-chart > img").first.is_visible()
    assert not page.locator(".vl-view").first.is_visible()
    assert not page.locator("details.above-input").first.is_visible()


def test_a_table_is_sorted_by_the_head_that_is_clicked(visitor: Visitor, addresses: dict[str, str], site: Path) -> None:
    name = next(
        name
        for name in PAGES
        for table in BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser").select(
            ".data-table"
        )
        if len(table.select("thead tr")) == 1 and len(table.select("tbody tr")) > 2
    )
    page = visitor(f"{addresses['file']}/{name}.html").page
    table = page.locator("table.data-table:has(th button)").first
    head = table.locator("th[scope=col]").first
    column = table.locator("tbody tr > :first-child")
    head.locator("button").click()
    first = column.all_inner_texts()
    assert head.get_attribute("aria-sort") == "ascending"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column.all_inner_texts() == first[::-1]


def test_the_claims_of_a_pair_stand_side_by_side_and_on_a_phone_one_below_the_other(
    visitor: Visitor, addresses: dict[str, str], site: Path
) -> None:
    name = next(name for name in PAGES if 'class="pair-claims"' in (site / f"{name}.html").read_text(encoding="utf-8"))
    page = visitor(f"{addresses['file']}/{name}.html").page
    claims = page.locator(".pair-claims").first.locator(".claim")
    safe, raised = (claims.nth(place).bounding_box() for place in (0, 1))
    assert safe["y"] == raised["y"]  # type: ignore[index]
    page.set_viewport_size({"width": 375, "height": 800})
    safe, raised = (claims.nth(place).bounding_box() for place in (0, 1))
    assert safe["y"] + safe["height"] <= raised["y"]  # type: ignore[index]
