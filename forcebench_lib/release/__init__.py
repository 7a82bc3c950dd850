"""An edition for use elsewhere: Parquet and JSONL, checksums, dataset card, Croissant metadata, changelog of rows."""

from .folder import write_release
from .history import changelog, read_history, record_version
from .sheet import Sheet, read_sheet
from .table import Table, release_tables

__all__ = [
    "Sheet",
    "Table",
    "changelog",
    "read_history",
    "read_sheet",
    "record_version",
    "release_tables",
    "write_release",
]
