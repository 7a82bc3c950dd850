import math
from pathlib import Path

import pytest

from forcebench_lib import judging, metrics
from forcebench_lib.judging.manifest import EditionNote, Manifest, PromptNote, run_id, totals
from forcebench_lib.judging.manifest import write as write_manifest
from forcebench_lib.judging.scoring import reread
from forcebench_lib.judging.store import Judgment, Store
from forcebench_lib.schema import InputError

from .conftest import make_edition

LABELS = {"yes": 1.0, "partly": 0.5, "no": 0.0}


def make_run(folder: Path, judgments: list[Judgment], **changes: object) -> judging.Run:
    manifest = Manifest(
        run=folder.name,
        evaluator="Toy",
        model="openai/toy",
        api_base=None,
        prompt=PromptNote(id="mine", version=1, title="Mine", sha256="0", labels=LABELS),
        edition=EditionNote(name="toy", version="1", sha256="0"),
        scoring="labels",
        requested={},
        effective={},
        dropped={},
        pairs=("t-000", "t-001"),
        passages=("cited",),
        repeats=1,
        python="3",
        packages={},
    ).model_copy(update=changes)
    write_manifest(manifest, folder)
    with Store(folder) as store:
        for one in judgments:
            store.append(one)
    return judging.read_run(folder)


def judgment(pair: str, claim: str, status: str, label: str = "", **more: object) -> Judgment:
    return Judgment.model_validate(
        {"key": f"{pair}{claim}", "pair_id": pair, "passage": "cited", "claim": claim, "status": status, "label": label}
        | more
    )


def test_labels_become_the_scores_of_the_prompt(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "r",
        [
            judgment("t-001", "raised", "fenced", "partly"),
            judgment("t-001", "safe", "ok", "yes"),
            judgment("t-000", "safe", "truncated"),
            judgment("t-000", "raised", "ok", "no"),
        ],
    )
    scores = judging.scores(run)
    assert scores[["pair_id", "claim", "status"]].to_numpy().tolist() == [
        ["t-000", "raised", "ok"],
        ["t-000", "safe", "truncated"],
        ["t-001", "raised", "ok"],
        ["t-001", "safe", "ok"],
    ]
    assert scores["score"].tolist()[0::2] == [0.0, 0.5]
    assert math.isnan(scores["score"][1])
    assert scores["score"][3] == 1.0


def test_no_failure_can_shrink_the_number_of_pairs(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [judgment("t-000", "safe", "ok", "yes"), judgment("t-000", "raised", "ok", "no")])
    outcomes = metrics.outcomes(judging.scores(run), make_edition(2).evaluation)
    assert outcomes.set_index("pair_id")["outcome"].to_dict() == {"t-000": "ordered", "t-001": "unusable"}


def test_a_later_judgment_of_a_question_takes_the_place_of_an_error(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "r", [judgment("t-000", "safe", "api_error"), judgment("t-000", "safe", "ok", "yes", attempts=2)]
    )
    assert judging.scores(run)["score"].tolist() == [1.0]
    found = totals([judgment("t-000", "safe", "api_error"), judgment("t-000", "safe", "ok", "yes", attempts=2)])
    assert (found.recorded, found.requests, found.retries) == (1, 3, 1)


def test_an_unknown_cost_makes_the_sum_unknown_and_never_zero() -> None:
    known = judgment("t-000", "safe", "ok", "yes", cost_usd=0.25)
    assert totals([known]).cost_usd == 0.25
    assert totals([known, judgment("t-000", "raised", "ok", "no")]).cost_usd is None


def test_graded_scores_are_the_mean_over_both_orders(tmp_path: Path) -> None:
    half = math.log(0.5)
    orders = [("yes", "partly", "no"), ("no", "partly", "yes")]
    run = make_run(
        tmp_path / "r",
        [
            judgment("t-000", "safe", "ok", "yes", key="1", options=orders[0], logprobs={"A": half, "B": half}),
            judgment(
                "t-000", "safe", "ok", "no", key="2", options=orders[1], logprobs={"A": half, " C": math.log(0.25)}
            ),
            judgment("t-000", "raised", "ok", "yes", key="3", options=orders[0], logprobs={"A": 0.0}),
        ],
        scoring="graded",
    )
    scores = judging.scores(run).set_index("claim")
    assert scores.loc["safe", "score"] == pytest.approx((0.75 + 0.25 / 0.75) / 2)
    assert scores.loc["raised", "status"] == "missing"
    assert judging.judgments(run)["mass"].tolist() == pytest.approx([1.0, 0.75, 1.0])


def test_a_graded_reading_changed_by_hand_is_found(tmp_path: Path) -> None:
    chances = {"A": math.log(0.9), "B": math.log(0.1)}
    common = {"options": ("yes", "partly", "no"), "logprobs": chances}
    run = make_run(
        tmp_path / "r",
        [
            judgment("t-000", "safe", "ok", "yes", key="as read", **common),
            judgment("t-000", "raised", "ok", "partly", key="another label", **common),
            judgment("t-001", "safe", "invalid_label", key="made unusable", **common),
            judgment("t-001", "raised", "api_error", key="no answer", options=("yes", "partly", "no")),
        ],
        scoring="graded",
    )
    assert reread(run) == ["another label", "made unusable"]


def test_a_run_with_nothing_in_it_has_empty_frames_with_columns(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [])
    assert judging.scores(run).columns.tolist() == judging.scores([]).columns.tolist()
    assert len(judging.scores(run)) == 0
    assert judging.summary([run])["judgments"].tolist() == [0]


def test_two_runs_under_one_name_are_named_and_another_name_tells_them_apart(tmp_path: Path) -> None:
    answers = [judgment("t-000", "safe", "ok", "yes"), judgment("t-000", "raised", "ok", "no")]
    cold, warm = (make_run(tmp_path / name, answers) for name in ("cold", "warm"))
    with pytest.raises(InputError, match=r"cold and warm: .*another evaluator name"):
        judging.scores([cold, warm])
    renamed = make_run(tmp_path / "renamed", answers, evaluator="Toy at 0.7")
    outcomes = metrics.outcomes(judging.scores([cold, renamed]), make_edition(1).evaluation)
    assert outcomes["evaluator"].tolist() == ["Toy", "Toy at 0.7"]
    elsewhere = [judgment("t-001", "safe", "ok", "yes")]
    assert len(judging.scores([cold, make_run(tmp_path / "other-pairs", elsewhere)])) == 3


def test_the_name_of_a_run_is_readable_and_safe_as_a_folder() -> None:
    name = run_id(
        model="openai/Org/../My Model:8b",
        api_base=None,
        prompt=PromptNote(id="mine", version=1, title="Mine", sha256="0", labels=LABELS),
        edition=EditionNote(name="open", version="1", sha256="0"),
        scoring="graded",
        requested={},
    )
    assert name.startswith("my-model-8b--mine--open--graded--")
    assert len(name.rpartition("--")[2]) == 8
    assert "/" not in name
