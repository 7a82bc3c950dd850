"""The one call that checks what papermill injected into a notebook.

papermill only warns at a misspelt name, leaves ``true`` a string, turns ``1e5`` into a float and keeps a list that came
with ``-p`` a string. Each of these would run through and give a wrong page, so each is an error here.
"""

import ast
import difflib
import sys
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError

from forcebench_lib.schema import InputError

_CHECKED = "_parameters_checked"
_DONE = object()  # no value that can be injected
_WORDS = {int: "a whole number", float: "a number", bool: "True or False", str: "a text", type(None): "None"}
_MANY = {"a whole number": "whole numbers", "a number": "numbers", "a text": "texts"}
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
    >>> check({"limit": 1e5}, limit=int | None)
    Traceback (most recent call last):
    forcebench_lib.book.parameters.ParameterError: limit: found 100000.0, expected a whole number or None; write digits.
    """
    if (
        namespace.get(_CHECKED) is not _DONE
    ):  # run again by hand, the cell would take the notebook's own names for parameters
        _refuse_unknown(namespace, spec)
    for name, kind in spec.items():
        _refuse_mistyped(namespace, name, kind)
    namespace[_CHECKED] = _DONE


def _refuse_unknown(namespace: dict[str, Any], spec: dict[str, Any]) -> None:
    for name in _given(namespace):
        if name in spec:
            continue
        close = difflib.get_close_matches(name, spec, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        known = f"expected {' or '.join(spec)}" if spec else "it has none"
        raise ParameterError(f"{name}: this notebook has no such parameter, {known}{hint}")


def _given(namespace: dict[str, Any]) -> Iterator[str]:
    """Names that stand for parameters: in a kernel what earlier cells assign, else what could have been injected.

    The names alone would not do: an import in this cell may have taken the place of an injected value.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or shell.user_ns is not namespace:
        yield from (name for name, value in namespace.items() if name[:2] != "__" and isinstance(value, _INJECTABLE))
        return
    for cell in shell.history_manager.input_hist_parsed[:-1]:
        for node in ast.walk(_parsed(cell)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _parsed(cell: str) -> ast.Module:
    try:
        return ast.parse(cell)
    except SyntaxError:  # a cell that never ran
        return ast.Module([], [])


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
    if problem.startswith("int") and isinstance(value, float):
        return "; write digits."
    if problem == "string_type":
        return "; give text that looks like something else with -r."
    return "."


def _name(kind: Any) -> str:
    """A type in words.

    Examples
    --------
    >>> _name(int | None), _name(list[str]), _name(Literal["open", "own"])
    ('a whole number or None', 'a list of texts', "'open' or 'own'")
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _name(inner[0])
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin in (Union, types.UnionType):
        return " or ".join(map(_name, inner))
    if origin is list:
        return f"a list of {_MANY.get(_name(inner[0]), 'values')}"
    return _WORDS.get(kind, str(getattr(kind, "__name__", kind)))
