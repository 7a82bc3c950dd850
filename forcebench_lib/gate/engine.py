"""The gate: for each claim the first reason that it does not pass, or none."""

from collections.abc import Sequence

from .disagreement import disagreement
from .inputs import Answers
from .records import Claim, Failure, Reading, Report, Source, Verdict
from .rules import too_strong
from .store import Store
from .supporters import Rules, Supporter


def check(
    claims: Sequence[Claim] | Answers,
    sources: Sequence[Source],
    *,
    supporter: Supporter | None = None,
    generator: str = "",
) -> Report:
    """Hold each claim against the source that it cites.

    Parameters
    ----------
    claims : sequence of Claim or Answers
        Structured claims, or what `read_answers` returns.
    sources : sequence of Source
        The store.
    supporter : Supporter, optional
        Who decides about support; the deterministic rules by default. Unless it judges force as well, the words of
        passage and claim are compared on the five axes after it.
    generator : str
        The model that wrote the answer, for a warning where it judges itself.

    Returns
    -------
    Report
        One verdict a claim, in the order of the claims, each with the first reason that holds in the order of
        `REASONS`.

    Examples
    --------
    >>> source = Source(id="DOC-7", content="The bridge may reopen in May.")
    >>> report = check([Claim(text="The bridge will reopen in May.", source_id="DOC-7")], [source])
    >>> report.passed, report.failures[0].failure.reason, report.failures[0].failure.axis
    (False, 'force_exceeds_source', 'modality')
    """
    answers = claims if isinstance(claims, Answers) else Answers(tuple(claims), ())
    judge, store = supporter or Rules(), Store(sources)
    found = [store.find(claim) for claim in answers.claims]
    passages = [
        store.passage(place, claim.text) if isinstance(place, int) else ""
        for place, claim in zip(found, answers.claims, strict=True)
    ]
    asked = [number for number, place in enumerate(found) if isinstance(place, int)]
    readings = judge.read([passages[number] for number in asked], [answers.claims[number] for number in asked])
    failures: list[Failure | None] = [place if isinstance(place, Failure) else None for place in found]
    for number, reading in zip(asked, readings, strict=True):
        claim, place = answers.claims[number], found[number]
        failures[number] = _support(passages[number], claim, reading, judge.threshold)
        if failures[number] is None and isinstance(place, int):
            failures[number] = disagreement(store, place, claim)
    lines = answers.lines or (None,) * len(answers.claims)
    rows = zip(answers.claims, passages, failures, lines, strict=True)
    return Report(
        verdicts=tuple(Verdict(claim=c, passage=p, failure=f, line=n) for c, p, f, n in rows),
        evaluator=judge.name,
        threshold=judge.threshold,
        warnings=_warnings(generator or answers.generator, judge.name),
    )


def _support(passage: str, claim: Claim, reading: Reading, threshold: float) -> Failure | None:
    if not reading.score >= threshold:  # not-a-number fails too
        if not reading.too_strong:
            return Failure(reason="claim_not_supported", detail=reading.detail)
        axis = too_strong(passage, claim.text)
        return Failure(reason="force_exceeds_source", detail=reading.detail, axis=axis[0] if axis else None)
    stronger = None if reading.weighed else too_strong(passage, claim.text)
    return Failure(reason="force_exceeds_source", axis=stronger[0], detail=stronger[1]) if stronger else None


def _warnings(generator: str, judge: str) -> tuple[str, ...]:
    """The one who wrote an answer should not be the only one who approves it."""
    names = [name.rpartition("/")[2].strip().lower() for name in (generator, judge)]
    if not names[0] or names[0] != names[1]:
        return ()
    return (f"{judge} wrote the answer and is the only one who approves it; let another evaluator judge.",)
