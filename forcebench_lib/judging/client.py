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

from . import responses
from .prompt import Message
from .redaction import Redactor

ErrorKind = Literal["", "fatal", "request", "refused", "passing"]
Price = tuple[float, float]

KEY_VARIABLE = "FORCEBENCH_API_KEY"
MAX_WAIT_S = 300.0
NAMES = {  # how providers name a parameter that they refuse, where not by its own name
    "response_format": r"response_format|json_schema|text\.format|structured[ _]outputs?|guided_json",
}
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
        As litellm names it: ``anthropic/...``, ``openai/...`` with `api_base` for any OpenAI-compatible server,
        ``openai/responses/...`` for one that is served at the responses endpoint.
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
        self._responses = responses.name(self._litellm, model, api_base)

    async def ask(self, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Reply:
        """Ask once, again after errors that may pass. Errors come back as a `Reply`; only cancelling raises."""
        for attempt in range(1, self._retries + 2):
            started = time.perf_counter()
            try:
                async with asyncio.timeout(self._timeout_s):
                    reply = await self._once(messages, parameters)
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
        dropped = responses.impossible(requested) if self._responses else {}
        effective = {name: value for name, value in requested.items() if name not in dropped}
        while True:
            reply = await self.ask(messages, effective)
            blamed = _blamed(reply, effective)
            if "max_tokens" in blamed and "max_completion_tokens" in reply.error:
                effective["max_completion_tokens"] = effective["max_tokens"]
            elif not blamed or {"max_tokens", "max_completion_tokens"} & set(blamed):
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

    async def _once(self, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Reply:
        if self._responses:
            fixed = self._fixed | {"model": self._responses}
            response = await self._litellm.aresponses(**fixed, **responses.request(messages, parameters))
            plain = response.model_dump(warnings="none")
            return self._reply(response, responses.reply(plain), responses.usage(plain))
        response = await self._litellm.acompletion(messages=list(messages), **self._fixed, **parameters)
        if not response.choices:
            return Reply(error="the reply holds no choices", kind="passing")
        choice = response.choices[0]
        said = {
            "text": choice.message.content,
            "refusal": getattr(choice.message, "refusal", None),
            "finish_reason": choice.finish_reason,
            "logprobs": _first_token(getattr(choice, "logprobs", None)),
        }
        return self._reply(response, said, _usage(getattr(response, "usage", None)))

    def _reply(self, response: Any, said: Mapping[str, Any], usage: Mapping[str, Any]) -> Reply:
        """What a provider said, without secrets. Token counts are those above zero: litellm writes 0 for none."""
        logprobs = {
            self.redactor.exact(_encodable(token)): round(logprob, 6)
            for token, logprob in (said["logprobs"] or {}).items()
        }
        return Reply(
            text=self.redactor.exact(_encodable(said["text"] or "")),
            finish_reason=self.redactor.message(str(said["finish_reason"] or "")),
            refusal=self.redactor.exact(_encodable(said["refusal"] or "")),
            usage={name: count for name, count in usage.items() if isinstance(count, int) and count > 0},
            logprobs=logprobs or None,
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
        elsewhere = "/responses" in text and not self._responses
        hint = " (openai/responses/NAME asks for that endpoint)" if elsewhere else ""
        return Reply(error=f"{name}: {self.redactor.message(text)}{hint}", kind=kind)


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


def _blamed(reply: Reply, effective: Mapping[str, Any]) -> list[str]:
    """The parameters that a refusal names."""
    if reply.kind != "request":
        return []
    return [name for name in effective if re.search(rf"\b({NAMES.get(name, name)})\b", reply.error, re.IGNORECASE)]


def _usage(usage: Any) -> dict[str, Any]:
    """The token counts of a chat completion."""
    asked, said = (getattr(usage, f"{kind}_tokens_details", None) for kind in ("prompt", "completion"))
    return {
        "prompt_tokens": getattr(usage, "prompt_tokens", None),
        "completion_tokens": getattr(usage, "completion_tokens", None),
        "cached_tokens": getattr(asked, "cached_tokens", None),
        "reasoning_tokens": getattr(said, "reasoning_tokens", None),
    }


def _first_token(logprobs: Any) -> dict[str, float] | None:
    """Candidates for the first token with their log probabilities, or None where the provider gives none."""
    content = getattr(logprobs, "content", None)
    return {top.token: top.logprob for top in content[0].top_logprobs} if content else None


def _retry_after(error: Exception) -> float | None:
    """Seconds to wait as the server asks for them, in numbers or as a date."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    headers = headers or getattr(error, "litellm_response_headers", None) or {}
    value = str(headers.get("retry-after", "")).strip()
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return None
