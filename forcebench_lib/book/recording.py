"""Values that a notebook records for the prose: written by ``record``, read back by the ``num`` role."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from forcebench_lib.schema import InputError

# papermill and MyST-NB both know this prefix: the one lets it pass, the other does not render it.
MIMETYPE = "application/papermill.record/text/plain"


def record(values: Mapping[str, Any]) -> None:
    """Record results of a notebook, so that prose can show them; nothing is displayed.

    Parameters
    ----------
    values : mapping
        Name → number, text, bool, None, or again a mapping or list of these. Names of nested values are joined with
        dots, list items count from 0: ``{"overlap": {"mvr": 0.4, "interval": [0.3, 0.5]}}`` gives ``overlap.mvr`` and
        ``overlap.interval.0``. numpy scalars and pandas Series serve too. NaN is kept as None, which prose cannot show.

    Raises
    ------
    InputError
        For a value of another kind, or one name twice.
    """
    from IPython.display import display

    text = json.dumps(flatten(values), ensure_ascii=False, sort_keys=True)
    name = f"record-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    scrapbook = {"name": name, "mime_prefix": MIMETYPE.removesuffix("text/plain")}
    display({MIMETYPE: text}, raw=True, metadata={"scrapbook": scrapbook})  # type: ignore[no-untyped-call]  # IPython has none


def flatten(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested values as one flat dict of JSON scalars.

    Examples
    --------
    >>> flatten({"overlap": {"mvr": 0.4, "interval": (0.3, 0.5)}, "n": 198})
    {'overlap.mvr': 0.4, 'overlap.interval.0': 0.3, 'overlap.interval.1': 0.5, 'n': 198}
    """
    flat: dict[str, Any] = {}
    for name, value in _leaves("", values):
        if name in flat:
            raise InputError(f"record: {name!r} comes twice, expected each name once.")
        flat[name] = value
    return flat


def _leaves(prefix: str, value: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(value, "to_dict"):  # pandas, without importing it
        value = value.to_dict()
    elif hasattr(value, "tolist"):  # numpy, as above
        value = value.tolist()
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, list | tuple):
        pairs = list(enumerate(value))
    elif value is None or isinstance(value, str | bool | int | float):
        yield prefix, None if isinstance(value, float) and not math.isfinite(value) else value
        return
    else:
        raise InputError(
            f"record: {prefix!r} is a {type(value).__name__}, expected a number, a text, a mapping or a list."
        )
    for key, item in pairs:
        yield from _leaves(f"{prefix}.{key}" if prefix else str(key), item)


def read(path: Path) -> dict[str, Any]:
    """Read back all that an executed notebook recorded.

    Raises
    ------
    InputError
        For a missing file, a file that is no notebook, or a name recorded twice with different values.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file, expected an executed notebook.")
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: it is no notebook.") from None
    found: dict[str, Any] = {}
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        text = output.get("data", {}).get(MIMETYPE)
        for name, value in json.loads("".join(text)).items() if text else ():
            if found.setdefault(name, value) != value:
                raise InputError(
                    f"{path}: {name!r} is recorded as {found[name]!r} and as {value!r}, expected one value."
                )
    return found
