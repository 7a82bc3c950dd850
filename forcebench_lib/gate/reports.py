"""A report as text, JSON, JUnit XML and GitHub annotations. Nothing that a source holds can reach past its place."""

import json
from collections.abc import Callable
from xml.etree import ElementTree

from ..markup import UNSEEN
from .records import PROVES, Report, Verdict

SHOWN_CHARS = 600


def one_line(text: str, most: int = SHOWN_CHARS) -> str:
    """The text on one line, without control and direction signs and without commands to a CI runner.

    Examples
    --------
    >>> one_line("a" + chr(10) + "::error::b ##[group]")
    'a : :error: :b ## [group]'
    """
    flat = " ".join(UNSEEN.sub(" ", text).split()).replace("::", ": :").replace("##[", "## [")
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def as_text(report: Report, answers: str = "") -> str:
    """A report for a person: each claim that does not pass, with its passage and reason, then the count."""
    lines = []
    for number, verdict in enumerate(report.verdicts, 1):
        if verdict.failure is None:
            continue
        place = f" ({answers}, line {verdict.line})" if answers and verdict.line else ""
        lines += [f"claim {number}{place}: {_head(verdict)}", *(f"  {line}" for line in _body(verdict)), ""]
    lines += [f"warning: {one_line(warning)}" for warning in report.warnings]
    count, failed = len(report.verdicts), len(report.failures)
    lines.append(f"{count - failed} of {count} claims pass, judged by {one_line(report.evaluator)}.")
    return "\n".join([*lines, PROVES])


def as_json(report: Report, answers: str = "") -> str:
    """The report as one JSON object: ``passed``, ``claims`` and ``warnings``."""
    claims = [
        {
            "text": verdict.claim.text,
            "source_id": verdict.claim.source_id,
            "passed": verdict.passed,
            "reason": verdict.failure.reason if verdict.failure else None,
            "axis": verdict.failure.axis if verdict.failure else None,
            "detail": verdict.failure.detail if verdict.failure else "",
        }
        for verdict in report.verdicts
    ]
    return json.dumps({"passed": report.passed, "claims": claims, "warnings": list(report.warnings)}, indent=2)


def as_junit(report: Report, answers: str = "") -> str:
    """The report as JUnit XML, one test case a claim."""
    counts = {"tests": str(len(report.verdicts)), "failures": str(len(report.failures)), "errors": "0", "skipped": "0"}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "citation gate", **counts})
    for number, verdict in enumerate(report.verdicts, 1):
        name = f"claim {number}: {one_line(verdict.claim.text, 120)}"
        case = ElementTree.SubElement(suite, "testcase", {"classname": "citations", "name": name})
        if answers:
            case.set("file", answers)
        if verdict.failure:
            failure = ElementTree.SubElement(case, "failure", {"type": verdict.failure.reason})
            failure.set("message", _head(verdict))
            failure.text = "\n".join(_body(verdict))
    notes = [one_line(warning) for warning in report.warnings]
    ElementTree.SubElement(suite, "system-out").text = "\n".join([*notes, PROVES])
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def as_github(report: Report, answers: str = "") -> str:
    """The report as GitHub annotations: a line for each claim that does not pass, at its place in the answers file."""
    lines = []
    for verdict in report.failures:
        place = f"file={_property(answers)}," if answers else ""
        place += f"line={verdict.line}," if answers and verdict.line else ""
        title = f"title={_property(_head(verdict))}"
        lines.append(f"::error {place}{title}::{_message(' | '.join(_body(verdict)))}")
    lines += [f"::warning title=citation gate::{_message(one_line(warning))}" for warning in report.warnings]
    passed = len(report.verdicts) - len(report.failures)
    lines.append(f"::notice title=citation gate::{passed} of {len(report.verdicts)} claims pass. {_message(PROVES)}")
    return "\n".join(lines)


FORMATS: dict[str, Callable[[Report, str], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "github": as_github,
}


def _head(verdict: Verdict) -> str:
    if verdict.failure is None:
        return "passed"
    return verdict.failure.reason + (f" ({verdict.failure.axis})" if verdict.failure.axis else "")


def _body(verdict: Verdict) -> list[str]:
    """Claim, source, passage and reason, one line each."""
    cited = verdict.claim.source_id + (f", version {verdict.claim.source_version}" * bool(verdict.claim.source_version))
    lines = [f"claim:   {one_line(verdict.claim.text)}", f"source:  {one_line(cited)}"]
    lines += [f"passage: {one_line(verdict.passage)}"] if verdict.passage else []
    return [*lines, f"why:     {one_line(verdict.failure.detail if verdict.failure else '')}"]


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(one_line(text)).replace(":", "%3A").replace(",", "%2C")
