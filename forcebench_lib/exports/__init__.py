"""The judging task for other people's tools, and their logs as recorded runs."""

from .folder import HARNESSES, write_export
from .recording import import_log

__all__ = ["HARNESSES", "import_log", "write_export"]
