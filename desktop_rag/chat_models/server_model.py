"""A language model of a server on this computer: Ollama, LM Studio, llama-server."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_rag.chat_models.estimate import estimate_tokens
from desktop_rag.chat_models.loopback import loopback_address
from desktop_rag.chat_models.model_state import ModelPhase, ModelState
from desktop_rag.chat_models.protocols import (
    DEFAULT_OPTIONS,
    ChatOptions,
    ChatReply,
    OnPiece,
    ignore_piece,
)
from desktop_rag.chat_models.reasoning import ReplyBuilder
from desktop_rag.chat_models.requests import chat_request, model_error
from desktop_rag.chat_models.server_client import DEFAULT_TIMEOUTS, ServerClient, Timeouts
from desktop_rag.domain.messages import ChatMessage, TokenUsage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError

USUAL_CONTEXT = 4096
"""Tokens, where a server does not say: what Ollama gives a model by default, and cuts
silently what is longer."""


class ServerModel:
    """A model by its name on a server; thread-safe.

    Args:
        address: of the server, as the user wrote it; checked with every question.
        model: the name; "" for whatever the server has loaded.
        context_limit: tokens, at the most.
        timeouts: how long the server may take.
    """

    def __init__(
        self,
        address: str,
        model: str,
        context_limit: int = 8192,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
    ) -> None:
        self._address = address
        self._model = model
        self._limit = context_limit
        self._timeouts = timeouts
        self._lock = threading.Lock()
        self._context: int | None = None
        self._problem: str | None = None
        self._answered = False

    @property
    def name(self) -> str:
        """The model's name, or the server's address when there is none."""
        return self._model or self._address

    @property
    def context_tokens(self) -> int:
        """What the server says that it reads at once; 4,096 where it does not say."""
        with self._lock:
            if self._context is None:
                self._context = context_of(self._client(), self._model)
            return min(self._limit, self._context or USUAL_CONTEXT)

    def state(self) -> ModelState:
        """Return whether it answered the last time."""
        if self._problem is not None:
            return ModelState(ModelPhase.FAILED, self.name, self._problem)
        phase = ModelPhase.READY if self._answered else ModelPhase.NOT_LOADED
        return ModelState(phase, self.name)

    def count_tokens(self, text: str) -> int:
        """Return an upper estimate: the servers have no common way to count."""
        return estimate_tokens(text)

    def chat(
        self,
        messages: Sequence[ChatMessage],
        options: ChatOptions = DEFAULT_OPTIONS,
        on_piece: OnPiece = ignore_piece,
        cancel: CancelToken | None = None,
    ) -> ChatReply:
        """Return the reply (see ``ChatModel``).

        Raises:
            KnownError: the server is gone, is none, or cannot take the question.
            Cancelled: ``cancel`` was set.
        """
        try:
            reply = self._chat(messages, options, on_piece, cancel)
        except KnownError as error:
            self._problem = str(error)
            raise
        self._problem, self._answered = None, True
        return reply

    def unload(self) -> None:
        """Nothing: the server keeps its memory by its own rules."""

    def close(self) -> None:
        """Nothing: every question has a connection of its own."""

    def _chat(
        self,
        messages: Sequence[ChatMessage],
        options: ChatOptions,
        on_piece: OnPiece,
        cancel: CancelToken | None,
    ) -> ChatReply:
        client = self._client()
        body = {
            **chat_request(messages, options),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if self._model:
            body["model"] = self._model
        heard = _Heard(self.name, ReplyBuilder(on_piece))
        for message in client.stream(f"{client.address.path}/chat/completions", body, cancel):
            heard.take(message)
            if cancel is not None:
                cancel.check()
        return heard.reply()

    def _client(self) -> ServerClient:
        return ServerClient(loopback_address(self._address), self._timeouts)


class _Heard:
    """What a server has said of a reply."""

    def __init__(self, name: str, reply: ReplyBuilder) -> None:
        self._name = name
        self._reply = reply
        self._finish: str | None = None
        self._usage = TokenUsage()

    def take(self, message: Mapping[str, Any]) -> None:
        """Take a message of the stream.

        Raises:
            KnownError: it is an error, or nothing that such servers say.
        """
        if message.get("error"):
            raise model_error(self._name, message["error"])
        try:
            self._take(message)
        except (AttributeError, KeyError, TypeError):
            words = "The server's reply cannot be understood. See what listens at its address."
            raise KnownError("The language model's server", words) from None

    def _take(self, message: Mapping[str, Any]) -> None:
        usage = message.get("usage")
        if usage:
            self._usage = TokenUsage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
        for choice in message["choices"]:
            delta = choice.get("delta") or choice.get("message") or {}
            self._reply.add_reasoning(
                _text(delta, "reasoning_content") or _text(delta, "reasoning")
            )
            self._reply.add(_text(delta, "content"))
            self._finish = choice.get("finish_reason") or self._finish

    def reply(self) -> ChatReply:
        return self._reply.finish(self._usage, cut=self._finish == "length")


def _text(delta: Mapping[str, Any], key: str) -> str:
    value = delta.get(key)
    if value is not None and not isinstance(value, str):
        raise TypeError(key)
    return value or ""


def context_of(client: ServerClient, model: str) -> int | None:
    """Return how many tokens a server reads at once, None where it does not say."""
    for ask in (_of_llama_server, _of_lm_studio):
        try:
            found = ask(client, model)
        except (KnownError, AttributeError, KeyError, TypeError):
            continue
        if isinstance(found, int) and found > 0:
            return found
    return None


def _of_llama_server(client: ServerClient, _model: str) -> Any:  # noqa: ANN401
    return client.get("/props")["default_generation_settings"]["n_ctx"]


def _of_lm_studio(client: ServerClient, model: str) -> Any:  # noqa: ANN401
    models = client.get("/api/v0/models")["data"]
    return next(m.get("loaded_context_length") for m in models if m["id"] == model)
