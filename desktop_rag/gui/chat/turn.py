"""One question with what came of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.conversation.export import with_sources
from desktop_rag.domain.answer import Answer, Citation, Outcome
from desktop_rag.domain.events import StatusEvent, Step
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui import theme
from desktop_rag.gui.chat.card import SourceCard
from desktop_rag.gui.chat.markup import answer_html
from desktop_rag.gui.chat.steps import answered_line, step_line
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import chain_tabs, named
from desktop_rag.gui.strings import current_language, name_for_readers, say, tr
from desktop_rag.gui.words import confidence, how_made

_CARDS_AT_ONCE = 30
"""Sources built at once; a question about the library may have thousands."""


class Turn(QWidget):
    """A question's bubble, the steps, the answer with its marks, and the source cards.

    ``opened`` brings the citations of the answer and the position of the wanted one.
    """

    opened = Signal(tuple, int)
    asked_again = Signal(str)

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.answer: Answer | None = None
        self.cards: list[SourceCard] = []
        self._active: int | None = None
        self.bubble = named(QLabel(question, wordWrap=True), "question")
        self.bubble.setTextFormat(Qt.TextFormat.PlainText)
        self.bubble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        name_for_readers(self.bubble, "chat.question_name")
        self.bubble.setToolTip("")
        self.steps = named(QLabel(wordWrap=True), "soft")
        self.text = self._text_label()
        self.notes = named(QLabel(wordWrap=True), "note")
        self._actions = self._action_row()
        self._heading = named(QLabel(), "soft")
        self.more = named(QPushButton(), "link")
        self.more.clicked.connect(self._add_cards)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        for widget in (
            self.bubble, self.steps, self.text, self.notes, self._actions, self._heading, self.more,
        ):  # fmt: skip
            self._layout.addWidget(widget)
        for widget in (self.text, self.notes, self._actions, self._heading, self.more):
            widget.hide()
        say(self.steps, "step.waiting")

    def _text_label(self) -> QLabel:
        label = named(QLabel(wordWrap=True), "answer")
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        label.linkActivated.connect(self._follow)
        label.linkHovered.connect(lambda link: self._stress(_number(link)))
        name_for_readers(label, "chat.answer_name")
        label.setToolTip("")
        return label

    def _action_row(self) -> QWidget:
        self._chips = [named(QLabel(), "chipLabel") for _ in range(2)]
        self.copy = named(QPushButton(), "quiet")
        self.again = named(QPushButton(), "quiet")
        say(self.copy, "chat.copy")
        say(self.again, "chat.again")
        self.copy.clicked.connect(self._copy)
        self.again.clicked.connect(lambda: self.asked_again.emit(self.question))
        row = QWidget()
        flow = FlowLayout(row)
        for widget in (*self._chips, self.copy, self.again):
            flow.addWidget(widget)
        return row

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """All that the Tab key reaches, in the order in which one reads it."""
        cards = [stop for card in self.cards for stop in (card, card.open_button)]
        return (self.text, self.copy, self.again, *cards, self.more)

    @property
    def _cited(self) -> tuple[Citation, ...]:
        """What the cards show."""
        if self.answer is None:
            return ()
        return self.answer.citations or self.answer.nearest

    def show_event(self, event: StatusEvent) -> None:
        """Show the step that has begun."""
        if event.step is not Step.DONE and self.answer is None:
            self.steps.setText(step_line(event))

    def show_answer(self, answer: Answer) -> None:
        """Show the answer with its sources, or what is nearest to one."""
        self.answer = answer
        self.text.show()
        self._actions.show()
        self._heading.setVisible(bool(self._cited))
        self._add_cards()
        self.retranslate()

    def _add_cards(self) -> None:
        """Build the next of the cards."""
        built = len(self.cards)
        for position, citation in enumerate(self._cited[built : built + _CARDS_AT_ONCE], built):
            card = self._card(citation, position)
            self._layout.insertWidget(self._layout.indexOf(self.more), card)
        chain_tabs(*self.tab_stops)
        self._count_others()

    def _count_others(self) -> None:
        others = len(self._cited) - len(self.cards)
        self.more.setVisible(others > 0)
        self.more.setText(tr("chat.more", n=min(others, _CARDS_AT_ONCE)) if others > 0 else "")

    def show_failure(self, error: KnownError) -> None:
        """Show a failure that the user can do something about."""
        self._end_without_answer(f"{error.title}. {error.message}", "bad")

    def show_unanswered(self) -> None:
        """Show that the question was stopped before an answer came."""
        self._end_without_answer(tr("chat.unanswered"), "soft")

    def _end_without_answer(self, words: str, token: str) -> None:
        self.steps.hide()
        self.notes.setProperty("tone", token)
        self.notes.setText(words)
        self.notes.show()
        for chip in self._chips:
            chip.hide()
        self.copy.hide()
        self._actions.show()

    def retranslate(self) -> None:
        """Say everything in the window's language and the theme's colours."""
        answer = self.answer
        if answer is None:
            return
        self.steps.setText(answered_line(answer))
        self._render()
        self._chips[0].setText(how_made(answer))
        self._chips[1].setText(tr("chat.confidence", level=confidence(answer)))
        self._chips[1].setVisible(answer.outcome is not Outcome.NOT_FOUND)
        say(self._heading, "chat.sources" if answer.citations else "chat.may_help")
        self.notes.setText("\n".join(answer.notes))
        self.notes.setVisible(bool(answer.notes))
        self._count_others()
        for card in self.cards:
            card.retranslate()

    def _card(self, citation: Citation, position: int) -> SourceCard:
        card = SourceCard(citation)
        card.pressed.connect(lambda: self._open(position))
        card.hovered.connect(lambda over: self._stress(citation.number if over else None))
        self.cards.append(card)
        return card

    def _render(self) -> None:
        if self.answer is not None:
            numbers = {citation.number for citation in self.answer.citations}
            tokens = theme.current.tokens
            self.text.setText(answer_html(self.answer.text, numbers, self._active, tokens))

    def _stress(self, number: int | None) -> None:
        if number == self._active:
            return
        self._active = number
        for card in self.cards:
            card.set_active(card.citation.number == number)
        if self.answer is not None and self.answer.citations:
            self._render()

    def _follow(self, link: str) -> None:
        number = _number(link)
        for position, citation in enumerate(self._cited):
            if citation.number == number:
                self._open(position)

    def _open(self, position: int) -> None:
        self._stress(self._cited[position].number)
        self.opened.emit(self._cited, position)

    def _copy(self) -> None:
        if self.answer is not None:
            QGuiApplication.clipboard().setText(with_sources(self.answer, current_language()))
            say(self.copy, "chat.copied")


def _number(link: str) -> int | None:
    prefix, _, number = link.partition(":")
    return int(number) if prefix == "cite" and number.isdigit() else None
