"""Another model than before: its vectors are kept apart, and come back one by one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.store.database import DATABASE_NAME
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.store.model_store import Backlog
from tests.helpers.store_parts import (
    add_file,
    commit,
    found_texts,
    prepared,
    put,
    text_hash,
    vector_for,
)

OpenStore = Callable[..., KnowledgeStore]


def by_meaning(store: KnowledgeStore, words: str, space: str = "en") -> list[str]:
    return found_texts(store, store.vector_search(space, vector_for(words), 1))


def by_words(store: KnowledgeStore, word: str) -> list[str]:
    return found_texts(store, store.keyword_search([word], 10))


def new_vectors(store: KnowledgeStore, limit: int = 100) -> None:
    """Do as a model does: read what waits; here each text backwards."""
    waiting = store.texts_without_vector("en", 0, limit)
    store.fill_vectors("en", {text_id: vector_for(text[::-1]) for text_id, text in waiting})
    store.flush()


@pytest.fixture
def outdated(store: KnowledgeStore, source_id: int) -> KnowledgeStore:
    """A store whose English model is another one than the one that has read two files."""
    store.follow_models({"en": "first", "zh": "same"})
    for words in ("alpha beta", "gamma delta"):
        add_file(store, source_id, f"{words}.txt", words)
    commit(store, put(store, source_id, "zh.txt"), prepared("中文 words", space="zh"))
    store.flush()
    assert not store.outdated
    store.follow_models({"en": "second", "zh": "same"})
    return store


def test_until_it_is_accepted_passages_are_found_by_their_words(outdated: KnowledgeStore) -> None:
    assert outdated.outdated == {"en"}
    assert (by_meaning(outdated, "alpha beta"), outdated.vector_count("en")) == ([], 0)
    assert by_words(outdated, "alpha") == ["alpha beta"]
    assert by_meaning(outdated, "中文 words", "zh") == ["中文 words"]
    assert outdated.backlog() == Backlog(2, 4)
    assert outdated.texts_without_vector("en", 0, 10) == []
    assert [text for _, text, _ in outdated.sample_of_outdated(1)] == ["alpha beta"]
    assert {file.status for file in outdated.files()} == {FileStatus.READY}
    assert outdated.verify().ok


def test_accepted_it_is_found_by_meaning_as_far_as_it_is_read(outdated: KnowledgeStore) -> None:
    outdated.accept_models()
    assert not outdated.outdated
    assert outdated.backlog() == Backlog(2, 4)
    new_vectors(outdated, limit=1)
    assert outdated.backlog() == Backlog(1, 2)
    assert by_meaning(outdated, "ateb ahpla") == ["alpha beta"]
    assert outdated.vector_count("en") == 1
    assert by_words(outdated, "gamma") == ["gamma delta"]
    assert outdated.verify().ok
    new_vectors(outdated)
    assert by_meaning(outdated, "atled ammag") == ["gamma delta"]
    assert outdated.backlog() == Backlog()
    outdated.end_backlog()
    outdated.settle()
    assert outdated.verify().ok


def test_a_vector_that_is_lost_without_a_reason_is_damage(
    open_store: OpenStore, outdated: KnowledgeStore, library: Path
) -> None:
    outdated.accept_models()
    new_vectors(outdated)
    outdated.end_backlog()
    outdated.close()
    with closing(sqlite3.connect(library / DATABASE_NAME)) as connection, connection:
        connection.execute("DELETE FROM vectors WHERE text_id = 1")
    report = open_store().verify()
    assert (report.ok, report.unsound) == (False, True)
    assert report.problems == ("Some passages cannot be found by meaning.",)


def test_texts_without_a_vector_come_with_an_export(
    open_store: OpenStore, outdated: KnowledgeStore, tmp_path: Path
) -> None:
    outdated.accept_models()
    new_vectors(outdated, limit=1)
    outdated.export_to(tmp_path / "export")
    other = open_store(folder="other")
    other.follow_models({"en": "second", "zh": "same"})
    other.import_from(tmp_path / "export", {})
    assert other.backlog().passages == 1
    new_vectors(other)
    assert by_meaning(other, "atled ammag") == ["gamma delta"]
    assert other.verify().ok


def test_what_waits_goes_on_after_a_restart(
    open_store: OpenStore, outdated: KnowledgeStore
) -> None:
    outdated.accept_models()
    new_vectors(outdated, limit=1)
    outdated.close()
    again = open_store()
    again.follow_models({"en": "second", "zh": "same"})
    assert (again.outdated, again.backlog()) == (frozenset(), Backlog(1, 2))
    new_vectors(again)
    assert by_meaning(again, "atled ammag") == ["gamma delta"]


def test_what_is_read_meanwhile_is_not_mixed_with_the_former_vectors(
    outdated: KnowledgeStore, source_id: int
) -> None:
    add_file(outdated, source_id, "new.txt", "epsilon zeta")
    outdated.flush()
    assert by_words(outdated, "epsilon") == ["epsilon zeta"]
    outdated.follow_models({"en": "first", "zh": "same"})
    assert by_meaning(outdated, "alpha beta") == ["alpha beta"]
    assert [text for _, text in outdated.texts_without_vector("en", 0, 9)] == ["epsilon zeta"]
    new_vectors(outdated)
    assert by_meaning(outdated, "atez nolispe") == ["epsilon zeta"]
    assert outdated.verify().ok


def test_vectors_of_texts_that_went_are_passed_by(outdated: KnowledgeStore, source_id: int) -> None:
    outdated.accept_models()
    waiting = outdated.texts_without_vector("en", 0, 9)
    outdated.remove_source(source_id)
    outdated.settle()
    outdated.fill_vectors("en", {text_id: vector_for(text) for text_id, text in waiting})
    outdated.flush()
    assert (outdated.backlog(), outdated.vector_count("en")) == (Backlog(), 0)
    with pytest.raises(ValueError, match="NaN"):
        outdated.fill_vectors("en", {1: vector_for("x") * float("nan")})


def test_an_empty_library_takes_any_model(store: KnowledgeStore) -> None:
    store.follow_models({"en": "first"})
    store.follow_models({"en": "second"})
    assert not store.outdated
    assert store.known_hashes([text_hash("nothing")]) == set()
