"""Finds passages by the question's words."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_rag.domain.content import Content, ContentKey, ContentValue
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.passages import PassageStore, contents_of
from desktop_rag.text.analysis import analyse_query

KEYWORD = "keyword"


class KeywordContentRetriever:
    """BM25 over the analysed words of the question; SCORE is the BM25 score.

    Args:
        store: where the passages are.
        max_results: the most passages returned, > 0.

    Raises:
        ValueError: ``max_results`` is not positive.
    """

    def __init__(self, store: PassageStore, max_results: int) -> None:
        if max_results <= 0:
            raise ValueError(f"max_results must be greater than 0, not {max_results}")
        self._store = store
        self._max_results = max_results

    def retrieve(self, query: Query) -> list[Content]:
        """Return the passages found; none where the question has no words."""
        terms = _terms(query)
        if not terms:
            return []
        condition = query.context.filter
        hits = self._store.keyword_search(terms, self._max_results, condition)
        noted = [(text_id, _notes(score)) for text_id, score in hits]
        return contents_of(self._store, noted, condition)


def _terms(query: Query) -> list[str]:
    """Return the terms of the question, and those of its translations."""
    texts = (query.text, *(text for _, text in query.translations))
    return list(dict.fromkeys(term for text in texts for term in analyse_query(text)))


def _notes(score: float) -> Mapping[ContentKey, ContentValue]:
    return {ContentKey.SCORE: score, ContentKey.RETRIEVER: KEYWORD}
