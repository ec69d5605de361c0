"""What a language model knows by itself, asked without any passages."""

from __future__ import annotations

from collections.abc import Callable

from desktop_rag.answering.streaming import Patience, stream
from desktop_rag.chat_models.protocols import ChatModel, ChatOptions
from desktop_rag.domain.messages import UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.injectors.default import USER_MESSAGE
from desktop_rag.retrieval.injectors.prompts import Prompts

GENERAL = "general"
_MOST_TOKENS = 512

CurrentModel = Callable[[], ChatModel | None]
"""Gives the model that writes answers now, None where there is none."""


def no_model() -> ChatModel | None:
    """There is no model."""
    return None


class NoLanguageModelError(KnownError):
    """There is no language model to ask."""

    def __init__(self) -> None:
        super().__init__("No language model", "Choose a language model in the settings.")


class ModelKnowledge:
    """Asks the model of the moment.

    Args:
        current: gives it.
        prompts: the templates.
        patience: how long the model may be silent.
    """

    def __init__(
        self, current: CurrentModel, prompts: Prompts, patience: Patience | None = None
    ) -> None:
        self._current = current
        self._prompts = prompts
        self._patience = patience

    def answer(self, question: str, cancel: CancelToken | None = None) -> str:
        """Return what the model knows.

        Raises:
            KnownError: there is no model (``NoLanguageModelError``), or it failed.
            Cancelled: ``cancel`` was set.
        """
        model = self._current()
        if model is None:
            raise NoLanguageModelError
        prompt = self._prompts.load(GENERAL, language_of(question), (USER_MESSAGE,))
        message = UserMessage(prompt.template.render({USER_MESSAGE: question}))
        options = ChatOptions(max_tokens=min(_MOST_TOKENS, model.context_tokens // 2))
        came = stream(model, [message], options, lambda _text: None, cancel, self._patience)
        if came.broken is not None:
            raise came.broken
        return came.text
