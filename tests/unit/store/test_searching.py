from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.filter import And, ContainsString, IsEqualTo, Not
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.store_parts import (
    DIMENSION,
    SPACES,
    STAT,
    add_file,
    add_files,
    commit,
    found_texts,
    prepared,
    put,
    vector_for,
)

ODD_TERMS = ["AND", "a:b", '"', "(", "*", "C++", ".NET", "it's", "\\", "body:x", "-x", "", " "]


def near(vector: np.ndarray, share: float) -> np.ndarray:
    """A unit vector with about this cosine to ``vector``."""
    other = vector_for(f"noise {share}")
    other = other - (other @ vector) * vector
    other /= np.linalg.norm(other)
    return (share * vector + np.sqrt(1 - share**2) * other).astype(np.float32)


def test_an_empty_library_finds_nothing(store: KnowledgeStore) -> None:
    assert store.vector_search("en", vector_for("x"), 8) == []
    assert store.keyword_search(["x"], 8) == []
    assert store.name_search(["x"], 8) == []
    assert store.vector_count("en") == 0
    assert store.segments_of_texts([1, 2]) == {}


def test_the_nearest_comes_first_with_its_cosine(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "one", "two", "three")
    hits = store.vector_search("en", near(vector_for("two"), 0.9), 3)
    assert found_texts(store, hits)[0] == "two"
    assert hits[0][1] == pytest.approx(0.9, abs=1e-5)
    assert [score for _, score in hits] == sorted((s for _, s in hits), reverse=True)


def test_spaces_are_searched_apart(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "english")
    commit(store, put(store, source_id, "b.txt"), prepared("中文", space="zh"))
    store.flush()
    assert found_texts(store, store.vector_search("zh", vector_for("x"), 5)) == ["中文"]
    assert store.vector_count("en") == store.vector_count("zh") == 1


def test_asking_for_more_than_there_is_gives_all(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "one", "two", "three")
    assert len(store.vector_search("en", vector_for("x"), 8)) == 3
    assert len(store.keyword_search(["one", "two"], 8)) == 2


def test_a_zero_question_finds_by_id(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "one", "two", "three")
    hits = store.vector_search("en", np.zeros(DIMENSION, np.float32), 2)
    assert [score for _, score in hits] == [0.0, 0.0]
    assert [text_id for text_id, _ in hits] == sorted(text_id for text_id, _ in hits)


@pytest.mark.parametrize("bad", [np.full(DIMENSION, np.nan), np.ones(DIMENSION - 1)])
def test_a_question_that_cannot_be_compared_is_refused(
    store: KnowledgeStore, bad: np.ndarray
) -> None:
    with pytest.raises(ValueError, match="vector"):
        store.vector_search("en", bad.astype(np.float32), 3)


def test_the_number_asked_for_must_be_positive(store: KnowledgeStore) -> None:
    for search in (
        lambda: store.vector_search("en", vector_for("x"), 0),
        lambda: store.keyword_search(["x"], 0),
        lambda: store.name_search(["x"], -1),
    ):
        with pytest.raises(ValueError, match="k must"):
            search()


def test_nothing_in_a_term_is_syntax(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "plain words")
    for term in ODD_TERMS:
        assert store.keyword_search([term], 5) == []
        assert len(store.keyword_search([term, "plain"], 5)) == 1
        assert store.name_search([term], 5) == []
    assert store.keyword_search([], 5) == []
    assert store.keyword_search(["\udce9"], 5) == []


def test_terms_are_found_whole_as_the_analysis_made_them(
    store: KnowledgeStore, source_id: int
) -> None:
    document = prepared("HT-2024-0815")
    part = document.segments[0]
    terms = "ht-2024-0815 c++ .net it's 付款 付"
    commit(
        store,
        put(store, source_id, "a.txt"),
        replace(document, segments=(replace(part, terms=terms),)),
    )
    store.flush()
    for term in terms.split():
        assert len(store.keyword_search([term], 5)) == 1, term
    for term in ("2024", "c", "net", "款"):
        assert store.keyword_search([term], 5) == []


def test_rare_words_weigh_more(store: KnowledgeStore, source_id: int) -> None:
    add_file(store, source_id, "a.txt", "common rare", "common two", "common three")
    hits = store.keyword_search(["common", "rare"], 3)
    assert found_texts(store, hits)[0] == "common rare"
    idf = store.term_statistics(["common", "rare", "absent"])
    assert idf["absent"] > idf["rare"] > idf["common"] > 0


def test_ties_are_in_the_order_of_ids(store: KnowledgeStore, source_id: int) -> None:
    add_files(store, source_id, {f"{number}.txt": [f"same {number}"] for number in range(30)})
    hits = store.keyword_search(["same"], 10)
    everything = store.keyword_search(["same"], 100)
    assert len({score for _, score in everything}) == 1
    assert [text_id for text_id, _ in everything] == sorted(i for i, _ in everything)
    assert hits == everything[:10]


