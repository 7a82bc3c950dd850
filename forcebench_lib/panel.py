"""The recorded runs of an edition, each beside the text of the edition that it was made on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from . import judging, metrics, paths
from .corpus import Edition, load_edition
from .judging import manifest as manifests
from .judging.reply import USABLE
from .schema import InputError, Pair


@dataclass(frozen=True)
class Entry:
    """A recorded run with its number in the lists of the book.

    `edition` is the edition as the run's judge saw it: whole, or as it was after one of its waves. It is None where
    the run was made on another text.
    """

    number: int
    run: judging.Run
    edition: Edition | None

    @property
    def manifest(self) -> manifests.Manifest:
        return self.run.manifest

    @property
    def judge(self) -> str:
        """The judge as tables name it; scores from log probabilities are told apart."""
        return self.manifest.judge

    @property
    def conditions(self) -> tuple[str, manifests.Scoring, tuple[manifests.Passage, ...]]:
        """What two runs must share for their rates to stand in one table: text, scoring and passages."""
        return self.manifest.edition.sha256, self.manifest.scoring, self.manifest.passages

    @cached_property
    def judgments(self) -> list[judging.Judgment]:
        """The last judgment of each question."""
        return self.run.judgments()

    @cached_property
    def statuses(self) -> Counter[str]:
        """How many questions were answered in which way."""
        return Counter(one.status for one in self.judgments)

    @property
    def unusable(self) -> int:
        """How many questions have no reply that can be used."""
        return sum(count for status, count in self.statuses.items() if status not in USABLE)

    @cached_property
    def totals(self) -> manifests.Totals:
        """Counts and cost of the run, also of one that was cut off before it could write them."""
        return self.manifest.totals or manifests.totals(self.judgments)

    @cached_property
    def seconds(self) -> tuple[float, float, float]:
        """Lower quartile, median and upper quartile of the seconds to a reply; missing where no time is known."""
        found = [one.latency_s for one in self.judgments if one.answered and one.latency_s]
        low, middle, high = np.quantile(found, [0.25, 0.5, 0.75]) if found else [np.nan] * 3
        return float(low), float(middle), float(high)

    @property
    def dropped(self) -> str:
        """The parameters that were given up, in words; of a run made from another tool's log none can be known."""
        if self.manifest.imported:
            return f"unknown, from a log of {self.manifest.imported}"
        return ", ".join(self.manifest.dropped) or "nothing"

    @property
    def date(self) -> str:
        """The day on which the last session ended, or began if it was cut off."""
        if not self.manifest.sessions:
            return ""
        last = self.manifest.sessions[-1]
        return (last.ended or last.started)[:10]

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs that were asked about beside the cited passage, as the judge saw them; a run may stop early."""
        asked = {one.pair_id for one in self.judgments if one.passage == "cited"}
        return tuple(pair for pair in self.edition.evaluation if pair.id in asked) if self.edition else ()

    @cached_property
    def whole(self) -> bool:
        """Whether both claims of every pair of its edition were asked about."""
        return self.edition is not None and self.run.covers(self.edition)

    def outcomes(self, side: metrics.Side = "claim") -> pd.DataFrame:
        """The outcomes frame of the run over the pairs that it was asked about; empty if this side was not asked."""
        return self._claim_side if side == "claim" else self._evidence_side

    @cached_property
    def _claim_side(self) -> pd.DataFrame:
        return metrics.outcomes(self._scores("cited"), self.pairs)

    @cached_property
    def _evidence_side(self) -> pd.DataFrame:
        return metrics.outcomes(self._scores("licensing"), self.pairs, side="evidence")

    def _scores(self, passage: manifests.Passage) -> pd.DataFrame:
        return judging.scores(self.run if passage in self.manifest.passages else [])


def waves(edition: str | Path = "open") -> list[Edition]:
    """The edition as it is, then as it was after each of its waves, the largest first.

    Examples
    --------
    >>> whole, *earlier = waves("open")
    >>> all(set(one.evaluation) < set(whole.evaluation) for one in earlier)
    True
    """
    whole = load_edition(edition)
    held = max(pair.wave for pair in whole.pairs)
    return [whole, *(load_edition(edition, wave=wave) for wave in range(held - 1, 0, -1))]


def entries(edition: str | Path = "open", *, runs: Path = paths.RUNS) -> list[Entry]:
    """Every recorded run of an edition, by judge and prompt.

    Parameters
    ----------
    edition : str or Path
        A name or a folder, as `corpus.load_edition` takes it.
    runs : Path
        The folder of all runs.
    """
    texts = waves(edition)
    known = {one.sha256: one for one in texts}
    found = [run for run in judging.recorded(runs) if run.manifest.edition.name == texts[0].name]
    found.sort(key=lambda run: (run.manifest.scoring != "labels", run.manifest.evaluator, run.id))
    return [Entry(number, run, known.get(run.manifest.edition.sha256)) for number, run in enumerate(found, 1)]


def chosen(listed: Sequence[Entry], *, first: str = "", second: str = "") -> tuple[Entry, Entry] | None:
    """Two runs to be compared on the same pairs.

    Parameters
    ----------
    listed : sequence of Entry
        The runs to choose from.
    first, second : str
        A run's id, or the last eight digits of it. Without both, the first judge that has whole runs under the generic
        and under the force-aware prompt; None where there is none.

    Raises
    ------
    InputError
        Where a name fits no run or several, one of two names is missing, or the runs do not hold the same pairs.
    """
    if not first and not second:
        return _two_prompts(listed)
    one, other = find(listed, first), find(listed, second)
    if not one.pairs or one.pairs != other.pairs:
        raise InputError(
            f"first, second: {one.run.id} and {other.run.id} were not asked about the same pairs of one text of the "
            "edition, expected two runs that were."
        )
    return one, other


def _two_prompts(listed: Sequence[Entry]) -> tuple[Entry, Entry] | None:
    whole = sorted((entry for entry in listed if entry.whole), key=lambda entry: -len(entry.pairs))
    for one in (entry for entry in whole if entry.manifest.prompt.id == "generic_support"):
        for other in (entry for entry in whole if entry.manifest.prompt.id == "force_aware"):
            if (one.judge, one.conditions) == (other.judge, other.conditions):
                return one, other
    return None


def find(listed: Sequence[Entry], run: str) -> Entry:
    """The entry of a run, by its id or by the last eight digits of it.

    Raises
    ------
    InputError
        Where none or several fit.
    """
    fitting = [entry for entry in listed if run and run in (entry.run.id, entry.run.id[-8:])]
    if len(fitting) != 1:
        ids = ", ".join(entry.run.id for entry in listed) or "none, for no run is recorded"
        raise InputError(f"run: found {run!r}, expected the id of a recorded run or its last eight digits: {ids}.")
    return fitting[0]


def covered(
    edition: str | Path = "open", *, scoring: manifests.Scoring, runs: Path = paths.RUNS
) -> tuple[Edition, list[judging.Run]]:
    """The largest part of an edition that runs with a scoring cover, and these runs; no run where there is none."""
    texts = waves(edition)
    for text in texts:
        if found := judging.covering(text, scoring=scoring, needed=False, runs=runs):
            return text, found
    return texts[0], []
