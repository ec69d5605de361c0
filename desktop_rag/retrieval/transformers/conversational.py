"""Follow-up questions without a language model: the history is searched along."""

from __future__ import annotations

from desktop_rag.domain.messages import AiMessage, ChatMessage, UserMessage
from desktop_rag.domain.query import Query

ANSWER_CHARACTERS = 300
"""How much of the previous answer is searched along (measured on mtrag_un: nDCG@10 .841
for the last turn alone, .903 with the previous question, .932 for all three fused)."""


class ConversationalQueryTransformer:
    """Searches a follow-up three times: alone, after the previous question, after its answer.

    The queries, in order: the question; previous question and question; previous
    question, the first ``answer_characters`` of its answer, and the question. Without
    a history there is the question alone; equal queries are given once.

    Raises:
        ValueError: ``answer_characters`` is negative.
    """

    def __init__(self, answer_characters: int = ANSWER_CHARACTERS) -> None:
        if answer_characters < 0:
            raise ValueError(f"answer_characters must not be negative, not {answer_characters}")
        self._answer_characters = answer_characters

    def transform(self, query: Query) -> list[Query]:
        """Return one to three queries, the question itself first."""
        history = query.context.history
        question = _last(history, UserMessage)
        if not question:
            return [query]
        answer = _last(history, AiMessage)[: self._answer_characters].strip()
        texts = [query.text, f"{question}\n{query.text}"]
        if answer:
            texts.append(f"{question}\n{answer}\n{query.text}")
        return [Query(text, query.context) for text in dict.fromkeys(texts)]


def _last(history: tuple[ChatMessage, ...], kind: type[UserMessage] | type[AiMessage]) -> str:
    return next((m.text.strip() for m in reversed(history) if isinstance(m, kind)), "")
