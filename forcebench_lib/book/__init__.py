"""From percent scripts to the rendered book; a notebook needs ``parameters``, ``record`` and ``show`` of it."""

from forcebench_lib.book import parameters, show
from forcebench_lib.book.recording import record

__all__ = ["parameters", "record", "show"]
