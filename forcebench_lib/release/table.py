"""The tables of an edition as typed columns, and their bytes as JSONL and Parquet."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..corpus import Edition, load_stages
from ..schema import Adjudication, AuditVerdict, Candidate, EditionReview, Pair, Record

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Column:
    """A column as its record describes it: ``kind`` is string or integer, ``many`` says that a cell holds a list."""

    name: str
    kind: str
    many: bool
    description: str


@dataclass(frozen=True)
class Table:
    """Records of one kind under the name that they bear in a release."""

    name: str
    description: str
    record: type[Record]
    rows: tuple[Record, ...]

    @property
    def columns(self) -> list[Column]:
        """The columns in the order of the record's fields."""
        properties: dict[str, dict[str, Any]] = self.record.model_json_schema()["properties"]
        return [_column(name, described) for name, described in properties.items()]

    @property
    def splits(self) -> dict[str, tuple[Record, ...]]:
        """The rows by split; ``full`` holds all rows of a table that has none."""
        pairs = [row for row in self.rows if isinstance(row, Pair)]
        if not pairs:
            return {"full": self.rows}
        found = {split: tuple(row for row in pairs if row.split == split) for split in ("evaluation", "development")}
        return {split: rows for split, rows in found.items() if rows}


def _column(name: str, described: dict[str, Any]) -> Column:
    kinds = [described, *described.get("anyOf", ())]
    types = {kind.get("type", "string" if "enum" in kind or "const" in kind else None) for kind in kinds}
    kind = "integer" if "integer" in types else "string"
    return Column(name, kind, "array" in types, described.get("description", ""))


def release_tables(edition: Edition) -> list[Table]:
    """The pairs of an edition and, where it has them, the stages that they came from."""
    tables = [Table("pairs", "the retained pairs with their final fields", Pair, edition.pairs)]
    if edition.manifest.selection is not None:
        stages = load_stages(edition.folder)
        tables += [
            Table("candidates", "the rows as drafted, with what their drafter meant", Candidate, stages.candidates),
            Table("reviews", "two reviews of each candidate, as first written", EditionReview, stages.reviews),
            Table("adjudications", "the settled decision on each candidate", Adjudication, stages.adjudications),
            Table(
                "locality_audit",
                "a fresh reader's verdict on whether a pair differs in force alone",
                AuditVerdict,
                stages.audit,
            ),
        ]
    return tables


def jsonl(rows: Sequence[Record]) -> bytes:
    """One JSON object a line."""
    return "".join(json.dumps(row.model_dump(), ensure_ascii=False) + "\n" for row in rows).encode()


def parquet(table: Table, rows: Sequence[Record]) -> bytes:
    """Rows of a table as one Parquet file; the same rows give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    cells = pa.Table.from_pylist([row.model_dump() for row in rows], schema=arrow_schema(table))
    target = io.BytesIO()
    pq.write_table(cells, target, compression="zstd")
    return target.getvalue()


def arrow_schema(table: Table) -> "pa.Schema":
    """The columns of a table as Arrow knows them."""
    import pyarrow as pa

    kinds = {"string": pa.string(), "integer": pa.int64()}
    return pa.schema(
        [(column.name, pa.list_(kinds[column.kind]) if column.many else kinds[column.kind]) for column in table.columns]
    )
