"""The published figures, and what can be checked or bounded from them alone.

Nothing here is computed on rows: the papers' rows are not part of this project. Each check returns a tidy frame with
the columns ``check, left, right, holds``; `checks` stacks them all.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from scipy.stats import binomtest

from .paths import REPORTED
from .schema import AXES, InputError

UNITS_PER_SET = 198
MODELS = 4
_HALF_PLACE = 0.0005 + 1e-9  # a share on the very edge may be printed either way
TWO_LABEL_PROMPTS = ("axis_free", "force_aware", "dummy_axis")

_COUNTS = "retained eval severity_1 severity_2 severity_3 units rows quartets "
_COUNTS += "discordant_favour_vanilla discordant_favour_gate"
_TEXTS = "axis evaluator kind prompt label counted_set quantity value where field model policy"
_KINDS = dict.fromkeys(_TEXTS.split(), "str") | dict.fromkeys(_COUNTS.split(), "int64") | {"violations": "Int64"}
_COLUMNS = {
    "forcebench_table1": "axis retained eval severity_1 severity_2 severity_3",
    "forcebench_table2": "evaluator kind prompt violations units mvr fs",
    "forcebench_table3": "prompt label mvr_percent fs",
    "forcebench_table4": "counted_set rows",
    "forcebench_other": "quantity value where",
    "eviscope_agreement": "field agreement cohen_kappa",
    "eviscope_paired": "model quartets discordant_favour_vanilla discordant_favour_gate mcnemar_exact_p "
    "qcs_difference ers_difference nr_difference cs_difference",
    "eviscope_table3": "model policy answer_accuracy joint_success evidence_removal_sensitivity noise_robustness "
    "conflict_sensitivity quartet_consistency conflict_answered",
    "eviscope_table4": "model policy insufficient_abstained conflict_flagged conflict_answered",
}


def table1(folder: Path = REPORTED) -> pd.DataFrame:
    """Read ForceBench, Table 1: counts by axis, with a last row ``total``."""
    return _read("forcebench_table1", folder)


def table2(folder: Path = REPORTED) -> pd.DataFrame:
    """Read ForceBench, Table 2. ``violations`` is missing where only a rate is printed; ``prompt`` may be ``""``."""
    return _read("forcebench_table2", folder)


def table3(folder: Path = REPORTED) -> pd.DataFrame:
    """Read ForceBench, Table 3: the four prompts. ``mvr_percent`` is in percent."""
    return _read("forcebench_table3", folder)


def table4(folder: Path = REPORTED) -> pd.DataFrame:
    """Read ForceBench, Table 4: rows at each step."""
    return _read("forcebench_table4", folder)


def other(folder: Path = REPORTED) -> pd.DataFrame:
    """Read single figures of ForceBench as text: ``quantity, value, where``."""
    return _read("forcebench_other", folder)


def eviscope_agreement(folder: Path = REPORTED) -> pd.DataFrame:
    """Read EviScope: agreement of two reviewers by field."""
    return _read("eviscope_agreement", folder)


def eviscope_paired(folder: Path = REPORTED) -> pd.DataFrame:
    """Read EviScope: discordant quartets, exact McNemar p and differences (gate minus vanilla)."""
    return _read("eviscope_paired", folder)


def eviscope_table3(folder: Path = REPORTED) -> pd.DataFrame:
    """Read EviScope, Table 3: quartet metrics by model and policy."""
    return _read("eviscope_table3", folder)


def eviscope_table4(folder: Path = REPORTED) -> pd.DataFrame:
    """Read EviScope, Table 4: behaviour by model and policy."""
    return _read("eviscope_table4", folder)


def counts_behind(rate: float, units: int) -> tuple[int, ...]:
    """List all counts out of ``units`` whose share rounds to a rate printed with three decimals.

    Examples
    --------
    >>> counts_behind(0.328, 198)
    (65,)
    """
    return tuple(range(math.ceil((rate - _HALF_PLACE) * units), math.floor((rate + _HALF_PLACE) * units) + 1))


@dataclass(frozen=True)
class Discordance:
    """Units that only the first, or only the second, of two evaluators violates, and the exact McNemar p."""

    only_first: int
    only_second: int

    @property
    def p(self) -> float:
        """Exact two-sided McNemar p, a sign test on the discordant units (McNemar 1947)."""
        total = self.only_first + self.only_second
        return float(binomtest(self.only_first, total, 0.5).pvalue) if total else 1.0


def discordance_bounds(*, first: int, second: int, units: int) -> tuple[Discordance, Discordance]:
    """Bound the discordance of two evaluators from their totals over the same units: the least and the most.

    Both totals fix the difference of the discordant counts. What they leave open is how many units both violate: at
    most the smaller total, at least what does not fit into ``units`` side by side.

    Examples
    --------
    >>> discordance_bounds(first=374, second=194, units=792)
    (Discordance(only_first=180, only_second=0), Discordance(only_first=374, only_second=194))
    """
    most_shared, least_shared = min(first, second), max(0, first + second - units)
    return (
        Discordance(first - most_shared, second - most_shared),
        Discordance(first - least_shared, second - least_shared),
    )


def clustered_p_bound(*, difference: int, discordant: int, models: int) -> float:
    """Bound from above the p of the sign-flip test over pairs, whatever the dependence of the models inside a pair.

    Hoeffding's inequality for the sum of ``d * sign`` over pairs, where ``|d|`` is at most ``models`` and the ``|d|``
    sum to at most ``discordant``, so that their squares sum to at most ``models * discordant``.
    """
    return min(1.0, 2 * math.exp(-(difference**2) / (2 * models * discordant))) if discordant else 1.0


def rates(folder: Path = REPORTED) -> pd.DataFrame:
    """Set beside every printed violation rate the one count that fits it and its 95% Wilson interval.

    Returns
    -------
    DataFrame
        Columns ``evaluator, prompt, units, mvr, violations, low, high``. The interval treats units as independent; for
        the aggregate over four models it is too narrow.

    Raises
    ------
    InputError
        Where a printed rate fits no count, or more than one.
    """
    from statsmodels.stats.proportion import proportion_confint  # a second to import, used here alone

    rows = []
    for name, prompt, units, rate in printed_rates(folder):
        fitting = counts_behind(rate, units)
        if len(fitting) != 1:
            raise InputError(f"{folder}: {name}: the rate {rate} of {units} fits {len(fitting)} counts, expected one.")
        low, high = proportion_confint(fitting[0], units, method="wilson")
        rows.append((name, prompt, units, rate, fitting[0], low, high))
    return pd.DataFrame(rows, columns=["evaluator", "prompt", "units", "mvr", "violations", "low", "high"])


def paired(folder: Path = REPORTED) -> pd.DataFrame:
    """Bound the paired comparisons that the paper does not print by what its totals allow.

    Returns
    -------
    DataFrame
        One row a comparison: ``first, second, units, violations_first, violations_second``, the smallest exact McNemar
        p (``p_least``, least discordance) and the largest (``p_most``), and ``p_clustered``, a bound that also holds
        where the four models err on the same pairs (``p_most`` where there is no model).
    """
    found = rates(folder).to_dict("records")
    prompts = {row["prompt"]: row["violations"] for row in found if row["evaluator"] == "Model aggregate"}
    baselines = {row["evaluator"]: row["violations"] for row in found if not row["prompt"]}
    comparisons = [
        (prompts, MODELS, "generic_support", "force_aware"),
        (prompts, MODELS, "generic_support", "axis_free"),
        (prompts, MODELS, "axis_free", "force_aware"),
        (prompts, MODELS, "generic_support", "dummy_axis"),
        (baselines, 1, "Token overlap", "Entity overlap"),
        (baselines, 1, "Token overlap", "Rule ForceCheck"),
        (baselines, 1, "Token overlap", "Axis ForceCheck"),
        (baselines, 1, "Rule ForceCheck", "Axis ForceCheck"),
    ]
    rows = []
    for counts, models, first, second in comparisons:
        a, b, units = counts[first], counts[second], models * UNITS_PER_SET
        least, most = discordance_bounds(first=a, second=b, units=units)
        discordant = most.only_first + most.only_second
        bound = clustered_p_bound(difference=a - b, discordant=discordant, models=models)
        rows.append((first, second, units, a, b, least.p, most.p, bound if models > 1 else most.p))
    names = ["first", "second", "units", "violations_first", "violations_second", "p_least", "p_most", "p_clustered"]
    return pd.DataFrame(rows, columns=names)


def reversals(folder: Path = REPORTED) -> pd.DataFrame:
    """Count the reversed units from rate and force sensitivity alone, if the labels score 1 and 0.

    A unit is then ordered (margin 1), tied or unusable (margin 0) or reversed (margin -1), so that
    ``FS = (1 - MVR) - share of reversed units``.

    Returns
    -------
    DataFrame
        Columns ``prompt, violations, fs, reversed_least, reversed_most``: the whole numbers that fit the rounded FS,
        least above most where none does.
    """
    found, printed = by_key(rates(folder), "prompt"), by_key(table3(folder), "prompt")
    rows = []
    for prompt in TWO_LABEL_PROMPTS:
        units, violations, force = found[prompt]["units"], found[prompt]["violations"], printed[prompt]["fs"]
        least, most = (units - violations - units * (force + edge) for edge in (_HALF_PLACE, -_HALF_PLACE))
        rows.append((prompt, violations, force, math.ceil(least), math.floor(most)))
    return pd.DataFrame(rows, columns=["prompt", "violations", "fs", "reversed_least", "reversed_most"])


def printed_rates(folder: Path = REPORTED) -> Iterator[tuple[str, str, int, float]]:
    """Yield ``(evaluator, prompt, units, rate)`` of each printed violation rate, once each."""
    second, third = table2(folder), table3(folder)
    for row in second.to_dict("records"):
        yield row["evaluator"], row["prompt"], row["units"], row["mvr"]
    for row in third[~third["prompt"].isin(second["prompt"])].to_dict("records"):
        yield "Model aggregate", row["prompt"], MODELS * UNITS_PER_SET, round(row["mvr_percent"] / 100, 5)
    single, axes = by_key(other(folder), "quantity"), by_key(table1(folder), "axis")
    for axis in AXES:
        if (key := f"axis_forcecheck_mvr_{axis}") in single:
            yield f"Axis ForceCheck, {axis}", "", axes[axis]["eval"], float(single[key]["value"])


def by_key(frame: pd.DataFrame, *columns: str) -> dict[Any, dict[str, Any]]:
    """Index the rows of a small frame by one column, or by a tuple of several.

    Examples
    --------
    >>> by_key(table1(), "axis")["scope"]["eval"]
    40
    """
    keys = frame.set_index(list(columns) if len(columns) > 1 else columns[0]).index
    return dict(zip(keys, frame.to_dict("records"), strict=True))


def _read(name: str, folder: Path) -> pd.DataFrame:
    path, columns = folder / f"{name}.csv", _COLUMNS[name].split()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file, expected the published figures of {name}.")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if (found := frame.columns.tolist()) != columns:
        raise InputError(f"{path}, line 1: found the columns {', '.join(found)}, expected {', '.join(columns)}.")
    for column in columns:
        kind = _KINDS.get(column, "float64")
        values = frame[column].replace("", pd.NA) if kind == "Int64" else frame[column]
        try:
            frame[column] = values.astype(kind)  # type: ignore[call-overload]  # the kind is a variable
        except (ValueError, TypeError) as error:
            raise InputError(f"{path}: {column}: {error}, expected {kind}.") from None
    return frame