def test_files_are_found_by_name_title_and_headings(store: KnowledgeStore, source_id: int) -> None:
    one = put(store, source_id, "Contract 2024.txt")
    commit(store, one, prepared("words a", title="Lease", headings=("Payment", "Term")))
    two = put(store, source_id, "b.txt")
    commit(store, two, prepared("words b", title="Contract"))
    waiting = put(store, source_id, "contract-waiting.txt")
    store.flush()
    assert [f for f, _ in store.name_search(["contract"], 5)] == [one, two]
    assert [f for f, _ in store.name_search(["payment"], 5)] == [one]
    assert [f for f, _ in store.name_search(["lease"], 5)] == [one]
    assert waiting not in [f for f, _ in store.name_search(["waiting"], 5)]
    allowed = store.name_search(["contract"], 5, IsEqualTo("title", "Contract"))
    assert [f for f, _ in allowed] == [two]
    store.remove_files([one])
    assert [f for f, _ in store.name_search(["contract"], 5)] == [two]


def test_a_condition_is_applied_before_the_best_are_taken(
    store: KnowledgeStore, source_id: int
) -> None:
    """The two that match are the very last by both searches."""
    question = vector_for("question")
    document = prepared(*(f"word number {number}" for number in range(40)))
    vectors = {
        part.text_hash: near(question, 0.99 - number / 50)
        for number, part in enumerate(document.segments)
    }
    file_id = put(store, source_id, "many.txt")
    store.commit_document(file_id, STAT, "h", "k", document, vectors)
    wanted = put(store, source_id, "wanted/few.txt")
    commit(store, wanted, prepared("word and very many others beside", "word again and again but"))
    store.flush()
    condition = ContainsString("folder", "wanted")
    for hits in (
        store.vector_search("en", question, 8, condition),
        store.keyword_search(["word", "number"], 8, condition),
    ):
        assert sorted(found_texts(store, hits)) == [
            "word again and again but",
            "word and very many others beside",
        ]
    assert store.vector_search("en", question, 8, IsEqualTo("type", "pdf")) == []
    assert store.keyword_search(["word"], 8, IsEqualTo("type", "pdf")) == []


def test_a_passage_is_given_with_the_file_that_matches(
    store: KnowledgeStore, source_id: int
) -> None:
    document_id = commit(store, put(store, source_id, "a/x.txt"), prepared("words"), key="k")
    commit(store, put(store, source_id, "b/y.txt"), prepared("words"), key="k")
    store.flush()
    (hit,) = store.vector_search("en", vector_for("words"), 5, IsEqualTo("folder", "/docs/b"))
    condition = IsEqualTo("folder", "/docs/b")
    (segment,) = store.segments_of_texts([hit[0]], condition)[hit[0]]
    assert segment.segment.metadata["path"] == "/docs/b/y.txt"
    (segment,) = store.segments_of_texts([hit[0]])[hit[0]]
    assert segment.segment.metadata["path"] == "/docs/a/x.txt"
    both = And(condition, IsEqualTo("file_name", "x.txt"))
    assert store.segments_of_texts([hit[0]], both) == {}
    assert store.allowed_texts(Not(condition)) == [hit[0]]
    assert store.paths_of([document_id])[document_id] == ("/docs/a/x.txt", "/docs/b/y.txt")


def test_passages_are_found_by_page_and_heading(store: KnowledgeStore, source_id: int) -> None:
    document = prepared("one", "two", "three", headings=("Top",), paged=True)
    commit(store, put(store, source_id, "a.pdf"), document)
    store.flush()
    for condition, expected in [
        (IsEqualTo("page", 2), ["two"]),
        (And(IsEqualTo("heading", "Top"), Not(IsEqualTo("page", 2))), ["one", "three"]),
        (And(IsEqualTo("page", 3), IsEqualTo("file_name", "b.pdf")), []),
    ]:
        hits = store.vector_search("en", vector_for("x"), 10, condition)
        assert sorted(found_texts(store, hits)) == expected
    with pytest.raises(ValueError, match="Type mismatch"):
        store.vector_search("en", vector_for("x"), 10, IsEqualTo("page", "2"))


def test_allowed_texts_can_be_of_one_space(store: KnowledgeStore, source_id: int) -> None:
    commit(store, put(store, source_id, "a.txt"), prepared("english"))
    commit(store, put(store, source_id, "b.txt"), prepared("中文", space="zh"))
    everything = store.allowed_texts(IsEqualTo("type", "text"))
    by_space = [store.allowed_texts(IsEqualTo("type", "text"), space) for space in SPACES]
    assert sorted(everything) == sorted(by_space[0] + by_space[1])
    assert [len(ids) for ids in by_space] == [1, 1]


def test_what_was_removed_a_moment_ago_makes_room_for_what_is_there(
    store: KnowledgeStore, source_id: int
) -> None:
    """The indexes still have the removed ones, and they are the best hits."""
    gone = add_files(store, source_id, {f"{n}.txt": [f"word {n}"] for n in range(20)})
    add_file(store, source_id, "kept.txt", "word and others to make it longer and worse")
    with store._derived._lock:  # the indexes can't follow
        store.remove_files(gone)
        assert len(store.vector_search("en", vector_for("word 3"), 3)) == 1
        assert len(store.keyword_search(["word"], 3)) == 1
    assert store.count_files() == {FileStatus.READY: 1}
