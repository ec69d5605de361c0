"""What a question wants: a fact, a summary, a comparison, a list, or just a chat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Intent(StrEnum):
    """The kinds of questions; ``LOOKUP`` is what any question is that is nothing else.

    ``GENERAL`` searches nothing, and is never guessed: greetings, thanks, and questions about
    the program itself.
    """

    LOOKUP = "lookup"
    SUMMARY = "summary"
    COMPARISON = "comparison"
    LIST = "list"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Understood:
    """A question's intent, and the ids of the documents that a summary or comparison is of.

    ``documents`` are in the order in which the question names them; empty where it names
    none, or the intent has no use for any.
    """

    intent: Intent
    documents: tuple[int, ...] = ()
