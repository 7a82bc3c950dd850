"""Whether an edition is any good, as far as code can tell: each check is a function that returns a tidy frame.

>>> from forcebench_lib.corpus import load_edition
>>> composition(load_edition("open").evaluation).columns.to_list()
['check', 'part', 'n', 'found', 'bound', 'holds']
"""

from .composition import composition, limiter_third
from .finding import FINDING_COLUMNS, Bound
from .likeness import KINDS, Kind, closest, likeness, near_duplicates
from .locality import locality, outliers
from .names import known_names, masked, row_names, shared_names
from .report import report
from .shortcuts import CLAIM_ONLY, claim_shortcuts, ngram_classifier, recall, recall_hard

__all__ = [
    "CLAIM_ONLY",
    "FINDING_COLUMNS",
    "KINDS",
    "Bound",
    "Kind",
    "claim_shortcuts",
    "closest",
    "composition",
    "known_names",
    "likeness",
    "limiter_third",
    "locality",
    "masked",
    "near_duplicates",
    "ngram_classifier",
    "outliers",
    "recall",
    "recall_hard",
    "report",
    "row_names",
    "shared_names",
]
