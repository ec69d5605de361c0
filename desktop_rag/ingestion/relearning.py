"""The thread that has the present model read what a former one, or none, has read."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.gate import Gate

if TYPE_CHECKING:
    from desktop_rag.embedding.spaces import EmbeddingSpaces
    from desktop_rag.store.knowledge_store import KnowledgeStore

_log = logging.getLogger(__name__)

_PIECE = 64
"""Passages that are stored together: what an end in the middle costs, half a second's work."""

_LOOK_SECONDS = 0.2
_SAMPLE = 16
"""Passages that are read to learn how long all of them will take."""


class RelearningStage:
    """Gives passages their vectors after the model became another one.

    The texts are in the library, so no file is read again. A passage is found by its words
    before, and by meaning as soon as it is through; the rest goes on at the next start.
    Questions and the reading of files have the model's threads first.

    Args:
        store: knows which passages wait.
        spaces: the models and their threads.
        gate: closed while the reading is paused or stalled.
        on_change: called when it got further.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        gate: Gate,
        on_change: Callable[[], None],
    ) -> None:
        self._store = store
        self._spaces = spaces
        self._gate = gate
        self._on_change = on_change
        self._cancel = CancelToken()
        self._lock = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()
        self._thread: threading.Thread | None = None
        self._total = self._done = 0
        self._began = 0.0

    def begin(self) -> None:
        """Go on with what waits, in the background; nothing happens when nothing does."""
        waiting = [
            name for name in self._spaces.names if self._store.texts_without_vector(name, 0, 1)
        ]
        with self._lock:
            if not waiting or not self._idle.is_set() or self._cancel.cancelled:
                return
            self._idle.clear()
            self._total, self._done = self._store.backlog().passages, 0
            self._began = time.monotonic()
            self._thread = threading.Thread(target=self._run, name="library-relearn", daemon=True)
            self._thread.start()

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many passages of how many are through; None when nothing goes on."""
        return None if self._idle.is_set() else (self._done, self._total)

    @property
    def seconds_left(self) -> float | None:
        """An estimate from what was done so far, None before anything was."""
        if self._idle.is_set() or not self._done:
            return None
        each = (time.monotonic() - self._began) / self._done
        return max(0, self._total - self._done) * each

    def cost_seconds(self) -> float:
        """Return how long all that waits would take, from reading a few of it.

        Raises:
            KnownError: a model's file is damaged.
        """
        backlog = self._store.backlog()
        sample = self._store.sample_of_outdated(_SAMPLE)
        if not sample:
            return 0.0
        self._read(sample[:1])  # loads the model, which is no part of the estimate
        began = time.monotonic()
        self._read(sample)
        each_token = (time.monotonic() - began) / max(1, sum(tokens for _, _, tokens in sample))
        return each_token * backlog.tokens

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until nothing waits; False if the time is over first."""
        return self._idle.wait(timeout)

    def close(self, timeout: float) -> bool:
        """End in the middle; False if that takes longer than ``timeout``."""
        self._cancel.cancel()
        thread = self._thread
        if thread is None:
            return True
        thread.join(timeout)
        return not thread.is_alive()

    def _read(self, sample: Sequence[tuple[str, str, int]]) -> None:
        for name in {name for name, _, _ in sample}:
            texts = [text for space, text, _ in sample if space == name]
            self._spaces.pool.run_all(self._spaces.get(name), texts, self._cancel)

    def _run(self) -> None:
        try:
            for name in self._spaces.names:
                self._relearn(name)
            self._store.end_backlog()
        except Exception:
            if not self._cancel.cancelled:  # otherwise it is the end, which cuts work short
                _log.exception("passages could not be read by the present model")
        finally:
            self._idle.set()
            self._on_change()

    def _relearn(self, name: str) -> None:
        after = 0
        while True:
            self._wait_for_gate()
            piece = self._store.texts_without_vector(name, after, _PIECE)
            if not piece:
                return
            try:
                self._fill(name, piece)
            except KnownError as error:
                self._gate.stall(error)
                continue
            after = piece[-1][0]
            self._done += len(piece)
            self._on_change()

    def _fill(self, name: str, piece: list[tuple[int, str]]) -> None:
        model = self._spaces.get(name)
        futures = [self._spaces.pool.submit(model, text) for _, text in piece]
        vectors = {text_id: f.result() for (text_id, _), f in zip(piece, futures, strict=True)}
        self._store.fill_vectors(name, vectors)

    def _wait_for_gate(self) -> None:
        self._cancel.check()
        while not self._gate.open:
            self._cancel.wait(_LOOK_SECONDS)
            self._cancel.check()
