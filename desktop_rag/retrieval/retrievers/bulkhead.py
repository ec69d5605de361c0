"""A limit on how often a retriever is asked at the same time."""

from __future__ import annotations

import threading

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.foundation.errors import KnownError
from desktop_rag.retrieval.protocols import ContentRetriever
from desktop_rag.retrieval.wording import busy_note


class BulkheadContentRetriever:
    """Lets through so many questions at a time and refuses the rest at once.

    A retriever that hangs keeps the threads of those questions alone; the others go on
    without it, with a note, instead of waiting for their turn.

    Args:
        retriever: the one that is asked.
        most: questions at the same time, > 0.

    Raises:
        ValueError: ``most`` is not positive.
    """

    def __init__(self, retriever: ContentRetriever, most: int) -> None:
        if most <= 0:
            raise ValueError(f"most must be greater than 0, not {most}")
        self._retriever = retriever
        self._free = threading.Semaphore(most)

    def retrieve(self, query: Query) -> list[Content]:
        """Return what the retriever finds.

        Raises:
            KnownError: it is asked too often at the moment.
        """
        if not self._free.acquire(blocking=False):
            title, message = busy_note(query.text)
            raise KnownError(title, message)
        try:
            return self._retriever.retrieve(query)
        finally:
            self._free.release()
