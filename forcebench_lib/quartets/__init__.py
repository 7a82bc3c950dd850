"""Evidence quartets: one question under four contexts, what a system should do in each, and what it does."""

from .contrasts import Comparison, compare, quartet_rates, successes
from .dataset import QuartetSet, Stages, load, load_stages
from .lints import Finding, check
from .matching import contains, normalised
from .outputs import Output, Quote, ask, completed, read_outputs
from .policies import Policy
from .policies import load as load_policy
from .records import ACTIONS, VARIANTS, Document, Example, Gold, Quartet, example, examples
from .reviews import against_design, agreement
from .runs import QuartetRun, QuartetTask, recorded, task
from .scoring import marks, row_rates

__all__ = [
    "ACTIONS",
    "VARIANTS",
    "Comparison",
    "Document",
    "Example",
    "Finding",
    "Gold",
    "Output",
    "Policy",
    "Quartet",
    "QuartetRun",
    "QuartetSet",
    "QuartetTask",
    "Quote",
    "Stages",
    "against_design",
    "agreement",
    "ask",
    "check",
    "compare",
    "completed",
    "contains",
    "example",
    "examples",
    "load",
    "load_policy",
    "load_stages",
    "marks",
    "normalised",
    "quartet_rates",
    "read_outputs",
    "recorded",
    "row_rates",
    "successes",
    "task",
]
