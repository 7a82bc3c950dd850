"""The regression suite: folders with a failing case and its repaired twin."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pydantic import Field

from ..paths import DATA
from ..schema import Axis, InputError, Record, Text, parse_record
from .engine import check
from .inputs import read_answers, read_object, read_sources
from .records import Reason, Report
from .supporters import Supporter

SUITE = DATA / "gate"
TWINS = ("failing", "repaired")


class Expectation(Record):
    """What ``case.json`` says: a title, and the reason for which the failing twin must fail."""

    title: Text
    reason: Reason
    axis: Axis | None = None
    story: str = Field(default="")


@dataclass(frozen=True)
class Case:
    """One folder of a suite."""

    folder: Path
    expected: Expectation

    def report(self, twin: str, supporter: Supporter | None = None) -> Report:
        """Hold the answers of a twin, ``failing`` or ``repaired``, against its sources."""
        folder = self.folder / twin
        return check(read_answers(folder / "answers.json"), read_sources(folder / "sources.json"), supporter=supporter)


def read_suite(folder: Path = SUITE) -> tuple[Case, ...]:
    """Read every case of a folder, by name.

    Raises
    ------
    InputError
        For a folder without a case, and for a ``case.json`` that is not what it should be.
    """
    found = sorted(path.parent for path in folder.glob("*/case.json"))
    if not found:
        raise InputError(f"{folder}: found no folder with a case.json, expected a suite.")
    return tuple(Case(one, _expectation(one / "case.json")) for one in found)


def run_suite(cases: tuple[Case, ...], supporter: Supporter | None = None) -> pd.DataFrame:
    """Run both twins of each case.

    Returns
    -------
    DataFrame
        ``case, title, expected, found, repaired, holds``: the reason expected of the failing twin, the reasons found,
        whether the repaired twin passes, and whether both are as they should be. An axis stands in brackets.
    """
    rows = []
    for case in cases:
        failing, repaired = (case.report(twin, supporter) for twin in TWINS)
        expected = _shown(case.expected.reason, case.expected.axis)
        found = sorted({_shown(one.failure.reason, one.failure.axis) for one in failing.failures if one.failure})
        rows.append(
            {
                "case": case.folder.name,
                "title": case.expected.title,
                "expected": expected,
                "found": ", ".join(found) or "passed",
                "repaired": "passed" if repaired.passed else "failed",
                "holds": found == [expected] and repaired.passed,
            }
        )
    return pd.DataFrame(rows)


def _expectation(path: Path) -> Expectation:
    return parse_record(read_object(path), Expectation, path=path, line=1)


def _shown(reason: str, axis: str | None) -> str:
    return f"{reason} ({axis})" if axis else reason
