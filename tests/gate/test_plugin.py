import subprocess
import sys

import pytest

FILES = '"answers.json", "sources.json"'
SOURCES = '[{"id": "DOC-7", "content": "Tea may calm sleepers."}]'


def session(folder, body, *options):
    (folder / "test_citations.py").write_text(f"def test_citations(citation_gate):\n    {body}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def answers(folder, text):
    (folder / "answers.json").write_text(f'[{{"text": "{text}", "source_id": "DOC-7"}}]', encoding="utf-8")
    (folder / "sources.json").write_text(SOURCES, encoding="utf-8")


def test_one_line_fails_with_claim_passage_and_reason(tmp_path):
    answers(tmp_path, "Tea will calm sleepers.")
    done = session(tmp_path, f"citation_gate({FILES})")
    assert done.returncode == 1
    for shown in ("Tea will calm sleepers.", "passage: Tea may calm sleepers.", "force_exceeds_source (modality)"):
        assert shown in done.stdout
    assert "Traceback" not in done.stdout
    assert "pytest_plugin.py" not in done.stdout.partition("FAILURES")[2]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"citation_gate({FILES})", 0),
        (f"assert citation_gate({FILES}, evaluator='Token overlap', threshold=0.9).passed", 0),
        ("citation_gate([{'text': 'Tea may calm.', 'source_id': 'A'}], [{'id': 'A', 'content': 'Tea may calm.'}])", 0),
        ("citation_gate([{'text': 'Tea may calm.', 'source_id': 'B'}], [{'id': 'A', 'content': 'Tea may calm.'}])", 1),
        (f"citation_gate({FILES}, evaluator='nobody')", 1),
    ],
)
def test_the_fixture_takes_files_or_records(tmp_path, body, code):
    answers(tmp_path, "Tea may calm sleepers.")
    assert session(tmp_path, body, "-q").returncode == code


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("citation_gate([], [])", "claims: found none, expected at least one"),
        ("citation_gate('answers.json', [])", "sources: found none, expected at least one"),
        ("citation_gate([{'text': 'Tea.', 'id': '7'}], [{'id': 'A', 'content': 'Tea.'}])", "claims, entry 1: "),
        ("citation_gate({'claims': []}, [])", "claims: found a dict, expected a list or the path of a file"),
    ],
)
def test_what_checks_nothing_or_is_no_record_fails_with_a_sentence(tmp_path, body, said):
    answers(tmp_path, "Tea may calm sleepers.")
    done = session(tmp_path, body, "-q")
    assert done.returncode == 1
    assert said in done.stdout


def test_a_session_that_does_not_ask_loads_no_library(tmp_path):
    (tmp_path / "test_other.py").write_text(
        "import sys\n\ndef test_other():\n    assert 'pandas' not in sys.modules and 'litellm' not in sys.modules\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
