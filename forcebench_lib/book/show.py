"""What notebooks and pages show: tables, charts and components as HTML that needs no network and no script."""

import base64
import json
from typing import TYPE_CHECKING, Any

from forcebench_lib.book.table import table_html
from forcebench_lib.markup import escape
from forcebench_lib.schema import InputError

if TYPE_CHECKING:
    import altair
    import pandas as pd

MAX_DRAWN = 5000


def table(
    frame: "pd.DataFrame",
    *,
    caption: str = "",
    note: str = "",
    name: str = "",
    formats: dict[str, str] | None = None,
) -> None:
    """Show a frame as a table with a caption and its CSV; see `forcebench_lib.book.table.table_html`."""
    _display(table_html(frame, caption=caption, note=note, name=name, formats=formats))


def chart(
    drawing: "altair.TopLevelMixin",
    *,
    description: str,
    table: "pd.DataFrame | None" = None,
    name: str = "",
    note: str = "",
) -> None:
    """Show an Altair chart: interactive where JavaScript is on, an SVG image where it is off.

    Parameters
    ----------
    drawing : altair chart
        Aggregate first: more than 5,000 rows are an error.
    description : str
        What the chart shows, for those who cannot see it. Required.
    table : DataFrame, optional
        The numbers behind the chart, folded below it with their CSV.
    name : str, optional
        Name of the chart: after ``chart-`` its id on the page, and of the CSV of its numbers.
    note : str, optional
        A sentence under the chart.

    Raises
    ------
    InputError
        For an empty description or too many rows.
    """
    _display(chart_html(drawing, description=description, table=table, name=name, note=note))


def html(text: str) -> None:
    """Show trusted HTML, such as a pair card; whoever made it has escaped what is in it."""
    _display(text)


def chart_html(
    drawing: "altair.TopLevelMixin",
    *,
    description: str,
    table: "pd.DataFrame | None" = None,
    name: str = "",
    note: str = "",
) -> str:
    """Return a chart as HTML; see `chart`."""
    if not description.strip():
        raise InputError("chart: the description is empty, expected a sentence that says what the chart shows.")
    spec = chart_spec(drawing) | {"description": description}
    identity = f' id="chart-{escape(name)}"' if name else ""
    figure = [
        f'<figure class="chart-figure"{identity}>',
        f'<div class="vl-chart">{_image(spec, description)}<div class="vl-view"></div>',
        f'<script type="application/json">{_script_json(spec)}</script></div>',
    ]
    if note:
        figure.append(f"<figcaption>{escape(note)}</figcaption>")
    if table is not None:
        known = name or str(table.attrs.get("name", ""))  # the table itself may stand on the same page
        caption = str(table.attrs.get("caption") or description)
        numbers = table_html(table, caption=caption, name=f"{known}_data" if known else "")
        figure.append(
            f'<details class="chart-data"><summary>The numbers behind this chart</summary>{numbers}</details>'
        )
    return "\n".join([*figure, "</figure>"])


def chart_spec(drawing: "altair.TopLevelMixin") -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart, with a plain sentence where it holds too many rows."""
    import altair

    try:
        spec: dict[str, Any] = drawing.to_dict()
    except altair.MaxRowsError:
        raise InputError(
            f"chart: it holds more than {MAX_DRAWN:,} rows, expected data that is aggregated first."
        ) from None
    return spec


def _image(spec: dict[str, Any], description: str) -> str:
    import vl_convert

    svg = vl_convert.vegalite_to_svg(spec)
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(description)}" src="data:image/svg+xml;base64,{data}">'


def _script_json(spec: dict[str, Any]) -> str:
    # "</" would end the script element in which the specification lies
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _display(text: str) -> None:
    from IPython.display import display

    display({"text/html": text}, raw=True)  # type: ignore[no-untyped-call]  # IPython has no types
