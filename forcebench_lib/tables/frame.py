"""What every table shares: captions, intervals as text, names of prompts."""

import numpy as np
import pandas as pd

from ..corpus import Edition

INTERVAL = "Brackets hold 95% intervals: Wilson's for shares, bootstrap over pairs for means."
PUBLISHED, OURS = "Published", "This edition"
PROMPT_LABELS = {
    "": "",
    "generic_support": "Generic support",
    "axis_free": "Minimal axis-free force",
    "force_aware": "Axis-list force-aware",
    "dummy_axis": "Dummy-axis control",
}


def prompt_label(prompt: str) -> str:
    """A prompt in words, or its id where it is one of the reader's own."""
    return PROMPT_LABELS.get(prompt, prompt)


def with_interval(value: float, low: float, high: float, *, digits: int = 3) -> str:
    """A number with its interval as text; the interval is left out where it is missing.

    Examples
    --------
    >>> with_interval(0.328, 0.267, 0.396)
    '0.328 [0.267, 0.396]'
    """
    if np.isnan(value):
        return "–"
    shown = f"{value:.{digits}f}"
    interval = "" if np.isnan(low) else f" [{low:.{digits}f}, {high:.{digits}f}]"
    return f"{shown}{interval}".replace("-", "−")


def p_value(p: float) -> str:
    """A p value as text, small ones as a bound.

    Examples
    --------
    >>> p_value(0.00001), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def edition_line(edition: Edition) -> str:
    """The edition and its size, for captions; and up to which wave, where it holds a part of itself."""
    selection, held = edition.manifest.selection, max(pair.wave for pair in edition.pairs)
    part = "" if selection is None or held == len(selection.waves) else f", wave {held} of {len(selection.waves)}"
    return f"{edition.name} edition {edition.version}{part}, N = {len(edition.evaluation)} pairs"


def titled(frame: pd.DataFrame, *, name: str, caption: str, note: str = "", **formats: str) -> pd.DataFrame:
    """The frame with its name, caption, note and number formats in ``attrs``."""
    frame.attrs |= {"name": name, "caption": caption, "note": note, "formats": formats}
    return frame


def intervals(frame: pd.DataFrame, measure: str, *, digits: int = 3) -> list[str]:
    """One measure of each row as text, with its interval from the columns ``_low`` and ``_high``."""
    columns = (frame[measure], frame[f"{measure}_low"], frame[f"{measure}_high"])
    return [with_interval(*row, digits=digits) for row in zip(*columns, strict=True)]
