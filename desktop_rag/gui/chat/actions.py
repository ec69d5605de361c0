"""The row under an answer: how it was made, and what one can do with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.conversation.export import with_sources
from desktop_rag.domain.answer import Answer, AnswerKind, Outcome
from desktop_rag.domain.chats import Feedback
from desktop_rag.gui import icons
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named, restyle
from desktop_rag.gui.strings import current_language, name_for_readers, say, tr
from desktop_rag.gui.words import confidence, how_made

_ICON = 15


class AnswerActions(QWidget):
    """``rated`` brings a ``Feedback``, or None when it is taken back."""

    again_wanted = Signal()
    edit_wanted = Signal()
    rated = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self.chips = [named(QLabel(), "chipLabel") for _ in range(2)]
        self.copy = self._button("chat.copy", self._copy_text)
        self.copy_sources = self._button("chat.copy_sources", self._copy_with_sources)
        self.again = self._button("chat.again", self.again_wanted.emit)
        self.edit = self._button("chat.edit", self.edit_wanted.emit)
        self.good = self._rating("good", "chat.good")
        self.bad = self._rating("bad", "chat.bad")
        self.why = QLineEdit()
        self.why.setObjectName("feedback")
        say(self.why, "chat.why", "setPlaceholderText")
        name_for_readers(self.why, "chat.why")
        self.why.setToolTip("")
        self.why.returnPressed.connect(self._explain)
        self.why.hide()
        row = QWidget()
        flow = FlowLayout(row)
        for widget in (*self.chips, *self.buttons):
            flow.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(row)
        layout.addWidget(self.why)
        self.edit.hide()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """All buttons in their order."""
        return (self.copy, self.copy_sources, self.again, self.edit, self.good, self.bad)

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """All that the Tab key reaches."""
        return (*self.buttons, self.why)

    def show_answer(self, answer: Answer) -> None:
        """Say how an answer was made, and offer what can be done with it."""
        self._answer = answer
        made, sure = self.chips
        made.setText(how_made(answer))
        general = answer.kind is AnswerKind.GENERAL
        if made.property("tone") != ("warn" if general else ""):
            made.setProperty("tone", "warn" if general else "")
            restyle(made)
        sure.setText(tr("chat.confidence", level=confidence(answer)))
        sure.setVisible(answer.outcome is not Outcome.NOT_FOUND and not general)
        self.copy_sources.setVisible(bool(answer.citations or answer.nearest))
        rated = answer.message_id is not None
        self.good.setVisible(rated)
        self.bad.setVisible(rated)

    def show_unanswered(self) -> None:
        """Offer what can be done with a question alone."""
        for widget in (*self.chips, self.copy, self.copy_sources, self.good, self.bad):
            widget.hide()

    def show_feedback(self, feedback: Feedback | None) -> None:
        """Show what the user thinks of the answer."""
        self.good.setChecked(feedback is not None and feedback.good)
        self.bad.setChecked(feedback is not None and not feedback.good)
        self.why.setText(feedback.words if feedback is not None else "")
        self.why.setVisible(feedback is not None and not feedback.good)

    def _button(self, key: str, press: object) -> QPushButton:
        button = named(QPushButton(), "quiet")
        say(button, key)
        button.clicked.connect(press)
        return button

    def _rating(self, icon: str, key: str) -> QPushButton:
        button = named(QPushButton(), "iconButton")
        button.setCheckable(True)
        icons.put(button, icon, "soft", _ICON)
        name_for_readers(button, key)
        button.clicked.connect(lambda: self._rate(button))
        return button

    def _rate(self, button: QPushButton) -> None:
        feedback = Feedback(button is self.good) if button.isChecked() else None
        self.show_feedback(feedback)
        self.rated.emit(feedback)
        if button is self.bad and feedback is not None:
            self.why.setFocus()

    def _explain(self) -> None:
        self.rated.emit(Feedback(False, self.why.text().strip()))
        say(self.why, "chat.thanks", "setPlaceholderText")
        self.bad.setFocus()

    def _copy_text(self) -> None:
        if self._answer is not None:
            QGuiApplication.clipboard().setText(self._answer.text)
            say(self.copy, "chat.copied")

    def _copy_with_sources(self) -> None:
        if self._answer is not None:
            QGuiApplication.clipboard().setText(with_sources(self._answer, current_language()))
            say(self.copy_sources, "chat.copied")
