"""Small parts for tests of retrieval: contents by a letter, retrievers that do as told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import TextSegment


def content(text: str, score: float | None = None, retriever: str | None = None, **metadata: Any):
    """A content with the notes given."""
    notes: dict[ContentKey, float | int | str] = {}
    if score is not None:
        notes[ContentKey.SCORE] = score
    if retriever is not None:
        notes[ContentKey.RETRIEVER] = retriever
    return Content(TextSegment(text, Metadata(metadata)), notes)


def contents(letters: str) -> list[Content]:
    """One content a word."""
    return [content(word) for word in letters.split()]


def texts(found: Sequence[Content]) -> str:
    """The contents' texts in one string."""
    return " ".join(one.segment.text for one in found)


@dataclass
class FixedRetriever:
    """Gives the same contents to every query and remembers who asked, and where."""

    found: Sequence[Content] = ()
    before: Callable[[], None] = lambda: None
    asked: list[Query] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)

    def retrieve(self, query: Query) -> list[Content]:
        self.asked.append(query)
        self.threads.append(threading.current_thread().name)
        self.before()
        return list(self.found)


@dataclass
class FixedRouter:
    """Routes by the query's text; others go nowhere."""

    routes: Mapping[str, Sequence[Any]]

    def route(self, query: Query) -> list[Any]:
        return list(self.routes.get(query.text, ()))


@dataclass
class FixedTransformer:
    """Makes these queries of every question."""

    texts: Sequence[str]

    def transform(self, query: Query) -> list[Query]:
        return [Query(text, query.context) for text in self.texts]


class CountingExecutor(Executor):
    """Counts the tasks it hands on."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner
        self.tasks = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        return self._inner.submit(function, *args, **kwargs)
