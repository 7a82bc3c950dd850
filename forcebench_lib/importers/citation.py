"""Citation markers in answers and in front of references: found, read and taken off."""

import re
from collections.abc import Iterator

import sentencex

_NUMBERS = r"\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\]"
# A run of space is tried from its beginning only, and once: else a page of blanks would take hours.
_MARKERS = re.compile(rf"(?<!\s)(?:\s*+{_NUMBERS})++(?P<word>(?=\w))?")
_CUT_MARKER = re.compile(r"(?<!\s)\s*+\[[\d\s,]*+$")
_REFERENCE = re.compile(
    r"\s*(?:\[\d{1,3}\]\s*)?"
    r"(?:(?P<url>(?:https?://|www\.)\S+)[^\S\n]*(?:\n|$))?"
    r"(?P<text>.*)",
    re.DOTALL,
)


def without_markers(claim: str) -> str:
    """Take citation markers and superfluous space off a claim, also a marker that a sentence splitter cut in two.

    Examples
    --------
    >>> without_markers("  The dam leaks [2], as in 1921[1][3] [")
    'The dam leaks, as in 1921'
    """
    whole = _CUT_MARKER.sub("", claim)
    return " ".join(_MARKERS.sub(lambda found: "" if found["word"] is None else " ", whole).split())


def numbers(text: str) -> list[int]:
    """Read the numbers that a text cites, each once, in order.

    Examples
    --------
    >>> numbers("It leaks [3][1, 3], always [5-7].")
    [3, 1, 5, 6, 7]
    """
    cited: dict[int, None] = {}
    for marker in re.findall(_NUMBERS, text):
        for part in re.split(r"[,;]", marker.strip("[]")):
            ends = [int(number) for number in re.split("[–-]", part)]
            cited.update(dict.fromkeys(range(min(ends), max(ends) + 1)))
    return list(cited)


def sentences(answer: str) -> Iterator[str]:
    r"""Split an answer into sentences that keep their markers; the number of a list item stays with the item.

    Examples
    --------
    >>> list(sentences("Dr. Low agrees. [2] 1. Shut it [1].\n\nGo!"))
    ['Dr. Low agrees. [2]', '1. Shut it [1].', 'Go!']
    """
    held = ""
    for piece in sentencex.segment("en", answer):
        held += piece
        if any(sign.isalpha() for sign in piece):
            yield held.strip()
            held = ""
    if held.strip():
        yield held.strip()


def split_reference(reference: str) -> tuple[str, str]:
    r"""Split a reference into its address and its text, without the number in front of it.

    Examples
    --------
    >>> split_reference("[7] https://example.org/a\n\n  The dam leaks.")
    ('https://example.org/a', 'The dam leaks.')
    >>> split_reference("[1] https://example.org/a")
    ('https://example.org/a', '')
    >>> split_reference("[1] The dam leaks.")
    ('', 'The dam leaks.')
    """
    parts = _REFERENCE.fullmatch(reference)
    assert parts is not None
    return parts["url"] or "", parts["text"].strip()
