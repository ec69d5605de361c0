"""A router that follows rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.query import Query
from desktop_rag.retrieval.protocols import ContentRetriever
from desktop_rag.retrieval.routers.fallback import FallbackStrategy, fall_back


@dataclass(frozen=True, slots=True)
class Rule:
    """For which questions (text, chat, filter: whatever the query tells) to ask whom."""

    applies: Callable[[Query], bool]
    retrievers: Sequence[ContentRetriever]


class RuleQueryRouter:
    """Asks the retrievers of every rule that applies, each once, in the order of the rules.

    Args:
        rules: at least one.
        fallback: what to do where no rule applies.

    Raises:
        ValueError: there are no rules.
    """

    def __init__(
        self, rules: Sequence[Rule], fallback: FallbackStrategy = FallbackStrategy.DO_NOT_ROUTE
    ) -> None:
        if not rules:
            raise ValueError("a router needs at least one rule")
        self._rules = tuple(rules)
        self._fallback = fallback

    def route(self, query: Query) -> list[ContentRetriever]:
        """Return the retrievers for a question.

        Raises:
            NoRouteError: no rule applies, and the fallback is FAIL.
        """
        chosen = _each_once(rule for rule in self._rules if rule.applies(query))
        if chosen:
            return chosen
        return fall_back(self._fallback, _each_once(self._rules), "no rule applies to the question")


def _each_once(rules: Iterable[Rule]) -> list[ContentRetriever]:
    found = {id(retriever): retriever for rule in rules for retriever in rule.retrievers}
    return list(found.values())
