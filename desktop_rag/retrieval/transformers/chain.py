"""Several transformers one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.protocols import QueryTransformer

MOST_QUERIES = 6
"""Each is searched by every retriever; a follow-up makes three, and one more of each."""


class QueryTransformerChain:
    """Gives each transformer the queries of the one before.

    What they make stays in order of importance: first what each query became, then what
    came second of each, and so on. Equal queries are given once, those beyond ``most``
    not at all.

    Args:
        transformers: at least one, the first of which gets the question.
        most: the most queries given, > 0.

    Raises:
        ValueError: there is no transformer, or ``most`` is not positive.
    """

    def __init__(self, transformers: Sequence[QueryTransformer], most: int = MOST_QUERIES) -> None:
        if not transformers:
            raise ValueError("a chain needs at least one transformer")
        if most <= 0:
            raise ValueError(f"most must be greater than 0, not {most}")
        self._transformers = tuple(transformers)
        self._most = most

    def transform(self, query: Query) -> list[Query]:
        """Return the queries of the last transformer."""
        queries = [query]
        for transformer in self._transformers:
            made = [transformer.transform(one) for one in queries]
            ranked = chain.from_iterable(zip_longest(*made))
            queries = list(dict.fromkeys(one for one in ranked if one is not None))
        return queries[: self._most]
