import base64
import json
import subprocess
import sys

import altair as alt
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from forcebench_lib.book.show import chart_html
from forcebench_lib.paths import ROOT
from forcebench_lib.schema import InputError

FRAME = pd.DataFrame({"name": ["</script><b>", "b"], "n": [3, 4]})


def _chart(frame: pd.DataFrame = FRAME) -> alt.Chart:
    return alt.Chart(frame).mark_bar().encode(x="n:Q", y="name:N")


def test_a_chart_is_an_image_in_words_and_a_specification() -> None:
    soup = BeautifulSoup(chart_html(_chart(), description="Two bars: 3 & 4.", name="f1"), "html.parser")
    image = soup.select_one("figure#chart-f1 .vl-chart > img")
    assert image is not None
    assert image["alt"] == "Two bars: 3 & 4."
    assert b"<svg" in base64.b64decode(str(image["src"]).split(",", 1)[1])
    (script,) = soup.select('script[type="application/json"]')
    spec = json.loads(script.get_text())
    assert spec["description"] == "Two bars: 3 & 4."
    assert next(iter(spec["datasets"].values())) == FRAME.to_dict("records")
    assert not soup.select("b")


def test_the_same_chart_is_the_same_html() -> None:
    assert chart_html(_chart(), description="Bars.") == chart_html(_chart(), description="Bars.")


def test_the_numbers_behind_a_chart_are_folded_below_it() -> None:
    soup = BeautifulSoup(chart_html(_chart(), description="Bars.", table=FRAME, name="f1"), "html.parser")
    assert [row.get_text() for row in soup.select("details tbody td")] == ["3", "4"]
    assert soup.select_one("details a.csv")["download"] == "f1_data.csv"  # type: ignore[index]


def test_a_chart_needs_a_description() -> None:
    with pytest.raises(InputError, match="the description is empty"):
        chart_html(_chart(), description=" ")


def test_more_than_5000_rows_are_one_sentence() -> None:
    with pytest.raises(InputError, match=r"more than 5,000 rows, expected data that is aggregated first"):
        chart_html(_chart(pd.DataFrame({"name": "a", "n": range(5001)})), description="Bars.")


def test_importing_the_authors_names_loads_nothing_heavy() -> None:
    heavy = {"altair", "pandas", "papermill", "sphinx", "litellm", "vl_convert", "IPython", "nbformat"}
    code = "import sys; import forcebench_lib.book; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not heavy & set(loaded.split())


def test_the_folded_numbers_do_not_take_the_id_of_the_same_table_on_the_page() -> None:
    frame = FRAME.copy()
    frame.attrs["name"] = "rates"
    soup = BeautifulSoup(chart_html(_chart(), description="Bars.", table=frame), "html.parser")
    assert [found["id"] for found in soup.select("[id]")] == ["table-rates_data"]
