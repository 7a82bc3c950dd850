"""Makes the logs in ``data/`` anew, each with its own tool: ``python -m tests.exports.real_logs TOOL FOLDER COMMAND``.

TOOL is one of `exports.HARNESSES`, COMMAND its command, wherever it is installed, FOLDER a new one to work in. The
fault server of the judging tests replies. Its address, the folder, and what tells of the machine are taken out of the
logs, and so are the events of inspect_ai, which say all a second time.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from forcebench_lib.exports import write_export
from forcebench_lib.judging import load_prompt

from ..judging.fault_server import FaultServer
from .conftest import toy_edition

DATA = Path(__file__).parent / "data"


def inspect(command: str, folder: Path, base: str) -> list[Path]:
    environment = {"MOCK_API_KEY": "none", "MOCK_BASE_URL": base, "INSPECT_LOG_DIR": str(folder / "logs")}
    options = ["--model", "openai-api/mock/judge", "--display", "plain", "--log-format", "json"]
    start([command, "eval", "forcebench.py", *options], folder / "task", environment)
    return [shutil.copy(next((folder / "logs").glob("*.json")), folder / "inspect.json")]


def lm_eval(command: str, folder: Path, base: str) -> list[Path]:
    environment = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": "none"}
    model = ["--model", "local-chat-completions", "--model_args", f"model=judge,base_url={base}/chat/completions"]
    options = ["--tasks", "forcebench", "--include_path", "task", "--apply_chat_template", "--log_samples"]
    start([command, "run", *model, *options, "--output_path", "logs"], folder, environment)
    return sorted((folder / "logs").rglob("*.json*"))


def promptfoo(command: str, folder: Path, base: str) -> list[Path]:
    config = folder / "task" / "promptfooconfig.yaml"
    text = config.read_text().replace("http://127.0.0.1:8080/v1", base)
    config.write_text(text.replace("openai:chat:NAME", "openai:chat:judge"))
    names = ("TELEMETRY", "UPDATE", "SHARING")
    environment = {f"PROMPTFOO_DISABLE_{name}": "1" for name in names} | {
        "OPENAI_API_KEY": "none",
        "PROMPTFOO_CONFIG_DIR": str(folder / "home"),
        "PROMPTFOO_PYTHON": sys.executable,
    }
    start([command, "eval", "--no-table", "--no-cache", "-o", "../promptfoo.json"], folder / "task", environment)
    return [folder / "promptfoo.json"]


def start(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, check=False)
    print(f"exit code {done.returncode}")  # promptfoo ends with 100 where a reply is unusable


def main(name: str, folder: Path, command: str) -> None:
    write_export(name, toy_edition(), load_prompt("force_aware"), out=folder / "task")
    server = FaultServer()
    run = {"inspect": inspect, "lm-eval": lm_eval, "promptfoo": promptfoo}[name]
    for path in run(command, folder, server.base):
        text = path.read_text(encoding="utf-8").replace(server.base, "http://127.0.0.1:8000/v1")
        text = text.replace(f"{folder}/", "").replace(str(folder), ".")
        if path.suffix == ".json":
            text = json.dumps(without(json.loads(text)), indent=1) + "\n"
        (DATA / path.name).write_text(text, encoding="utf-8")
        print(DATA / path.name)


def without(value: Any, names: tuple[str, ...] = ("events", "pretty_env_info")) -> Any:
    if isinstance(value, list):
        return [without(item) for item in value]
    if isinstance(value, dict):
        return {name: without(item) for name, item in value.items() if name not in names}
    return value


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3])
