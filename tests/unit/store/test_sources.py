from __future__ import annotations

import pytest

from desktop_rag.domain.files import SourceState
from desktop_rag.store.knowledge_store import KnowledgeStore


def test_a_source_is_private_and_available_until_told_otherwise(store: KnowledgeStore) -> None:
    source = store.add_source("/docs/caf\udce9", True)
    assert source.path == "/docs/caf\udce9"
    assert (source.is_folder, source.visibility) == (True, "private")
    assert source.state is SourceState.AVAILABLE
    assert store.source(source.id) == source
    assert store.source(source.id + 1) is None


def test_adding_again_gives_the_same_source(store: KnowledgeStore) -> None:
    one = store.add_source("/docs", True)
    store.set_ignore_rules(one.id, ["*.tmp", "/drafts/"])
    again = store.add_source("/docs", True)
    assert again.id == one.id
    assert again.ignore_rules == ("*.tmp", "/drafts/")
    assert [source.id for source in store.sources()] == [one.id]


def test_what_is_set_stays(store: KnowledgeStore) -> None:
    source_id = store.add_source("/docs", True).id
    store.set_source_state(source_id, SourceState.UNAVAILABLE)
    store.set_visibility(source_id, "shared")
    source = store.source(source_id)
    assert source is not None
    assert (source.state, source.visibility) == (SourceState.UNAVAILABLE, "shared")
    with pytest.raises(ValueError, match="public"):
        store.set_visibility(source_id, "public")


def test_ids_of_sources_are_never_used_again(store: KnowledgeStore) -> None:
    one = store.add_source("/docs", True).id
    store.remove_source(one)
    assert store.add_source("/docs", True).id > one


def test_collections_group_sources(store: KnowledgeStore) -> None:
    one, two = store.add_source("/a", True).id, store.add_source("/b", False).id
    work = store.create_collection("Work", "what pays")
    store.create_collection("Home")
    store.set_collection_sources(work, [two, one])
    home, found = store.collections()
    assert (home.name, home.source_ids) == ("Home", ())
    assert (found.name, found.description, found.source_ids) == ("Work", "what pays", (one, two))
    store.set_collection_sources(work, [two])
    store.remove_source(two)
    assert store.collections()[1].source_ids == ()
    store.delete_collection(work)
    assert [one.name for one in store.collections()] == ["Home"]
    assert [source.id for source in store.sources()] == [one]


def test_a_collection_needs_a_name_of_its_own(store: KnowledgeStore) -> None:
    store.create_collection("Work")
    with pytest.raises(ValueError, match="already"):
        store.create_collection("Work")
    with pytest.raises(ValueError, match="blank"):
        store.create_collection(" ")


def test_a_collection_gets_another_name_and_description(store: KnowledgeStore) -> None:
    work = store.create_collection("Work")
    store.create_collection("Home")
    store.change_collection(work, "Firm", "contracts and invoices")
    store.change_collection(work, "Firm", "contracts")
    changed = store.collections()[0]
    assert (changed.name, changed.description) == ("Firm", "contracts")
    with pytest.raises(ValueError, match="already"):
        store.change_collection(work, "Home", "")
    with pytest.raises(ValueError, match="blank"):
        store.change_collection(work, "  ", "")
    assert [one.name for one in store.collections()] == ["Firm", "Home"]
