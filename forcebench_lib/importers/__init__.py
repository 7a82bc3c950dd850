"""Real cited answers as contexts: question, cited passage, claim, where they come from and how they were labelled.

>>> sorted(IMPORTERS)
['alce', 'attributed_qa', 'attributionbench', 'citeeval', 'expertqa', 'garage', 'gensearch', 'plain']
"""

from .context import Context, Reason, Unusable
from .plain import Mapping
from .registry import IMPORTERS, Importer
from .result import Counts, Imported, import_contexts, read_contexts, write_contexts

__all__ = [
    "IMPORTERS",
    "Context",
    "Counts",
    "Imported",
    "Importer",
    "Mapping",
    "Reason",
    "Unusable",
    "import_contexts",
    "read_contexts",
    "write_contexts",
]
