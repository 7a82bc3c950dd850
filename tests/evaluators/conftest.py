import pytest

from forcebench_lib.schema import Pair


@pytest.fixture
def pair():
    """Build a pair from its texts: ``pair(passage, safe, raised, licensing="", id="p-1")``."""

    def build(passage, safe, raised, licensing="", id="p-1"):
        return Pair(
            id=id,
            source="news-report",
            domain="tea",
            question="What does tea do?",
            passage=passage,
            evidence_spans=(passage,),
            safe_claim=safe,
            raised_claim=raised,
            repair=safe,
            rationale="The passage says may.",
            axis="modality",
            severity=1,
            licensing_passage=licensing,
        )

    return build
