"""What holds for every ``ContentRetriever``, on an empty library and on a filled one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from desktop_rag.domain.content import ContentKey
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.retrieval.filter_expression import parse_filter
from desktop_rag.retrieval.retrievers.embedding_store import EmbeddingStoreContentRetriever
from desktop_rag.retrieval.retrievers.keyword import KeywordContentRetriever
from desktop_rag.retrieval.retrievers.names import FileNameContentRetriever
from desktop_rag.retrieval.retrievers.vector import VectorContentRetriever
from desktop_rag.store.memory_store import InMemoryEmbeddingStore
from tests.helpers.small_library import NAMES, WordSpaces, fill, open_store

TEXTS = {
    f"note-{number}.txt": f"Note {number} is about the pump and its part {number}."
    for number in range(12)
}
MOST = 5
KINDS = ["vector", "keyword", "names", "embedding store"]


class Libraries:
    """A library with notes and one with nothing, and a retriever of each kind for both."""

    def __init__(self, folder) -> None:
        self.spaces = WordSpaces()
        self.stores = {name: open_store(folder / name, self.spaces) for name in ("full", "empty")}
        fill(self.stores["full"], self.spaces, TEXTS)

    def retriever(self, kind: str, library: str):
        store = self.stores[library]
        if kind == "vector":
            return VectorContentRetriever(store, self.spaces, MOST)
        if kind == "keyword":
            return KeywordContentRetriever(store, MOST)
        if kind == "names":
            return FileNameContentRetriever(store, max_files=MOST, passages_per_file=1)
        model = self.spaces.get(NAMES["en"])
        inner = InMemoryEmbeddingStore(model.dimension)
        segments = [
            one.segment
            for texts in store.segments_of_texts(store.allowed_texts(TEXT_FILES)).values()
            for one in texts
        ]
        if segments:
            ids = [str(one.metadata["segment_id"]) for one in segments]
            inner.add_all(ids, model.embed([one.text for one in segments]), segments)
        return EmbeddingStoreContentRetriever(inner, model, MOST)

    def close(self) -> None:
        for store in self.stores.values():
            store.close()


TEXT_FILES = parse_filter("type:text")


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory):
    opened = Libraries(tmp_path_factory.mktemp("libraries"))
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_come_first_each_once_and_no_more_than_asked_for(libraries, kind):
    found = libraries.retriever(kind, "full").retrieve(Query("note"))
    assert 1 <= len(found) <= MOST
    scores = [float(one.metadata[ContentKey.SCORE]) for one in found]
    assert scores == sorted(scores, reverse=True)
    assert len({one.key for one in found}) == len(found)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_question_gives_the_same_from_any_thread(libraries, kind):
    retriever = libraries.retriever(kind, "full")
    alone = retriever.retrieve(Query("note of the pump"))
    with ThreadPoolExecutor(4) as many:
        together = list(many.map(retriever.retrieve, [Query("note of the pump")] * 8))
    assert all(one == alone for one in together)


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_library_gives_nothing(libraries, kind):
    assert libraries.retriever(kind, "empty").retrieve(Query("note")) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_filter_holds_for_all_that_is_found(libraries, kind):
    condition = parse_filter("file:note-1")
    query = Query("note", QueryContext(filter=condition))
    found = libraries.retriever(kind, "full").retrieve(query)
    assert found
    assert {one.segment.metadata["file_name"] for one in found} <= {
        "note-1.txt",
        "note-10.txt",
        "note-11.txt",
    }
