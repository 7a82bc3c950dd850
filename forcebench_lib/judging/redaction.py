"""Keeping keys, headers and URL credentials out of everything that is written or shown."""

import json
import os
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from ..schema import InputError

MARK = "[redacted]"
BEGINNING = 8  # so many characters of a secret, as messages quote them, are masked too

# A name is a credential's if one of its words is among these, ...
_WORDS = re.compile(
    r"apikey|o?auth2?|authori[sz]ation|authentication|bearer|cookies?|credentials?|headers?"
    r"|passphrase|passwd|password|pwd|secrets?"
)
# ... or if its words, joined, end like this, ...
_PAIRS = re.compile(
    r"(access|account|api|auth|bearer|private|refresh|secret|session|signing|subscription)(key|token)s?(id)?$"
)
# ... or if it ends in one of these words, but for the keys of caches and the tokens of tokenizers.
_LAST = {"key", "token", "pass"}
_HARMLESS = re.compile(r"(cache|sort|bos|eos|pad|unk|mask|sep|cls|stop|special|first|next)(key|token)$")
# Variables that end so say how or where somebody logs in.
_ABOUT = {"dir", "file", "host", "method", "mode", "name", "path", "provider", "sock", "type", "uri", "url", "user"}

_KEYS = (
    re.compile(
        r"\b(sk|pk|gsk|hf|xai|key|nvapi|r8|gh[opsu]|github_pat|xox[abprs])[-_]"
        r"(?=[A-Za-z0-9_*-]*[0-9*])[A-Za-z0-9_*-]{6,}"
    ),
    re.compile(r"\b(AIza[A-Za-z0-9_-]{20,}|A[KS]IA[A-Z0-9]{12,}|eyJ[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){1,2})"),
)
_NAMED = (
    r"\b((?:x-)?api[-_]?key|access[-_]?(?:key|token)|authorization|(?:set-)?cookie|passw(?:or)?d|pwd|secret|token)"
    r"(['\"]?\s*[:=]\s*['\"]?)[^\s'\",]{4,}"
)
_SHAPES = (
    (re.compile(r"\b(bearer|basic)\s+[^\s'\",]+", re.IGNORECASE), rf"\1 {MARK}"),
    *((shape, MARK) for shape in _KEYS),
    (re.compile(_NAMED, re.IGNORECASE), rf"\1\2{MARK}"),
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
    try:
        parts = urlsplit(url)
    except ValueError:  # half a pair of brackets, for example
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("api_base: expected an address such as http://127.0.0.1:8080/v1.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            "api_base: found a user, a password or a query in the address, but it is recorded in the run; "
            "expected the bare address, and the key in an environment variable."
        )
    if keylike(url):
        raise InputError(
            "api_base: found a part that is shaped like a key, but the address is recorded in the run; "
            "expected the bare address, and the key in an environment variable."
        )
    return url


def names_secret(name: str) -> bool:
    """Whether a parameter or a variable is named like a credential, in whatever spelling.

    >>> [names_secret(name) for name in ("accessToken", "aws_access_key_id", "X-Goog-Api-Key", "SMTP_PASS")]
    [True, True, True, True]
    >>> [names_secret(name) for name in ("max_tokens", "top_k", "tokenizer", "key_points", "prompt_cache_key")]
    [False, False, False, False, False]
    """
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]
    joined = "".join(words)
    if any(map(_WORDS.fullmatch, words)) or _PAIRS.search(joined) or name.lower().startswith("x-"):
        return True
    return bool(_LAST & set(words[-1:]) or words[-2:] == ["key", "id"]) and not _HARMLESS.search(joined)


def keylike(text: str) -> bool:
    """Whether a piece of the text is shaped like a provider's key, or is a secret of this process.

    >>> keylike("http://host.example/v1/sk-proj-0a1b2c3d4e"), keylike("task-key-points")
    (True, False)
    """
    return any(shape.search(text) for shape in _KEYS) or Redactor().exact(text) != text


def refuse_credentials(parameters: Mapping[str, Any], where: str = "parameters") -> None:
    """Parameters are written to the manifest, so none of them may carry a credential.

    Raises
    ------
    InputError
        For a parameter, at any depth, that is named like a credential or like headers, or whose value is shaped like
        a key or is an address with a user, a password or a query.
    """
    for name, value in parameters.items():
        if names_secret(str(name)):
            raise InputError(
                f"{where}: found {name!r}, but parameters are recorded in the run; "
                "expected keys in environment variables, as the provider names them."
            )
        _refuse_value(value, f"{where}.{name}")


def _refuse_value(value: Any, where: str) -> None:
    if isinstance(value, Mapping):
        refuse_credentials(value, where)
    elif isinstance(value, list | tuple):
        for one in value:
            _refuse_value(one, where)
    elif isinstance(value, str) and (keylike(value) or _loaded_url(value)):
        raise InputError(
            f"{where}: found a value that looks like a key or an address with one, but parameters are recorded in the "
            "run; expected keys in environment variables, as the provider names them."
        )


def _loaded_url(text: str) -> bool:
    return re.search(r"\w+://(\S*@|\S*\?\S*=)", text) is not None


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
        named = {value for name, value in environment.items() if _holds_secret(name) and len(value) >= 8}
        secrets = {form for secret in named | ({api_key} if api_key else set()) for form in _forms(secret)}
        self._secrets = sorted(secrets, key=len, reverse=True)

    def exact(self, text: str) -> str:
        """The text without the secrets known by value, also quoted for JSON or a URL; all else stays as it came."""
        for secret in self._secrets:
            text = text.replace(secret, MARK)
        return text

    def message(self, text: str, *, limit: int = 500) -> str:
        """An error message on one line, cut to `limit`, also without beginnings of secrets and what is shaped like one.

        >>> Redactor(api_key="correct-horse-battery", environment={}).message("wrong key: correct-horse***")
        'wrong key: [redacted]***'
        """
        text = " ".join(self.exact(text).split())
        for secret in self._secrets:
            text = _without_beginning(text, secret)
        for shape, replacement in _SHAPES:
            text = shape.sub(replacement, text)
        return text[:limit]


def _forms(secret: str) -> set[str]:
    """A secret as it is, and as JSON, Python and URLs write it."""
    quoted = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1]}
    return {secret, quote(secret), quote(secret, safe=""), quote_plus(secret)} | quoted


def _without_beginning(text: str, secret: str) -> str:
    if len(secret) <= BEGINNING or "://" in secret[: BEGINNING + 1]:  # every address begins like an address
        return text
    head, *pieces = text.split(secret[:BEGINNING])
    rest = secret[BEGINNING:]
    return head + "".join(MARK + piece[_alike(piece, rest) :] for piece in pieces)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _holds_secret(variable: str) -> bool:
    return names_secret(variable) and variable.lower().rpartition("_")[2] not in _ABOUT
