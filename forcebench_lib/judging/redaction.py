"""Keeping keys, headers and URL credentials out of everything that is written or shown."""

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from ..schema import InputError

MARK = "[redacted]"

_SECRET_NAME = re.compile(
    r"(^|[_-])(api[_-]?key|key|token|secret|password|credentials?|authorization|headers?)$", re.IGNORECASE
)
_SHAPES = (
    (re.compile(r"\b(bearer|basic)\s+[^\s'\",]+", re.IGNORECASE), rf"\1 {MARK}"),
    (re.compile(r"\b(sk|pk|gsk|hf|xai|key)[-_][A-Za-z0-9_*-]{6,}"), MARK),
    (re.compile(r"(\w+://)[^/\s@'\"]+@"), rf"\1{MARK}@"),
    (re.compile(r"(https?://[^\s?'\"]+)\?[^\s'\"]+"), rf"\1?{MARK}"),
)


def public_url(url: str | None) -> str | None:
    """The address without user, password, query and fragment.

    >>> public_url("https://me:pw@example.org/v1?key=abc")
    'https://example.org/v1'
    """
    if url is None:
        return None
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def refuse_credentials(parameters: Mapping[str, Any], where: str = "parameters") -> None:
    """Parameters are written to the manifest, so none of them may carry a credential.

    Raises
    ------
    InputError
        For a parameter, at any depth, whose name is that of a credential or of headers.
    """
    for name, value in parameters.items():
        if _SECRET_NAME.search(name):
            raise InputError(
                f"{where}: found {name!r}, but parameters are recorded in the run; "
                "expected keys in environment variables, as the provider names them."
            )
        if isinstance(value, Mapping):
            refuse_credentials(value, f"{where}.{name}")


class Redactor:
    """Takes the secrets of this process out of a text.

    Parameters
    ----------
    api_key : str, optional
        The key of the run.
    api_base : str, optional
        An address that may carry a user, a password or a query.
    environment : mapping
        Its variables that are named like credentials are secrets too.
    """

    def __init__(
        self, *, api_key: str | None = None, api_base: str | None = None, environment: Mapping[str, str] = os.environ
    ) -> None:
        parts = urlsplit(api_base or "")
        found = {api_key, parts.username, parts.password, parts.query, *(value for _, value in parse_qsl(parts.query))}
        found |= {unquote(parts.password)} if parts.password else set()
        named = {value for name, value in environment.items() if _SECRET_NAME.search(name) and len(value) >= 8}
        self._secrets = sorted({text for text in found if text and len(text) >= 6} | named, key=len, reverse=True)

    def exact(self, text: str) -> str:
        """The text without the secrets known by value; all else stays as it came."""
        for secret in self._secrets:
            text = text.replace(secret, MARK)
        return text

    def message(self, text: str, *, limit: int = 500) -> str:
        """An error message on one line, cut to `limit`, also without whatever is shaped like a credential."""
        text = " ".join(self.exact(text).split())
        for shape, replacement in _SHAPES:
            text = shape.sub(replacement, text)
        return text[:limit]
