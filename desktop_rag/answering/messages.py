"""What a language model is asked: instructions, the chat so far, sources and the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.domain.content import Content
from desktop_rag.domain.messages import ChatMessage, SystemMessage, UserMessage
from desktop_rag.domain.query import Query
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.injectors.default import CONTENTS, USER_MESSAGE
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.injectors.structured import StructuredContentInjector
from desktop_rag.retrieval.injectors.template import PromptTemplate
from desktop_rag.retrieval.postprocessors.budget import BudgetPostProcessor

SYSTEM = "system"
PLACES = (CONTENTS, USER_MESSAGE)

_REPLY_SHARE, _HISTORY_SHARE = 0.25, 0.25
_MOST_REPLY = 1024
_A_MESSAGE = 8
"""Tokens that a chat template adds around a message."""

_A_SOURCE = 40
"""Tokens of a source's number, file and page."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The messages, the sources among them (numbered from 1 in this order), and notes.

    ``reply_tokens`` is what is left of the context for the reply.
    """

    messages: tuple[ChatMessage, ...]
    contents: tuple[Content, ...]
    reply_tokens: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Counter:
    model: ChatModel

    def count(self, text: str) -> int:
        """Return the passage's tokens with its head."""
        return self.model.count_tokens(text) + _A_SOURCE


class MessageWriter:
    """Writes the messages of one question so that they fit into the model's context.

    Args:
        prompts: the templates.
        passages: at most so many sources, > 0.
    """

    def __init__(self, prompts: Prompts, passages: int) -> None:
        self._prompts = prompts
        self._passages = passages

    def write(
        self,
        model: ChatModel,
        question: Query,
        contents: Sequence[Content],
        template: str,
        passages: int | None = None,
    ) -> Asked:
        """Return what the model is asked; ``template`` names the prompt (``lookup``).

        At most ``passages`` sources, if it is given, are among it.
        Of the chat before the question the latest messages go along, as the user wrote them,
        within a quarter of the context; a quarter, 1,024 tokens at most, is kept for the
        reply, and the best sources have the rest.

        Raises:
            KnownError: a prompt is missing, or the model cannot be asked.
        """
        language = language_of(question.text)
        system = self._prompts.load(SYSTEM, language, ())
        prompt = self._prompts.load(template, language, PLACES)
        first = SystemMessage(system.template.render({}))
        reply = min(_MOST_REPLY, int(model.context_tokens * _REPLY_SHARE))
        history = _latest(
            model, question.context.history, int(model.context_tokens * _HISTORY_SHARE)
        )
        bare = prompt.template.render({CONTENTS: "", USER_MESSAGE: question.text})
        used = sum(_tokens(model, one.text) for one in (first, *history, UserMessage(bare)))
        room = model.context_tokens - reply - used
        kept = self._fitting(model, question, contents, room, passages or self._passages)
        said = _injected(prompt.template, kept, question.text)
        notes = tuple(note for note in (system.note, prompt.note) if note)
        return Asked((first, *history, said), kept, reply, notes)

    def _fitting(
        self,
        model: ChatModel,
        question: Query,
        contents: Sequence[Content],
        tokens: int,
        passages: int,
    ) -> tuple[Content, ...]:
        budget = BudgetPostProcessor(passages, max(tokens, 1), _Counter(model))
        return tuple(budget.process(question, list(contents)))


def _injected(template: PromptTemplate, contents: Sequence[Content], question: str) -> UserMessage:
    return StructuredContentInjector(template.text).inject(contents, UserMessage(question))


def _latest(
    model: ChatModel, history: Sequence[ChatMessage], tokens: int
) -> tuple[ChatMessage, ...]:
    """Return the latest messages within so many tokens, beginning with a question."""
    kept: list[ChatMessage] = []
    for message in reversed(history):
        tokens -= _tokens(model, message.text)
        if tokens < 0:
            break
        kept.insert(0, message)
    while kept and not isinstance(kept[0], UserMessage):
        kept.pop(0)
    return tuple(kept)


def _tokens(model: ChatModel, text: str) -> int:
    return model.count_tokens(text) + _A_MESSAGE
