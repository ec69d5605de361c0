from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from desktop_rag.domain.document import Document
from desktop_rag.domain.filter import Filter
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import Matrix, Vector
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.ingestor import EmbeddingStoreIngestor
from desktop_rag.store.embedding_store import EmbeddingMatch, EmbeddingSearchRequest


class _Model:
    name, dimension, max_tokens = "fake", 2, 512

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        del cancel
        self.calls.append(list(texts))
        return np.tile(np.array([1, 0], dtype=np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> Vector:
        raise NotImplementedError(text)


class _Store:
    def __init__(self) -> None:
        self.calls = 0
        self.segments: dict[str, TextSegment] = {}

    def add_all(
        self, ids: Sequence[str], embeddings: Matrix, segments: Sequence[TextSegment]
    ) -> None:
        assert len(ids) == len(embeddings) == len(segments)
        self.calls += 1
        self.segments.update(zip(ids, segments, strict=True))

    def search(self, request: EmbeddingSearchRequest) -> list[EmbeddingMatch]:
        raise NotImplementedError(request)

    def remove_all(self, ids: Sequence[str]) -> None:
        raise NotImplementedError(ids)

    def remove_matching(self, condition: Filter) -> None:
        raise NotImplementedError(condition)


class _BySentence:
    def split(self, document: Document) -> list[TextSegment]:
        if "broken" in document.text:
            raise RuntimeError("a bug in the splitter")
        return [
            TextSegment(text.strip(), document.metadata.with_value("index", str(index)))
            for index, text in enumerate(document.text.split("."))
            if text.strip()
        ]


class _Upper:
    def transform(self, document: Document) -> Document | None:
        if "secret" in document.text:
            return None
        return Document(document.text.upper(), document.metadata)


class _DropTwo:
    def transform(self, segment: TextSegment) -> TextSegment | None:
        return None if "TWO" in segment.text else replace(segment, text=f"<{segment.text}>")


class _Counter:
    def count(self, text: str) -> int:
        return len(text.split())


@pytest.fixture
def model() -> _Model:
    return _Model()


@pytest.fixture
def store() -> _Store:
    return _Store()


def test_everything_is_embedded_once_and_added_once(model: _Model, store: _Store) -> None:
    ingestor = EmbeddingStoreIngestor(
        model, store, _BySentence(), [_Upper()], [_DropTwo()], _Counter()
    )

    result = ingestor.ingest(
        [Document("one. two. three."), Document("a secret."), Document("four words are here.")]
    )

    assert model.calls == [["<ONE>", "<THREE>", "<FOUR WORDS ARE HERE>"]]
    assert store.calls == 1
    assert [s.text for s in store.segments.values()] == model.calls[0]
    assert [s.metadata["index"] for s in store.segments.values()] == ["0", "2", "0"]
    assert result.ids == tuple(store.segments)
    assert result.tokens == 6
    assert result.dropped == (1,)


@pytest.mark.parametrize(("given", "index"), [({}, "0"), ({"index": "7"}, "7")])
def test_without_a_splitter_documents_stay_whole(
    model: _Model, store: _Store, given: dict[str, str], index: str
) -> None:
    EmbeddingStoreIngestor(model, store).ingest([Document("all of it. really", Metadata(given))])

    (segment,) = store.segments.values()
    assert segment.text == "all of it. really"
    assert segment.metadata["index"] == index


def test_a_document_that_fails_costs_itself_alone(model: _Model, store: _Store) -> None:
    result = EmbeddingStoreIngestor(model, store, _BySentence()).ingest(
        [Document("fine."), Document("broken."), Document("fine too.")]
    )

    assert result.failed == (1,)
    assert len(store.segments) == 2
    assert result.tokens is None


def test_ingesting_again_replaces(model: _Model, store: _Store) -> None:
    ingestor = EmbeddingStoreIngestor(model, store, _BySentence())
    documents = [Document("one. two.", Metadata({"year": 2024}))]

    first, second = ingestor.ingest(documents), ingestor.ingest(documents)
    other = ingestor.ingest([Document("one. two.", Metadata({"year": "2024"}))])

    assert first.ids == second.ids
    assert set(first.ids).isdisjoint(other.ids)
    assert len(store.segments) == 4


def test_nothing_to_embed_is_no_error(model: _Model, store: _Store) -> None:
    result = EmbeddingStoreIngestor(model, store, document_transformers=[_Upper()]).ingest(
        [Document("secret")]
    )

    assert result.ids == ()
    assert (model.calls, store.calls) == ([], 0)


def test_errors_of_the_model_are_raised(store: _Store, monkeypatch: pytest.MonkeyPatch) -> None:
    model = _Model()
    monkeypatch.setattr(model, "embed", lambda texts: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        EmbeddingStoreIngestor(model, store).ingest([Document("words")])
