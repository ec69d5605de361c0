"""One question with what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_rag.domain.answer import Answer, Citation
from desktop_rag.domain.chats import Feedback
from desktop_rag.domain.events import StatusEvent, Step
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.chat.actions import AnswerActions
from desktop_rag.gui.chat.answer_text import CITE, AnswerText, why
from desktop_rag.gui.chat.card import States
from desktop_rag.gui.chat.cards import SourceCards
from desktop_rag.gui.chat.folded import Folded
from desktop_rag.gui.chat.steps import answered_line, checks_line, step_line
from desktop_rag.gui.labels import chain_tabs, named, restyle
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import note

STREAM_MS = 50
"""Between two repaints of an answer that is being written: more often is not seen."""


class Turn(QWidget):
    """A question's bubble, the steps, the answer with its marks, and the source cards.

    ``opened`` brings the citations of the answer and the position of the wanted one,
    ``rated`` the answer's number and a ``Feedback`` or None.
    """

    opened = Signal(tuple, int)
    asked_again = Signal(str)
    edit_wanted = Signal()
    rated = Signal(int, object)
    grown = Signal()

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.answer: Answer | None = None
        self.streamed = False
        self._settled = False
        self._sources: tuple[Citation, ...] = ()
        self._pieces: list[str] = []
        self._active: int | None = None
        self._build(question)
        self._flush_timer = QTimer(self, singleShot=True, interval=STREAM_MS)
        self._flush_timer.timeout.connect(self._flush)
        say(self.steps, "step.waiting")

    def _build(self, question: str) -> None:
        self.bubble = named(QLabel(question, wordWrap=True), "question")
        self.bubble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        name_for_readers(self.bubble, "chat.question_name")
        self.bubble.setToolTip("")
        self.steps = named(QLabel(wordWrap=True), "soft")
        self.reasoning, self.checks = Folded(), Folded()
        self.text = AnswerText()
        name_for_readers(self.text, "chat.answer_name")
        self.text.setToolTip("")
        self.text.link_activated.connect(self._follow)
        self.text.link_hovered.connect(lambda link: self._stress(_number(link, CITE)))
        self.notes = named(QLabel(wordWrap=True), "note")
        self.foot = AnswerActions()
        self.foot.again_wanted.connect(lambda: self.asked_again.emit(self.question))
        self.foot.edit_wanted.connect(self.edit_wanted)
        self.foot.rated.connect(self._rate)
        self.sources = SourceCards()
        self.sources.pressed.connect(self._open)
        self.sources.hovered.connect(self._stress)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        late = (self.reasoning, self.text, self.checks, self.notes, self.foot, self.sources)
        for widget in (self.bubble, self.steps, *late):
            layout.addWidget(widget)
        for widget in late:
            widget.hide()

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """All that the Tab key reaches, in the order in which one reads it."""
        first = (self.reasoning.button, self.text, self.checks.button)
        return (*first, *self.foot.tab_stops, *self.sources.tab_stops)

    @property
    def _cited(self) -> tuple[Citation, ...]:
        """What the cards show."""
        if self.answer is None:
            return self._sources
        return self.answer.citations or self.answer.nearest

    def show_event(self, event: StatusEvent) -> None:
        """Show the step that has begun, or a piece of the answer; repaints are few."""
        if self.answer is not None or event.step is Step.DONE:
            return
        if event.step is Step.SOURCES and isinstance(event.detail, tuple):
            self._sources = event.detail
        if event.step is Step.TEXT and isinstance(event.detail, str):
            self._pieces.append(event.detail)
            if not self._flush_timer.isActive():
                self._flush_timer.start()
        else:
            self.steps.setText(step_line(event))

    def _flush(self) -> None:
        if self.answer is not None or not self._pieces:
            return
        piece, self._pieces = "".join(self._pieces), []
        if not self.streamed:
            self.streamed = True
            self.text.show()
        self.text.grow(piece, {one.number for one in self._sources})
        self.grown.emit()

    def show_answer(self, answer: Answer, feedback: Feedback | None = None) -> None:
        """Show the answer with its sources, or what is nearest to one."""
        self._flush_timer.stop()
        self._pieces.clear()
        self.answer = answer
        self.text.show()
        self.foot.show()
        self.foot.show_feedback(feedback)
        self.sources.show_citations(self._cited, bool(answer.citations))
        chain_tabs(*self.tab_stops)
        self.retranslate()

    def show_states(self, states: States) -> None:
        """Mark the sources that are gone or say something else by now."""
        self.sources.show_states(states)

    def show_failure(self, error: KnownError) -> None:
        """Show a failure that the user can do something about."""
        self._end_without_answer(f"{error.title}. {error.message}", "bad")

    def show_unanswered(self) -> None:
        """Show that the question was stopped before an answer came."""
        self._flush_timer.stop()
        self._flush()
        self._end_without_answer(tr("chat.unanswered"), "soft")

    def set_last(self, last: bool) -> None:
        """Offer to edit the question, as that of the last turn can be."""
        self.foot.edit.setVisible(last)

    def _end_without_answer(self, words: str, token: str) -> None:
        self._flush_timer.stop()
        self.steps.hide()
        self.notes.setProperty("tone", token)
        restyle(self.notes)
        self.notes.setText(words)
        self.notes.show()
        self.foot.show_unanswered()
        self.foot.show()

    def retranslate(self) -> None:
        """Say everything in the window's language and the theme's colours."""
        answer = self.answer
        if answer is None:
            return
        self.steps.setText(answered_line(answer))
        if self.streamed and not self._settled:
            self._settled = True
            QTimer.singleShot(0, self, self._render)
        else:
            self._render()
        self.reasoning.show_words(tr("chat.reasoning"), answer.reasoning)
        self._show_checks(answer)
        self.foot.show_answer(answer)
        self.notes.setText("\n".join(map(note, answer.notes)))
        self.notes.setVisible(bool(answer.notes))
        self.sources.retranslate()

    def _render(self) -> None:
        """Set the whole text; after streaming in a turn of its own, since it may be long."""
        if self.answer is not None:
            numbers = {citation.number for citation in self.answer.citations}
            self.text.show_text(self.answer.text, numbers, self.answer.sentences)

    def _show_checks(self, answer: Answer) -> None:
        doubtful = [one for one in answer.sentences if one.reason or one.support != "supported"]
        parts = [
            f"“{' '.join(answer.text[one.start : one.end].split())}”\n{why(one)}"
            for one in doubtful
        ]
        line = checks_line(answer.sentences)
        self.checks.show_words(line, "\n\n".join(parts))
        self.text.setAccessibleDescription(f"{line}. {' '.join(parts)}" if parts else "")

    def _rate(self, feedback: Feedback | None) -> None:
        if self.answer is not None and self.answer.message_id is not None:
            self.rated.emit(self.answer.message_id, feedback)

    def _stress(self, number: int | None) -> None:
        if number != self._active:
            self._active = number
            self.sources.set_active(number)
            self.text.set_active(number)

    def _follow(self, link: str) -> None:
        number = _number(link, CITE)
        if number is None:
            self.checks.button.setChecked(True)
            return
        for position, citation in enumerate(self._cited):
            if citation.number == number:
                self._open(position)

    def _open(self, position: int) -> None:
        self._stress(self._cited[position].number)
        self.opened.emit(self._cited, position)


def _number(link: str, kind: str) -> int | None:
    prefix, _, number = link.partition(":")
    return int(number) if prefix == kind and number.isdigit() else None


def citations_of(answers: Sequence[Answer]) -> list[Citation]:
    """Return all that the cards of these answers show."""
    return [one for answer in answers for one in (*answer.citations, *answer.nearest)]
