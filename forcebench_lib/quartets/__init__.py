"""Evidence quartets: one question under four contexts, what a system should do in each, and what it does."""

from .contrasts import MEASURES, Comparison, compare, quartet_rates, successes
from .dataset import QuartetSet, QuartetStages, load, load_stages, mended
from .lints import CONSTRAINTS, Finding, check
from .matching import contains, normalised
from .outputs import Output, Quote, ask, completed, read_outputs
from .policies import Policy
from .policies import load as load_policy
from .readers import READERS, always_abstain, overlap_reader
from .records import ACTIONS, VARIANTS, Document, Example, Gold, Quartet, example, examples
from .reviews import against_design, agreement
from .runs import QuartetManifest, QuartetReply, QuartetRun, QuartetTask, recorded, task
from .scoring import OUTCOMES, failure_rates, marks, row_rates

__all__ = [
    "ACTIONS",
    "CONSTRAINTS",
    "MEASURES",
    "OUTCOMES",
    "READERS",
    "VARIANTS",
    "Comparison",
    "Document",
    "Example",
    "Finding",
    "Gold",
    "Output",
    "Policy",
    "Quartet",
    "QuartetManifest",
    "QuartetReply",
    "QuartetRun",
    "QuartetSet",
    "QuartetStages",
    "QuartetTask",
    "Quote",
    "against_design",
    "agreement",
    "always_abstain",
    "ask",
    "check",
    "compare",
    "completed",
    "contains",
    "example",
    "examples",
    "failure_rates",
    "load",
    "load_policy",
    "load_stages",
    "marks",
    "mended",
    "normalised",
    "overlap_reader",
    "quartet_rates",
    "read_outputs",
    "recorded",
    "row_rates",
    "successes",
    "task",
]
