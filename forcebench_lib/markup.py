"""Untrusted text as HTML: markup is escaped, and signs that nobody would see are shown by their code point."""

import html
import re

# Control and direction signs, zero-width space and joiners of lines, tags, half characters; tab, line ends, soft hyphen
# and the joiners that Persian and emoji need stay as they are.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with each unseen sign as its code point.

    Examples
    --------
    >>> visible("may" + chr(0x202E) + "will")
    'may⟨U+202E⟩will'
    """
    return UNSEEN.sub(lambda sign: f"⟨U+{ord(sign[0]):04X}⟩", text)


def escape(text: str) -> str:
    """The text for an element or a quoted attribute; see `visible`.

    Examples
    --------
    >>> escape("a < b" + chr(7))
    'a &lt; b⟨U+0007⟩'
    """
    return html.escape(visible(text))
