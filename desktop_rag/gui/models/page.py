"""Choosing a language model, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.chat_models.model_state import ModelPhase, ModelState
from desktop_rag.chat_models.server_search import FoundServer
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.labels import named
from desktop_rag.gui.models.options import ModelOptions
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.strings import language_changed, name_for_readers, say, tr
from desktop_rag.gui.words import translated_problem
from desktop_rag.services.language_models import ModelTest
from desktop_rag.services.services import Services

_PHASES = {
    ModelPhase.NOT_LOADED: "models.state_not_loaded",
    ModelPhase.LOADING: "models.state_loading",
    ModelPhase.READY: "models.state_ready",
    ModelPhase.FAILED: "models.state_failed",
}

_LOOK_MS = 500
_MEGABYTE = 1_000_000


class ModelsPage(QWidget):
    """What writes the answers: none, a file, or a server's model; can stand anywhere.

    ``chosen`` says that another model was chosen. Nothing waits in the window's thread.

    Args:
        services: with the models and the settings.
        operations: where the work is done.
        parent: the widget that it stands in.
    """

    chosen = Signal()

    def __init__(
        self, services: Services, operations: Operations, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._running: Operation | None = None
        self._build()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._show_state)
        language_changed.connect(self._show_state)
        self._show_state()

    def _build(self) -> None:
        self.state = named(QLabel(wordWrap=True), "strong")
        self.about = named(QLabel(wordWrap=True), "soft")
        say(self.about, "models.about")
        self.result = named(QLabel(wordWrap=True), "soft")
        self.file, self.look, self.none = QPushButton(), QPushButton(), QPushButton()
        self.use, self.try_, self.stop = QPushButton(), QPushButton(), QPushButton()
        for button, key, verb in (
            (self.file, "models.choose_file", self.choose_file),
            (self.look, "models.look", self.look_for_servers),
            (self.none, "models.none", self.choose_none),
            (self.use, "models.use", self.choose_found),
            (self.try_, "models.test", self.test),
            (self.stop, "models.stop", self.cancel),
        ):
            say(button, key)
            button.setAutoDefault(False)
            button.clicked.connect(verb)
        self.found = QComboBox()
        name_for_readers(self.found, "models.found_name")
        self.options = ModelOptions(self._services.settings)
        self._arrange()

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(10)
        layout.addWidget(self.state)
        layout.addWidget(self.about)
        layout.addLayout(_row(self.file, self.look, self.none))
        layout.addLayout(_row(self.found, self.use))
        layout.addLayout(_row(self.try_, self.stop))
        layout.addWidget(self.result)
        layout.addWidget(self.options)
        layout.addStretch()
        for hidden in (self.found, self.use, self.stop, self.result):
            hidden.hide()

    def showEvent(self, event: Any) -> None:  # noqa: ANN401  - Qt's own
        """Follow the model's state while the page is seen."""
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: Any) -> None:  # noqa: ANN401  - Qt's own
        """Follow it no more, and stop what runs."""
        self._timer.stop()
        self.cancel()
        super().hideEvent(event)

    def choose_file(self) -> None:
        """Let the user choose a model file."""
        kinds = tr("models.file_kind") + " (*.gguf)"
        path, _ = QFileDialog.getOpenFileName(self, tr("models.choose_file"), "", kinds)
        if path:
            models = self._services.models
            self._run(lambda _: models.choose_file(Path(path)), self._after_choice)

    def look_for_servers(self) -> None:
        """Ask the usual ports of this computer, now that the user wants it."""
        models = self._services.models
        self._say(tr("models.looking"))
        self._run(lambda one: models.look_for_servers(one.token), self._show_found)

    def choose_found(self) -> None:
        """Use the model that is chosen among those found."""
        address, model = self.found.currentData()
        models = self._services.models
        self._run(lambda _: models.choose_server(address, model), self._after_choice)

    def choose_none(self) -> None:
        """Answer with quotes alone."""
        self._run(lambda _: self._services.models.choose_none(), self._after_choice)

    def test(self) -> None:
        """Load the model, ask it something short and say what that took."""
        models = self._services.models
        self._say(tr("models.testing"))
        self._run(lambda one: models.test(cancel=one.token), self._show_test)

    def cancel(self) -> None:
        """Stop looking or testing."""
        if self._running is not None:
            self._running.cancel()
            self._ended("")

    def _run(self, work: Any, done: Any) -> None:  # noqa: ANN401  - see Operations
        self._running = self._operations.run(self, work, done, self._failed)
        for button in (self.file, self.look, self.none, self.use, self.try_):
            button.setEnabled(False)
        self.stop.show()

    def _ended(self, words: str) -> None:
        self._running = None
        for button in (self.file, self.look, self.none, self.use):
            button.setEnabled(True)
        self.stop.hide()
        self._say(words)
        self._show_state()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, KnownError):
            self._ended(problem_words(error.title, error.message, error.path or ""))
        else:
            self._ended("")
            self._operations.report(error)

    def _after_choice(self, _nothing: object) -> None:
        self._ended("")
        self.chosen.emit()

    def _show_found(self, servers: list[FoundServer]) -> None:
        self.found.clear()
        for server in servers:
            for model in server.models:
                self.found.addItem(f"{server.program} · {model}", (server.address, model))
        any_found = self.found.count() > 0
        self.found.setVisible(any_found)
        self.use.setVisible(any_found)
        self._ended("" if any_found else tr("models.nothing_found"))

    def _show_test(self, test: ModelTest) -> None:
        lines = [f"“{test.text}”"]
        if test.load_seconds is not None:
            lines.append(tr("models.loaded_in", seconds=f"{test.load_seconds:.1f}"))
        lines.append(tr("models.first_word", seconds=f"{test.first_seconds:.1f}"))
        if test.tokens_per_second is not None:
            lines.append(tr("models.speed", speed=f"{test.tokens_per_second:.0f}"))
        if test.memory_bytes is not None:
            lines.append(tr("models.memory", memory=f"{test.memory_bytes / _MEGABYTE:,.0f}"))
        self._ended("\n".join(lines))

    def _say(self, words: str) -> None:
        self.result.setText(words)
        self.result.setVisible(bool(words))

    def _show_state(self) -> None:
        state = self._services.models.state()
        self.state.setText(state_words(state))
        self.none.setEnabled(self._running is None and state.phase is not ModelPhase.NOT_CHOSEN)
        self.try_.setEnabled(self._running is None and state.phase is not ModelPhase.NOT_CHOSEN)


