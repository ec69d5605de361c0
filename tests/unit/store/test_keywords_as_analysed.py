"""Keyword search with the program's own analysis: odd questions, and scripts without spaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.analysis import analyse, analyse_query
from tests.helpers.store_parts import SPACES, commit, found_texts, prepared, put

PASSAGES = [
    "The order HT-2024-0815 was placed on Monday.",
    "Written in C++ and .NET by hand.",
    "It's late, said Ann.",
    "合同付款期限为三十天。",
    "请在重跑gen-itgc后检查结果。",
    "Scientific work on the climate.",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeStore]:
    folder: Path = tmp_path_factory.mktemp("keywords") / "library"
    store = KnowledgeStore.open(folder, SPACES)
    source = store.add_source("/docs", True).id
    given = prepared(*PASSAGES)
    segments = tuple(
        replace(segment, terms=" ".join(analyse(segment.text))) for segment in given.segments
    )
    commit(store, put(store, source, "Lease 2024-付款.pdf"), replace(given, segments=segments))
    store.flush()
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("HT-2024-0815", 0),
        ("ht-2024-0815?", 0),
        ("C++", 1),
        (".NET", 1),
        ("it's late", 2),
        ("付款期限", 3),
        ("付款", 3),
        ("款", 3),
        ("gen", 4),
        ("gen-itgc", 4),
        ("重跑", 4),
        ("sci\ufb01enti\ufb01c \uff37\uff2f\uff32\uff2b", 5),
    ],
)
def test_what_is_asked_for_is_found(store: KnowledgeStore, question: str, passage: int) -> None:
    hits = store.keyword_search(analyse_query(question), 5)
    assert found_texts(store, hits)[:1] == [PASSAGES[passage]]


@pytest.mark.parametrize(
    "question",
    [
        'a"b',
        "AND",
        "OR NOT",
        "*",
        "what is this?",
        "foo:bar",
        "(",
        ")",
        "",
        " ",
        "\\",
        "^~",
        "\x00",
    ],
)
def test_no_question_is_an_error(store: KnowledgeStore, question: str) -> None:
    store.keyword_search(analyse_query(question), 5)
    store.name_search(analyse_query(question), 5)


@pytest.mark.parametrize("question", ["lease", "2024", "付款", "pdf"])
def test_files_are_found_by_parts_of_their_names(store: KnowledgeStore, question: str) -> None:
    assert len(store.name_search(analyse_query(question), 5)) == 1
