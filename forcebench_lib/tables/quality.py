"""Tables of the checks that an edition must stand: shortcuts, composition, near-duplicates, locality."""

from collections.abc import Sequence

import pandas as pd

from ..corpus import Edition
from ..quality import closest, outliers, shared_names
from ..quality.finding import WHOLE
from ..quality.names import Row
from ..schema import AXES
from .frame import edition_line, titled


def quality_checks(found: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """Every check with what was found on the whole and by axis, what was asked for, and whether all of it holds.

    Parameters
    ----------
    found : DataFrame
        The result of `quality.report`.
    edition : Edition
        For the caption.
    """
    order = [*dict.fromkeys(found["check"])]
    wide = found.pivot(index="check", columns="part", values="found")
    wide = wide.reindex(index=order, columns=[WHOLE, *AXES]).rename(columns={WHOLE: "whole"})
    judged = found.dropna(subset="holds")
    wide.insert(0, "holds", judged.groupby("check")["holds"].all().map({True: "yes", False: "no"}))
    for place, (head, part) in enumerate(
        {"asked": found["part"] == WHOLE, "of an axis": found["part"] != WHOLE}.items()
    ):
        wide.insert(place, head, found[part].groupby("check")["bound"].first().map(_short))
    frame = wide.fillna(dict.fromkeys(["asked", "of an axis", "holds"], "–")).rename_axis(columns=None).reset_index()
    caption = f"What is asked of the rows and what was found, {edition_line(edition)}."
    note = "Shares of pairs, or counts where the bound is a whole number. A dash: nothing asked, or not computed."
    return titled(
        frame.rename_axis(columns=None),
        name="quality",
        caption=caption,
        note=note,
        **dict.fromkeys(["whole", *AXES], ".2f"),
    )


def _short(bound: str) -> str:
    return bound.replace("at least", "≥").replace("at most", "≤") or "–"


def closest_rows(rows: Sequence[Row], edition: Edition) -> pd.DataFrame:
    """The two rows that are most alike by each kind of text, beside the index that counts as near-duplicate."""
    frame = closest(rows).rename(columns={"jaccard": "Jaccard index", "threshold": "near-duplicate from"})
    caption = f"The closest two of {len(rows)} rows by text, {edition.name} edition {edition.version}."
    note = "Shared word shingles: three words in passages, two in claims. Frames have names and numbers masked."
    return titled(frame, name="closest_rows", caption=caption, note=note, **dict.fromkeys(frame.columns[3:], ".2f"))


def names_in_two_rows(rows: Sequence[Row], edition: Edition) -> pd.DataFrame:
    """Capitalised words that more than one row uses as a name."""
    caption = f"Names in more than one of {len(rows)} rows, {edition.name} edition {edition.version}."
    note = "Words that some row also writes in lower case, weekdays and months are left out."
    return titled(shared_names(rows), name="names_in_two_rows", caption=caption, note=note)


def locality_by_axis(found: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """Quartiles of the edit share by axis, and how many pairs keep every name and every number.

    Parameters
    ----------
    found : DataFrame
        The result of `quality.locality`.
    edition : Edition
        For the caption.
    """
    rows = []
    for axis in [*AXES, WHOLE]:
        mine = found if axis == WHOLE else found[found["axis"] == axis]
        spread = mine["edit_share"].quantile([0.25, 0.5, 0.75, 1]).to_list()
        kept = [(mine[f"{kind}_kept"].dropna() == 1).mean() for kind in ("names", "numbers")]
        rows.append([axis, len(mine), *spread, *kept])
    heads = [
        "axis",
        "pairs",
        "lower quartile",
        "median",
        "upper quartile",
        "most",
        "all names kept",
        "all numbers kept",
    ]
    caption = f"Share of the claims' words that stand in one claim alone, {edition_line(edition)}."
    note = "The last two columns: shares of the pairs whose calibrated claim has a name, or a number, at all."
    formats = dict.fromkeys(heads[2:], ".2f")
    return titled(pd.DataFrame(rows, columns=heads), name="locality", caption=caption, note=note, **formats)


def locality_outliers(found: pd.DataFrame, edition: Edition) -> pd.DataFrame:
    """The pairs that an audit should read again: far apart, or with a new name or number in the raised claim."""
    columns = ["pair_id", "axis", "edit_share", "new_names", "new_numbers", "reason"]
    frame = outliers(found)[columns].rename(columns=lambda column: column.replace("_", " "))
    caption = f"Pairs to read again: {len(frame)} of {edition_line(edition).split('N = ')[-1]}, {edition.name} edition."
    note = "A number computed from the passage's own, such as the middle of a range, is new here and no fault."
    return titled(frame, name="locality_outliers", caption=caption, note=note, **{"edit share": ".2f"})
