"""Documents and vectors for libraries that are too large to be read for a measurement."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.prepared import PreparedDocument, PreparedParent, PreparedSegment
from desktop_rag.embedding.model import Matrix
from desktop_rag.embedding.spaces import open_spaces
from desktop_rag.foundation.paths import models_dir
from desktop_rag.text.analysis import analyse
from desktop_rag.text.hashing import text_hash
from tests.benchmarks import corpus

SPACE = "bge-small-en-v1.5"
IDENTICAL = 2_000
TOPICS = 1_500
FREE_DIMENSIONS = 48
SAME = "This page intentionally left blank."


class Vectors(Protocol):
    """Gives passages, and questions that are near to them, their vectors."""

    def rows(self, numbers: list[int]) -> Matrix:
        """Return the vectors of passages by number, one row each."""
        ...

    def questions(self, numbers: list[int]) -> Matrix:
        """Return one row a number: a question that its passage may answer."""
        ...


class MadeUp:
    """A vector for every number, the same each time."""

    def __init__(self, dimension: int) -> None:
        world = np.random.default_rng(1)
        self._dimension = dimension
        self._cone = world.normal(size=dimension)
        self._topics = world.normal(size=(TOPICS, dimension))
        self._free = world.normal(size=(FREE_DIMENSIONS, dimension)) / np.sqrt(FREE_DIMENSIONS)

    def rows(self, numbers: list[int]) -> Matrix:
        """Return one row a number."""
        return self._rows(numbers, 0.0)

    def questions(self, numbers: list[int]) -> Matrix:
        """Return one row a number, near to its own."""
        return self._rows(numbers, 0.3)

    def _rows(self, numbers: list[int], jitter: float) -> Matrix:
        rows = np.empty((len(numbers), self._dimension))
        for at, number in enumerate(numbers):
            own = np.random.default_rng(number + 10)
            within = own.normal(size=FREE_DIMENSIONS) @ self._free
            noise = own.normal(size=self._dimension)
            topic = self._topics[number % TOPICS]
            rows[at] = 1.2 * self._cone + topic + 0.8 * within + jitter * noise
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows.astype(np.float32)


class Real:
    """The model's own vectors; a question is the first sentence of its passage."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._spaces = open_spaces(models_dir())
        self._model = self._spaces.get(SPACE)

    def rows(self, numbers: list[int]) -> Matrix:
        """Return one row a number."""
        texts = [self._texts[number] for number in numbers]
        return np.stack(self._spaces.pool.run_all(self._model, texts))

    def questions(self, numbers: list[int]) -> Matrix:
        """Return one row a number."""
        firsts = (self._texts[number].split(". ")[0] for number in numbers)
        return np.stack([self._model.embed_query(first) for first in firsts])

    def close(self) -> None:
        """End the model's threads."""
        self._spaces.close()


def sentences() -> list[str]:
    """Return sentences of real texts where there are some."""
    texts, _ = corpus.load(None)
    return [part.strip() for text in texts for part in text.split(". ") if len(part) > 30]


def passages(count: int) -> Iterator[str]:
    """Yield texts of about 75 tokens; the identical ones lie among the others."""
    pool, chance = sentences(), random.Random(3)
    same = set(chance.sample(range(count), min(IDENTICAL, count // 10)))
    for number in range(count):
        if number in same:
            yield SAME
        else:
            yield f"{'. '.join(chance.choices(pool, k=3))}. Case {number:06d}."


def document(number: int, texts: list[str]) -> PreparedDocument:
    """Return a document of these passages."""
    segments, at = [], 0
    for text in texts:
        segments.append(
            PreparedSegment(
                start=at,
                end=at + len(text),
                parent=0,
                text=text,
                text_hash=text_hash(SPACE, text),
                space=SPACE,
                terms=" ".join(analyse(text)),
                tokens=75,
                language="en",
            )
        )
        at += len(text) + 2
    whole = "\n\n".join(texts)
    return PreparedDocument(
        kind="text",
        text=whole,
        title=f"Report {number}",
        language="en",
        metadata=Metadata({"author": f"author {number % 50}"}),
        coverage=Coverage(read=1),
        parents=(PreparedParent(0, len(whole)),),
        segments=tuple(segments),
    )
