"""Model judges: prompts, one litellm client, the run store, and the scores that follow from recorded replies."""

from .plan import Estimate
from .prompt import Prompt
from .prompt import load as load_prompt
from .prompt import names as prompt_names
from .run import preview, run
from .scoring import judgments, scores, summary
from .session import RunError
from .store import Judgment, repair
from .task import Run, Task, covering, read_run, recorded, task

__all__ = [
    "Estimate",
    "Judgment",
    "Prompt",
    "Run",
    "RunError",
    "Task",
    "covering",
    "judgments",
    "load_prompt",
    "preview",
    "prompt_names",
    "read_run",
    "recorded",
    "repair",
    "run",
    "scores",
    "summary",
    "task",
]
