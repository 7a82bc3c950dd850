"""The citation gate, a check after generation that each cited source supports the exact claim beside it.

>>> claims = [Claim(text="Refunds take 30 days.", source_id="POLICY")]
>>> sources = [Source(id="POLICY", content="Refunds take 14 days.")]
>>> [verdict.failure.reason for verdict in check(claims, sources).failures]
['claim_not_supported']
"""

from .engine import check
from .inputs import Answers, read_answers, read_sources
from .records import PROVES, REASONS, Claim, Failure, Reading, Report, Source, Verdict
from .reports import FORMATS, as_github, as_json, as_junit, as_text
from .splitting import Note, Split, split_answer
from .suite import SUITE, Case, Expectation, read_suite, run_suite
from .supporters import Judge, Rules, Scored, Supporter, supporter

__all__ = [
    "FORMATS",
    "PROVES",
    "REASONS",
    "SUITE",
    "Answers",
    "Case",
    "Claim",
    "Expectation",
    "Failure",
    "Judge",
    "Note",
    "Reading",
    "Report",
    "Rules",
    "Scored",
    "Source",
    "Split",
    "Supporter",
    "Verdict",
    "as_github",
    "as_json",
    "as_junit",
    "as_text",
    "check",
    "read_answers",
    "read_sources",
    "read_suite",
    "run_suite",
    "split_answer",
    "supporter",
]
