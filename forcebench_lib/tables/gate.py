"""How often the citation gate is right: on its own cases, and on the pairs of an edition."""

import pandas as pd

from ..corpus import Edition
from ..gate import Claim, Source, Supporter, check, read_suite, run_suite
from ..stats import wilson
from .frame import edition_line, titled, with_interval

_CASES = (
    ("calibrated, cited passage", "passage", "safe_claim", "pass"),
    ("raised, cited passage", "passage", "raised_claim", "fail"),
    ("raised, licensing passage", "licensing_passage", "raised_claim", "pass"),
)


def gate_suite(supporter: Supporter | None = None) -> pd.DataFrame:
    """Each case of the regression suite: what must be found, what was, and whether its repaired twin passes."""
    table = run_suite(read_suite(), supporter).drop(columns="case")
    return titled(table, name="gate_suite", caption=f"The {len(table)} regression cases of the citation gate.")


def gate_verdicts(edition: Edition, supporter: Supporter | None = None) -> pd.DataFrame:
    """The gate's verdict on each claim of the evaluation set; the passages of all pairs are the store.

    Returns
    -------
    DataFrame
        ``pair_id, axis, case, wanted, passed, reason, found_axis``; a pair without a licensing passage has no such row.
    """
    rows = []
    for case, passage, text, wanted in _CASES:
        pairs = [pair for pair in edition.evaluation if getattr(pair, passage)]
        claims = [Claim(text=getattr(pair, text), source_id=pair.id, question=pair.question) for pair in pairs]
        sources = [Source(id=pair.id, content=getattr(pair, passage)) for pair in pairs]
        for pair, verdict in zip(pairs, check(claims, sources, supporter=supporter).verdicts, strict=True):
            failure = verdict.failure
            rows.append(
                {
                    "pair_id": pair.id,
                    "axis": pair.axis,
                    "case": case,
                    "wanted": wanted,
                    "passed": verdict.passed,
                    "reason": failure.reason if failure else "",
                    "found_axis": failure.axis if failure else None,
                }
            )
    return pd.DataFrame(rows)


def gate_rates(verdicts: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """How often the gate does what it should, for each kind of claim, with the reasons where it stops a claim."""
    rows = []
    for case, _, _, wanted in _CASES:
        found = verdicts[verdicts["case"] == case]
        right = wilson(int((found["passed"] == (wanted == "pass")).sum()), len(found))
        rows.append(
            {
                "claim": case,
                "should": wanted,
                "it does": with_interval(right.value, right.low, right.high),
                "not supported": int((found["reason"] == "claim_not_supported").sum()),
                "too strong": int((found["reason"] == "force_exceeds_source").sum()),
                "sources disagree": int((found["reason"] == "sources_disagree").sum()),
                "n": len(found),
            }
        )
    caption = f"How often the gate does what it should: {edition_line(edition)}."
    note = "Brackets hold Wilson's 95% intervals. “Too strong” counts claims stopped with an axis named."
    return titled(pd.DataFrame(rows), name="gate_rates", caption=caption, note=note)
