"""A small server on loopback that speaks OpenAI's `/v1/chat/completions`, and answers what a test tells it to.

Untold, it is a well-behaved judge of `ROW`: one claim for each sentence, every claim supported.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from attrs import define, evolve, field, frozen

ROW: dict[str, Any] = {
    "input": "What is known about the bridge?",
    "output": "The bridge opened in 1932. It is 134 metres high.",
    "context": ["The bridge was opened to traffic in March 1932.", "Its towers are 134 metres high."],
    "ground_truth": "The bridge opened in 1932. It is 134 metres high.",
}
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 64},
    "completion_tokens_details": {"reasoning_tokens": 8},
}
STEPS = {
    "List the claims": "preprocess",
    "List the opinions": "preprocess",
    "Cut both": "preprocess",
    "Explain the score": "generate_reason",
}
_numbers = count()  # no two servers have one URL, as langchain-openai shares clients by URL


@frozen
class Answer:
    """What the server does with one request.

    Args:
        status: The HTTP status.
        body: What is sent as JSON.
        headers: Headers beside the usual ones.
        delay: Seconds before anything is sent.
        events: Sent as a stream of events instead of the body.
        broken: Whether the connection is cut in the middle of the answer.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(factory=dict)
    delay: float = 0.0
    events: tuple[Any, ...] = ()
    broken: bool = False


