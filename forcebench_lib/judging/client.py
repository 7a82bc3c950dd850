"""Asking a model: the only module that loads litellm, and only when the first question is asked."""

import asyncio
import importlib
import os
import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from .prompt import Message
from .redaction import Redactor

ErrorKind = Literal["", "fatal", "request", "refused", "passing"]
Price = tuple[float, float]

KEY_VARIABLE = "FORCEBENCH_API_KEY"
MAX_WAIT_S = 300.0
_FATAL = {401, 402, 403, 404}
_PASSING = {408, 409, 425, 429}


@dataclass(frozen=True)
class Reply:
    """One answer of a model, or the error that stands in its place.

    `usage` counts tokens and is empty where the provider does not say. `logprobs` maps the candidates for the first
    token to their natural log probability. `attempts` counts requests. `error` has no credential in it; its `kind` is
    ``fatal`` (no later call can succeed), ``request`` (this request is refused), ``refused`` (content policy) or
    ``passing`` (gave up after retries).
    """

    text: str = ""
    finish_reason: str = ""
    refusal: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    logprobs: Mapping[str, float] | None = None
    model: str = ""
    latency_s: float = 0.0
    attempts: int = 1
    error: str = ""
    kind: ErrorKind = ""


class Client:
    """One model at one address.

    Parameters
    ----------
    model : str
        As litellm names it: ``anthropic/...``, ``openai/...`` with `api_base` for any OpenAI-compatible server.
    api_base : str, optional
        Address of the endpoint.
    api_key : str, optional
        By default litellm finds the provider's own environment variable. With an ``openai/`` model and an `api_base`
        the key is taken from ``FORCEBENCH_API_KEY`` alone, so that an OpenAI key is never sent to another host.
    timeout_s : float
        For one attempt as a whole, however slowly the reply drips in.
    retries : int
        Attempts after the first, for errors that may pass. ``Retry-After`` is honoured up to five minutes.
    wait_s : float
        First wait where the server names none; doubled each time, with jitter.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 120.0,
        retries: int = 5,
        wait_s: float = 1.0,
    ) -> None:
        if api_base and model.startswith("openai/"):
            api_key = api_key or os.environ.get(KEY_VARIABLE)
        self.redactor = Redactor(api_key=api_key)
        self._fixed = {"model": model, "max_retries": 0, "timeout": timeout_s}
        if api_base:
            self._fixed |= (
                {"api_base": api_base, "api_key": api_key or "no-key"}
                if model.startswith("openai/")
                else {"api_base": api_base}
            )
        if api_key:
            self._fixed["api_key"] = api_key
        self._timeout_s, self._retries, self._wait_s = timeout_s, retries, wait_s
        self._litellm = _litellm()

    async def ask(self, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Reply:
        """Ask once, again after errors that may pass. Errors come back as a `Reply`; only cancelling raises."""
        for attempt in range(1, self._retries + 2):
            started = time.perf_counter()
            try:
                response = await asyncio.wait_for(
                    self._litellm.acompletion(messages=list(messages), **self._fixed, **parameters), self._timeout_s
                )
                reply = self._reply(response)
            except Exception as error:  # any provider's error class may come; each becomes a recorded status
                reply, after = self._failure(error), _retry_after(error)
            else:
                after = None
            reply = replace(reply, attempts=attempt, latency_s=round(time.perf_counter() - started, 4))
            if reply.kind != "passing" or attempt > self._retries or (after or 0) > MAX_WAIT_S:
                return reply
            backoff = min(self._wait_s * 2 ** (attempt - 1), 60) * random.uniform(0.75, 1.25)
            await asyncio.sleep(max(after, 0.0) if after is not None else backoff)
        raise AssertionError("unreachable: the last attempt returns")

    async def settle(
        self, messages: Sequence[Message], requested: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, str], Reply]:
        """Ask the first question, giving up each requested parameter that the provider names as refused.

        Returns
        -------
        effective : dict
            The parameters in force.
        dropped : dict
            From each parameter that is not in force as asked to the provider's words.
        reply : Reply
            The reply to the first question; still an error if no parameter is to blame.
        """
        effective, dropped = dict(requested), dict[str, str]()
        while True:
            reply = await self.ask(messages, effective)
            blamed = (
                [name for name in effective if re.search(rf"\b{name}\b", reply.error)]
                if reply.kind == "request"
                else []
            )
            if "max_tokens" in blamed:
                if "max_completion_tokens" not in reply.error:
                    return effective, dropped, reply
                effective["max_completion_tokens"] = effective["max_tokens"]
            if not blamed:
                return effective, dropped, reply
            for name in blamed:
                del effective[name]
                dropped[name] = reply.error

    def price(self, model: str) -> Price | None:
        """US dollars for a million prompt and a million reply tokens, or None where litellm's list has no price."""
        try:
            tokens = 1_000_000
            cost = self._litellm.cost_per_token(model=model, prompt_tokens=tokens, completion_tokens=tokens)
        except Exception:  # litellm raises several classes for a model that it has no price for
            return None
        return float(cost[0]), float(cost[1])

    async def close(self) -> None:
        """Close the connections that litellm keeps open."""
        await self._litellm.close_litellm_async_clients()

    def _reply(self, response: Any) -> Reply:
        if not response.choices:
            return Reply(error="the reply holds no choices", kind="passing")
        choice = response.choices[0]
        return Reply(
            text=self.redactor.exact(_encodable(choice.message.content or "")),
            finish_reason=str(choice.finish_reason or ""),
            refusal=self.redactor.exact(_encodable(getattr(choice.message, "refusal", None) or "")),
            usage=_usage(getattr(response, "usage", None)),
            logprobs=_first_token(getattr(choice, "logprobs", None)),
            model=self.redactor.message(str(response.model or "")),
        )

    def _failure(self, error: Exception) -> Reply:
        status, name = getattr(error, "status_code", None), type(error).__name__
        text = f"timed out after {self._timeout_s:g} s" if isinstance(error, TimeoutError) else str(error)
        kind: ErrorKind = "passing"
        if name == "ContentPolicyViolationError":
            kind = "refused"
        elif status in _FATAL:
            kind = "fatal"
        elif isinstance(status, int) and 400 <= status < 500 and status not in _PASSING:
            kind = "request"
        return Reply(error=f"{name}: {self.redactor.message(text)}", kind=kind)


def _litellm() -> Any:
    """Load litellm without its request for a price list, and without its hints on the terminal."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.drop_params = False
    return litellm


def _encodable(text: str) -> str:
    """The text with lone surrogates, which no file can hold, as question marks."""
    return text.encode("utf-8", "replace").decode()


def _usage(usage: Any) -> dict[str, int]:
    """Token counts above zero; litellm writes 0 where the provider says nothing."""
    counts = {name: getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")}
    details = getattr(usage, "prompt_tokens_details", None)
    counts["cached_tokens"] = getattr(details, "cached_tokens", None)
    return {name: count for name, count in counts.items() if isinstance(count, int) and count > 0}


def _first_token(logprobs: Any) -> dict[str, float] | None:
    """Candidates for the first token with their log probabilities, or None where the provider gives none."""
    content = getattr(logprobs, "content", None)
    if not content:
        return None
    return {top.token: round(top.logprob, 6) for top in content[0].top_logprobs} or None


def _retry_after(error: Exception) -> float | None:
    """Seconds to wait as the server asks for them, in numbers or as a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = str(headers.get("retry-after", "")).strip()
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return None
