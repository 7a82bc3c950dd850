"""The generated parts of the README: the headline figure and the numbers under it, so that neither can drift."""

import re
from pathlib import Path
from typing import Any

from forcebench_lib.book import recording
from forcebench_lib.book.layout import Book, write_text
from forcebench_lib.schema import InputError

FIGURE = "book/_static/headline.svg"
_NUMBERS = re.compile(r"(<!-- numbers: .*? -->\n).*?(<!-- end of numbers -->)", re.DOTALL)


def numbers(book: Book) -> str:
    """The block of numbers, from what the executed notebooks recorded."""
    dataset, rules, judges = (
        recording.read(book.executed / f"{name}.ipynb") for name in ("01_dataset", "03_baselines", "04_judging")
    )
    lines = [
        f"On edition {dataset['edition.version']}; lower is better, brackets hold 95% intervals:",
        "",
        "| | pairs | claim side (MVR) | evidence side |",
        "| --- | --- | --- | --- |",
        _row("axis ForceCheck, a rule", rules, "claim.axis_forcecheck"),
        _row("hedge count, never reads the passage", rules, "claim.hedge_count"),
    ]
    for prompt, name in (("generic_support", "generic support"), ("force_aware", "force-aware")):
        lines.append(_row(f"{judges['judges']} small local judges, {name} prompt", judges, f"pooled.{prompt}"))
        published = judges[f"published.{prompt}"]
        lines.append(f"| *four hosted judges in the paper, {name} prompt* | *198 of its own* | *{published:.3f}* | |")
    return "\n".join(lines) + "\n"


def _row(name: str, values: dict[str, Any], key: str) -> str:
    return f"| {name} | {values['n']} | {_share(values, f'{key}.mvr')} | {_share(values, f'{key}.mirror')} |"


def _share(values: dict[str, Any], key: str) -> str:
    return f"{values[key]:.3f} [{values[f'{key}_low']:.3f}, {values[f'{key}_high']:.3f}]"


def figure(book: Book) -> str:
    """The headline figure as SVG, from the specification in the executed chapter on judges."""
    import json

    import vl_convert

    html = (book.executed / "04_judging.ipynb").read_text(encoding="utf-8")
    for cell in json.loads(html)["cells"]:
        for output in cell.get("outputs", []):
            text = "".join(output.get("data", {}).get("text/html", ""))
            if 'id="chart-headline"' in text:
                spec = re.search(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
                assert spec is not None  # every chart carries its specification
                drawing = json.loads(spec.group(1).replace("<\\/", "</")) | {"background": "white"}
                return vl_convert.vegalite_to_svg(drawing)
    raise InputError(f"{book.executed / '04_judging.ipynb'}: it holds no chart 'headline'.")


def with_numbers(text: str, block: str) -> str:
    """The README with its block of numbers replaced."""
    if not _NUMBERS.search(text):
        raise InputError("README.md: the block of numbers is missing, expected its two comments.")
    return _NUMBERS.sub(lambda found: f"{found.group(1)}{block}{found.group(2)}", text)


def write(book: Book) -> list[Path]:
    """Write the figure and the numbers anew; the executed notebooks must be there."""
    readme = book.root / "README.md"
    write_text(readme, with_numbers(readme.read_text(encoding="utf-8"), numbers(book)))
    write_text(book.root / FIGURE, figure(book))
    return [readme, book.root / FIGURE]
