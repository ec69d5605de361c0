"""No more than what a reader, or a language model, can take."""

from __future__ import annotations

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.embedding.model import TokenCounter


class BudgetPostProcessor:
    """Keeps the best contents within a number of contents and of tokens.

    A content that doesn't fit is left out, and smaller ones behind it may still fit;
    the first content is always kept.

    Args:
        max_contents: at most so many contents, > 0.
        max_tokens: at most so many tokens in all, > 0; None for no limit.
        counter: counts the tokens; needed with ``max_tokens``.

    Raises:
        ValueError: a number is not positive, or the counter is missing.
    """

    def __init__(
        self,
        max_contents: int,
        max_tokens: int | None = None,
        counter: TokenCounter | None = None,
    ) -> None:
        if max_contents <= 0:
            raise ValueError(f"max_contents must be greater than 0, not {max_contents}")
        if max_tokens is not None and max_tokens <= 0:
            raise ValueError(f"max_tokens must be greater than 0, not {max_tokens}")
        if max_tokens is not None and counter is None:
            raise ValueError("a limit of tokens needs a counter")
        self._max_contents = max_contents
        self._max_tokens = max_tokens
        self._counter = counter

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return what fits, in the order given."""
        if self._max_tokens is None or self._counter is None:
            return contents[: self._max_contents]
        kept: list[Content] = []
        left = self._max_tokens
        for content in contents:
            if len(kept) == self._max_contents:
                break
            tokens = self._counter.count(content.segment.text)
            if tokens <= left or not kept:
                kept.append(content)
                left -= tokens
        return kept
