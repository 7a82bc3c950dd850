"""The one call that checks what papermill injected into a notebook.

papermill only warns at a misspelt name, leaves ``true`` a string, turns ``1e5`` into a float and keeps a list that came
with ``-p`` a string. Each of these would run through and give a wrong page, so each is an error here.
"""

import difflib
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from forcebench_lib.schema import InputError

_CHECKED = "_parameters_checked"
_INJECTABLE = (str, int, float, bool, list, dict, tuple, type(None))


class ParameterError(InputError):
    """A parameter that the notebook does not have or cannot use. Shown as its one sentence, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"ParameterError: {self}"]


def check(namespace: dict[str, Any], /, **spec: Any) -> None:
    """Check the parameters of a notebook; its first code cell after the defaults.

    Parameters
    ----------
    namespace : dict
        ``globals()`` of the notebook.
    **spec
        Each parameter's type: ``str``, ``int``, ``float``, ``bool``, ``list[str]``, ``str | None``,
        ``Literal["a", "b"]`` or ``Annotated[int, pydantic.Field(ge=1)]``. Nothing is converted, but an int serves where
        a float is expected.

    Raises
    ------
    ParameterError
        For a name that is no parameter, a missing one, or a value of another type.

    Examples
    --------
    >>> check({"model": "recorded", "limit": 5}, model=str, limit=int)
    >>> check({"limit": 1e5}, limit=int)
    Traceback (most recent call last):
    forcebench_lib.book.parameters.ParameterError: limit: found 100000.0, expected int; write the number in digits.
    """
    if not namespace.get(_CHECKED):  # run again by hand, the cell would take the notebook's own names for parameters
        _refuse_unknown(namespace, spec)
    for name, kind in spec.items():
        _refuse_mistyped(namespace, name, kind)
    namespace[_CHECKED] = True


def _refuse_unknown(namespace: dict[str, Any], spec: dict[str, Any]) -> None:
    shell = namespace["get_ipython"]() if callable(namespace.get("get_ipython")) else None
    own = set(getattr(shell, "user_ns_hidden", ())) | {"In", "Out"}
    for name, value in namespace.items():
        if name in spec or name in own or name.startswith("_") or not isinstance(value, _INJECTABLE):
            continue
        close = difflib.get_close_matches(name, spec, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        known = f"expected {' or '.join(spec)}" if spec else "it has none"
        raise ParameterError(f"{name}: this notebook has no such parameter, {known}{hint}")


def _refuse_mistyped(namespace: dict[str, Any], name: str, kind: Any) -> None:
    if name not in namespace:
        raise ParameterError(f"{name}: the defaults cell does not set it, expected a default of type {_name(kind)}.")
    adapter = TypeAdapter(kind, config=ConfigDict(strict=True, allow_inf_nan=False))
    try:
        adapter.validate_python(namespace[name])
    except ValidationError as error:
        problem = error.errors()[0]
        expected = _name(kind)
        if problem["type"] not in ("int_type", "int_from_float", "float_type", "bool_type", "list_type", "string_type"):
            expected = f"{expected} ({problem['msg'].replace('Input should be', 'must be')})"
        hint = _hint(name, namespace[name], problem["type"])
        raise ParameterError(f"{name}: found {namespace[name]!r}, expected {expected}{hint}") from None


def _hint(name: str, value: Any, problem: str) -> str:
    """How to write on papermill's command line what was probably meant."""
    if problem == "list_type" and isinstance(value, str):
        return f"; give a list with -y, as in -y '{name}: [a, b]'."
    if problem == "bool_type":
        return "; write True or False."
    if problem.startswith("int") and isinstance(value, float):
        return "; write the number in digits."
    if problem == "string_type":
        return "; give text that looks like something else with -r."
    return "."


def _name(kind: Any) -> str:
    return kind.__name__ if type(kind) is type else str(kind).replace("typing.", "")
