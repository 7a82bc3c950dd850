"""Two current sources that give different values for the same thing."""

from .records import Claim, Failure
from .store import Store
from .values import Value, dates, missing, numbers

SAME_THING = 0.8


def disagreement(store: Store, place: int, claim: Claim) -> Failure | None:
    """Look for a sentence in another current source that says the same as a claim with another number or date.

    Only values are compared, and only between sentences that share four of five content words. Two numbers must count
    the same thing; where both sentences are dated and the dates differ, the numbers belong to different times.
    """
    claimed = numbers(claim.text), dates(claim.text)
    if not any(claimed):
        return None
    for other, sentence in store.near(claim.text, share=SAME_THING, beside=place):
        if found := _rival(claim.text, sentence):
            detail = f'{other.label} says "{found}": {sentence[:300].strip()}'
            return Failure(reason="sources_disagree", detail=detail)
    return None


def _rival(claim: str, sentence: str) -> str:
    """The value of a sentence that stands against one of a claim, or nothing."""
    dated = [dates(claim), dates(sentence)]
    other_time = all(dated) and not any(one.agrees(other) for one in dated[0] for other in dated[1])
    for value in numbers(claim):
        same = [other for other in numbers(sentence) if other.units & value.units]
        if same and missing([value], sentence) and all(missing([other], claim) for other in same):
            return "" if other_time else _shown(same[0], sentence)
    return dated[1][0].text if other_time and not numbers(claim) else ""


def _shown(value: Value, sentence: str) -> str:
    at = sentence.find(value.text)
    return " ".join(sentence[at:].split()[:2]).rstrip(".,;") if value.text and at >= 0 else value.text
