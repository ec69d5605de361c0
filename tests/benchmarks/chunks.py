"""Compares the default splitter with LangChain4j's recursive(300, 30) on gold spans.

    python -m tests.benchmarks.chunks [SHARED_DATA/chunk_eval]

Both are searched in the same way, by vector alone, so that only the splitting differs.
``recall`` and ``iou`` are of the five best segments of each. ``recall_equal`` lets ours
go on, or stop, where it has returned as many characters as the five of the other.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from desktop_rag.domain.document import Document
from desktop_rag.embedding.model import Matrix
from desktop_rag.embedding.spaces import EmbeddingSpaces, open_spaces
from desktop_rag.evaluation.datasets import Dataset, load_dataset
from desktop_rag.evaluation.spans import Passage, SpanScore, score_passages
from desktop_rag.foundation.language import ENGLISH
from desktop_rag.foundation.paths import models_dir
from desktop_rag.ingestion.model_text import text_spaces
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.preparation import Preparation
from desktop_rag.ingestion.splitters.recursive import recursive
from tests.benchmarks.corpus import shared_dir

_TOP = 5
_RECURSIVE = (300, 30)
"""What LangChain4j's easy RAG splits with: tokens, and those that neighbours share."""


@dataclass(frozen=True)
class Splitting:
    """Segments of all documents: where each stands, and the vector of what was read of it."""

    passages: Sequence[Passage]
    vectors: Matrix

    def ranked(self, question: Matrix) -> list[Passage]:
        """Return all passages, the best first."""
        return [self.passages[row] for row in np.argsort(-(self.vectors @ question), kind="stable")]


def by_default(dataset: Dataset, spaces: EmbeddingSpaces) -> Splitting:
    """Split as the product does: context line, folding and all."""
    preparation = Preparation(text_spaces(models_dir()))
    passages, texts = [], []
    for name, text in dataset.documents.items():
        prepared = preparation.prepare(parse_bytes(text.encode(), f"{name}.md"))
        offsets = _places(text, prepared.text)
        for segment in prepared.segments:
            passages.append(Passage(name, offsets[segment.start], offsets[segment.end - 1] + 1))
            texts.append(segment.text)
    return Splitting(passages, spaces.for_language(ENGLISH).embed(texts))


def by_recursion(dataset: Dataset, spaces: EmbeddingSpaces) -> Splitting:
    """Split as easy RAG does."""
    model = spaces.for_language(ENGLISH)
    splitter = recursive(*_RECURSIVE, model.counter)
    passages, texts = [], []
    for name, text in dataset.documents.items():
        finder = _Finder(text)
        for segment in splitter.split(Document(text)):
            passages.append(Passage(name, *finder.find(segment.text)))
            texts.append(segment.text)
    return Splitting(passages, model.embed(texts))


class _Finder:
    """Finds segments again in their document, whose blanks a splitter may have changed."""

    def __init__(self, text: str) -> None:
        self._places = [at for at, sign in enumerate(text) if not sign.isspace()]
        self._signs = "".join(text.split())
        self._from = 0

    def find(self, segment: str) -> tuple[int, int]:
        """Return where a segment stands; they come in order, though two may begin alike."""
        signs = "".join(segment.split())
        at = self._signs.index(signs, self._from)
        self._from = at
        return self._places[at], self._places[at + len(signs) - 1] + 1


def _places(original: str, canonical: str) -> list[int]:
    """Return for each character of the canonical text where it stands in the original."""
    if original == canonical:
        return list(range(len(original)))
    places, at = [], 0
    for sign in canonical:
        found = original.find(sign, at)
        at = found if found >= 0 else at
        places.append(at)
    return places


def _until(passages: Sequence[Passage], characters: int) -> list[Passage]:
    """Return the best passages up to a number of characters, the last one cut."""
    taken: list[Passage] = []
    for passage in passages:
        room = characters - sum(one.end - one.start for one in taken)
        if room <= 0:
            break
        taken.append(passage._replace(end=min(passage.end, passage.start + room)))
    return taken


def main() -> None:
    """Measure and print."""
    shared = shared_dir()
    folder = Path(sys.argv[1]) if sys.argv[1:] else (shared or Path()) / "data" / "chunk_eval"
    dataset = load_dataset(folder)
    spaces = open_spaces(models_dir())
    try:
        json.dump(compare(dataset, spaces), sys.stdout, indent=2)
    finally:
        spaces.close()
    print()


def compare(dataset: Dataset, spaces: EmbeddingSpaces) -> dict[str, dict[str, float]]:
    """Return the figures of each way of splitting."""
    ours, other = by_default(dataset, spaces), by_recursion(dataset, spaces)
    model = spaces.for_language(ENGLISH)
    scores: dict[str, list[SpanScore]] = {"default": [], "recursive": [], "equal": []}
    lengths = []
    for query, text in dataset.queries.items():
        needed = dataset.spans[query]
        question = model.embed_query(text)
        mine, others = ours.ranked(question), other.ranked(question)[:_TOP]
        lengths.append(sum(one.end - one.start for one in others))
        scores["default"].append(score_passages(mine[:_TOP], needed))
        scores["recursive"].append(score_passages(others, needed))
        scores["equal"].append(score_passages(_until(mine, lengths[-1]), needed))
    return {
        name: {
            "recall": round(fmean(score.recall for score in found), 4),
            "precision": round(fmean(score.precision for score in found), 4),
            "iou": round(fmean(score.iou for score in found), 4),
        }
        for name, found in scores.items()
    } | {"characters": {"recursive": fmean(lengths)}}


if __name__ == "__main__":
    main()
