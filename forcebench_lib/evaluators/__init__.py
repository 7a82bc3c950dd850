"""Anything that scores a claim against a passage: the paper's five baselines, two controls, and yours.

>>> score = load("Axis ForceCheck")
>>> passage = "In a trial, tea may lower blood pressure by 2 to 5 points."
>>> [round(x, 3) for x in score([passage] * 2, ["Tea may lower blood pressure", "Tea will lower blood pressure"])]
[1.0, 0.384]
"""

from .controls import claim_length, hedge_count
from .entities import entity_overlap
from .forcecheck import Finding, axis_forcecheck, explain, rule_forcecheck
from .limiters import Mark, find_limiters, find_raisers
from .overlap import citation_presence, token_overlap
from .registry import BASELINES, CONTROLS, ENTRY_POINT_GROUP, Evaluator, load
from .roster import score_roster
from .scoring import NO_ANSWER, NO_PASSAGE, PassageKind, score_pairs

__all__ = [
    "BASELINES",
    "CONTROLS",
    "ENTRY_POINT_GROUP",
    "NO_ANSWER",
    "NO_PASSAGE",
    "Evaluator",
    "Finding",
    "Mark",
    "PassageKind",
    "axis_forcecheck",
    "citation_presence",
    "claim_length",
    "entity_overlap",
    "explain",
    "find_limiters",
    "find_raisers",
    "hedge_count",
    "load",
    "rule_forcecheck",
    "score_pairs",
    "score_roster",
    "token_overlap",
]
