"""A server of a language model on loopback that does whatever a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class FakeServer:
    """``answers`` by path; what was asked is kept in ``asked`` and ``bodies``."""

    answers: dict[str, Answer]
    asked: list[str] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    port: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(answers: dict[str, Answer]) -> Iterator[FakeServer]:
    """Serve until the end of the block."""
    fake = FakeServer(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            fake.bodies.append(json.loads(self.rfile.read(length)))
            self._answer()

        def _answer(self) -> None:
            fake.asked.append(self.path)
            fake.headers.append(dict(self.headers))
            answer = fake.answers.get(self.path)
            if answer is None:
                self.send_error(404)
            else:
                answer(self)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield fake
    finally:
        fake.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def chunk(**delta: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def send_lines(handler: BaseHTTPRequestHandler, lines: Sequence[str]) -> None:
    for line in lines:
        handler.wfile.write(f"{line}\n\n".encode())
        handler.wfile.flush()


def streams(*messages: Any, done: bool = True) -> Answer:
    """Stream messages as server-sent events; without ``done`` it ends in the middle."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        lines = [f"data: {json.dumps(message)}" for message in messages]
        send_lines(handler, [": a comment", *lines, *(["data: [DONE]"] if done else [])])

    return answer


def says(body: str, status: int = 200, **headers: str) -> Answer:
    """Answer with a whole body."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body.encode())))
        handler.end_headers()
        handler.wfile.write(body.encode())

    return answer


def hangs(fake: Callable[[], FakeServer], *messages: Any) -> Answer:
    """Stream messages and then nothing, until the client hangs up or the test ends."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        streams(*messages, done=False)(handler)
        handler.connection.settimeout(0.02)
        while not fake().released.is_set():
            try:
                if handler.connection.recv(1) == b"":
                    fake().hung_up.set()
                    return
            except TimeoutError:
                continue

    return answer
