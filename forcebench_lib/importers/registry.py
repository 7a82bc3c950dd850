"""All importers by name, with the licence of what they read and whether real rows have proved them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..schema import InputError
from . import alce, attributed_qa, attributionbench, citeeval, expertqa, garage, gensearch, plain
from .context import CitedClaim


@dataclass(frozen=True, kw_only=True)
class Importer:
    """One resource: how to read it, under which licence it comes, and on what its importer was tried."""

    title: str
    licence: str
    tried_on: Literal["real rows", "its documentation"]
    read: Callable[[Path], Iterator[CitedClaim]] | None  # None: it needs a mapping, see `cited_claims`


IMPORTERS: dict[str, Importer] = {
    "expertqa": Importer(title="ExpertQA", licence="MIT", tried_on="real rows", read=expertqa.read),
    "attributionbench": Importer(
        title="AttributionBench",
        licence="Apache 2.0 as a collection; each of its seven sources keeps its own",
        tried_on="real rows",
        read=attributionbench.read,
    ),
    "attributed_qa": Importer(
        title="Attributed-QA", licence="Apache 2.0", tried_on="its documentation", read=attributed_qa.read
    ),
    "gensearch": Importer(title="Stanford GenSearch", licence="MIT", tried_on="its documentation", read=gensearch.read),
    "garage": Importer(
        title="GaRAGe", licence="CC BY-NC 4.0: not commercial", tried_on="its documentation", read=garage.read
    ),
    "alce": Importer(
        title="ALCE outputs", licence="that of your outputs and documents", tried_on="its documentation", read=alce.read
    ),
    "citeeval": Importer(
        title="CiteEval outputs", licence="CC BY-NC 4.0: not commercial", tried_on="real rows", read=citeeval.read
    ),
    "plain": Importer(title="CSV, TSV or JSONL of yours", licence="yours", tried_on="real rows", read=None),
}


def cited_claims(name: str, path: Path, mapping: Path | None = None) -> Iterator[CitedClaim]:
    """Start reading a file with an importer.

    Raises
    ------
    InputError
        For an unknown name, a mapping where none is taken, or none where one is needed.
    """
    if name not in IMPORTERS:
        raise InputError(f"import: found {name!r}, expected one of {', '.join(IMPORTERS)}.")
    importer = IMPORTERS[name]
    if importer.read is None:
        if mapping is None:
            raise InputError(f"--mapping: found none, expected a mapping file, which {name!r} needs.")
        return plain.read(path, plain.read_mapping(mapping))
    if mapping is not None:
        raise InputError(f"--mapping: found {mapping}, expected none, since {name!r} knows its fields.")
    return importer.read(path)
