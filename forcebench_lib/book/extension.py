"""The Sphinx extension of the book: numbers, pairs and tables from data, charts without a network, downloads."""

import functools
import importlib
import importlib.metadata
import inspect
import os
import shutil
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]  # docutils ships no types
from docutils.nodes import Node, system_message  # type: ignore[import-untyped]  # as above
from docutils.parsers.rst import directives  # type: ignore[import-untyped]  # as above
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from forcebench_lib.book import execute, recording, stamps
from forcebench_lib.book.layout import Book, write_text
from forcebench_lib.book.table import table_html
from forcebench_lib.schema import InputError

LOG = logging.getLogger(__name__)
DOWNLOADS = "_downloads/notebooks"
# They forget to say that pages may be read in parallel: the one acts after all are read, the other only copies files.
_SAFE = {"sphinx_multitoc_numbering", "sphinx-mathjax-offline"}
# They do not say whether pages may be read in parallel, a warning. They act at set-up and at writing alone.
_SILENT = {"sphinx_multitoc_numbering", "sphinx-mathjax-offline"}


@functools.lru_cache(maxsize=64)
def _recorded(path: Path, changed: int) -> dict[str, Any]:
    return recording.read(path)


def shown(values: dict[str, Any], text: str) -> str:
    """Return a recorded value as prose shows it.

    Parameters
    ----------
    values : dict
        What a notebook recorded.
    text : str
        ``key`` or ``key:format``, such as ``overlap.mvr:.1%``. A key may hold a colon itself.

    Raises
    ------
    InputError
        For a key that was not recorded, a missing value, or a format that does not fit.

    Examples
    --------
    >>> shown({"n": 12345, "margin": -0.125}, "n:,d"), shown({"n": 12345, "margin": -0.125}, "margin:.2f")
    ('12,345', '−0.12')
    """
    key, spec = (text, "") if text in values else text.rpartition(":")[::2]
    if key not in values:
        raise InputError(f"there is no recorded value {key or text!r}.")
    value = values[key]
    if value is None:
        raise InputError(f"{key!r} has no value.")
    try:
        number = format(value, spec)
    except ValueError:
        raise InputError(f"{key!r} is {value!r}, which the format {spec!r} does not fit.") from None
    return number.replace("-", "−", 1) if number.startswith("-") and not isinstance(value, str) else number


