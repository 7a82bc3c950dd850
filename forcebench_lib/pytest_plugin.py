"""The gate as a fixture of pytest: one line of a test fails with claim, source passage and reason.

pytest loads this module in every run where the library is installed, so it loads the library only when a test asks.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .gate import Claim, Report, Source


@pytest.fixture
def citation_gate() -> "Callable[..., Report]":
    """Return a function ``(answers, sources, *, evaluator="rules", threshold=None, generator="")``.

    `answers` and `sources` are paths of JSON files, or sequences of claims and sources (records or plain dicts).
    Further keywords go to `forcebench_lib.gate.supporter`. It fails the test if a claim does not pass, if there is no
    claim, or if a record is not what it should be, and returns the report.
    """

    def hold(
        answers: "str | Path | Sequence[Claim | dict[str, Any]]",
        sources: "str | Path | Sequence[Source | dict[str, Any]]",
        *,
        evaluator: str = "rules",
        generator: str = "",
        **options: Any,
    ) -> "Report":
        from . import gate

        shown = str(answers) if isinstance(answers, str | Path) else ""
        claims = gate.read_answers(Path(answers)) if isinstance(answers, str | Path) else _records(answers, gate.Claim)
        store = gate.read_sources(Path(sources)) if isinstance(sources, str | Path) else _records(sources, gate.Source)
        judge = gate.supporter(evaluator, **options)
        report = gate.check(claims, store, supporter=judge, generator=generator)
        if not report.passed:
            pytest.fail(gate.as_text(report, shown), pytrace=False)
        return report

    return hold


def _records(values: Sequence[Any], kind: Any) -> Any:
    from .schema import parse_record

    name = f"{kind.__name__.lower()}s"
    if not values:
        pytest.fail(
            f"{name}: found none, expected at least one: a gate that checks nothing must not pass", pytrace=False
        )
    if not isinstance(values, list | tuple):
        pytest.fail(f"{name}: found a {type(values).__name__}, expected a list or the path of a file", pytrace=False)
    return [
        parse_record(value, kind, path=Path(name), line=number, unit="entry") if isinstance(value, dict) else value
        for number, value in enumerate(values, 1)
    ]
