"""A question on its way through retrieval, with the context it was asked in."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_rag.domain.filter import Filter
from desktop_rag.domain.messages import ChatMessage, UserMessage


@dataclass(frozen=True, slots=True)
class QueryContext:
    """What a question was asked in.

    ``history`` is the conversation before this message, oldest first, without it.
    ``filter`` limits every retriever to what matches, before the top k is taken.
    """

    user_message: UserMessage | None = None
    history: tuple[ChatMessage, ...] = ()
    filter: Filter | None = None
    chat_id: int | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A non-blank search text; equality is text and context.

    ``note`` is a sentence for the user on why this is searched, "" where the text is the
    user's own. ``translations`` are pairs of a language ("en", "zh") and the text in it, by
    which passages in that language are found and judged.

    Raises:
        ValueError: the text is blank.
    """

    text: str
    context: QueryContext = field(default_factory=QueryContext)
    note: str = field(default="", compare=False)
    translations: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a query's text must not be blank")

    def in_language(self, language: str) -> str:
        """Return the text for passages in a language: its translation, or the text itself."""
        return dict(self.translations).get(language, self.text)