class Num(SphinxRole):
    """``{num}`03_baselines::overlap.mvr:.3f` `` shows a value that an executed notebook recorded."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        name, _, rest = self.text.partition("::")
        path = Book(Path(self.env.srcdir)).executed / f"{name}.ipynb"
        self.env.note_dependency(str(path))
        try:
            values = _recorded(path, path.stat().st_mtime_ns if path.is_file() else 0)
            text = shown(values, rest)
        except InputError as error:
            LOG.warning("num: %r: %s", self.text, error, location=self.get_location(), type="forcebench", subtype="num")
            text = "??"
        return [nodes.inline("", text, classes=["num"])], []


class _Html(SphinxDirective):
    """A directive with one argument that becomes HTML; its problem is a warning at its own line."""

    required_arguments = 1
    final_argument_whitespace = True

    def html(self, argument: str) -> str:
        raise NotImplementedError

    def run(self) -> list[Node]:
        try:
            return [nodes.raw("", self.html(self.arguments[0]), format="html")]
        except InputError as error:
            LOG.warning("%s: %s", self.name, error, location=self.get_location(), type="forcebench", subtype=self.name)
            return []


class PairDirective(_Html):
    """``{pair} id`` shows a pair of the open edition as its card."""

    def html(self, argument: str) -> str:
        from forcebench_lib import card, corpus

        found = [pair for pair in corpus.load_edition("open").pairs if pair.id == argument]
        if not found:
            raise InputError(f"there is no pair {argument!r} in the open edition.")
        return card.pair_card(found[0])


class LibraryTable(_Html):
    """``{library-table} name`` shows what ``forcebench_lib.tables.name(edition)`` or ``name()`` returns."""

    option_spec = {"caption": directives.unchanged, "note": directives.unchanged}  # noqa: RUF012  # docutils wants it so

    def html(self, argument: str) -> str:
        from forcebench_lib import corpus

        make = getattr(importlib.import_module("forcebench_lib.tables"), argument, None)
        if not callable(make):
            raise InputError(f"forcebench_lib.tables has no function {argument!r}.")
        edition = [corpus.load_edition("open")] if "edition" in inspect.signature(make).parameters else []
        return table_html(make(*edition), caption=self.options.get("caption", ""), note=self.options.get("note", ""))


class ExecutionTimes(_Html):
    """``{execution-times}`` lists how long each notebook ran; left out of a build that is to be reproduced."""

    required_arguments = 0

    def run(self) -> list[Node]:
        self.arguments = [""]
        return super().run()

    def html(self, argument: str) -> str:
        import pandas as pd

        book = Book(Path(self.env.srcdir))
        times = execute.times(book)
        if "SOURCE_DATE_EPOCH" in os.environ or not times:
            return "<p>This build is made to be reproduced byte for byte, so it states no execution times.</p>"
        self.env.note_dependency(str(book.executed / "times.json"))
        frame = pd.DataFrame({"Notebook": list(times), "Seconds": list(times.values())})
        return table_html(
            frame, caption="How long each notebook ran.", name="execution_times", formats={"Seconds": ".1f"}
        )


def note_inputs(app: Sphinx, config: Config) -> None:
    """Read every page anew when the library, data or prompts have changed: pages show what comes from all of them."""
    book = Book(Path(app.srcdir))
    config["forcebench_inputs"] = stamps.digest_of(stamps.inputs(book, rendering=True), book.root)


def write_chart_bundle(app: Sphinx) -> None:
    """Write Vega, Vega-Lite and Vega-Embed as one file, in a function so that no name of it becomes global."""
    import vl_convert

    folder = Book(Path(app.srcdir)).build / "generated_static"
    bundle = folder / f"vega-{importlib.metadata.version('vl-convert-python')}.js"
    if not bundle.is_file():
        script = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub wants an argument that has a default
        write_text(bundle, f"(function(){{{script}}})();")
    app.config.html_static_path.append(str(folder))
    app.config["forcebench_bundle"] = bundle.name


def finish_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load what a chart or the run browser needs where one is, and link the notebook of a chapter below its title."""
    body = context.get("body") or ""
    if 'class="vl-chart"' in body:
        app.add_js_file(app.config["forcebench_bundle"], loading_method="defer")
        app.add_js_file("charts.js", loading_method="defer")
    if 'class="run-browser"' in body:
        app.add_js_file("runs.js", loading_method="defer")
        app.add_css_file("runs.css")
    notebook = Book(Path(app.srcdir)).notebooks / f"{Path(page).name}.ipynb"
    if page.startswith("executed/") and notebook.is_file():
        href = context["pathto"](f"{DOWNLOADS}/{notebook.name}", 1)
        link = f'<p class="notebook-links"><a download href="{escape(href)}">Notebook (.ipynb)</a></p>'
        context["body"] = body.replace("</h1>", f"</h1>{link}", 1)


def write_downloads(app: Sphinx, exception: Exception | None) -> None:
    """Copy the notebooks of the chapters into the site, and send its bare address to the first page."""
    if exception is not None or app.builder.format != "html":
        return
    out, book = Path(app.outdir), Book(Path(app.srcdir))
    (out / DOWNLOADS).mkdir(parents=True, exist_ok=True)
    for page in sorted(app.env.found_docs):
        notebook = book.notebooks / f"{Path(page).name}.ipynb"
        if page.startswith("executed/") and notebook.is_file():
            shutil.copyfile(notebook, out / DOWNLOADS / notebook.name)
    if app.config.root_doc != "index":
        first, title = escape(f"{app.config.root_doc}.html"), escape(app.config.html_title)
        lines = [
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
            f'<title>{title}</title><meta http-equiv="refresh" content="0; url={first}"></head>',
            f'<body><main><h1>{title}</h1><p><a href="{first}">Read the book</a></p></main></body></html>',
        ]
        write_text(out / "index.html", "\n".join(lines) + "\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register all of the above with Sphinx."""
    for name in _SAFE & app.extensions.keys():
        app.extensions[name].parallel_read_safe = True
    app.add_config_value("forcebench_inputs", "", "env")
    app.add_config_value("forcebench_bundle", "", "")
    app.add_role("num", Num())
    app.add_directive("pair", PairDirective)
    app.add_directive("library-table", LibraryTable)
    app.add_directive("execution-times", ExecutionTimes)
    app.connect("config-inited", note_inputs)
    app.connect("builder-inited", write_chart_bundle)
    app.connect("html-page-context", finish_page)
    app.connect("build-finished", write_downloads)
    for name in _SILENT & set(app.extensions):
        app.extensions[name].parallel_read_safe = True
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
