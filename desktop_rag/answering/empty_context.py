"""What is said where no passage answers the question: one setting, three ways.

Spring AI's default asks the language model to refuse politely (langchain4j-facts 11).
Better on purpose: without passages no model is called at all, unless that is wanted.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop_rag.answering.general import NoLanguageModelError
from desktop_rag.answering.wording import general_note, no_model_note, not_found
from desktop_rag.domain.answer import AnswerKind
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import language_of

_log = logging.getLogger(__name__)


class EmptyContext(StrEnum):
    """What to say: that nothing was found, words of one's own, or what a model knows."""

    NOT_FOUND = "not_found"
    OWN_TEXT = "own_text"
    GENERAL = "general"


class GeneralKnowledge(Protocol):
    """A language model that is asked without any passages."""

    def answer(self, question: str, cancel: CancelToken | None = None) -> str:
        """Return what it knows.

        Raises:
            KnownError: it cannot be asked.
            Cancelled: ``cancel`` was set.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said, how it was made, and sentences about that."""

    text: str
    kind: AnswerKind = AnswerKind.EXTRACTIVE
    notes: tuple[str, ...] = ()


class EmptyContextReplies:
    """Replies to questions that no passage answers.

    Args:
        choice: what to say.
        text: the words of one's own; blank ones count as ``NOT_FOUND``.
        general: the model for ``GENERAL``; without one it is ``NOT_FOUND`` with a note.
    """

    def __init__(
        self,
        choice: EmptyContext = EmptyContext.NOT_FOUND,
        text: str = "",
        general: GeneralKnowledge | None = None,
    ) -> None:
        self._choice = choice
        self._text = text.strip()
        self._general = general

    def reply(self, question: str, cancel: CancelToken | None = None) -> Reply:
        """Return what is said.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        language = language_of(question)
        if self._choice is EmptyContext.OWN_TEXT and self._text:
            return Reply(self._text)
        if self._choice is not EmptyContext.GENERAL:
            return Reply(not_found(language))
        if self._general is None:
            return Reply(not_found(language), notes=(no_model_note(language),))
        try:
            text = self._general.answer(question, cancel).strip()
        except NoLanguageModelError:
            return Reply(not_found(language), notes=(no_model_note(language),))
        except KnownError as error:
            _log.warning("No answer from general knowledge: %s", error.title)
            return Reply(not_found(language), notes=(f"{error.title}: {error.message}",))
        if not text:
            return Reply(not_found(language))
        return Reply(text, AnswerKind.GENERAL, (general_note(language),))
