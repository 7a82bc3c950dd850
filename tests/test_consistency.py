import pytest

from forcebench_lib import consistency
from forcebench_lib.paths import REPORTED


def test_all_published_figures_agree():
    checks = consistency.checks()
    assert list(checks.columns) == ["paper", "check", "left", "right", "holds"]
    assert checks[~checks["holds"]].empty
    assert checks["check"].is_unique


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("48 + 48 + 51 + 39 + 43", "229"),
        ("40 + 39 + 40 + 39 + 40", "198"),
        ("32 + 155 + 11", "198"),
        ("229 + 52 + 2", "283"),
        ("283 + 150", "433"),
        ("374/792 = 0.4722", "0.472"),
        ("194/792 = 0.2449", "0.245"),
        ("65/198 = 0.3283", "0.328"),
        ("14/40 = 0.3500", "0.350"),
        ("17/39 = 0.4359", "0.436"),
        ("(1 - 15) / 40 = -0.350", "-0.350"),
    ],
)
def test_the_sides_are_written_out(left, right):
    checks = consistency.checks()
    assert ((checks["left"] == left) & (checks["right"] == right)).any()


@pytest.mark.parametrize(
    ("name", "old", "new", "failing"),
    [
        ("forcebench_table1", "scope,51", "scope,50", "Table 1, retained over axes"),
        ("forcebench_table1", "40,16,23,1", "40,16,24,1", "Table 1, severities of numeric"),
        ("forcebench_other", "capped,52", "capped,53", "Retained, capped and nonlocal rows are the accepted"),
        ("forcebench_other", "candidates,150", "candidates,149", "Accepted and rejected are the candidates"),
        ("forcebench_table4", "filter,200", "filter,201", "The locality filter removes the nonlocal rows"),
        ("forcebench_table2", ",374,792,0.472", ",375,792,0.472", "Rate of Model aggregate (generic_support)"),
        ("forcebench_table2", "0.245,0.754", "0.245,0.755", "Tables 2 and 3, FS of force_aware"),
        ("forcebench_table3", "50.9,0.480", "50.9,0.493", "FS of dummy_axis, share ordered"),
        ("eviscope_table3", "0.150,0.100\n", "0.175,0.100\n", "Qwen2.5-7B, difference in quartet_consistency"),
        ("eviscope_table4", "0.225,0.775", "0.225,0.750", "Llama-3.1-8B, gate, conflict answered in Tables 3 and 4"),
        ("eviscope_paired", "40,15,1,", "40,14,1,", "Qwen2.5-7B, McNemar 14:1"),
    ],
)
def test_an_altered_figure_is_caught(tmp_path, name, old, new, failing):
    for path in REPORTED.glob("*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (tmp_path / f"{name}.csv").read_text("utf8")
    assert text.count(old) == 1
    (tmp_path / f"{name}.csv").write_text(text.replace(old, new), "utf8")
    checks = consistency.checks(tmp_path).set_index("check")
    assert not checks.at[failing, "holds"]
