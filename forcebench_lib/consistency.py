"""Do the published figures agree with each other? Each check is one row: what is tested, both sides, whether it holds.

Every function returns a tidy frame with the columns ``check, left, right, holds`` (three texts and a bool); `checks`
stacks them. The sides are written as a reader would compute them, so that a row explains itself.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from . import reported
from .paths import REPORTED
from .reported import by_key
from .schema import AXES

Check = tuple[str, str, str, bool]

_DIFFERENCES = {
    "qcs": "quartet_consistency",
    "ers": "evidence_removal_sensitivity",
    "nr": "noise_robustness",
    "cs": "conflict_sensitivity",
}
_ROUNDING = 5.001e-4  # half of the last printed place, and a little for binary fractions


def checks(folder: Path = REPORTED) -> pd.DataFrame:
    """Stack all checks, with the paper in a first column ``paper``."""
    forcebench = [table1_sums(folder), row_flow(folder), rates(folder), prompts(folder)]
    papers = {"ForceBench": pd.concat(forcebench), "EviScope": pd.concat([quartets(folder), mcnemar(folder)])}
    stacked = pd.concat([frame.assign(paper=paper) for paper, frame in papers.items()], ignore_index=True)
    return stacked[["paper", "check", "left", "right", "holds"]]


def table1_sums(folder: Path = REPORTED) -> pd.DataFrame:
    """Check ForceBench, Table 1: axes add up to the totals, severities of an axis to its evaluated pairs."""
    rows = by_key(reported.table1(folder), "axis")
    severities = [f"severity_{level}" for level in (1, 2, 3)]
    found = [
        _sum(f"Table 1, {column} over axes", [rows[axis][column] for axis in AXES], rows["total"][column])
        for column in ("retained", "eval", *severities)
    ]
    for axis, row in rows.items():
        found.append(_sum(f"Table 1, severities of {axis}", [row[column] for column in severities], row["eval"]))
    return _frame(found)


def row_flow(folder: Path = REPORTED) -> pd.DataFrame:
    """Check ForceBench's rows from candidates to evaluation set (Tables 1 and 4, Appendix B)."""
    candidates, accepted, before, after = reported.table4(folder)["rows"].tolist()
    single = by_key(reported.other(folder), "quantity")
    capped, removed, rejected = (
        int(single[key]["value"]) for key in ("relation_surplus_capped", "nonlocal_rows_removed", "rejected_candidates")
    )
    total = by_key(reported.table1(folder), "axis")["total"]
    return _frame(
        [
            _sum("Accepted and rejected are the candidates", [accepted, rejected], candidates),
            _sum("Retained, capped and nonlocal rows are the accepted", [total["retained"], capped, removed], accepted),
            _sum("The locality filter removes the nonlocal rows", [after, removed], before),
            _equal("Tables 1 and 4, size of the evaluation set", str(total["eval"]), str(after)),
        ]
    )


def rates(folder: Path = REPORTED) -> pd.DataFrame:
    """Check that each printed rate is a share of its units, and of the printed count where there is one."""
    printed = by_key(reported.table2(folder), "evaluator", "prompt")
    rows = []
    for name, prompt, units, rate in reported.printed_rates(folder):
        count = printed.get((name, prompt), {}).get("violations", pd.NA)
        fitting = reported.counts_behind(rate, units)
        stated = fitting if pd.isna(count) else (int(count),)
        left = " or ".join(f"{k}/{units} = {k / units:.4f}" for k in stated) or f"no count of {units}"
        check = f"Rate of {name} ({prompt})" if prompt else f"Rate of {name}"
        rows.append((check, left, f"{rate:.3f}", bool(set(stated) & set(fitting))))
    return _frame(rows)


def prompts(folder: Path = REPORTED) -> pd.DataFrame:
    """Check that ForceBench's Tables 2 and 3 agree, and that FS lies where its violation rate allows.

    An ordered unit has a margin of at most 1 and any other of at most 0, so FS is at most the share of ordered units.
    Two labels that score 1 and 0 leave a whole number of reversed units between 0 and the violations.
    """
    second, third = by_key(reported.table2(folder), "prompt"), by_key(reported.table3(folder), "prompt")
    rows = []
    for prompt in [prompt for prompt in third if prompt in second]:
        here, there = second[prompt], third[prompt]
        close = abs(there["mvr_percent"] / 100 - here["mvr"]) < _ROUNDING
        rows.append((f"Tables 2 and 3, MVR of {prompt}", f"{there['mvr_percent']:.1f}%", f"{here['mvr']:.3f}", close))
        rows.append(_equal(f"Tables 2 and 3, FS of {prompt}", f"{there['fs']:.3f}", f"{here['fs']:.3f}"))
    for prompt, row in third.items():
        ordered = 1 - row["mvr_percent"] / 100
        holds = row["fs"] <= ordered + 2 * _ROUNDING
        rows.append((f"FS of {prompt}, share ordered", f"{row['fs']:.3f}", f"at most {ordered:.3f}", holds))
    for prompt, row in by_key(reported.reversals(folder), "prompt").items():
        least, most = row["reversed_least"], row["reversed_most"]
        left = str(least) if least == most else f"{least} to {most}"
        holds = max(least, 0) <= min(most, row["violations"])
        rows.append((f"Reversed units of {prompt}, two labels", left, f"0 to {row['violations']}", holds))
    return _frame(rows)


def quartets(folder: Path = REPORTED) -> pd.DataFrame:
    """Check EviScope's printed differences against its Table 3, and Tables 3 and 4 where they overlap."""
    third = by_key(reported.eviscope_table3(folder), "model", "policy")
    fourth = by_key(reported.eviscope_table4(folder), "model", "policy")
    rows = []
    for model, row in by_key(reported.eviscope_paired(folder), "model").items():
        for short, metric in _DIFFERENCES.items():
            gate, vanilla, printed = third[model, "gate"], third[model, "vanilla"], row[f"{short}_difference"]
            left = f"{gate[metric]:.3f} - {vanilla[metric]:.3f}"
            holds = abs(gate[metric] - vanilla[metric] - printed) < _ROUNDING
            rows.append((f"{model}, difference in {metric}", left, f"{printed:.3f}", holds))
    for model, policy in third:
        left, right = (f"{table[model, policy]['conflict_answered']:.3f}" for table in (third, fourth))
        rows.append(_equal(f"{model}, {policy}, conflict answered in Tables 3 and 4", left, right))
    return _frame(rows)


def mcnemar(folder: Path = REPORTED) -> pd.DataFrame:
    """Check that EviScope's discordant quartets give the printed difference in consistency and the printed exact p."""
    rows = []
    for model, row in by_key(reported.eviscope_paired(folder), "model").items():
        lost, won, total = row["discordant_favour_vanilla"], row["discordant_favour_gate"], row["quartets"]
        difference, printed = (won - lost) / total, row["qcs_difference"]
        left = f"({won} - {lost}) / {total} = {difference:.3f}"
        rows.append((f"{model}, consistency", left, f"{printed:.3f}", abs(difference - printed) < _ROUNDING))
        p = reported.Discordance(lost, won).p
        rows.append(_equal(f"{model}, McNemar {lost}:{won}", f"{p:.2g}", f"{row['mcnemar_exact_p']:.2g}"))
    return _frame(rows)


def _sum(check: str, parts: Sequence[int], total: int) -> Check:
    return check, " + ".join(str(part) for part in parts), str(total), sum(parts) == total


def _equal(check: str, left: str, right: str) -> Check:
    return check, left, right, left == right


def _frame(rows: Iterable[Check]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["check", "left", "right", "holds"])
