"""A router that has a language model choose by descriptions."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.protocols import ContentRetriever
from desktop_rag.retrieval.routers.fallback import FallbackStrategy, fall_back


class LanguageModelQueryRouter:
    """Asks the retrievers whose numbers the model replies with (langchain4j-facts 3).

    A reply with anything but numbers of retrievers counts as none, whole. Better on purpose:
    reasoning is left out before reading, and a number given twice asks once.

    Args:
        retrievers: with a description each.
        steps: asks the model.
        fallback: what to do where the model is no help.

    Raises:
        ValueError: there are no retrievers, or a description is blank.
    """

    def __init__(
        self,
        retrievers: Mapping[ContentRetriever, str],
        steps: ModelSteps,
        fallback: FallbackStrategy = FallbackStrategy.DO_NOT_ROUTE,
    ) -> None:
        if not retrievers or any(not text.strip() for text in retrievers.values()):
            raise ValueError("a router needs retrievers, each with a description")
        self._retrievers = list(retrievers)
        self._options = "\n".join(
            f"{number}: {' '.join(text.split())}"
            for number, text in enumerate(retrievers.values(), start=1)
        )
        self._steps = steps
        self._fallback = fallback

    def route(self, query: Query) -> list[ContentRetriever]:
        """Return the retrievers chosen, in the order of the reply.

        Raises:
            NoRouteError: the model is no help, and the fallback is FAIL.
        """
        values = {"options": self._options}
        chosen = self._steps.ask("routing", query.text, values, self._numbers)
        if chosen is None:
            return fall_back(self._fallback, self._retrievers, "the model chose no retriever")
        return [self._retrievers[number - 1] for number in chosen]

    def _numbers(self, reply: str) -> list[int] | None:
        return read_numbers(reply, len(self._retrievers))


def read_numbers(reply: str, most: int) -> list[int] | None:
    """Return the numbers 1..most of a reply such as "1, 3"; None for any other reply.

    A comma at the end is let pass, one at the beginning is not.
    """
    parts = reply.strip().rstrip(",").split(",")
    try:
        numbers = [int(part) for part in parts]
    except ValueError:
        return None
    return list(dict.fromkeys(numbers)) if all(1 <= one <= most for one in numbers) else None
