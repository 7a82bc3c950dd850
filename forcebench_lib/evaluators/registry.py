"""The evaluators by name, and the seam for those of others.

An evaluator is any callable ``(passages, claims) -> scores``: two sequences of texts of one length in, as many numbers
in [0, 1] out, not-a-number where it has no answer. Nothing has to be inherited or registered.
"""

import importlib
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

from ..schema import InputError
from .controls import claim_length, hedge_count
from .entities import entity_overlap
from .forcecheck import axis_forcecheck, rule_forcecheck
from .overlap import citation_presence, token_overlap

Evaluator = Callable[[Sequence[str], Sequence[str]], Sequence[float]]

ENTRY_POINT_GROUP = "forcebench.evaluators"

BASELINES: dict[str, Evaluator] = {
    "Citation presence": citation_presence,
    "Token overlap": token_overlap,
    "Entity overlap": entity_overlap,
    "Rule ForceCheck": rule_forcecheck,
    "Axis ForceCheck": axis_forcecheck,
}
CONTROLS: dict[str, Evaluator] = {"Hedge count": hedge_count, "Claim length": claim_length}


def load(name: str) -> Evaluator:
    """Find an evaluator by the name of a baseline or control, by dotted path, or by the name of an entry point.

    Parameters
    ----------
    name : str
        ``"Token overlap"``; ``"my_module:score"``; or a name in the entry point group ``forcebench.evaluators`` of an
        installed package.

    Raises
    ------
    InputError
        Where the name is unknown, the module cannot be imported, or what it names cannot be called.

    Examples
    --------
    >>> load("Token overlap")(["Tea may calm."], ["Tea may calm"])
    [1.0]
    """
    found: Any = (BASELINES | CONTROLS).get(name)
    if found is None:
        found = _imported(name) if ":" in name else _installed(name)
    if not callable(found):
        raise InputError(
            f"evaluator {name!r}: found a {type(found).__name__}, expected a function of passages and claims."
        )
    return found  # type: ignore[no-any-return]  # what it returns is checked when it scores


def _imported(path: str) -> Any:
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise InputError(f"evaluator {path!r}: expected a module and a function, such as 'my_module:score'.")
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a module may end its process when it is loaded
        raise InputError(
            f"evaluator {path!r}: the module {module_name!r} cannot be imported ({in_short(error)})."
        ) from error
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise InputError(f"evaluator {path!r}: the module {module_name!r} has no {attribute!r}.") from None
    return found


def _installed(name: str) -> Any:
    installed = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    if name not in installed:
        known = ", ".join([*BASELINES, *CONTROLS, *sorted(installed)])
        raise InputError(
            f"evaluator {name!r}: there is none of this name, expected 'my_module:score' or one of {known}."
        )
    try:
        return installed[name].load()
    except Exception as error:
        where = installed[name].value
        raise InputError(
            f"evaluator {name!r}: its entry point {where!r} cannot be loaded ({in_short(error)})."
        ) from error


def in_short(error: BaseException) -> str:
    """An error on one line: its type, and what it says."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ").removesuffix(".")
