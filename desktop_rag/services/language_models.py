"""The language models that the settings name: for answers, and for the steps before them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.chat_models.gguf_file import read_header
from desktop_rag.chat_models.gguf_model import GgufModel, GgufOptions, llama_is_installed
from desktop_rag.chat_models.model_state import NOT_CHOSEN, ModelState
from desktop_rag.chat_models.protocols import ChatModel, ChatOptions, Piece
from desktop_rag.chat_models.server_model import ServerModel
from desktop_rag.chat_models.server_search import FoundServer, look_for_servers, models_of
from desktop_rag.domain.messages import UserMessage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.model_settings import (
    MODEL_CONTEXT,
    MODEL_FILE,
    MODEL_IDLE_MINUTES,
    MODEL_IN_FILE,
    MODEL_KIND,
    MODEL_NAME,
    MODEL_ON_SERVER,
    MODEL_SERVER,
    MODEL_SETTINGS,
    MODEL_THREADS,
    NO_MODEL,
    SAME_MODEL,
    STEPS_MODEL_FILE,
    STEPS_MODEL_KIND,
    STEPS_MODEL_NAME,
)
from desktop_rag.foundation.setting import Setting
from desktop_rag.foundation.settings import Settings

_TEST_QUESTION = "Say in one short sentence what a library is."
_TEST_TOKENS = 64

LocalModel = GgufModel | ServerModel


@dataclass(frozen=True, slots=True)
class _Choice:
    """What makes a model: another choice is another model."""

    kind: str
    place: str
    model: str
    context: int
    idle_seconds: float
    threads: int


@dataclass(frozen=True, slots=True)
class ModelTest:
    """What trying a model gave.

    ``load_seconds`` is None where nothing had to be loaded; ``first_seconds`` is until the
    first word, ``tokens_per_second`` after it; ``memory_bytes`` None for a server's.
    """

    name: str
    text: str
    load_seconds: float | None
    first_seconds: float
    tokens_per_second: float | None
    memory_bytes: int | None
    context_tokens: int


class LanguageModels:
    """Holds the models that are chosen, and follows the settings. Thread-safe.

    Args:
        settings: say which; a change counts from the next question on.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._models: dict[_Choice, LocalModel] = {}
        self._closed = False
        self._stop_listening = settings.listen(self._changed)

    def current(self) -> ChatModel | None:
        """Return the model that writes answers, None when there is none."""
        return self._model(self._answers_choice())

    def for_steps(self) -> ChatModel | None:
        """Return the model for the steps before an answer, None when there is none."""
        return self._model(self._steps_choice())

    def state(self) -> ModelState:
        """Return what the model for answers is doing."""
        model = self._model(self._answers_choice())
        return NOT_CHOSEN if model is None else model.state()

    def look_for_servers(self, cancel: CancelToken | None = None) -> list[FoundServer]:
        """Ask the usual ports of this computer for models; nothing is asked before.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        return look_for_servers(cancel)

    def choose_file(self, path: Path) -> None:
        """Have answers written by a model file.

        Raises:
            KnownError: it is missing, damaged, or no model that writes.
        """
        header = read_header(path)
        if not llama_is_installed():
            raise KnownError(
                "Part is missing",
                "Model files need the program's part “llm”. Install the program with it.",
                str(path),
            )
        self._settings.set(MODEL_FILE, str(header.path))
        self._settings.set(MODEL_KIND, MODEL_IN_FILE)

    def choose_server(self, address: str, model: str = "") -> None:
        """Have answers written by a model of a server on this computer.

        Raises:
            KnownError: it is elsewhere, does not answer, or does not have the model.
        """
        listed = models_of(address)
        chosen = model or (listed[0] if listed else "")
        if chosen not in listed:
            names = ", ".join(listed) or "none"
            message = f"The server at {address} has no model “{chosen}”. It has: {names}."
            raise KnownError("No such model", message)
        self._settings.set(MODEL_SERVER, address)
        self._settings.set(MODEL_NAME, chosen)
        self._settings.set(MODEL_KIND, MODEL_ON_SERVER)

    def choose_none(self) -> None:
        """Answer with quotes alone."""
        self._settings.set(MODEL_KIND, NO_MODEL)

    def test(
        self,
        on_text: Callable[[str], None] = lambda _text: None,
        cancel: CancelToken | None = None,
    ) -> ModelTest:
        """Load the chosen model, ask it something short, and tell what that took.

        Raises:
            KnownError: no model is chosen, or it cannot be used.
            Cancelled: ``cancel`` was set.
        """
        model = self._model(self._answers_choice())
        if model is None:
            raise KnownError("No language model", "Choose one first.")
        return _tried(model, on_text, cancel)

    def unload(self) -> None:
        """Give the memory of all models back; the next question loads them again."""
        with self._lock:
            models = tuple(self._models.values())
        for model in models:
            model.unload()

    def close(self) -> None:
        """End the models' processes."""
        self._stop_listening()
        with self._lock:
            self._closed = True
            models = tuple(self._models.values())
            self._models.clear()
        for model in models:
            model.close()

    def _answers_choice(self) -> _Choice | None:
        kind = self._settings.get(MODEL_KIND)
        return self._choice(kind, self._settings.get(MODEL_FILE), self._settings.get(MODEL_NAME))

    def _steps_choice(self) -> _Choice | None:
        answers = self._answers_choice()
        kind = self._settings.get(STEPS_MODEL_KIND)
        if answers is None or kind == SAME_MODEL:
            return answers
        get = self._settings.get
        return self._choice(kind, get(STEPS_MODEL_FILE), get(STEPS_MODEL_NAME))

    def _choice(self, kind: str, file: str, model: str) -> _Choice | None:
        get = self._settings.get
        if kind == NO_MODEL or (kind == MODEL_IN_FILE and not file):
            return None
        idle = get(MODEL_IDLE_MINUTES) * 60.0
        if kind == MODEL_ON_SERVER:
            return _Choice(kind, get(MODEL_SERVER), model, get(MODEL_CONTEXT), idle, 0)
        return _Choice(kind, file, "", get(MODEL_CONTEXT), idle, get(MODEL_THREADS))

    def _model(self, choice: _Choice | None) -> LocalModel | None:
        if choice is None:
            return None
        with self._lock:
            if self._closed:
                return None
            if choice not in self._models:
                self._models[choice] = _made(choice)
            return self._models[choice]

    def _changed(self, setting: Setting[Any]) -> None:
        """Let go of models that are not chosen any more."""
        if setting not in MODEL_SETTINGS:
            return
        chosen = {self._answers_choice(), self._steps_choice()}
        with self._lock:
            left = [choice for choice in self._models if choice not in chosen]
            models = [self._models.pop(choice) for choice in left]
        for model in models:
            model.close()


