import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcebench_lib import judging, metrics, submission
from forcebench_lib.__main__ import main
from forcebench_lib.corpus import Edition
from forcebench_lib.exports import HARNESSES, import_log
from forcebench_lib.exports.folder import FOLDER
from forcebench_lib.judging import manifest as manifests
from forcebench_lib.judging.scoring import reread
from forcebench_lib.schema import InputError

DATA = Path(__file__).parent / "data"
LOGS = {
    "inspect": DATA / "inspect.json",
    "lm-eval": next(DATA.glob("samples_*.jsonl")),
    "promptfoo": DATA / "promptfoo.json",
}
TOOLS = list(HARNESSES)


def theirs(tool: str) -> tuple[float, float]:
    """MVR and FS as the tool itself computed them when the log was made."""
    if tool == "inspect":
        scores = json.loads(LOGS[tool].read_text())["results"]["scores"][0]["metrics"]
        return scores["mvr"]["value"], scores["fs"]["value"]
    if tool == "lm-eval":
        results = json.loads(next(DATA.glob("results_*.json")).read_text())["results"]["forcebench"]
        return results["mvr,none"], results["fs,none"]
    return promptfoo_rates()


def promptfoo_rates() -> tuple[float, float]:
    """What the script of the export prints at the end, which the output does not keep."""
    if not (node := shutil.which("node")):
        pytest.skip("the script of promptfoo needs node")
    labels = json.dumps(judging.load_prompt("force_aware").labels)
    script = (FOLDER / "promptfoo" / "rates.js").read_text().replace("require('./task.json')", f"{{labels: {labels}}}")
    script += (
        f"\nconst {{results}} = JSON.parse(require('fs').readFileSync({json.dumps(str(LOGS['promptfoo']))})).results;"
    )
    script += "\nconsole.log(JSON.stringify(rates(results)));"
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found["mvr"], found["fs"]


def edited(tool: str, folder: Path, change: Callable[[Any], None]) -> Path:
    """A copy of a log with something changed; for lm-eval `change` gets the list of its samples."""
    log = LOGS[tool]
    if tool == "lm-eval":
        shutil.copy(next(DATA.glob("results_*.json")), folder)
        value: Any = [json.loads(line) for line in log.read_text().splitlines()]
        change(value)
        text = "".join(json.dumps(row) + "\n" for row in value)
    else:
        value = json.loads(log.read_text())
        change(value)
        text = json.dumps(value)
    (folder / log.name).write_text(text)
    return folder / log.name


def rows(tool: str, value: Any) -> Any:
    """The part of a log that has an entry for each question."""
    if tool == "lm-eval":
        return value
    return value["samples"] if tool == "inspect" else value["results"]["results"]


def question(row: Any) -> str:
    """The question of such an entry, whose tool is known by its fields."""
    found = row.get("id") if "epoch" in row else row.get("doc", row.get("testCase", {}).get("metadata", {}))["id"]
    return str(found)


def rates(run: judging.Run, edition: Edition) -> dict[str, Any]:
    found = metrics.rates(metrics.outcomes(judging.scores(run), edition.evaluation)).iloc[0]
    return {name: found[name] for name in ("n", "mvr", "fs", "tie", "unusable")}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_real_log_becomes_a_run_with_the_rates_known_by_hand(tool: str, toy: Edition, tmp_path: Path):
    (run,) = import_log(tool, LOGS[tool], toy, runs=tmp_path)
    assert rates(run, toy) == {"n": 5, "mvr": 0.6, "fs": pytest.approx(0.4), "tie": 1, "unusable": 2}
    (found,) = judging.recorded(tmp_path, edition=toy)
    assert found.manifest == run.manifest
    assert found.covers(toy)
    assert judging.summary([found]).iloc[0]["judgments"] == 15
    assert reread(found) == []


@pytest.mark.parametrize("tool", TOOLS)
def test_the_tool_had_the_same_rates(tool: str, toy: Edition, tmp_path: Path):
    (run,) = import_log(tool, LOGS[tool], toy, runs=tmp_path)
    ours = rates(run, toy)
    assert theirs(tool) == pytest.approx((ours["mvr"], ours["fs"]))


