"""The service that has a language model write: llama.cpp with a GGUF file."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import secrets
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import xllamacpp

from desktop_rag.chat_models.gguf_file import BATCH_TOKENS
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.worker.session import Session

_LONGEST_SOCKET = 100
"""Characters of a socket's path: the systems take 104 at the least."""

_NO_POLLING = 0
"""Threads that wait for each other sleep: spinning, one that the system has put aside makes
the others burn its time (measured on a busy computer: 105 seconds instead of 6)."""

_ERRORS_ALONE = 1
"""What llama.cpp tells: at more it may quote what it reads."""

_TOKENIZE_SECONDS = 30.0


class WriteService:
    """Answers "load", "chat" and "count"; the model is loaded with the first request.

    llama.cpp comes as a server that has to listen somewhere: on a socket in a folder that
    only this user can open, and with a key that nobody else knows.

    Args:
        options: of the process: ``model``, ``context``, ``threads``, ``folder``.
        session: takes the pieces of a reply; knows what was cancelled.
    """

    def __init__(self, options: argparse.Namespace, session: Session) -> None:
        self._options = options
        self._session = session
        self._key = secrets.token_hex(16)
        self._server: xllamacpp.Server | None = None
        self._parts: list[str] = []

    def answer(self, kind: str, payload: Any) -> Iterator[Frame]:  # noqa: ANN401
        """Load the model if it is not there, and do what was asked.

        "part" holds a part of a text; all of them come before the request that is about it.
        "chat" streams "piece" (text, reasoning) and "reading" (tokens of the question read so
        far); its "done" has ``error``, ``finish``, ``read``, ``written``, ``cancelled``.

        Raises:
            KnownError: llama.cpp cannot load the file.
            ValueError: the request is unknown.
        """
        if kind == "part":
            self._parts.append(payload)
            return
        text, self._parts = "".join(self._parts), []
        if self._server is None:
            begun = time.monotonic()
            self._server = self._load()
            yield "loaded", {"seconds": time.monotonic() - begun}
        if kind == "chat":
            yield "done", self._chat(self._server, payload["id"], json.loads(text))
        elif kind == "count":
            yield "done", {"tokens": self._count(text)}
        elif kind == "load":
            yield "done", {}
        else:
            raise ValueError(f"unknown request: {kind}")

    def _load(self) -> xllamacpp.Server:
        params = xllamacpp.CommonParams()
        params.model.path = self._options.model
        params.offline = True
        params.verbosity = _ERRORS_ALONE
        params.hostnames, params.port = [self._place()], 0
        params.api_keys = [self._key]
        params.ui = False
        params.n_ctx, params.n_parallel = self._options.context, 1
        params.n_batch = params.n_ubatch = BATCH_TOKENS
        params.fit_params = False
        params.cache_ram_mib = 0
        params.n_threads_http = 1
        for threads in (params.cpuparams, params.cpuparams_batch):
            threads.n_threads, threads.poll = self._options.threads, _NO_POLLING
        try:
            return xllamacpp.Server(params)
        except RuntimeError as error:
            name = Path(self._options.model).name
            message = (
                f"llama.cpp cannot load “{name}”: it is damaged, not complete, or of a kind "
                "that this version does not know. Get it again, or choose another one."
            )
            raise KnownError("Model cannot be loaded", message, self._options.model) from error

    def _place(self) -> str:
        path = os.path.join(self._options.folder, "model.sock")
        if not hasattr(socket, "AF_UNIX") or len(path) > _LONGEST_SOCKET:
            return "127.0.0.1"
        Path(path).unlink(missing_ok=True)
        return path

    def _chat(
        self, server: xllamacpp.Server, number: int, request: Mapping[str, Any]
    ) -> dict[str, Any]:
        reply = _Reply(self._session, number)
        request = {
            **request,
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
        }
        server.handle_chat_completions(request, reply.take)
        return reply.result

    def _count(self, text: str) -> int:
        assert self._server is not None  # loaded by the request
        connection = _connection(self._server.listening_address)
        try:
            body = json.dumps({"content": text})
            headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
            connection.request("POST", "/tokenize", body, headers)
            return len(json.loads(connection.getresponse().read())["tokens"])
        finally:
            connection.close()


class _Reply:
    """Sends what llama.cpp writes, and ends it when the owner says so.

    Args:
        session: where to.
        request: the request's number.
    """

    def __init__(self, session: Session, request: int) -> None:
        self._session = session
        self._request = request
        self.result: dict[str, Any] = {"finish": None, "error": None, "cancelled": False}

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Take a message of the stream; returns whether the model shall stop."""
        if "error" in chunk:
            self.result["error"] = dict(chunk["error"])
        if usage := chunk.get("usage"):
            self.result["read"] = usage.get("prompt_tokens")
            self.result["written"] = usage.get("completion_tokens")
        if progress := chunk.get("prompt_progress"):
            self._session.send(("reading", (progress["processed"], progress["total"])))
        for choice in chunk.get("choices", ()):
            self._piece(choice.get("delta", {}))
            self.result["finish"] = choice.get("finish_reason") or self.result["finish"]
        self.result["cancelled"] = self._session.cancelled == self._request
        return bool(self.result["cancelled"])

    def _piece(self, delta: Mapping[str, Any]) -> None:
        text, reasoning = delta.get("content") or "", delta.get("reasoning_content") or ""
        if text or reasoning:
            self._session.send(("piece", (text, reasoning)))


def _connection(address: str) -> http.client.HTTPConnection:
    """Return a connection to llama.cpp in this very process."""
    place = address.removeprefix("unix://")
    if place == address:
        return http.client.HTTPConnection(address.split("//")[1], timeout=_TOKENIZE_SECONDS)
    connection = http.client.HTTPConnection("localhost", timeout=_TOKENIZE_SECONDS)
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.sock.settimeout(_TOKENIZE_SECONDS)
    connection.sock.connect(place)
    return connection
