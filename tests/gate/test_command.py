import json

import pytest

from forcebench_lib.__main__ import main
from forcebench_lib.gate import SUITE

SOURCES = [{"id": "DOC-7", "content": "Tea may calm sleepers."}]
GOOD = [{"text": "Tea may calm sleepers.", "source_id": "DOC-7"}]
BOLD = [{"text": "Tea will calm sleepers.", "source_id": "DOC-7"}]


@pytest.fixture
def gate(write, capsys):
    def run(answers, *options, sources=SOURCES):
        paths = [str(write("answers.json", answers)), "--sources", str(write("sources.json", sources))]
        code = main(["gate", *paths, *options])
        return code, *capsys.readouterr()

    return run


def test_the_exit_code_is_0_where_all_pass_1_where_one_fails_and_2_for_broken_input(gate):
    assert gate(GOOD)[0] == 0
    assert gate(GOOD + BOLD)[0] == 1
    code, out, err = gate("[{")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "answers.json, line 1" in err


@pytest.mark.parametrize("name", ["text", "json", "junit", "github"])
def test_each_format_is_printed_or_written(gate, tmp_path, name):
    code, out, _ = gate(BOLD, "--format", name)
    assert code == 1
    assert "force_exceeds_source" in out
    target = tmp_path / "report"
    assert gate(BOLD, "--format", name, "--output", str(target))[1].startswith("claim 1 (")
    assert target.read_text(encoding="utf-8") == out
    assert list(tmp_path.glob("*report*")) == [target]


def test_a_report_that_cannot_be_written_is_an_input_error(gate, tmp_path):
    assert gate(GOOD, "--output", str(tmp_path / "none" / "report"))[0] == 2


def test_a_report_is_not_written_over_what_the_gate_reads(gate, tmp_path):
    for name in ("answers.json", "sources.json"):
        code, out, err = gate(GOOD, "--output", str(tmp_path / name))
        assert (code, out) == (2, "")
        assert "found a file that is read here, expected another one to write" in err
    assert json.loads((tmp_path / "answers.json").read_text()) == GOOD
    assert json.loads((tmp_path / "sources.json").read_text()) == SOURCES


def test_evaluator_and_threshold_decide(gate):
    options = ("--evaluator", "Token overlap", "--threshold")
    half = [{"text": "Tea may calm noisy ferries.", "source_id": "DOC-7"}]
    assert gate(half, *options, "0.6")[0] == 0  # tea, may and calm of five
    assert gate(half, *options, "0.61")[0] == 1
    assert gate(half, "--evaluator", "nobody")[0] == 2
    assert gate(half, "--threshold", "2")[0] == 2


def test_a_warning_is_shown_where_the_generator_judges_itself(gate):
    options = ("--evaluator", "Token overlap", "--generator", "token overlap")
    assert "warning: Token overlap wrote the answer" in gate(GOOD, *options)[1]
    assert json.loads(gate(GOOD, *options, "--format", "json")[1])["warnings"]


def test_a_missing_file_or_option_is_an_input_error(capsys, tmp_path):
    assert main(["gate", "--sources", "x.json"]) == 2
    assert main(["gate", str(tmp_path / "none.json"), "--sources", "x.json"]) == 2
    assert main(["gate", str(tmp_path / "none.json")]) == 2
    assert main(["gate", "a.json", "--sources", "b.json", "--evaluator", "a/b", "--api-key-env", "NO_SUCH"]) == 2
    assert len(capsys.readouterr().err.strip().split("\n")) == 4


def test_an_answer_is_split_into_a_file_that_the_gate_reads(write, capsys, tmp_path):
    answer = write("answer.md", "Hello. Tea may calm sleepers [1].")
    assert main(["gate", str(answer), "--split", "--references", '{"1": "DOC-7"}']) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"claims": GOOD}
    assert err == "no citation marker: Hello.\n"
    assert main(["gate", str(write("a.json", out)), "--sources", str(write("s.json", SOURCES))]) == 0


@pytest.mark.parametrize("references", ["{", "[]", '{"1": 2}', '{"1": ""}', '{"1": "' + "x" * 600 + '"}'])
def test_a_split_that_cannot_be_is_an_input_error(write, references):
    assert main(["gate", str(write("answer.md", "Tea [1].")), "--split", "--references", references]) == 2
    assert main(["gate", str(write("answer.md", "Tea.")), "--split"]) == 2


@pytest.mark.parametrize("further", [["--output", "report.xml"], ["--format", "junit"]])
def test_what_makes_no_report_takes_no_form_of_one(write, further):
    assert main(["gate", "--suite", *further]) == 2
    assert main(["gate", str(write("answer.md", "Tea [1].")), "--split", *further]) == 2


def test_the_suite_runs_from_the_command_line(capsys, tmp_path):
    assert main(["gate", "--suite"]) == 0
    assert capsys.readouterr().out.endswith("10 of 10 cases hold.\n")
    assert main(["gate", "--suite", str(SUITE), "--evaluator", "Citation presence"]) == 1
    assert main(["gate", "--suite", str(tmp_path)]) == 2
