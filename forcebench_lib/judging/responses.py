"""Models that are served at the responses endpoint alone: the same question and reply in that endpoint's words."""

from collections.abc import Mapping, Sequence
from typing import Any

from .prompt import Message

SAME = {"temperature", "top_p", "user", "metadata", "store", "truncation", "extra_body"}
NONE_SUCH = "the responses endpoint has no such parameter"


def name(litellm: Any, model: str, api_base: str | None) -> str | None:
    """The model's name where litellm serves it at the responses endpoint; None for chat completions.

    ``openai/responses/NAME`` asks for the endpoint; of known models litellm's list says which need it.
    """
    try:
        bare, provider, *_ = litellm.get_llm_provider(model, api_base=api_base)
    except litellm.exceptions.BadRequestError:
        return None
    info, bare = litellm.main.responses_api_bridge_check(model=bare, custom_llm_provider=provider, api_base=api_base)
    return f"{provider}/{bare}" if info.get("mode") == "responses" else None


def impossible(requested: Mapping[str, Any]) -> dict[str, str]:
    """Parameters that the endpoint does not have, each with the reason why it is not in force."""
    renamed = {"max_tokens", "max_completion_tokens", "response_format", "reasoning_effort", "logprobs", "top_logprobs"}
    return {name: NONE_SUCH for name in requested if name not in SAME | renamed}


def request(messages: Sequence[Message], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``litellm.aresponses`` for a question to chat completions.

    >>> asked = request([{"role": "user", "content": "Hi"}], {"max_tokens": 20, "temperature": 0})
    >>> asked["max_output_tokens"], asked["temperature"]
    (20, 0)
    """
    asked: dict[str, Any] = {"input": list(messages)}
    for parameter, value in parameters.items():
        if parameter in ("max_tokens", "max_completion_tokens"):
            asked["max_output_tokens"] = value
        elif parameter == "response_format":
            kind = value["type"]
            asked["text"] = {"format": {"type": kind, **value.get("json_schema", {})}}
        elif parameter == "reasoning_effort":
            asked["reasoning"] = {"effort": value}
        elif parameter == "logprobs":
            asked["include"] = ["message.output_text.logprobs"]
        else:
            asked[parameter] = value
    return asked


def reply(response: Mapping[str, Any]) -> dict[str, Any]:
    """What a response says, in the words of chat completions: text, refusal, finish_reason and the first token."""
    items = [item for item in response["output"] if item.get("type") == "message"]
    parts = [part for item in items for part in item["content"]]
    why = (response.get("incomplete_details") or {}).get("reason")
    logprobs = next((part["logprobs"] for part in parts if part.get("logprobs")), None)
    return {
        "text": "".join(part["text"] for part in parts if part["type"] == "output_text"),
        "refusal": "".join(part["refusal"] for part in parts if part["type"] == "refusal"),
        "finish_reason": {None: "stop", "max_output_tokens": "length"}.get(why, why),
        "logprobs": {top["token"]: top["logprob"] for top in logprobs[0]["top_logprobs"]} if logprobs else None,
    }


def usage(response: Mapping[str, Any]) -> dict[str, Any]:
    """The token counts under the names of chat completions."""
    counted = response.get("usage") or {}
    return {
        "prompt_tokens": counted.get("input_tokens"),
        "completion_tokens": counted.get("output_tokens"),
        "cached_tokens": (counted.get("input_tokens_details") or {}).get("cached_tokens"),
        "reasoning_tokens": (counted.get("output_tokens_details") or {}).get("reasoning_tokens"),
    }