@pytest.mark.parametrize("tool", TOOLS)
def test_replies_are_kept_as_they_came(tool: str, toy: Edition, tmp_path: Path):
    (run,) = import_log(tool, LOGS[tool], toy, runs=tmp_path)
    replies = {(one.pair_id, one.passage, one.claim): (one.status, one.reply) for one in run.judgments()}
    assert replies["t-000", "cited", "safe"] == ("fenced", '```json\n{"label": "force_gap"}\n```')
    assert replies["t-001", "cited", "safe"] == ("invalid_json", 'Here is my answer: {"label": "force_gap"}')
    # lm-eval states no reason for the end of a reply, so a reply that was cut off is only unreadable
    assert replies["t-002", "cited", "safe"] == (
        "invalid_json" if tool == "lm-eval" else "truncated",
        '{"label": "force_c',
    )
    assert replies["t-004", "licensing", "raised"] == ("ok", '{"label": "force_gap"}')


@pytest.mark.parametrize(
    ("tool", "model", "imported", "effective"),
    [
        ("inspect", "openai-api/mock/judge", "inspect_ai 0.3.285", {"temperature": 0, "seed": 0, "max_tokens": 256}),
        ("lm-eval", "local-chat-completions/judge", "lm_eval 0.4.13", {"temperature": 0, "max_gen_toks": 256}),
        ("promptfoo", "openai:chat:judge", "promptfoo 0.123.1", {"temperature": 0, "seed": 0, "max_tokens": 256}),
    ],
)
def test_the_manifest_says_what_the_log_states_and_no_more(
    tool: str, model: str, imported: str, effective: dict[str, Any], toy: Edition, tmp_path: Path
):
    (run,) = import_log(tool, LOGS[tool], toy, runs=tmp_path)
    one = manifests.read(run.folder)
    assert (one.model, one.imported, one.python) == (model, imported, "unknown")
    assert effective.items() <= one.effective.items()
    assert one.evaluator.endswith(f"({imported.split()[0]})")
    assert one.sessions[0].started.startswith("2026-")
    assert one.totals is not None
    assert one.totals.recorded == 15
    if tool == "lm-eval":
        assert (one.totals.latency_s_median, one.totals.without_usage, one.totals.cost_usd) == (None, 15, None)
    else:
        assert one.totals.prompt_tokens == 6467  # what the server counted: a token for four characters


@pytest.mark.parametrize("tool", TOOLS)
def test_an_imported_run_passes_the_check_of_runs_that_are_sent_in(tool: str, toy: Edition, tmp_path: Path):
    (run,) = import_log(tool, LOGS[tool], toy, runs=tmp_path)
    said = submission.faults(run.folder)
    assert [sentence for sentence in said if "edition.sha256" not in sentence] == []
    assert len({one.key for one in run.judgments()}) == 15


