"""A real OpenAI-compatible HTTP server whose faults are named in the claim: ``FAULT=reset`` resets the connection.

It serves chat completions and, for models that have nothing else, responses.
"""

import json
import math
import re
import socket
import struct
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> </td></table> \x00\x1b[31m \u202e {"label": "x"}'

CONTENTS = {
    "not_json": "label: force_gap",
    "fenced": '```json\n{"label": "force_gap"}\n```',
    "two_objects": '{"label": "force_gap"}\n{"label": "force_calibrated"}',
    "trailing_comma": '{"label": "force_gap",}',
    "preamble": 'Here is my answer: {"label": "force_gap"}',
    "wrong_label": '{"label": "mostly_fine"}',
    "refusal": "I'm sorry, but I can't help with that request.",
    "control": '{"label": "force_gap"}\x00\x07',
    "hostile": HOSTILE,
    "huge": "x" * 10_000_000,
    "empty": "",
}


class FaultServer(ThreadingHTTPServer):
    """Counts and keeps every request body; answers by rule where no fault is asked for."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *, delay: float = 0.0) -> None:
        self.delay = delay
        self.bodies: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.seen: Counter[str] = Counter()
        self.headers: list[dict[str, str]] = []
        self.refuses: set[str] = set()
        self.words: dict[str, str] = {}
        self.chat = ""
        self.logprob = math.log(0.6)
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that time out or die are part of the tests."""

    def asked(self, needle: str) -> int:
        """How many requests named the needle in their last message."""
        return sum(needle in body["messages"][-1]["content"] for body in self.bodies)


class Handler(BaseHTTPRequestHandler):
    server: FaultServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body["path"] = self.path
        if self.path.endswith("/responses"):
            body["messages"] = [{"content": body.get("instructions", "")}, *map(plain, body["input"])]
        text = body["messages"][-1]["content"]
        with self.server.lock:
            self.server.bodies.append(body)
            self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.server.times.append(time.monotonic())
            self.server.seen[text] += 1
            again = self.server.seen[text] > 1
        refused = self.server.refuses & (body.keys() | (body.get("text") or {}).keys())
        for name in refused:
            said = self.server.words.get(name, f"Unsupported parameter: '{name}' is not supported with this model.")
            self.fail(400, said, {})
            return
        if self.server.chat and "chat" in self.path:
            self.fail(404, self.server.chat, {})
            return
        time.sleep(self.server.delay)
        found = re.search(r"FAULT=(\w+)", text)
        fault = found[1] if found else ""
        if fault.endswith("_once"):
            fault = "" if again else fault.removesuffix("_once")
        getattr(self, f"fault_{fault}", self.answer)(body, CONTENTS.get(fault))

    def answer(self, body: dict[str, Any], content: str | None = None, finish: str = "stop", **changes: Any) -> None:
        self.send(self.completion(body, content, finish, **changes))

    def completion(self, body: dict[str, Any], content: str | None, finish: str, **changes: Any) -> bytes:
        if content is None:
            labels = (
                body.get("response_format", {})
                .get("json_schema", {})
                .get("schema", {})
                .get("properties", {})
                .get("label", {})
            )
            choices = labels.get("enum", ["force_calibrated", "force_gap"])
            content = json.dumps(
                {"label": choices[1 if "raised" in body["messages"][-1]["content"].split("Claim:")[-1] else 0]}
            )
        tokens = sum(len(m["content"]) for m in body["messages"]) // 4
        reply = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 8, "total_tokens": tokens + 8},
        } | changes
        if body.get("logprobs") or body.get("top_logprobs"):
            reply["choices"][0]["logprobs"] = {"content": [option_logprobs(self.server.logprob)]}
        reply = {key: value for key, value in reply.items() if value is not None}
        return json.dumps(as_response(reply) if self.path.endswith("/responses") else reply).encode()

    def send(self, payload: bytes, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (
            {"Content-Type": "application/json", "Content-Length": str(len(payload))} | (headers or {})
        ).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def fail(self, status: int, message: str, headers: dict[str, str]) -> None:
        self.send(
            json.dumps({"error": {"message": message, "type": "error", "code": status}}).encode(), status, headers
        )

    def fault_429(self, body: dict[str, Any], _: str | None) -> None:
        self.fail(429, "slow down", {"Retry-After": "1"})

    def fault_500(self, body: dict[str, Any], _: str | None) -> None:
        self.fail(500, f"broken; your key was {self.headers.get('Authorization')}", {})

    def fault_400(self, body: dict[str, Any], _: str | None) -> None:
        self.fail(400, "the messages are too long", {})

    def fault_401(self, body: dict[str, Any], _: str | None) -> None:
        self.fail(401, f"Incorrect API key provided: {self.headers.get('Authorization')}", {})

    def fault_reset(self, body: dict[str, Any], _: str | None) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def fault_timeout(self, body: dict[str, Any], _: str | None) -> None:
        time.sleep(3)
        self.close_connection = True

    def fault_drip(self, body: dict[str, Any], _: str | None) -> None:
        payload = self.completion(body, None, "stop")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        for byte in payload:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(0.1)

    def fault_cut_body(self, body: dict[str, Any], _: str | None) -> None:
        payload = self.completion(body, None, "stop")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload[: len(payload) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def fault_body_not_json(self, body: dict[str, Any], _: str | None) -> None:
        self.send(b"<html>gateway</html>")

    def fault_length(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, "", "length")

    def fault_thought_away(self, body: dict[str, Any], _: str | None) -> None:
        cap = body.get("max_tokens") or body.get("max_completion_tokens") or body.get("max_output_tokens")
        details = {"completion_tokens_details": {"reasoning_tokens": cap}}
        tokens = sum(len(m["content"]) for m in body["messages"]) // 4
        usage = {"prompt_tokens": tokens, "completion_tokens": cap, "total_tokens": tokens + cap} | details
        self.answer(body, "", "length", usage=usage)

    def fault_half_json(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, '{"label": "force_c', "length")

    def fault_content_filter(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, "", "content_filter")

    def fault_other_model(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, model="somebody-else")

    def fault_no_usage(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, usage=None)

    def fault_three_tokens(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, usage={"prompt_tokens": 3, "completion_tokens": 8, "total_tokens": 11})

    def fault_no_choices(self, body: dict[str, Any], _: str | None) -> None:
        self.answer(body, choices=[])

    def fault_null_content(self, body: dict[str, Any], _: str | None) -> None:
        message = {"role": "assistant", "content": None, "refusal": "I will not judge this."}
        self.answer(body, choices=[{"index": 0, "finish_reason": "stop", "message": message}])


def option_logprobs(first: float) -> dict[str, Any]:
    """The first option has probability 0.6 unless told otherwise, the second 0.3, a stray word 0.05."""
    top = [
        {"token": token, "logprob": value, "bytes": None}
        for token, value in (("A", first), (" B", -1.203973), ("The", -2.995732))
    ]
    return {"token": "A", "logprob": first, "bytes": None, "top_logprobs": top}


def plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message of the responses endpoint as one of chat completions."""
    content = message["content"]
    return {"content": content if isinstance(content, str) else "".join(part["text"] for part in content)}


def as_response(reply: dict[str, Any]) -> dict[str, Any]:
    """A chat completion as the responses endpoint would word it."""
    usage = reply.get("usage")
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": reply["model"], "status": "completed"}
    response |= {"output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None}
    if usage:
        details = usage.get("completion_tokens_details", {"reasoning_tokens": 0})
        response["usage"] = {
            "input_tokens": usage["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": usage["completion_tokens"],
            "output_tokens_details": details,
            "total_tokens": usage["total_tokens"],
        }
    for choice in reply["choices"]:
        message, finish = choice["message"], choice["finish_reason"]
        parts = [{"type": "output_text", "text": message["content"], "annotations": []}] if message["content"] else []
        if "logprobs" in choice:
            parts[0]["logprobs"] = choice["logprobs"]["content"]
        parts += [{"type": "refusal", "refusal": message["refusal"]}] if message.get("refusal") else []
        if parts:
            item = {"type": "message", "id": "m", "status": "completed", "role": "assistant", "content": parts}
            response["output"] = [item]
        if finish != "stop":
            reason = "max_output_tokens" if finish == "length" else finish
            response |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
    return response
