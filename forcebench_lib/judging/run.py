"""Running a task: ask what is not yet recorded, write each record as it lands, stop without losing any."""

import asyncio
import math
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tqdm import tqdm  # type: ignore[import-untyped]  # tqdm ships no types

from .. import schema
from . import callers
from . import manifest as manifests
from .carry import carry
from .client import Client, Price
from .plan import Estimate, estimate
from .questionnaire import Questionnaire, RunT
from .session import RunError, Session, dearest
from .store import FILE, Store, read_records


def preview(task: Questionnaire[Any], *, price_per_million: Price | None = None) -> Estimate:
    """What of a task is left to ask and what it may cost. Asks nothing."""
    _check_numbers(price_per_million=price_per_million)
    left = _left(task)
    price = price_per_million or (_price(task, Client(task.model)) if left else None)
    return estimate(left, done=len(task.items) - len(left), reply_tokens=task.longest_reply, price=price)


def run(
    task: Questionnaire[RunT],
    *,
    api_key: str | None = None,
    concurrency: int = 4,
    max_cost_usd: float | None = None,
    price_per_million: Price | None = None,
    timeout_s: float = 120.0,
    retries: int = 5,
    processes: int | None = None,
    progress: bool = True,
) -> RunT:
    """Ask whatever of a task is not yet recorded, and return the run.

    Works from a script, inside a running event loop and under papermill: the asking has a thread of its own.
    Interrupting waits for the replies that are on their way, and records them.

    Parameters
    ----------
    task : Questionnaire
        What to ask, for example a `Task`.
    api_key : str, optional
        Leave it out to let litellm find the provider's environment variable. It is never written anywhere.
    concurrency : int
        Questions on their way at once. A local server with one slot wants 1, which also fixes the order of the calls.
    max_cost_usd : float, optional
        The run stops before its cost, earlier sessions included, could pass this; it is returned as far as it came.
        A reply without token counts counts as the most that it can have cost.
    price_per_million : pair of float, optional
        US dollars for a million prompt and reply tokens, where litellm's list does not know the model.
    timeout_s, retries
        For each question, see `Client`.
    processes : int, optional
        Processes to ask from; by default one for every 32 questions at once, and no more than there are cores. The
        store, the cap and the order of the questions stay in this one.
    progress : bool
        Show estimate and progress bar on standard error.

    Raises
    ------
    InputError
        If another process writes this run, a line of it is broken, there is a cap but no price, or a number makes no
        sense.
    RunError
        If no later question could succeed: a refused key, an address where nobody answers, a full disk.
    """
    if concurrency < 1:
        raise schema.InputError(f"concurrency: found {concurrency}, expected 1 or more.")
    if processes is not None and processes < 1:
        raise schema.InputError(f"processes: found {processes}, expected 1 or more.")
    if timeout_s == 0:
        raise schema.InputError("timeout_s: found 0, expected more than 0 seconds.")
    _check_numbers(max_cost_usd=max_cost_usd, price_per_million=price_per_million, timeout_s=timeout_s, retries=retries)
    with Store(task.folder, task.record) as store:
        left = _left(task)
        known = _known(task)
        if known and not left:
            return _closed(task, known)
        records = read_records(task.folder / FILE, task.record)
        paid = [(one.key, one.cost_usd) for one in records if not one.carried]
        known, left = carry(task, store, known, left)
        if known and not left:
            return _closed(task, known)
        client = callers.Callers(
            task.model,
            helpers=(processes or callers.processes(concurrency)) - 1,
            api_base=task.api_base,
            api_key=api_key,
            timeout_s=timeout_s,
            retries=retries,
        )
        price = price_per_million or _price(task, client)
        if max_cost_usd is not None and price is None:
            raise schema.InputError(
                f"max_cost_usd: the price of {task.model} is not known, "
                "expected price_per_million (--price-per-million) beside the cap."
            )
        if max_cost_usd is not None and not task.longest_reply:
            raise schema.InputError("max_cost_usd: the longest reply is not known, expected max_tokens beside the cap.")
        spent = _spent(task, known, paid, price)
        if progress:
            expected = estimate(left, done=len(task.items) - len(left), reply_tokens=task.longest_reply, price=price)
            cap = "no cap" if max_cost_usd is None else f"cap ${max_cost_usd:.2f}"
            print(f"{task.run_id}: {expected}; {cap}.", file=sys.stderr)
        with tqdm(total=len(left), unit="call", disable=not progress, mininterval=0.5) as bar:
            session = Session(task, store, client, known, price=price, cap=max_cost_usd, spent=spent, bar=bar)
            try:
                _in_thread(lambda: session.ask(left, concurrency), on_interrupt=lambda: session.stop("interrupted"))
            finally:
                session.close(concurrency)
    if session.manifest is None or session.failed:
        raise RunError(session.stopped)
    return task.opened(session.manifest)


def _known(task: Questionnaire[Any]) -> manifests.RunManifest | None:
    begun = (task.folder / manifests.FILE).is_file()
    return manifests.read(task.folder, task.manifest_kind) if begun else None


def _left(task: Questionnaire[Any]) -> list[Any]:
    """The questions without a reply."""
    known = _known(task)
    if known is None:
        return list(task.items)
    return task.left(known, {one.key for one in read_records(task.folder / FILE, task.record) if one.answered})


def _spent(
    task: Questionnaire[Any],
    known: manifests.RunManifest | None,
    paid: list[tuple[str, float | None]],
    price: Price | None,
) -> float:
    """What questions cost before, by key; those without a count of tokens at the most that they can have cost."""
    spent = sum(cost for _, cost in paid if cost is not None)
    uncounted = [key for key, cost in paid if cost is None]
    if known is None or price is None or not uncounted:
        return spent
    most = {task.key(item, known.effective): dearest(item, task.longest_reply, price) for item in task.items}
    return spent + sum(most.get(key, max(most.values())) for key in uncounted)


def _check_numbers(**given: float | Price | None) -> None:
    """A cap that is not a number, or is below zero, would stop nothing."""
    for name, value in given.items():
        numbers = value if isinstance(value, tuple | list) else () if value is None else (value,)
        for number in numbers:
            if not math.isfinite(number) or number < 0:
                raise schema.InputError(f"{name}: found {number}, expected a finite number, 0 or more.")


def _closed(task: Questionnaire[RunT], known: manifests.RunManifest) -> RunT:
    """A run that is whole without a question; its manifest is written where it is behind the records."""
    totals = manifests.totals(read_records(task.folder / FILE, task.record))
    whole = task.extended(known).model_copy(update={"totals": totals})
    if whole != known:
        manifests.write(whole, task.folder)
    return task.opened(whole)


def _price(task: Questionnaire[Any], client: Client) -> Price | None:
    """The list price; the list knows nothing of a server at an address of one's own."""
    return None if task.api_base else client.price(task.model)


def _in_thread(work: Callable[[], Coroutine[Any, Any, None]], *, on_interrupt: Callable[[], None]) -> None:
    """Run a coroutine in a thread of its own, so that a running event loop, as in a notebook, is no obstacle."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(lambda: asyncio.run(work()))
        try:
            future.result()
        except KeyboardInterrupt:
            on_interrupt()
            raise
