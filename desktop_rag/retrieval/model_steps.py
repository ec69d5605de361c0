"""A question's own way to ask a language model for steps, and what it tells of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TypeVar

from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.chat_models.step_figures import StepProblem
from desktop_rag.chat_models.step_runner import StepRunner
from desktop_rag.domain.messages import UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import CHINESE, language_of
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.wording import step_note

T = TypeVar("T")

FOLDER = "steps"
"""Of their prompts, inside that of all prompts."""


class ModelSteps:
    """Asks the model for the steps of one question. Thread-safe.

    A step that brings nothing gives None and a note; after one that took too long the model
    is not asked again for this question, so that a slow one costs one deadline, not many.

    Args:
        runner: guards the calls; shared by all questions.
        model: is asked.
        prompts: the templates.
        cancel: stops the question.
    """

    def __init__(
        self,
        runner: StepRunner,
        model: ChatModel,
        prompts: Prompts,
        cancel: CancelToken | None = None,
    ) -> None:
        self._runner = runner
        self._model = model
        self._prompts = prompts
        self._cancel = cancel
        self._lock = threading.Lock()
        self._notes: list[str] = []
        self._slow = False

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user, each once, in the order in which they came."""
        with self._lock:
            return tuple(dict.fromkeys(self._notes))

    def tell(self, note: str) -> None:
        """Add a sentence for the user."""
        with self._lock:
            self._notes.append(note)

    def ask(
        self,
        step: str,
        question: str,
        values: Mapping[str, str],
        read: Callable[[str], T | None],
    ) -> T | None:
        """Return what ``read`` makes of the reply; None, with a note, where it is no help.

        Args:
            step: the prompt's name.
            question: the question itself, in whose language the model is asked.
            values: for the prompt's other places.
            read: makes something of the reply, None where it is of no use.

        Raises:
            Cancelled: the question was cancelled.
        """
        if self._slow:
            return None
        language = "zh" if language_of(question) == CHINESE else "en"
        filled = {"question": question, **values}
        try:
            prompt = self._prompts.load(f"{FOLDER}/{step}", language, filled.keys())
        except KnownError as error:
            self.tell(str(error))
            return None
        if prompt.note:
            self.tell(prompt.note)
        message = UserMessage(prompt.template.render(filled))
        result = self._runner.run(step, self._model, [message], read, self._cancel)
        if result.problem is not None:
            self._slow = result.problem is StepProblem.TOO_SLOW
            self.tell(step_note(question, step, result.problem))
        return result.value
