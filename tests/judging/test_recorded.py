"""The committed runs: today's code gives the same names, keys and readings, and would write the same lines."""

import pytest

from forcebench_lib import judging, paths
from forcebench_lib.corpus import Edition, load_edition
from forcebench_lib.judging import manifest as manifests
from forcebench_lib.judging.scoring import reread
from forcebench_lib.judging.store import FILE, read_judgments

RUNS = judging.recorded(paths.RUNS)


def edition_of(run: judging.Run) -> Edition:
    for wave in (1, 2, 3, 0):
        found = load_edition(run.manifest.edition.name, wave=wave)
        if found.sha256 == run.manifest.edition.sha256:
            return found
    return pytest.skip("the edition of this run has grown since")


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.id)
def test_names_and_keys_are_those_of_today(run: judging.Run) -> None:
    was, edition = run.manifest, edition_of(run)
    prompt = judging.load_prompt(was.prompt.id)
    if prompt.sha256 != was.prompt.sha256:
        pytest.skip("the prompt of this run has changed since")
    plain = {"temperature", "seed", "max_tokens", "response_format", "logprobs", "top_logprobs"}
    task = judging.task(
        edition,
        model=was.model,
        prompt=prompt,
        api_base=was.api_base,
        passages=was.passages,
        scoring=was.scoring,
        repeats=was.repeats,
        temperature=was.requested.get("temperature"),
        seed=was.requested.get("seed"),
        max_tokens=was.requested["max_tokens"],
        parameters={name: value for name, value in was.requested.items() if name not in plain},
    )
    assert task.run_id == was.run == run.folder.name
    keys = {task.key(item, was.effective): item.place for item in task.items}
    assert [(one.key, {name: getattr(one, name) for name in keys[one.key]}) for one in run.judgments()] == [
        (one.key, keys[one.key]) for one in run.judgments()
    ]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.id)
def test_replies_are_read_as_they_were_and_counted_as_they_were(run: judging.Run) -> None:
    assert reread(run) == []
    assert manifests.totals(read_judgments(run.folder / FILE)) == run.manifest.totals


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.id)
def test_a_line_written_today_is_the_line_that_was_written(run: judging.Run) -> None:
    lines = (run.folder / FILE).read_text(encoding="utf-8").splitlines()
    again = [one.model_dump_json(exclude_defaults=True, ensure_ascii=True) for one in read_judgments(run.folder / FILE)]
    assert again == lines
