"""Keeps the embedding threads supplied with texts across documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_rag.domain.prepared import PreparedSegment
from desktop_rag.embedding.model import Vector
from desktop_rag.ingestion.work import Work

if TYPE_CHECKING:
    from desktop_rag.embedding.spaces import EmbeddingSpaces

WINDOW = 96
"""Texts given to the model's threads at a time: half a second of work on two cores, so
that they never wait while a document is committed."""

_PLENTY = WINDOW // 3

_REMEMBERED = 2048
"""The latest vectors, a few megabytes: a document that was read before another with the
same text was committed finds them here. It is far more than is read ahead."""


@dataclass(slots=True, eq=False)
class SentText:
    """A text that the model has, and the documents that wait for its vector."""

    text_hash: str
    segment: PreparedSegment
    future: Future[Vector]
    works: list[Work] = field(default_factory=list)


class TextFeeder:
    """Sends texts to the pool, each distinct one once, and hands out the vectors.

    Used by one thread; only ``on_result`` is called from the pool's.

    Args:
        spaces: the models and their threads.
        on_result: called with a text whose future is done.
    """

    def __init__(self, spaces: EmbeddingSpaces, on_result: Callable[[SentText], None]) -> None:
        self.window = WINDOW
        self._spaces = spaces
        self._on_result = on_result
        self._sent: dict[str, SentText] = {}
        self._made: dict[str, Vector] = {}

    @property
    def has_plenty(self) -> bool:
        """Whether the model has texts for a while."""
        return len(self._sent) >= _PLENTY

    def fill(self, works: Iterable[Work]) -> list[Work]:
        """Send texts of the first documents until the window is full.

        Returns:
            Documents that got their last vectors from others on the way.
        """
        complete = []
        for work in works:
            if len(self._sent) >= self.window:
                break
            if work.unsent and self._send_texts(work):
                complete.append(work)
        return complete

    def receive(self, sent: SentText) -> list[Work]:
        """Give a text's vector to all who wait for it; return the documents now complete.

        A text that was withdrawn goes back to its documents.

        Raises:
            Exception: what the model raised; the text is back with its documents.
        """
        self._sent.pop(sent.text_hash, None)
        if sent.future.cancelled() or sent.future.exception() is not None:
            for work in sent.works:
                work.unsent.appendleft(sent.text_hash)
            if not sent.future.cancelled():
                sent.future.result()
            return []
        vector = sent.future.result()
        if sent.works:
            sent.works[0].embedded += 1
            sent.works[0].tokens += sent.segment.tokens
            self._remember(sent.text_hash, vector)
        for work in sent.works:
            work.take(sent.text_hash, vector)
        return [work for work in sent.works if not work.missing]

    def withdraw(self) -> None:
        """Take back every text that the model has not begun with."""
        for sent in list(self._sent.values()):
            sent.future.cancel()

    def forget(self, work: Work) -> None:
        """A document is through, or wanted no more."""
        for text_hash in work.missing:
            sent = self._sent.get(text_hash)
            if sent is not None and work in sent.works:
                sent.works.remove(work)

    def _remember(self, text_hash: str, vector: Vector) -> None:
        self._made[text_hash] = vector
        if len(self._made) > _REMEMBERED:
            del self._made[next(iter(self._made))]

    def _send_texts(self, work: Work) -> bool:
        """Send what fits into the window; return whether the document became complete."""
        while work.unsent and len(self._sent) < self.window:
            text_hash = work.unsent.popleft()
            made = self._made.get(text_hash)
            if made is not None:
                work.take(text_hash, made)
                continue
            sent = self._sent.get(text_hash)
            if sent is None:
                self._send(text_hash, work)
            else:
                sent.works.append(work)
        return not work.missing

    def _send(self, text_hash: str, work: Work) -> None:
        segment = work.texts[text_hash]
        future = self._spaces.pool.submit(self._spaces.get(segment.space), segment.text)
        sent = SentText(text_hash, segment, future, [work])
        self._sent[text_hash] = sent
        future.add_done_callback(lambda _: self._on_result(sent))