def _made(choice: _Choice) -> LocalModel:
    if choice.kind == MODEL_ON_SERVER:
        return ServerModel(choice.place, choice.model, choice.context)
    options = GgufOptions(choice.context, choice.threads, choice.idle_seconds)
    return GgufModel(Path(choice.place), options)


def _loaded(model: LocalModel, cancel: CancelToken | None) -> float | None:
    """Load a model file; returns how long that took."""
    if not isinstance(model, GgufModel):
        return None
    model.load(cancel)
    return model.state().seconds


def _tried(
    model: LocalModel, on_text: Callable[[str], None], cancel: CancelToken | None
) -> ModelTest:
    load_seconds = _loaded(model, cancel)
    came: list[float] = []

    def hear(piece: Piece) -> None:
        came.append(time.monotonic())
        on_text(piece.text)

    begun = time.monotonic()
    options = ChatOptions(max_tokens=_TEST_TOKENS)
    reply = model.chat([UserMessage(_TEST_QUESTION)], options, hear, cancel)
    if not came:
        raise KnownError("The language model is silent", f"“{model.name}” wrote nothing.")
    written, writing = reply.usage.written or 0, time.monotonic() - came[0]
    return ModelTest(
        model.name,
        reply.text or reply.reasoning,
        load_seconds,
        came[0] - begun,
        (written - 1) / writing if written > 1 and writing > 0 else None,
        model.state().memory_bytes,
        model.context_tokens,
    )
