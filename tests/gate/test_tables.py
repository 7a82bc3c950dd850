from forcebench_lib import tables
from forcebench_lib.corpus import Edition
from forcebench_lib.gate import SUITE
from tests.judging.conftest import make_edition


def test_the_suite_table_has_a_row_for_each_folder():
    table = tables.gate_suite()
    assert len(table) == len(list(SUITE.glob("*/case.json")))
    assert table["holds"].all()


def test_rates_count_what_the_gate_does_right():
    """Each toy passage says may, each raised claim will, each licensing passage will."""
    edition: Edition = make_edition(4)
    claims = [
        pair.model_copy(update={"safe_claim": "It may rain.", "raised_claim": "It will rain."})
        for pair in edition.pairs
    ]
    edition = Edition(edition.manifest, edition.folder, tuple(claims))
    verdicts = tables.gate_verdicts(edition)
    assert verdicts.groupby("case")["passed"].agg(["sum", "size"]).to_dict("index") == {
        "calibrated, cited passage": {"sum": 4, "size": 4},
        "raised, cited passage": {"sum": 0, "size": 4},
        "raised, licensing passage": {"sum": 4, "size": 4},
    }
    rates = tables.gate_rates(verdicts, edition)
    assert [row.split(" ")[0] for row in rates["it does"]] == ["1.000", "1.000", "1.000"]
    assert rates["too strong"].to_list() == [0, 4, 0]
