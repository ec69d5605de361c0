"""The retrievers on a real store with small texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_rag.domain.content import ContentKey
from desktop_rag.domain.filter import IsEqualTo
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.query import Query, QueryContext
from desktop_rag.domain.segment import TextSegment
from desktop_rag.retrieval.filter_expression import parse_filter
from desktop_rag.retrieval.postprocessors.copies import other_documents
from desktop_rag.retrieval.retrievers.embedding_store import EmbeddingStoreContentRetriever
from desktop_rag.retrieval.retrievers.keyword import KeywordContentRetriever
from desktop_rag.retrieval.retrievers.names import MENTION, NAME, FileNameContentRetriever
from desktop_rag.retrieval.retrievers.vector import CosineScale, VectorContentRetriever
from desktop_rag.store.memory_store import InMemoryEmbeddingStore
from tests.helpers.small_library import NAMES, WordSpaces, fill, open_store

TEXTS = {
    "pump.md": "# Pump P-100\n\nThe warranty of the pump is two years.\n\n# Care\n\nOil it weekly.",
    "lease.txt": "The tenant pays the rent on the first day of each month.",
    "copy/lease.txt": "The tenant pays the rent on the first day of each month.",
    "付款.txt": "合同付款期限为三十天。逾期付款须支付利息。",
    "stock.txt": "SKU-48290 is a bolt.\n\nSKU-48291 is a nut.\n\nSKU-48292 is a washer.",
    "budget-2024.txt": "Nothing in here says what it is for.",
}


@pytest.fixture(scope="module")
def spaces() -> WordSpaces:
    return WordSpaces()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, spaces: WordSpaces):
    opened = open_store(tmp_path_factory.mktemp("store"), spaces)
    fill(opened, spaces, TEXTS)
    yield opened
    opened.close()


def files(contents) -> list[str]:
    return [Path(str(one.segment.metadata["path"])).name for one in contents]


def query(text: str, condition: str = "") -> Query:
    return Query(text, QueryContext(filter=parse_filter(condition)))


def test_vectors_of_all_spaces_are_one_list(store, spaces):
    found = VectorContentRetriever(store, spaces, 10).retrieve(query("rent of the tenant"))
    assert files(found)[0] == "lease.txt"
    assert {one.segment.metadata["language"] for one in found} == {"en", "zh"}
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    found = VectorContentRetriever(store, spaces, 2).retrieve(query("付款期限是多久？"))
    assert files(found)[0] == "付款.txt"
    assert len(found) == 2


def test_spaces_are_compared_by_their_scales(store, spaces):
    scales = {
        (NAMES["en"], "en"): CosineScale(0.9, 1.0),
        (NAMES["zh"], "en"): CosineScale(-1.0, 0.1),
    }
    found = VectorContentRetriever(store, spaces, 10, scales).retrieve(query("rent"))
    assert files(found)[0] == "付款.txt"
    best = found[0]
    cosine = float(best.metadata[ContentKey.COSINE])
    assert best.score == pytest.approx((cosine + 1.0) / 1.1)


@pytest.mark.parametrize("bounds", [(0.5, 0.5), (0.6, 0.5), (-1.5, 0.0), (0.0, 1.5)])
def test_a_scale_is_checked_when_built(bounds):
    with pytest.raises(ValueError, match="scale"):
        CosineScale(*bounds)


def test_a_copy_is_no_second_result_and_other_documents_are_noted(store, spaces):
    found = KeywordContentRetriever(store, 10).retrieve(query("tenant"))
    assert files(found) == ["lease.txt"]
    assert other_documents(found[0]) == ()
    [document] = store.paths_of([int(found[0].segment.metadata["document_id"])]).values()
    assert document == ("/library/lease.txt", "/library/copy/lease.txt")


def test_a_passage_of_several_documents_notes_them(tmp_path, spaces):
    opened = open_store(tmp_path, spaces)
    same = "The parties agree to the general terms."
    fill(opened, spaces, {"a.md": f"{same}", "b.txt": f"{same}"})
    found = KeywordContentRetriever(opened, 10).retrieve(query("parties"))
    opened.close()
    assert len(found) == 1
    assert len(other_documents(found[0])) == 1


@pytest.mark.parametrize("text", ["付", "付款", "付款期限", "合同中的付款期限是多少"])
def test_chinese_words_of_any_length_are_found(store, text):
    assert files(KeywordContentRetriever(store, 10).retrieve(query(text)))[0] == "付款.txt"


@pytest.mark.parametrize(
    "text",
    ["HT-2024-0815", "C++", ".NET", "it's", 'a"b', "AND", "*", "what is this?", "foo:bar", "("],
)
def test_odd_questions_never_fail(store, spaces, text):
    for retriever in (
        KeywordContentRetriever(store, 10),
        VectorContentRetriever(store, spaces, 10),
        FileNameContentRetriever(store),
    ):
        retriever.retrieve(query(text))


def test_an_identifier_is_found_exactly(store):
    found = KeywordContentRetriever(store, 10).retrieve(query("what is SKU-48291?"))
    assert "SKU-48291 is a nut" in found[0].segment.text


def test_a_filter_narrows_before_the_best_are_taken(store, spaces):
    narrowed = query("the tenant pays the rent", "type:md")
    assert files(VectorContentRetriever(store, spaces, 1).retrieve(narrowed)) == ["pump.md"]
    assert files(KeywordContentRetriever(store, 1).retrieve(query("warranty", "type:md"))) == [
        "pump.md"
    ]
    assert KeywordContentRetriever(store, 5).retrieve(query("tenant", "folder:nowhere")) == []
    copies = KeywordContentRetriever(store, 5).retrieve(query("tenant", "folder:COPY"))
    assert [one.segment.metadata["path"] for one in copies] == ["/library/copy/lease.txt"]


def test_phrases_and_left_out_words(store):
    retriever = KeywordContentRetriever(store, 10)
    assert files(retriever.retrieve(query("rent", '"first day of each"'))) == ["lease.txt"]
    assert retriever.retrieve(query("rent", '"last day"')) == []
    assert retriever.retrieve(query("rent", "-tenant")) == []


def kinds(contents) -> dict[str, str]:
    return {
        name: one.metadata[ContentKey.RETRIEVER]
        for name, one in zip(files(contents), contents, strict=True)
    }


def test_a_file_is_found_by_its_name_alone(store):
    found = FileNameContentRetriever(store).retrieve(query("budget 2024"))
    assert kinds(found) == {"budget-2024.txt": NAME}
    assert {one.score for one in found} == {1.0}


def test_a_file_that_is_mentioned_gives_what_it_says_about_the_question(store):
    found = FileNameContentRetriever(store).retrieve(query("what warranty does pump.md promise?"))
    assert kinds(found) == {"pump.md": MENTION}
    assert "two years" in found[0].segment.text


def test_a_name_that_is_only_partly_in_the_question_is_not_named(store):
    assert FileNameContentRetriever(store).retrieve(query("how was the weather in 2024?")) == []


def test_names_keep_to_the_filter(store):
    assert FileNameContentRetriever(store).retrieve(query("budget 2024", "type:md")) == []


@pytest.mark.parametrize("build", [VectorContentRetriever, KeywordContentRetriever])
def test_sizes_are_checked_when_built(build, store, spaces):
    arguments = (store, spaces) if build is VectorContentRetriever else (store,)
    with pytest.raises(ValueError, match="max_results"):
        build(*arguments, 0)


def test_name_sizes_are_checked_when_built(store):
    with pytest.raises(ValueError, match="greater than 0"):
        FileNameContentRetriever(store, max_files=0)


def test_an_empty_library_finds_nothing(tmp_path, spaces):
    opened = open_store(tmp_path, spaces)
    try:
        assert VectorContentRetriever(opened, spaces, 8).retrieve(query("rent")) == []
        assert KeywordContentRetriever(opened, 8).retrieve(query("rent")) == []
        assert FileNameContentRetriever(opened).retrieve(query("rent")) == []
    finally:
        opened.close()


def test_any_embedding_store_can_be_retrieved_from(spaces):
    model = spaces.get(NAMES["en"])
    inner = InMemoryEmbeddingStore(256)
    segments = [
        TextSegment("red wine", Metadata({"n": 1})),
        TextSegment("blue sky", Metadata({"n": 2})),
    ]
    inner.add_all(["1", "2"], np.stack([model.embed_query(s.text) for s in segments]), segments)
    found = EmbeddingStoreContentRetriever(inner, model).retrieve(query("wine"))
    assert found[0].segment == segments[0]
    assert found[0].metadata[ContentKey.EMBEDDING_ID] == "1"
    assert 0.5 < found[0].score <= 1.0
    strict = EmbeddingStoreContentRetriever(inner, model, max_results=5, min_score=0.7)
    assert len(strict.retrieve(query("wine"))) == 1


@pytest.mark.parametrize("wrong", [{"max_results": 0}, {"min_score": 1.1}, {"min_score": -0.1}])
def test_bounds_of_an_embedding_store_retriever_are_checked_when_built(spaces, wrong):
    with pytest.raises(ValueError, match="must be"):
        EmbeddingStoreContentRetriever(
            InMemoryEmbeddingStore(256), spaces.get(NAMES["en"]), **wrong
        )


def test_bounds_and_condition_may_be_functions_of_the_question(spaces):
    model = spaces.get(NAMES["en"])
    inner = InMemoryEmbeddingStore(256)
    segments = [TextSegment(f"red wine {n}", Metadata({"n": n})) for n in range(6)]
    inner.add_all(
        [str(n) for n in range(6)],
        np.stack([model.embed_query(s.text) for s in segments]),
        segments,
    )
    retriever = EmbeddingStoreContentRetriever(
        inner,
        model,
        max_results=lambda asked: len(asked.text.split()),
        min_score=lambda asked: 0.0 if "wine" in asked.text else 1.5,
        condition=lambda asked: IsEqualTo("n", 4) if "four" in asked.text else None,
    )
    assert len(retriever.retrieve(query("wine"))) == 1
    assert len(retriever.retrieve(query("a red wine"))) == 3
    assert [one.segment.metadata["n"] for one in retriever.retrieve(query("wine four"))] == [4]
    with pytest.raises(ValueError, match="min_score"):
        retriever.retrieve(query("beer"))