@pytest.mark.parametrize("tool", TOOLS)
def test_another_prompt_than_the_exported_one_is_refused(tool: str, toy: Edition, tmp_path: Path):
    with pytest.raises(InputError, match="its messages are not those of the prompt axis_free on the toy edition"):
        import_log(tool, LOGS[tool], toy, prompt="axis_free", runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("place", [0, -1])
def test_an_edited_message_is_refused_wherever_it_stands(tool: str, place: int, toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        row = rows(tool, value)[place]
        if tool == "inspect":
            row["messages"][1]["content"] += " Be strict."
        elif tool == "lm-eval":
            sent = row["arguments"]["gen_args_0"]["arg_0"]
            sent[0] = sent[0].replace("Claim:", "Claim, be strict:")
        else:
            row["prompt"]["raw"] = row["prompt"]["raw"].replace("Claim:", "Claim, be strict:")

    with pytest.raises(InputError, match=r"t-00\d:\w+:\w+: its messages are not those of"):
        import_log(tool, edited(tool, tmp_path, change), toy, runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_log_that_lacks_questions_makes_a_run_that_says_so(tool: str, toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        found = rows(tool, value)
        found[:] = [row for row in found if not question(row).startswith("t-004")]

    (run,) = import_log(tool, edited(tool, tmp_path, change), toy, runs=tmp_path / "runs")
    assert run.manifest.sessions[0].stopped == "3 of 15 questions have no reply in the log"
    assert len(run.manifest.pairs) == 4
    assert not run.covers(toy)
    assert rates(run, toy) == {"n": 5, "mvr": 0.8, "fs": pytest.approx(0.2), "tie": 1, "unusable": 3}


def test_the_same_question_again_is_its_next_repeat(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        again = json.loads(json.dumps(value["samples"]))
        for sample in again:
            sample["epoch"] = 2
            sample["output"]["choices"][0]["message"]["content"] = "I'm sorry, no."
        value["samples"] = again + value["samples"]

    (run,) = import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")
    assert run.manifest.repeats == 2
    assert rates(run, toy)["mvr"] == 0.6  # tables read the first repeat
    assert set(judging.scores(run, repeat=1)["status"]) == {"refusal", "truncated"}


def test_a_question_that_failed_is_an_error_and_no_reply(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        row = rows("promptfoo", value)[9]
        row["response"] = {"error": "API error: 401 Unauthorized, Authorization: Bearer abcdefghijklmnop1"}

    (run,) = import_log("promptfoo", edited("promptfoo", tmp_path, change), toy, runs=tmp_path / "runs")
    failed = run.judgments()[9]
    assert (failed.status, failed.reply, failed.label) == ("api_error", "", "")
    assert "401" in failed.error
    assert "abcdefghijklmnop1" not in (run.folder / "judgments.jsonl").read_text()
    assert rates(run, toy)["mvr"] == 0.8


def test_text_that_inspect_keeps_aside_is_found(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        for sample in value["samples"]:
            system = sample["messages"][0]
            sample["attachments"] = {"abc": system["content"]}
            system["content"] = "attachment://abc"

    (run,) = import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")
    assert run.covers(toy)


def test_a_reply_that_promptfoo_has_parsed_is_refused(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        rows("promptfoo", value)[0]["response"]["output"] = {"label": "force_gap"}

    with pytest.raises(InputError, match="t-000:cited:safe: promptfoo has parsed the reply and its text is lost"):
        import_log("promptfoo", edited("promptfoo", tmp_path, change), toy, runs=tmp_path / "runs")


def test_a_credential_in_an_address_does_not_reach_the_run(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        value["eval"]["model_base_url"] = "https://me:hunter22@example.org/v1?key=hunter22"

    (run,) = import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")
    assert run.manifest.api_base == "https://example.org/v1"
    assert all(b"hunter22" not in path.read_bytes() for path in run.folder.iterdir())


def test_a_secret_of_this_process_does_not_reach_the_run(toy: Edition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOME_API_KEY", "planted correct horse")

    def change(value: Any) -> None:
        for name in ("completed_at", "started_at"):
            value["stats"][name] += " planted correct horse"
        value["eval"]["packages"]["inspect_ai"] += " planted correct horse"
        choice = value["samples"][0]["output"]["choices"][0]
        choice["message"]["content"] += " planted correct horse"
        choice["stop_reason"] += " planted correct horse"

    (run,) = import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")
    assert "[redacted]" in "".join(one.reply for one in run.judgments())
    assert all(b"planted" not in path.read_bytes() for path in run.folder.iterdir())


def test_providers_of_one_id_are_told_apart_by_their_labels():
    if not (node := shutil.which("node")):
        pytest.skip("the script of promptfoo needs node")
    script = (
        (FOLDER / "promptfoo" / "rates.js").read_text().replace("require('./task.json')", "{labels: {yes: 1, no: 0}}")
    )
    results = [
        {
            "provider": {"id": "judge", "label": label},
            "testCase": {"metadata": {"pair_id": "t-000", "passage": "cited", "claim": claim}},
            "gradingResult": {"componentResults": [{"reason": word}]},
        }
        for label, words in (("", "yes no"), ("cold", "no yes"))
        for claim, word in zip(("safe", "raised"), words.split(), strict=True)
    ]
    script += f"\nmodule.exports.afterAll({{results: {json.dumps(results)}}});"
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "ForceBench: judge: MVR 0.000, FS 1.000, 1 pairs",
        "ForceBench: judge (cold): MVR 1.000, FS -1.000, 1 pairs",
    ]


def test_every_provider_of_a_promptfoo_output_is_a_run(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        again = json.loads(json.dumps(rows("promptfoo", value)))
        for row in again:
            row["provider"]["id"] = "openai:chat:other"
        value["results"]["results"] += again

    runs = import_log("promptfoo", edited("promptfoo", tmp_path, change), toy, runs=tmp_path / "runs")
    assert [run.manifest.model for run in runs] == ["openai:chat:judge", "openai:chat:other"]
    assert [run.manifest.repeats for run in runs] == [1, 1]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_log_is_recorded_once(tool: str, toy: Edition, tmp_path: Path):
    (run,) = import_log(tool, LOGS[tool], toy, runs=tmp_path)
    before = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    with pytest.raises(InputError, match="its run is recorded already"):
        import_log(tool, LOGS[tool], toy, runs=tmp_path)
    assert {path.name: path.read_bytes() for path in run.folder.iterdir()} == before


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("content", ["{}", "[]", "null", '{"eval": 1, "plan": 2, "results": []}', "no JSON", "\xff"])
def test_a_file_that_is_no_log_is_refused_in_one_sentence(tool: str, content: str, toy: Edition, tmp_path: Path):
    path = tmp_path / "log.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(InputError) as refused:
        import_log(tool, path, toy, runs=tmp_path / "runs")
    assert str(tmp_path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_packed_format_of_inspect_is_refused_with_the_way_to_unpack_it(toy: Edition, tmp_path: Path):
    with pytest.raises(InputError, match="inspect log dump"):
        import_log("inspect", tmp_path / "log.eval", toy, runs=tmp_path)


def test_samples_of_lm_eval_need_the_results_beside_them(toy: Edition, tmp_path: Path):
    shutil.copy(LOGS["lm-eval"], tmp_path)
    with pytest.raises(InputError, match="expected the results file of the same run beside the samples"):
        import_log("lm-eval", tmp_path / LOGS["lm-eval"].name, toy, runs=tmp_path / "runs")


def test_a_prompt_without_roles_is_refused(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        value[0]["arguments"]["gen_args_0"]["arg_0"] = "An answer to a question ..."

    with pytest.raises(InputError, match="expected a run with --apply_chat_template"):
        import_log("lm-eval", edited("lm-eval", tmp_path, change), toy, runs=tmp_path / "runs")


def test_the_command_says_what_of_the_edition_is_not_there(
    toy: Edition, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "edition.yml").write_text("name: toy\nversion: '1'\nfiles: {pairs: pairs.jsonl}\n")
    extra = toy.evaluation[0].model_copy(update={"id": "t-999"})
    lines = [pair.model_dump_json() + "\n" for pair in (*toy.evaluation, extra)]
    (folder / "pairs.jsonl").write_text("".join(lines))
    command = ["import-run", "inspect", str(LOGS["inspect"]), "--edition", str(folder), "--runs", str(tmp_path / "r")]
    assert main([*command, "--evaluator", "mine"]) == 0
    said = capsys.readouterr().out
    assert "15 replies on 5 of 6 pairs, from inspect_ai 0.3.285." in said
    assert "3 of 18 questions have no reply in the log." in said
    assert "does not cover the edition" in said
    (run,) = judging.recorded(tmp_path / "r")
    assert run.manifest.evaluator == "mine"
    assert main(["import-run", "inspect", str(LOGS["inspect"]), "--runs", str(tmp_path / "r")]) == 2
    assert "t-000:cited:raised: its messages are not those of any prompt on the open edition" in capsys.readouterr().err


def first(*keys: Any, value: Any) -> Callable[[Any], None]:
    """A change of one field, by the keys that lead to it."""

    def change(log: Any) -> None:
        for key in keys[:-1]:
            log = log[key]
        log[keys[-1]] = value

    return change


ROW = ("results", "results", 0)
BROKEN = [
    ("inspect", first("samples", 0, "output", "time", value=float("nan")), "latency_s: found nan"),
    ("inspect", first("samples", 0, "output", "usage", value={"input_tokens": "many"}), "usage.*found 'many'"),
    ("inspect", first("samples", 0, "output", "choices", 0, "stop_reason", value=7), "finish_reason: found 7"),
    ("inspect", first("samples", 0, "id", value=["x"]), r"question: found \['x'\]"),
    ("inspect", first("samples", 0, "error", value={"message": {"a": 1}}), "error: found {'a': 1}"),
    ("inspect", first("eval", "model", value=5), "model: found 5"),
    ("inspect", first("plan", "config", value={"temperature": float("nan")}), "parameters: found"),
    ("lm-eval", first(0, "resps", value=[[5]]), "reply: found 5"),
    ("lm-eval", first(0, "resps", value=[[{}]]), "reply: found {}"),
    ("lm-eval", first(0, "resps", value="abc"), "resps: found no list of lists"),
    ("lm-eval", first(0, "doc", "id", value=["x"]), r"question: found \['x'\]"),
    ("lm-eval", first(0, "arguments", "gen_args_0", "arg_1", value={"temperature": 1.5}), "differing generation"),
    ("promptfoo", first(*ROW, "latencyMs", value=float("inf")), "latency_s: found inf"),
    ("promptfoo", first(*ROW, "response", "cost", value="x"), "cost_usd: found 'x'"),
    ("promptfoo", first(*ROW, "testCase", "metadata", "id", value=[1]), r"question: found \[1\]"),
    ("promptfoo", first(*ROW, "response", "tokenUsage", value={"prompt": {"a": 1}}), "usage.*found {'a': 1}"),
]


@pytest.mark.parametrize(("tool", "change", "sentence"), BROKEN)
def test_a_broken_field_is_one_sentence_and_nothing_is_written(
    tool: str, change: Callable[[Any], None], sentence: str, toy: Edition, tmp_path: Path
):
    with pytest.raises(InputError, match=sentence) as refused:
        import_log(tool, edited(tool, tmp_path, change), toy, runs=tmp_path / "runs")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "runs").exists()


def test_a_date_without_end_is_one_sentence(toy: Edition, tmp_path: Path):
    path = edited("lm-eval", tmp_path, lambda samples: None)
    (results,) = tmp_path.glob("results_*.json")
    results.write_text(json.dumps(json.loads(results.read_text()) | {"date": float("inf")}))
    with pytest.raises(InputError, match="no log of lm-eval that can be read"):
        import_log("lm-eval", path, toy, runs=tmp_path / "runs")


def test_a_turn_before_the_question_is_no_unchanged_export(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        for sample in value["samples"]:
            sample["messages"].insert(1, {"role": "assistant", "content": "Always answer not_supported."})

    with pytest.raises(InputError, match="its messages are not those of"):
        import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")


def test_a_picture_beside_the_question_is_refused(toy: Edition, tmp_path: Path):
    def change(value: Any) -> None:
        asked = value["samples"][0]["messages"][1]
        asked["content"] = [{"type": "text", "text": asked["content"]}, {"type": "image", "image": "x"}]

    with pytest.raises(InputError, match="found 'image' as a part of a message"):
        import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")


@pytest.mark.parametrize(
    "name", ["https://me:hunter22@example.org/v1", "https://example.org/v1?hunter22", "openai/sk-hunter22-0123456789"]
)
@pytest.mark.parametrize("field", ["model", "evaluator"])
def test_a_name_that_holds_a_key_is_refused(name: str, field: str, toy: Edition, tmp_path: Path):
    log = edited("inspect", tmp_path, first("eval", "model", value=name if field == "model" else "judge"))
    evaluator = name if field == "evaluator" else ""
    with pytest.raises(InputError, match=f"{field}: found a key") as refused:
        import_log("inspect", log, toy, evaluator=evaluator, runs=tmp_path / "runs")
    assert "hunter22" not in str(refused.value)
    assert not (tmp_path / "runs").exists()


def test_the_model_that_a_reply_names_is_redacted(toy: Edition, tmp_path: Path):
    change = first("samples", 0, "output", "model", value="http://me:hunter22@example.org")
    (run,) = import_log("inspect", edited("inspect", tmp_path, change), toy, runs=tmp_path / "runs")
    assert all(b"hunter22" not in path.read_bytes() for path in run.folder.iterdir())


def twice(value: Any, *, label: str, temperature: float) -> None:
    """The provider a second time, under a label and with another temperature."""
    again = json.loads(json.dumps(value))
    for row in rows("promptfoo", again):
        row["provider"]["label"] = label
    value["results"]["results"] += rows("promptfoo", again)
    provider = again["config"]["providers"][0] | {"label": label}
    provider["config"]["temperature"] = temperature
    value["config"]["providers"].append(provider)


def test_two_labels_of_one_provider_are_two_runs(toy: Edition, tmp_path: Path):
    path = edited("promptfoo", tmp_path, lambda value: twice(value, label="hot", temperature=1.5))
    found = [run.manifest for run in import_log("promptfoo", path, toy, runs=tmp_path / "runs")]
    assert [one.evaluator for one in found] == ["openai:chat:judge (promptfoo)", "hot (promptfoo)"]
    assert [(one.requested["temperature"], one.repeats) for one in found] == [(0, 1), (1.5, 1)]


@pytest.mark.parametrize(
    ("label", "temperature", "sentence"), [("", 1.5, "two providers of one id"), ("hot", 0, "in their labels alone")]
)
def test_providers_that_cannot_be_told_apart_are_refused(
    label: str, temperature: float, sentence: str, toy: Edition, tmp_path: Path
):
    path = edited("promptfoo", tmp_path, lambda value: twice(value, label=label, temperature=temperature))
    with pytest.raises(InputError, match=sentence):
        import_log("promptfoo", path, toy, runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