def state_words(state: ModelState) -> str:
    """Return what a model is doing, in the window's language."""
    if state.phase is ModelPhase.NOT_CHOSEN:
        return tr("models.state_none")
    words = [f"{state.name} · {tr(_PHASES[state.phase])}"]
    if state.phase is ModelPhase.LOADING and state.fraction is not None:
        words.append(f"{state.fraction:.0%}")
    if state.memory_bytes:
        words.append(tr("models.memory", memory=f"{state.memory_bytes / _MEGABYTE:,.0f}"))
    line = " · ".join(words)
    return line if not state.problem else f"{line}\n{problem_words(*_parted(state.problem))}"


def problem_words(title: str, message: str, path: str = "") -> str:
    """Return what went wrong, in the window's language where it is known there."""
    known = translated_problem(title, "message", path)
    return known or f"{title}. {message}"


def _parted(problem: str) -> tuple[str, str]:
    title, _, message = problem.partition(": ")
    return title, message


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch()
    return row


class ModelsDialog(QDialog):
    """The page by itself, with a way out."""

    def __init__(
        self, services: Services, operations: Operations, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        say(self, "models.title", "setWindowTitle")
        self.page = ModelsPage(services, operations, self)
        close = named(QPushButton(), "primary")
        say(close, "dialog.close")
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 16)
        layout.addWidget(self.page)
        layout.addLayout(foot)
        self.resize(620, layout.sizeHint().height())
