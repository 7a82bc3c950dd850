"""The run browser as HTML: manifests, and every pair with what the recorded runs said about it.

All is readable without a script. ``runs.js`` adds the search and puts the replies of one run beside each pair. Replies
lie in the page as compressed data, and enter it as text alone.
"""

from .manifests import manifests, title
from .pairs import changed, pairs
from .replies import lines

__all__ = ["changed", "lines", "manifests", "pairs", "title"]
