"""The options that every command has which asks a model."""

import argparse
import json
import os
from typing import Any

from ..schema import InputError


def add_model_options(parser: argparse.ArgumentParser, *, max_tokens: int) -> None:
    """Add whom to ask, with which parameters, how fast and for how much."""
    add = parser.add_argument
    add("--api-base", help="address of an OpenAI-compatible server")
    add(
        "--api-key-env",
        metavar="NAME",
        help="environment variable that holds the key, where it is not the provider's own",
    )
    add("--temperature", type=_number_or_none, default=0.0, help="a number, or none to leave it out")
    add("--seed", type=_whole_or_none, default=0, help="a number, or none to leave it out")
    add("--max-tokens", type=int, default=max_tokens, help="a model that reasons first needs thousands")
    add("--parameters", default="{}", metavar="JSON", help="further litellm parameters")
    add("--model-file-note", default="", help="for a local model: the publisher's file and its SHA-256")
    add("--concurrency", type=int, default=4, help="1 for a local server with one slot")
    add("--processes", type=int, help="processes to ask from (default: one for every 32 questions at once)")
    add("--max-cost-usd", type=float, help="stop before the run's cost could pass this")
    add(
        "--price-per-million",
        nargs=2,
        type=float,
        metavar=("PROMPT", "REPLY"),
        help="US dollars, if litellm knows none",
    )
    add("--timeout", type=float, default=120.0, help="seconds for one attempt")
    add("--retries", type=int, default=5)
    add("--dry-run", action="store_true", help="show calls, tokens and cost, and ask nothing")


def further_parameters(text: str) -> dict[str, Any]:
    """What ``--parameters`` holds."""
    try:
        parameters = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"--parameters: found text that is not JSON ({error}), expected one object.") from None
    if not isinstance(parameters, dict):
        raise InputError(f"--parameters: found a {type(parameters).__name__}, expected one JSON object.")
    return parameters


def price(arguments: argparse.Namespace) -> tuple[float, float] | None:
    """US dollars for a million prompt and reply tokens, where they were given."""
    return tuple(arguments.price_per_million) if arguments.price_per_million else None


def settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """What `judging.run` takes beside its task.

    Raises
    ------
    InputError
        Where the environment variable named for the key is not set.
    """
    variable = arguments.api_key_env
    if variable and not os.environ.get(variable):
        raise InputError(f"--api-key-env: the environment variable {variable} is not set.")
    return {
        "api_key": os.environ[variable] if variable else None,
        "concurrency": arguments.concurrency,
        "processes": arguments.processes,
        "max_cost_usd": arguments.max_cost_usd,
        "price_per_million": price(arguments),
        "timeout_s": arguments.timeout,
        "retries": arguments.retries,
    }


def _number_or_none(text: str) -> float | None:
    return None if text == "none" else float(text)


def _whole_or_none(text: str) -> int | None:
    return None if text == "none" else int(text)