def said(content: Any, finish: str = "stop", **message: Any) -> Answer:
    """A completion with this content; `message`: other fields of the assistant's message."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return Answer(body=_completion("chat.completion", choice) | {"usage": USAGE})


def called(arguments: Any, finish: str = "tool_calls", name: str = "Claims") -> Answer:
    """A completion that calls a tool; arguments are sent as they are if they are a text, else as JSON."""
    return said(None, finish, tool_calls=[_call(arguments, name)])


def streamed(*deltas: dict[str, Any], finish: str | None = "stop") -> Answer:
    """A stream of these deltas; without a finish it just ends."""
    last = [{"index": 0, "delta": {}, "finish_reason": finish}] if finish else []
    choices = [*({"index": 0, "delta": d, "finish_reason": None} for d in deltas), *last]
    return Answer(events=tuple(_completion("chat.completion.chunk", choice) for choice in choices))


def words(text: str, size: int = 7) -> list[dict[str, Any]]:
    """Deltas that make up `text`."""
    pieces = [text[n : n + size] for n in range(0, len(text), size)]
    return [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]


def error(status: int, message: str, code: str | None = None, **headers: str) -> Answer:
    """An error as OpenAI words it; `headers`: with `_` for `-`."""
    body = {"error": {"message": message, "type": "some_error", "param": None, "code": code}}
    return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def broken(answer: Answer) -> Answer:
    """`answer` cut off in its middle."""
    return evolve(answer, broken=True)


def slow(seconds: float, answer: Answer) -> Answer:
    """`answer`, but late."""
    return evolve(answer, delay=seconds)


def _completion(kind: str, choice: Any) -> dict[str, Any]:
    told = {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "judge-1-2026", "system_fingerprint": "fp_1"}
    return told | {"choices": [choice]}


def _call(arguments: Any, name: str) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}


@define
class Backend:
    """The server, and what it saw."""

    url: str = ""
    bodies: list[dict[str, Any]] = field(factory=list)
    headers: list[dict[str, str]] = field(factory=list)
    peak: int = 0
    delay: float = 0.0
    _told: dict[str, list[Answer]] = field(factory=lambda: defaultdict(list))
    _always: Answer | None = None
    _flying: int = 0
    _lock: Any = field(factory=threading.Lock)

    def tell(self, step: str, *answers: Answer) -> None:
        """Answer the next requests of `step` with these; after them as a well-behaved judge."""
        self._told[step] += answers

    def always(self, answer: Answer) -> None:
        """Answer every request so."""
        self._always = answer

    @property
    def requests(self) -> int:
        """How many came."""
        return len(self.bodies)

    @property
    def native(self) -> list[bool]:
        """Of each request, whether structured output was asked for."""
        return ["response_format" in b or "tools" in b for b in self.bodies]

    def last(self, nth: int) -> str:
        """The last message of the nth request."""
        return str(self.bodies[nth]["messages"][-1]["content"])

    def enter(self, body: dict[str, Any], headers: dict[str, str]) -> Answer:
        """Note a request; what to answer it with."""
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self._flying += 1
            self.peak = max(self.peak, self._flying)
            told = self._told[step_of(body)]
            answer = self._always or (told.pop(0) if told else well_behaved(body))
        time.sleep(answer.delay or self.delay)
        return answer

    def leave(self) -> None:
        """Note that an answer is about to be sent."""
        with self._lock:
            self._flying -= 1


def step_of(body: dict[str, Any]) -> str:
    """The step a request belongs to, by the words its first prompt ends with."""
    asked = next(str(m["content"]) for m in body["messages"] if m["role"] == "user").rstrip().rpartition("\n")[2]
    return next((step for start, step in STEPS.items() if asked.startswith(start)), "analyze")


def well_behaved(body: dict[str, Any]) -> Answer:
    """The answer of a judge that supports every claim and finds every opinion fair, in the way it was asked."""
    step, prompt = step_of(body), next(str(m["content"]) for m in body["messages"] if m["role"] == "user")
    value = {"preprocess": _listed, "analyze": _judged}.get(step, _explained)(prompt)
    text = value if isinstance(value, str) else json.dumps(value)
    if body.get("tools"):
        return called(text, name=body["tools"][0]["function"]["name"])
    return streamed(*words(text)) if body.get("stream") else said(text)


def _listed(prompt: str) -> Any:
    marked = re.findall(r"<(answer|ground_truth) (\w+)>(.*?)</\2>", prompt, re.DOTALL)
    lists = {name: re.findall(r"\S[^.]*\.", text) for name, _, text in marked}
    if "ground_truth" in lists:
        return {"output_units": lists["answer"], "ground_truth_units": lists["ground_truth"]}
    return {"opinions" if "List the opinions" in prompt else "claims": lists["answer"]}


def _judged(prompt: str) -> Any:
    numbers = [int(n) for n in re.findall(r"<(?:claim|opinion|ground_truth_unit) (\d+) \w+>", prompt)]
    if "<opinion 1" in prompt:
        return {"results": [{"number": n, "reason": "r", "result": "no", "kind": None} for n in numbers]}
    if "<ground_truth_unit 1" in prompt:
        matches = [{"number": n, "explanation": "e", "output_unit": n, "match_type": "exact"} for n in numbers]
        return {"matches": matches, "extra_in_output": [], "contradictions": []}
    verdict = "no" if "hallucinated" in prompt else "yes"
    return {"verdicts": [{"number": n, "reason": "r", "chunk": None, "verdict": verdict} for n in numbers]}


def _explained(_: str) -> Any:
    return "As the context says."


def serve(backend: Backend) -> ThreadingHTTPServer:
    """A server for `backend`, running in a thread; shut it down when done."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # with keep-alive, as clients keep their connections
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = backend.enter(body, dict(self.headers))
            backend.leave()
            try:
                self.send_events(answer) if answer.events else self.send_body(answer)
            except OSError:  # the client did not wait
                self.close_connection = True

        def send_body(self, answer: Answer) -> None:
            data = json.dumps(answer.body).encode()
            self.send(answer, "application/json", {"Content-Length": str(len(data))})
            self.wfile.write(data[: len(data) // 2] if answer.broken else data)
            self.finish_sending(answer)

        def send_events(self, answer: Answer) -> None:
            self.send(answer, "text/event-stream", {"Transfer-Encoding": "chunked"})
            events = [f"data: {json.dumps(e)}\n\n".encode() for e in answer.events] + [b"data: [DONE]\n\n"]
            for event in events[: len(events) // 2] if answer.broken else [*events, b""]:
                self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            self.finish_sending(answer)

        def send(self, answer: Answer, kind: str, more: dict[str, str]) -> None:
            self.send_response(answer.status)
            for name, value in {"Content-Type": kind, **more, **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def finish_sending(self, answer: Answer) -> None:
            self.wfile.flush()
            self.close_connection = answer.broken or self.close_connection

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 64

        def handle_error(self, *_: Any) -> None:
            """A client that went away is no matter."""

    server = Server(("127.0.0.1", 0), Handler)
    backend.url = f"http://127.0.0.1:{server.server_address[1]}/{next(_numbers)}/v1"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server
