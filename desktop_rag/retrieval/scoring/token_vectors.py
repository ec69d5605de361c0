"""Token vectors of passages, computed in parallel and shared by ranking and answering."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Executor, Future, wait
from typing import Protocol

from desktop_rag.embedding.model import EmbeddingModel, Matrix, TokenCounter
from desktop_rag.foundation.cancellation import CancelToken

_POLL_SECONDS = 0.02

REMEMBERED = 64
"""Passages whose token vectors are kept, about 200 KB each: what one question needs."""


class TokenVectorModel(EmbeddingModel, Protocol):
    """An embedding model that gives a vector a token as well."""

    @property
    def counter(self) -> TokenCounter:
        """The model's own token counter."""
        ...

    def token_vectors(self, text: str) -> Matrix:
        """Return one row a token of a passage."""
        ...

    def query_token_vectors(self, text: str) -> Matrix:
        """Return one row a token of a question."""
        ...


class LanguageSpaces(Protocol):
    """The models by the language they read."""

    def for_language(self, language: str) -> TokenVectorModel:
        """Return the language's model."""
        ...


class TokenVectors:
    """Runs passages through their language's model, several at once; thread-safe.

    Args:
        spaces: the models.
        executor: its threads share the runs; it stays the caller's to shut down.
        remembered: how many passages' vectors are kept, > 0.

    Raises:
        ValueError: ``remembered`` is not positive.
    """

    def __init__(
        self, spaces: LanguageSpaces, executor: Executor, remembered: int = REMEMBERED
    ) -> None:
        if remembered <= 0:
            raise ValueError(f"remembered must be greater than 0, not {remembered}")
        self._spaces = spaces
        self._executor = executor
        self._remembered = remembered
        self._kept: OrderedDict[tuple[str, str], Matrix] = OrderedDict()
        self._lock = threading.Lock()

    def model(self, language: str) -> TokenVectorModel:
        """Return the model that reads a language."""
        return self._spaces.for_language(language)

    def of(
        self, passages: Sequence[tuple[str, str]], cancel: CancelToken | None = None
    ) -> list[Matrix]:
        """Return the token vectors of each (language, text), in order.

        Raises:
            Cancelled: ``cancel`` was set; what was not begun is not computed.
        """
        known = {key: self._recall(key) for key in dict.fromkeys(passages)}
        running = {
            key: self._executor.submit(self._compute, key)
            for key, vectors in known.items()
            if vectors is None
        }
        try:
            for key, future in running.items():
                known[key] = _awaited(future, cancel)
        finally:
            for future in running.values():
                future.cancel()
        return [vectors for key in passages if (vectors := known[key]) is not None]

    def _compute(self, passage: tuple[str, str]) -> Matrix:
        language, text = passage
        vectors = self._spaces.for_language(language).token_vectors(text)
        self._keep(passage, vectors)
        return vectors

    def _recall(self, key: tuple[str, str]) -> Matrix | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def _keep(self, key: tuple[str, str], vectors: Matrix) -> None:
        with self._lock:
            self._kept[key] = vectors
            while len(self._kept) > self._remembered:
                self._kept.popitem(last=False)


def _awaited(future: Future[Matrix], cancel: CancelToken | None) -> Matrix:
    while not wait((future,), _POLL_SECONDS).done:
        if cancel is not None:
            cancel.check()
    return future.result()
