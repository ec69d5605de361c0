"""Segments of the programming interface beside the files' own passages."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.domain.filter import IsEqualTo, Not
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.segment import TextSegment
from desktop_rag.store.embedding_store import EmbeddingSearchRequest
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.memory_store import InMemoryEmbeddingStore
from desktop_rag.store.space_store import SqliteEmbeddingStore
from tests.helpers.store_parts import add_file, vector_for


def test_both_are_found_by_vector_and_by_words(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "file words")
    added = SqliteEmbeddingStore(store, "en")
    segment = TextSegment("added words", Metadata({"author": "Ada"}))
    added.add_all(["mine"], np.stack([vector_for("added words")]), [segment])
    found = added.search(EmbeddingSearchRequest(vector_for("added words")))
    assert (found[0].embedding_id, found[0].segment) == ("mine", segment)
    assert found[1].embedding_id.startswith("passage:")
    assert found[1].segment.metadata["file_name"] == "a.txt"
    assert len(store.keyword_search(["words"], 5)) == 2
    (hit,) = store.keyword_search(["added"], 5)
    (stored,) = store.segments_of_texts([hit[0]])[hit[0]]
    assert stored.segment.metadata["author"] == "Ada"
    assert stored.segment.metadata["document_id"] == stored.document_id
    assert store.document(stored.document_id).text == "added words"


def test_removing_by_filter_leaves_the_files_alone(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "file words")
    added = SqliteEmbeddingStore(store, "en")
    added.add_all(["mine"], np.stack([vector_for("x")]), [TextSegment("added words")])
    added.remove_matching(Not(IsEqualTo("author", "nobody")))
    assert [m.embedding_id for m in added.search(EmbeddingSearchRequest(vector_for("x")))] == [
        "passage:1"
    ]
    assert len(store.files()) == 1


def test_settling_keeps_what_was_added(store: KnowledgeStore) -> None:
    added = SqliteEmbeddingStore(store, "en")
    added.add_all(["mine"], np.stack([vector_for("x")]), [TextSegment("added words")])
    store.settle()
    assert len(added.search(EmbeddingSearchRequest(vector_for("x")))) == 1
    added.remove_all(["mine"])
    store.settle()
    assert store.stats().texts == 0


def test_the_space_is_checked_when_the_store_is_built(store: KnowledgeStore) -> None:
    with pytest.raises(ValueError, match="fr"):
        SqliteEmbeddingStore(store, "fr")
    with pytest.raises(ValueError, match="at least 1"):
        InMemoryEmbeddingStore(0)
