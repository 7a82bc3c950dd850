"""What an import gives: contexts, and the count of all that could not be used, by reason."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..files import check_target, partial_name, reason
from ..schema import InputError
from .context import Context, Unusable, contexts
from .registry import cited_claims


@dataclass
class Counts:
    """How many rows, claims and citations a file holds, and what became of the citations.

    A claim that cites nothing and a row without claims count as one citation, so that
    ``citations == contexts + unusable.total()`` accounts for all of the file.
    """

    rows: int = 0
    claims: int = 0
    contexts: int = 0
    unusable: Counter[str] = field(default_factory=Counter)
    _last: tuple[int, int] = field(default=(0, 0), repr=False, compare=False)

    @property
    def citations(self) -> int:
        return self.contexts + self.unusable.total()

    def add(self, item: Context | Unusable) -> None:
        """Count the next item of a file."""
        line, claim = self._last
        self.rows += item.line != line
        self.claims += item.claim_number > 0 and (item.line, item.claim_number) != (line, claim)
        self._last = (item.line, item.claim_number)
        if isinstance(item, Context):
            self.contexts += 1
        else:
            self.unusable[item.reason] += 1

    def __str__(self) -> str:
        lines = [
            f"{self.rows} rows, {self.claims} claims, {self.citations} citations",
            f"{self.contexts:>8} contexts",
            f"{self.unusable.total():>8} unusable",
        ]
        return "\n".join(lines + [f"{count:>14} {reason}" for reason, count in self.unusable.most_common()])


@dataclass(frozen=True)
class Imported:
    """A file as imported, in memory."""

    contexts: tuple[Context, ...]
    unusable: tuple[Unusable, ...]
    counts: Counts


def read_contexts(name: str, path: str | Path, *, mapping: str | Path | None = None) -> Iterator[Context | Unusable]:
    """Yield one item a citation, as the file is read.

    Parameters
    ----------
    name : str
        A key of `IMPORTERS`.
    path : str or Path
        The file.
    mapping : str or Path, optional
        The mapping file of the importer ``plain``.

    Raises
    ------
    InputError
        For a file that is not what the importer reads: file, line, field, found, expected.
    """
    claims = cited_claims(name, Path(path), Path(mapping) if mapping else None)
    return contexts(claims, resource=name, file=Path(path))


def import_contexts(name: str, path: str | Path, *, mapping: str | Path | None = None) -> Imported:
    """Read a whole file into memory; see `read_contexts`."""
    counts = Counts()
    items = list(_counted(read_contexts(name, path, mapping=mapping), counts))
    return Imported(
        contexts=tuple(item for item in items if isinstance(item, Context)),
        unusable=tuple(item for item in items if isinstance(item, Unusable)),
        counts=counts,
    )


def write_contexts(
    name: str,
    path: str | Path,
    *,
    out: str | Path,
    mapping: str | Path | None = None,
    unusable: str | Path | None = None,
) -> Counts:
    """Import a file into a JSONL file of contexts, one row at a time; ``unusable`` takes the others, with reasons.

    Nothing is left behind where the file breaks off with an error.
    """
    counts = Counts()
    items = _counted(read_contexts(name, path, mapping=mapping), counts)
    taken = [Path(file) for file in (path, mapping) if file]
    targets = [Path(target) for target in (out, unusable) if target]
    for target in targets:
        check_target(target, reads=taken)
        taken.append(target)
    temporary = [partial_name(target) for target in targets]
    try:
        _write(items, *temporary)
        for written, target in zip(temporary, targets, strict=True):
            os.replace(written, target)
    except OSError as error:
        raise InputError(f"{targets[0]}: the contexts cannot be written ({reason(error)}).") from None
    finally:
        for written in temporary:
            written.unlink(missing_ok=True)
    return counts


def _counted(items: Iterable[Context | Unusable], counts: Counts) -> Iterator[Context | Unusable]:
    for item in items:
        counts.add(item)
        yield item


def _write(items: Iterable[Context | Unusable], good: Path, bad: Path | None = None) -> None:
    with good.open("w", encoding="utf-8") as usable, (bad or Path(os.devnull)).open("w", encoding="utf-8") as others:
        for item in items:
            file = usable if isinstance(item, Context) else others
            file.write(item.model_dump_json() + "\n")
