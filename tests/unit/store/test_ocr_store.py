"""Recognised pages in the store: by content, and gone with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.domain.document import Coverage, UnreadableUnit
from desktop_rag.domain.files import FileStatus, Problem
from desktop_rag.domain.ocr import RecognisedLine, RecognisedPage
from desktop_rag.store import database, schema
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import STAT, prepared, put, vector_for

OpenStore = Callable[..., KnowledgeStore]

CONTENT = "c" * 32
PAGE = RecognisedPage(2, (RecognisedLine("标题 Heading", 1.5, 2.0, 30.25, 14.0, 0.987),))
FAILED = RecognisedPage(3, reason="recognising this page took too long")


def scanned_file(
    store: KnowledgeStore, name: str = "a.pdf", words: str = "cover", content: str = CONTENT
) -> int:
    """Put a file whose second and third page are for OCR."""
    source = store.add_source("/docs", True).id
    (file_id,) = store.put_files(source, [(name, STAT, FileStatus.WAITING)])
    units = tuple(UnreadableUnit(page, "no text: scanned", True) for page in (2, 3))
    damaged = UnreadableUnit(4, "the page is damaged")
    document = prepared(*([words] if words else []), kind="pdf")
    document = replace(document, pages=4, coverage=Coverage(1, 0, 0, (*units, damaged)))
    vectors = {segment.text_hash: vector_for(words) for segment in document.segments}
    store.commit_document(file_id, STAT, content, f"{content}:{name}:{words}", document, vectors)
    return file_id


def test_pages_are_kept_as_they_were(open_store: OpenStore) -> None:
    store = open_store()
    scanned_file(store)
    assert store.put_recognised_page(CONTENT, PAGE)
    assert store.put_recognised_page(CONTENT, FAILED)
    store.close()
    store = open_store()
    assert store.recognised_pages(CONTENT) == {2: PAGE, 3: FAILED}
    assert store.recognised_pages("another") == {}


def test_nothing_is_kept_for_content_that_is_gone(open_store: OpenStore) -> None:
    store = open_store()
    file_id = scanned_file(store)
    store.put_recognised_page(CONTENT, PAGE)
    store.remove_files([file_id])
    assert not store.put_recognised_page(CONTENT, FAILED)
    store.settle()
    assert store.recognised_pages(CONTENT) == {}


def test_pages_stay_while_a_copy_has_their_content(open_store: OpenStore) -> None:
    store = open_store()
    first, second = scanned_file(store), scanned_file(store, "copy.pdf")
    store.put_recognised_page(CONTENT, PAGE)
    store.remove_files([first])
    store.settle()
    assert store.recognised_pages(CONTENT) == {2: PAGE}
    store.fail_file(second, STAT, "d" * 32, Problem("Damaged", "It is damaged."))
    store.settle()
    assert store.recognised_pages(CONTENT) == {}


def test_the_mark_changes_with_every_result_and_never_comes_again(open_store: OpenStore) -> None:
    store = open_store()
    file_id = scanned_file(store)
    marks = [store.recognition_mark(CONTENT)]
    for page in (PAGE, FAILED, replace(PAGE, lines=())):
        store.put_recognised_page(CONTENT, page)
        marks.append(store.recognition_mark(CONTENT))
    store.forget_failed_pages([file_id])
    marks.append(store.recognition_mark(CONTENT))
    store.put_recognised_page(CONTENT, FAILED)
    marks.append(store.recognition_mark(CONTENT))
    assert marks[0] == ""
    assert len(set(marks)) == len(marks)


def test_only_failed_pages_of_the_files_asked_for_are_forgotten(open_store: OpenStore) -> None:
    store = open_store()
    asked, other = scanned_file(store), scanned_file(store, "b.pdf", "other", "d" * 32)
    for content in (CONTENT, "d" * 32):
        store.put_recognised_page(content, PAGE)
        store.put_recognised_page(content, FAILED)
    store.forget_failed_pages([asked])
    assert list(store.recognised_pages(CONTENT)) == [2]
    assert list(store.recognised_pages("d" * 32)) == [2, 3]
    assert store.file(other) is not None


def test_scanned_files_say_which_pages_are_left(open_store: OpenStore) -> None:
    store = open_store()
    first = scanned_file(store)
    second = scanned_file(store, "b.pdf", "", "d" * 32)
    put(store, store.add_source("/docs", True).id, "plain.txt")
    found = store.next_scanned_file()
    assert found is not None
    assert (found.file_id, found.path, found.content_hash) == (first, "/docs/a.pdf", CONTENT)
    assert (found.left, found.pages) == ((2, 3), 2)
    store.put_recognised_page(CONTENT, PAGE)
    found = store.next_scanned_file()
    assert found is not None
    assert (found.left, found.pages) == ((3,), 2)
    found = store.next_scanned_file([first])
    assert found is not None
    assert found.file_id == second
    assert store.next_scanned_file([first, second]) is None
    assert store.scanned_ids() == [first, second]
    assert store.scanned_ids(textless=True) == [second]
    store.set_status([second], FileStatus.UNAVAILABLE)
    assert store.scanned_ids() == [first]


def test_files_that_failed_are_found_by_their_reason(open_store: OpenStore) -> None:
    store = open_store()
    file_id = scanned_file(store)
    store.fail_file(file_id, STAT, CONTENT, Problem("No text: scanned", "It is scanned."))
    assert store.files_with_problem("No text: scanned") == [file_id]
    assert store.files_with_problem("Damaged") == []


def test_a_library_of_the_first_version_gets_its_tables(
    open_store: OpenStore, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        older.setattr(database, "SCHEMA_VERSION", 1)
        open_store().close()
    connection = sqlite3.connect(library / database.DATABASE_NAME)
    connection.execute(
        "INSERT INTO documents (key, origin, kind, title, language, segments, coverage, "
        "metadata, headings) VALUES ('k', 'file', 'pdf', '', 'en', 0, "
        "'[1, 0, 0, [[2, \"no text: scanned\"]]]', '{}', '[]')"
    )
    connection.commit()
    connection.close()
    store = open_store()
    document = store.document(1)
    assert document is not None
    assert document.coverage.unreadable == (UnreadableUnit(2, "no text: scanned"),)
    scanned_file(store)
    assert store.put_recognised_page(CONTENT, PAGE)
    assert store.verify().ok
