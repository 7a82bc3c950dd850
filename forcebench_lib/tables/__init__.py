"""Each table of the book as one function that returns a frame.

A frame carries its caption, name and number formats in ``attrs``. Published figures stand beside recomputed ones under
heads of their own and are never mixed into one number.
"""

from .colophon import hashes, recorded_runs, versions
from .comparisons import axis_comparisons, detectable, judge_comparisons, pooled_comparisons, prompt_comparisons
from .dataset import (
    agreement_table,
    axis_counts,
    disagreements,
    flow_table,
    limiters,
    mechanisms,
    rejections,
    sources,
    table1,
    table4,
)
from .frame import OURS, PROMPT_LABELS, PUBLISHED, edition_line, p_value, prompt_label, titled, with_interval
from .gate import gate_rates, gate_suite, gate_verdicts
from .judges import deviations, label_counts, label_mass, run_list
from .mirror import both_sides, ordered_but_blind
from .quality import closest_rows, locality_by_axis, locality_outliers, names_in_two_rows, quality_checks
from .results import (
    by_group,
    evaluator_rates,
    policies,
    pooled_rates,
    source_sensitivity,
    table2,
    table3,
    tie_policies,
    violation_split,
    with_aggregate,
)
from .runs import leaderboards, outcome_flips, outcome_matrix, repeat_rates, run_comparison, runs_overview

__all__ = [
    "OURS",
    "PROMPT_LABELS",
    "PUBLISHED",
    "agreement_table",
    "axis_comparisons",
    "axis_counts",
    "both_sides",
    "by_group",
    "closest_rows",
    "detectable",
    "deviations",
    "disagreements",
    "edition_line",
    "evaluator_rates",
    "flow_table",
    "gate_rates",
    "gate_suite",
    "gate_verdicts",
    "hashes",
    "judge_comparisons",
    "label_counts",
    "label_mass",
    "leaderboards",
    "limiters",
    "locality_by_axis",
    "locality_outliers",
    "mechanisms",
    "names_in_two_rows",
    "ordered_but_blind",
    "outcome_flips",
    "outcome_matrix",
    "p_value",
    "policies",
    "pooled_comparisons",
    "pooled_rates",
    "prompt_comparisons",
    "prompt_label",
    "quality_checks",
    "recorded_runs",
    "rejections",
    "repeat_rates",
    "run_comparison",
    "run_list",
    "runs_overview",
    "source_sensitivity",
    "sources",
    "table1",
    "table2",
    "table3",
    "table4",
    "tie_policies",
    "titled",
    "versions",
    "violation_split",
    "with_aggregate",
    "with_interval",
]
