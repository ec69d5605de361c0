"""All files and all words of a library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.filter import IsEqualTo
from desktop_rag.store.keyword_index import KeywordIndex
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import SPACES, add_files, commit, prepared, put


@pytest.fixture
def store(data_dir: Path) -> Iterator[KnowledgeStore]:
    opened = KnowledgeStore.open(data_dir, SPACES)
    yield opened
    opened.close()


@pytest.fixture
def index(tmp_path: Path) -> Iterator[KeywordIndex]:
    opened = KeywordIndex(tmp_path / "keywords" / "names", "x", {"name": 3.0, "title": 1.0})
    rows = ({"name": "pump", "title": "guide"}, {"name": "pumps"}, {"name": "guide pump"})
    for number, row in enumerate(rows, start=1):
        opened.add(number, row)
    opened.commit(1)
    yield opened
    opened.close()


def test_entries_with_all_terms_in_whatever_fields(index: KeywordIndex) -> None:
    assert index.having_all(["pump", "guide"]) == [1, 3]
    assert index.having_all(["pump"]) == [1, 3]
    assert index.having_all(["pump", "engine"]) == []
    assert index.having_all([]) == []


def test_terms_by_beginning_by_likeness_and_by_number(index: KeywordIndex) -> None:
    assert index.beginning("pu") == [("pump", 2), ("pumps", 1)]
    assert index.beginning("x") == []
    assert index.like("pumq", 1, 5) == [1, 3]
    assert index.like("pumq", 2, 5) == [1, 2, 3]
    assert index.like("pmup", 1, 5) == [1, 3]
    assert index.frequencies(["pump", "guide", "x"]) == {"pump": 2, "guide": 1, "x": 0}


def test_the_catalog_has_every_file_but_the_ignored(store: KnowledgeStore) -> None:
    source = store.add_source("/docs", True).id
    read, waiting, failed, ignored = (put(store, source, f"{n}.pdf") for n in range(4))
    document = prepared("words", kind="pdf", title="T", metadata={"author": "Ada"})
    number = commit(store, read, document)
    store.set_status([failed], FileStatus.FAILED)
    store.set_status([ignored], FileStatus.IGNORED)
    store.flush()
    first, *others = store.catalog()
    assert (first.id, first.path, first.name) == (read, "/docs/0.pdf", "0.pdf")
    assert (first.kind, first.title, first.document_id) == ("pdf", "T", number)
    assert (first.status, first.metadata["author"]) == (FileStatus.READY, "Ada")
    assert first.mtime_ns > 0
    assert [(one.id, one.status, one.kind) for one in others] == [
        (waiting, FileStatus.WAITING, ""),
        (failed, FileStatus.FAILED, ""),
    ]
    assert [one.id for one in store.catalog(IsEqualTo("author", "Ada"))] == [read]
    assert store.catalog(IsEqualTo("author", "Bob")) == []


def test_passages_and_names_with_all_terms(store: KnowledgeStore) -> None:
    source = store.add_source("/docs", True).id
    both = {"a.txt": ["one", "two words", "two words more"], "two words.txt": ["other"]}
    first, named = add_files(store, source, both)
    document = store.catalog()[0].document_id
    found = store.passages_having(["two", "word"])
    assert found == {}
    found = store.passages_having(["two", "words"])
    assert list(found) == [document]
    assert found[document or 0].segment.text == "two words"
    assert store.files_named(["two", "word"]) == {named}
    assert store.files_named(["nothing"]) == set()
    store.remove_files([first])
    assert store.passages_having(["two", "words"]) == {}


def test_words_of_the_library(store: KnowledgeStore) -> None:
    source = store.add_source("/docs", True).id
    add_files(store, source, {"report.txt": ["pump one", "pump two"]})
    assert store.term_frequencies(["pump", "report", "engine"]) == {
        "pump": 2,
        "report": 1,
        "engine": 0,
    }
    assert store.terms_beginning("pu") == [("pump", 2)]
    assert store.texts_like("pumq", 1, 5) == ["pump one", "pump two"]
    assert store.texts_having(["two"], 5) == ["pump two"]
    assert store.texts_having(["engine"], 5) == []
