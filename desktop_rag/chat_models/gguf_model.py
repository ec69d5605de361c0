"""A language model in a GGUF file, run by llama.cpp in a child process of ours."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.chat_models.estimate import estimate_tokens
from desktop_rag.chat_models.free_memory import free_memory_bytes
from desktop_rag.chat_models.gguf_file import GgufHeader, read_header
from desktop_rag.chat_models.gguf_process import GgufProcess, ProcessOptions
from desktop_rag.chat_models.idle import IdleClock
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
from desktop_rag.domain.messages import ChatMessage, TokenUsage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame

_LOOK_SECONDS = 0.02
_MOST_COUNTED = 1_000_000
"""Characters; longer than any context, so that an estimate does."""

_GIGABYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class GgufOptions:
    """How a model file is run.

    ``context_limit`` in tokens, at most what the file allows; ``threads`` 0 leaves one
    processor to everything else; after ``idle_seconds`` without a question the memory is
    given back (0: never); a model that is silent for ``patience_seconds`` counts as hanging.
    """

    context_limit: int = 8192
    threads: int = 0
    idle_seconds: float = 600.0
    patience_seconds: float = 180.0


DEFAULT_GGUF_OPTIONS = GgufOptions()


def llama_is_installed() -> bool:
    """Whether the part "llm" of the program is there."""
    return importlib.util.find_spec("xllamacpp") is not None


class GgufModel:
    """A model file; its process starts with the first question. Thread-safe, one at a time.

    Args:
        path: the file.
        options: how it is run.
        command: the program of the child; None for this program's own worker.
        free_memory: asked for what is free before the model is loaded, in bytes.
    """

    def __init__(
        self,
        path: Path,
        options: GgufOptions = DEFAULT_GGUF_OPTIONS,
        command: Sequence[str] | None = None,
        free_memory: Callable[[], int] = free_memory_bytes,
    ) -> None:
        self._path = path
        self._options = options
        self._free_memory = free_memory
        self._busy = threading.Lock()
        self._numbers = itertools.count(1)
        self._process = GgufProcess(self._process_options, command)
        self._header: GgufHeader | None = None
        self._problem: str | None = None
        self._idle = IdleClock(options.idle_seconds, self._unload_if_idle)

    @property
    def name(self) -> str:
        """The file's name, without its ending."""
        return self._header.name if self._header is not None else self._path.stem

    @property
    def context_tokens(self) -> int:
        """What the file allows, or the limit in the settings where that is less.

        Raises:
            KnownError: the file is gone or damaged.
        """
        return min(self._known_header().context, self._options.context_limit)

    def memory_needed(self) -> int:
        """Return what it takes in memory while it is loaded, in bytes, about.

        Raises:
            KnownError: the file is gone or damaged.
        """
        return self._known_header().memory_bytes(self.context_tokens)

    def state(self) -> ModelState:
        """Return what it is doing."""
        process, memory = self._process, self._process.memory()
        since, seconds = process.loading_since, process.loaded_seconds
        if since is not None:
            fraction = min(0.99, memory / self._header.size) if self._header else None
            waited = time.monotonic() - since
            return ModelState(ModelPhase.LOADING, self.name, None, memory, waited, fraction)
        if seconds is not None:
            return ModelState(ModelPhase.READY, self.name, None, memory, seconds)
        phase = ModelPhase.FAILED if self._problem else ModelPhase.NOT_LOADED
        return ModelState(phase, self.name, self._problem, memory)

    def load(self, cancel: CancelToken | None = None) -> None:
        """Load it now, if it is not.

        Raises:
            KnownError: it cannot be loaded.
            Cancelled: ``cancel`` was set.
        """
        with self._turn(cancel):
            self._process.ask("load", next(self._numbers), "", _ignore_frame, cancel)

    def count_tokens(self, text: str) -> int:
        """Return the tokens of ``text``: its own count when it is loaded and free.

        Raises:
            KnownError: its process is gone.
        """
        counts = self._process.loaded_seconds is not None and len(text) <= _MOST_COUNTED
        if not counts or not self._busy.acquire(blocking=False):
            return estimate_tokens(text)
        try:
            done = self._process.ask("count", next(self._numbers), text, _ignore_frame)
            return int(done["tokens"])
        finally:
            self._busy.release()
            self._idle.start()

    def chat(
        self,
        messages: Sequence[ChatMessage],
        options: ChatOptions = DEFAULT_OPTIONS,
        on_piece: OnPiece = ignore_piece,
        cancel: CancelToken | None = None,
    ) -> ChatReply:
        """Return the reply (see ``ChatModel``); a cancelled one ends within 0.2 seconds.

        Raises:
            KnownError: it cannot be loaded, is gone, hangs, or cannot take the question.
            Cancelled: ``cancel`` was set.
        """
        reply = ReplyBuilder(on_piece)

        def take(frame: Frame) -> None:
            kind, payload = frame
            if kind == "piece":
                reply.add_reasoning(payload[1])
                reply.add(payload[0])

        request = json.dumps(chat_request(messages, options), ensure_ascii=True)
        with self._turn(cancel):
            done = self._process.ask("chat", next(self._numbers), request, take, cancel)
        if done["error"] is not None:
            raise model_error(self.name, done["error"])
        usage = TokenUsage(done.get("read"), done.get("written"))
        return reply.finish(usage, cut=done["finish"] == "length")

    def unload(self) -> None:
        """Give its memory back; a reply that is being written breaks off."""
        self._idle.stop()
        self._process.end()

    def close(self) -> None:
        """End its process for good."""
        self._idle.close()
        self._process.close()

    @contextmanager
    def _turn(self, cancel: CancelToken | None) -> Iterator[None]:
        """Wait until the model is free, and see that it can be loaded."""
        while not self._busy.acquire(timeout=_LOOK_SECONDS):
            if cancel is not None:
                cancel.check()
        self._idle.stop()
        try:
            if cancel is not None:
                cancel.check()
            if not self._process.running:
                self._check()
            yield
            self._problem = None
        except KnownError as error:
            self._problem = str(error)
            raise
        finally:
            self._busy.release()
            self._idle.start()

    def _check(self) -> None:
        """See that everything is there that loading needs.

        Raises:
            KnownError: something is not.
        """
        if not llama_is_installed():
            raise KnownError(
                "Part is missing",
                "Model files need the program's part “llm”. Install the program with it, or "
                "use a server on this computer, such as Ollama or LM Studio.",
            )
        needed, free = self.memory_needed(), self._free_memory()
        if needed > free:
            message = (
                f"“{self.name}” needs about {needed / _GIGABYTE:.1f} GB of memory, and "
                f"{free / _GIGABYTE:.1f} GB are free. Close other programs, choose a smaller "
                "model, or let it read less at once in the settings."
            )
            raise KnownError("Not enough memory for the model", message, str(self._path))

    def _known_header(self) -> GgufHeader:
        if self._header is None:
            self._header = read_header(self._path)
        return self._header

    def _process_options(self) -> ProcessOptions:
        options = self._options
        threads = options.threads or max(1, _processors() - 1)
        return ProcessOptions(self._path, self.context_tokens, threads, options.patience_seconds)

    def _unload_if_idle(self) -> None:
        if self._busy.acquire(blocking=False):
            try:
                self._process.end()
            finally:
                self._busy.release()


def _processors() -> int:
    """Return how many processors this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ignore_frame(_frame: Frame) -> None:
    """What comes on the way to a result that is asked for alone."""
