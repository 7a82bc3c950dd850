"""The judging task for inspect_ai: ``inspect eval forcebench.py --model openai/NAME``."""

from typing import Any

from forcebench_pairs import TASK, pair_rates, questions, reading, said
from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, ResponseSchema
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState, generate
from inspect_ai.util import JSONSchema

FINISHED = {"max_tokens": "length", "model_length": "length"}


@task
def forcebench(schema: bool = True) -> Task:
    """One prompt on one edition.

    Parameters
    ----------
    schema : bool
        Whether to ask for the JSON schema of a reply; ``-T schema=false`` for a provider that has none.
    """
    wanted = ResponseSchema(name="judgment", json_schema=JSONSchema(**TASK["schema"]), strict=True)
    return Task(
        dataset=MemoryDataset([_sample(question) for question in questions()], name=TASK["name"]),
        solver=generate(),
        scorer=label(),
        config=GenerateConfig(temperature=0, seed=0, max_tokens=256, response_schema=wanted if schema else None),
        epochs=Epochs(1, "mode"),
        metadata={name: TASK[name] for name in ("prompt", "prompt_sha256", "edition", "edition_sha256")},
    )


def _sample(question: dict[str, Any]) -> Sample:
    return Sample(
        id=question["id"],
        input=[ChatMessageSystem(content=question["system"]), ChatMessageUser(content=question["user"])],
        metadata={name: question[name] for name in ("pair_id", "passage", "claim")},
    )


@metric
def mvr() -> Metric:
    """The share of pairs whose safe claim does not score above the raised one."""
    return _rate("mvr")


@metric
def fs() -> Metric:
    """The mean margin between the two claims of a pair."""
    return _rate("fs")


@metric
def pairs() -> Metric:
    """How many pairs MVR and FS are computed on."""
    return _rate("pairs")


def _rate(name: str) -> Metric:
    def compute(scores: list[SampleScore]) -> float:
        return pair_rates((score.sample_metadata or {}, score.score.as_str()) for score in scores)[name]

    return compute


@scorer(metrics=[mvr(), fs(), pairs()])
def label() -> Scorer:
    """The label of a reply, or the word for why it has none."""

    async def score(state: TaskState, target: Target) -> Score:
        stop = state.output.stop_reason
        found = reading(state.output.completion, finish_reason=FINISHED.get(stop, stop))
        return Score(value=said(found), answer=found.label, metadata={"status": found.status})

    return score
