"""The best where a language model looks: at the beginning and at the end."""

from __future__ import annotations

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query


class LongContextReorderPostProcessor:
    """Puts the best contents at both ends and the weakest in the middle.

    Models read the middle of a long context least (Liu et al. 2023, "Lost in the Middle").
    The first stays first, the second becomes the last, the third the second, and so on.
    """

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the same contents in another order."""
        return [*contents[::2], *reversed(contents[1::2])]
