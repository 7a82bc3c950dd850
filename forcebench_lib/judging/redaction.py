"""Keeping keys, headers and URL credentials out of everything that is written or shown."""

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ..schema import InputError

MARK = "[redacted]"

_SECRET_NAME = re.compile(
    r"(^|[_-])(api[_-]?key|key|token|secret|password|credentials?|authorization|headers?)$", re.IGNORECASE
)
_SHAPES = (
    (re.compile(r"\b(bearer|basic)\s+[^\s'\",]+", re.IGNORECASE), rf"\1 {MARK}"),
    (re.compile(r"\b(sk|pk|gsk|hf|xai|key|nvapi|r8|gh[opsu]|github_pat|xox[abprs])[-_][A-Za-z0-9_*-]{6,}"), MARK),
    (re.compile(r"\b(AIza[A-Za-z0-9_-]{20,}|A[KS]IA[A-Z0-9]{12,}|eyJ[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){1,2})"), MARK),
    (
        re.compile(
            r"\b((?:x-)?api[-_]?key|authorization|password|token)(['\"]?\s*[:=]\s*['\"]?)[^\s'\",]{4,}", re.IGNORECASE
        ),
        rf"\1\2{MARK}",
    ),
    (re.compile(r"(\w+://)[^/\s@'\"]+@"), rf"\1{MARK}@"),
    (re.compile(r"(https?://[^\s?'\"]+)\?[^\s'\"]+"), rf"\1?{MARK}"),
)


def plain_url(url: str) -> str:
    """The address as it came, if it may be written down.

    Raises
    ------
    InputError
        For an address that is not http or https, or carries a user, a password or a query; it is not repeated.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("api_base: expected an address such as http://127.0.0.1:8080/v1.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            "api_base: found a user, a password or a query in the address, but it is recorded in the run; "
            "expected the bare address, and the key in an environment variable."
        )
    return url


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
    environment : mapping
        Its variables that are named like credentials are secrets too.
    """

    def __init__(self, *, api_key: str | None = None, environment: Mapping[str, str] = os.environ) -> None:
        named = {value for name, value in environment.items() if _SECRET_NAME.search(name) and len(value) >= 8}
        self._secrets = sorted(named | ({api_key} if api_key else set()), key=len, reverse=True)

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
