"""Every pair as a folded card, the search over pairs and replies, and the pairs that changed between two runs."""

from collections.abc import Iterable, Sequence

from ..card import SIGNS, pair_card
from ..corpus import Edition
from ..judging.reply import STATUSES
from ..markup import escape
from ..metrics import OUTCOMES
from ..panel import Entry
from ..schema import AXES, Pair
from .manifests import title
from .replies import LENGTHS, within_budget


def pairs(listed: Sequence[Entry], edition: Edition) -> str:
    """Every evaluated pair of the edition as a folded card, the search, and the replies of the runs.

    Parameters
    ----------
    listed : sequence of Entry
        The runs; those made on another text are left out, since their judges did not read these cards.
    edition : Edition
        Whose pairs are shown.

    Returns
    -------
    str
        One ``<div class="run-browser">``. Everything in it is escaped or compressed.
    """
    known = [entry for entry in listed if entry.edition is not None]
    packed, longest = within_budget(known)
    note = "" if longest == LENGTHS[0] else f" Replies are cut after {longest:,} characters here."
    files = "".join(_download(entry, data) for entry, data in zip(known, packed, strict=True))
    return "\n".join(
        [
            '<div class="run-browser">',
            _form(known),
            *map(_pair, edition.evaluation),
            f'<details class="run-files"><summary>Replies as data</summary><p>One JSON object a line and pair, '
            f"compressed with gzip.{note}</p><ul>{files}</ul></details>",
            "</div>",
        ]
    )


def changed(first: Entry, second: Entry, *, shown: int = 12) -> str:
    """The pairs whose outcome on the claim side differs between two runs on the same pairs, as folded cards.

    Parameters
    ----------
    first, second : Entry
        The runs.
    shown : int
        How many cards; the other pairs are linked to their place in `pairs`.
    """
    before, after = first.outcomes().set_index("pair_id")["outcome"], second.outcomes().set_index("pair_id")["outcome"]
    found = [pair for pair in first.pairs if before[pair.id] != after[pair.id]]
    cards = []
    for pair in found[:shown]:
        facts = f"{pair.id} · {pair.axis} · {_signed(before[pair.id])} → {_signed(after[pair.id])}"
        said = "".join(
            f"<dt>Run {escape(title(entry))}</dt><dd>{_labels(entry, pair)}</dd>" for entry in (first, second)
        )
        cards.append(
            f'<details class="run-fold"><summary>{escape(facts)}</summary>{pair_card(pair)}'
            f'<dl class="run-labels">{said}</dl></details>'
        )
    links = ", ".join(f'<a href="#pair-{escape(pair.id)}">{escape(pair.id)}</a>' for pair in found[shown:])
    return "".join(cards) + (f'<p class="run-more">Changed as well: {links}.</p>' if links else "")


def _signed(outcome: str) -> str:
    return f"{SIGNS[outcome]} {outcome}"


def _labels(entry: Entry, pair: Pair) -> str:
    """The labels that a run gave to both claims under the cited passage."""
    found: dict[str, list[str]] = {"safe": [], "raised": []}
    for one in entry.judgments:
        if (one.pair_id, one.passage, one.repeat) == (pair.id, "cited", 0):
            found[one.claim].append(one.label or one.status)
    safe, raised = (escape(" and ".join(dict.fromkeys(labels)) or "not asked") for labels in found.values())
    return f"evidence-calibrated claim: {safe}; force-raised claim: {raised}"


def _download(entry: Entry, data: str) -> str:
    name = escape(f"{entry.run.id}.jsonl.gz")
    link = f'<a download="{name}" data-run="{entry.number}" href="data:application/gzip;base64,{data}">{name}</a>'
    return f"<li>{escape(title(entry))}: {link}</li>"


def _form(known: Sequence[Entry]) -> str:
    """The search; the script shows it, since without one it could find nothing."""
    runs = [(str(entry.number), title(entry)) for entry in known]
    statuses = [status for status in STATUSES if any(entry.statuses[status] for entry in known)]
    fields = [_select("run", runs)] if runs else []
    for name, values in (("axis", AXES), ("outcome", (*OUTCOMES, "not asked")), ("status", statuses)):
        fields.append(_select(name, [("", "any"), *zip(values, values, strict=True)]))
    fields.append('<label>Words <input type="search" name="words" placeholder="in pairs and replies"></label>')
    fields.append('<output aria-live="polite"></output>')
    head = '<form class="run-search" role="search" aria-label="Pairs and replies" hidden>'
    return f"{head}{''.join(fields)}</form>"


def _select(name: str, options: Iterable[tuple[str, str]]) -> str:
    inside = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in options)
    return f'<label>{name.capitalize()} <select name="{name}">{inside}</select></label>'


def _pair(pair: Pair) -> str:
    facts = " · ".join(filter(None, [pair.id, pair.axis, pair.mechanism.replace("-", " ")]))
    head = f'<details class="run-pair" id="pair-{escape(pair.id)}" data-pair="{escape(pair.id)}"'
    return f'{head} data-axis="{pair.axis}"><summary>{escape(facts)}</summary>{pair_card(pair)}</details>'
