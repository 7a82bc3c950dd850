import pytest

from forcebench_lib.corpus import Edition
from tests.judging.conftest import make_edition

# Signs that mean something to the template engines of the tools, and to JSON
NOTE = '{{ 7 * 7 }} {% if x %} {# no #} ${HOME} "quoted" back\\slash <b>naïve</b> ☂'


def toy_edition() -> Edition:
    """Five pairs: a tie in a fence, a preamble, a reply cut off, and two in the right order. MVR 3/5, FS 2/5."""
    return make_edition(5, faults=("fenced", "preamble", "half_json"), note=NOTE)


@pytest.fixture(scope="session")
def toy() -> Edition:
    return toy_edition()
