"""Choosing the penalties of the two ForceChecks on the development pairs of an edition, and on nothing else."""

import argparse
from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from .corpus import load_edition
from .evaluators.forcecheck import explain, rule_signals
from .evaluators.lexicon import weights
from .evaluators.overlap import coverage
from .schema import InputError, Pair

GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def tune(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Both violation rates of each ForceCheck under every penalty of the grid, the same on all axes.

    Parameters
    ----------
    pairs : sequence of Pair
        Development pairs; those without a licensing passage are left out.

    Returns
    -------
    DataFrame
        ``evaluator, dropped, raised, mvr, mirror, total``, best first: the lowest sum of both rates, then the smallest
        penalties. The claim side alone would reward a dislike of strong wording, so the mirror weighs as much.

    Raises
    ------
    InputError
        Where no pair has a licensing passage.
    """
    used = [pair for pair in pairs if pair.licensing_passage.strip()]
    if not used:
        raise InputError(
            f"tune: none of {len(pairs)} development pairs has a licensing passage, expected at least one."
        )
    cases = [case for pair in used for case in _cases(pair)]
    covered = np.array([coverage(*case) for case in cases])
    findings = [[finding.rule for finding in explain(*case)] for case in cases]
    axis = np.array([[rules.count("dropped"), rules.count("raised")] for rules in findings])
    rule = np.array([rule_signals(*case) for case in cases], dtype=float)
    rows = []
    for dropped, raised in product(GRID, GRID):
        scores = {
            "Rule ForceCheck": covered * (1 - dropped * rule[:, 0]) * (1 - raised * rule[:, 1]),
            "Axis ForceCheck": covered * (1 - dropped) ** axis[:, 0] * (1 - raised) ** axis[:, 1],
        }
        for name, values in scores.items():
            safe, cited, licensed = values.reshape(-1, 3).T
            mvr, mirror = float(np.mean(safe <= cited)), float(np.mean(licensed <= cited))
            rows.append((name, dropped, raised, mvr, mirror, mvr + mirror))
    frame = pd.DataFrame(rows, columns=["evaluator", "dropped", "raised", "mvr", "mirror", "total"])
    ranked = frame.assign(rank=frame["total"].round(9), size=(frame["dropped"] + frame["raised"]).round(9))
    ranked = ranked.sort_values(["evaluator", "rank", "size", "dropped"], kind="stable", ignore_index=True)
    return ranked.drop(columns=["rank", "size"])


def _cases(pair: Pair) -> tuple[tuple[str, str], ...]:
    """The calibrated and the raised claim under the cited passage, and the raised one under the licensing passage."""
    cited, licensed = pair.passage, pair.licensing_passage
    return (cited, pair.safe_claim), (cited, pair.raised_claim), (licensed, pair.raised_claim)


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register ``tune``."""
    summary = "show which ForceCheck penalties do best on the development pairs; changes nothing"
    parser = commands.add_parser("tune", help=summary, description=summary)
    parser.add_argument("edition", nargs="?", default="open", help="name or folder of the edition")
    parser.set_defaults(run=_command)


def _command(arguments: argparse.Namespace) -> int:
    pairs, now = load_edition(arguments.edition).development, weights()
    axes = {(weight.dropped, weight.raised) for weight in now.axis.values()}
    print(f"{len(pairs)} development pairs. In data/lexicons/forcecheck.yml now, as (dropped, raised):")
    print(f"  rule {(now.rule.dropped, now.rule.raised)}, axis {', '.join(map(str, sorted(axes)))}")
    print(tune(pairs).groupby("evaluator").head(5).to_string(index=False, float_format="{:.3f}".format))
    return 0
