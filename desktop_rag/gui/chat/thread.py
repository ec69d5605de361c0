"""The scrolling conversation. Old turns are built when one scrolls up to them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.chats import Feedback
from desktop_rag.gui import icons, theme
from desktop_rag.gui.chat.card import States
from desktop_rag.gui.chat.turn import Turn
from desktop_rag.gui.labels import chain_tabs, named
from desktop_rag.gui.strings import name_for_readers, say

_TURNS_AT_ONCE = 6
"""Built when a chat is opened and with each step back: more would delay the window."""

_FILL_MS = 60
"""After turns are built: by then they are laid out, and it shows whether they fill the view."""

_WIDEST = 780
"""Of a line, in pixels of the drawing: about a hundred letters."""

_NEAR_END = 24
"""Pixels from the end within which the view follows what is added."""

_NEAR_START = 200
"""Pixels from the beginning at which earlier turns are built."""

_MARGIN = 18

Said = tuple[str, Answer | None, Feedback | None]
"""A question, its answer, and what the user thinks of it."""


class _Past(QWidget):
    """The turns before the last one, never squeezed.

    While a text below grows, Qt lays the body out once before it is made higher, and takes
    the room from the highest widget; and it asks for heights at several widths each time. A
    hundred turns would be laid out again and again, for nothing. So the height is kept here
    as a fixed one, which is found anew when a turn or the width changes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.turns = QVBoxLayout(self)
        self.turns.setContentsMargins(0, 0, 0, 0)
        self.turns.setSpacing(28)

    def hasHeightForWidth(self) -> bool:
        """Return False: the height is what was found."""
        return False

    def sizeHint(self) -> QSize:
        """Return the height that was found."""
        return QSize(100, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """Return the same."""
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        """Keep the height that the turns need at this width."""
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            needed = max(0, self.turns.heightForWidth(self.width()))
            if needed != self.minimumHeight():
                self.setMinimumHeight(needed)
        return done


class Thread(QScrollArea):
    """Turns below each other; follows the newest until the user scrolls away.

    All turns but the last are in a widget of their own: Qt lays out anew what stands beside
    a text that grows, but not what is inside of it.
    """

    opened = Signal(tuple, int)
    asked_again = Signal(str)
    edit_wanted = Signal()
    rated = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("thread")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        name_for_readers(self, "chat.thread_name")
        self.setToolTip("")
        self.turns: list[Turn] = []
        self._older: list[Said] = []
        self._states: States = {}
        self._follows = True
        self._moving = False
        self._fill_timer = QTimer(self, singleShot=True, interval=_FILL_MS)
        self._fill_timer.timeout.connect(self._fill)
        self._build()
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda *_: self._keep_up())
        bar.valueChanged.connect(self._on_scroll)

    def _build(self) -> None:
        self.earlier = named(QPushButton(), "link")
        say(self.earlier, "chat.earlier")
        self.earlier.clicked.connect(self.show_earlier)
        self._body = named(QWidget(), "threadBody")
        self._layout = QVBoxLayout(self._body)
        self._layout.setContentsMargins(28, _MARGIN, 28, _MARGIN)
        self._layout.setSpacing(28)
        self._past = _Past()
        self._past_layout = self._past.turns
        self._layout.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.addWidget(self._past)
        self._layout.addStretch()
        self._past.hide()
        self.earlier.hide()
        self.setWidget(self._body)
        self.to_end = named(QPushButton(self), "floating")
        icons.put(self.to_end, "down", "text", 14)
        name_for_readers(self.to_end, "chat.to_end")
        self.to_end.clicked.connect(self.go_to_end)
        self.to_end.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines short enough to read in a wide window."""
        super().resizeEvent(event)
        side = max(28, (event.size().width() - theme.current.pixels(_WIDEST)) // 2)
        self._layout.setContentsMargins(side, _MARGIN, side, _MARGIN)
        self._place_button()

    def show_chat(self, turns: Sequence[Said]) -> None:
        """Replace the conversation; the last turns at once, the others on demand."""
        for turn in self.turns:
            turn.hide()
            turn.deleteLater()
        self.turns.clear()
        self._older = list(turns)
        self._states = {}
        self._follows = True
        self._build_older()
        self._fill_timer.start()

    def _fill(self) -> None:
        """Build more where the last turns are too short to fill the view."""
        if self._older and self.verticalScrollBar().maximum() == 0 and self.isVisible():
            self._build_older()
            self._fill_timer.start()

    def show_states(self, states: States) -> None:
        """Mark the sources that are gone or changed, also of turns that are built later."""
        self._states = states
        for turn in self.turns:
            turn.show_states(states)

    def add(self, question: str) -> Turn:
        """Append a question and scroll to it."""
        turn = self._made(question)
        last = self.turns[-1].tab_stops[-1] if self.turns else self.earlier
        if self.turns:
            self._past_layout.addWidget(self.turns[-1])
            self._past.show()
        self.turns.append(turn)
        self._layout.insertWidget(self._layout.count() - 1, turn)
        chain_tabs(last, *turn.tab_stops)
        self._mark_last()
        self._follows = True
        QTimer.singleShot(0, self, self._keep_up)
        return turn

    def drop_last(self) -> None:
        """Take the last turn away: its question is asked anew."""
        if self.turns:
            turn = self.turns.pop()
            turn.hide()
            turn.deleteLater()

    def show_earlier(self) -> None:
        """Build the turns before the first one, and keep the place that is looked at."""
        if not self._older:
            return
        bar = self.verticalScrollBar()
        from_end = bar.maximum() - bar.value()
        self._follows = False
        self._moving = True
        self._build_older()
        self._layout.activate()
        self._body.adjustSize()
        QTimer.singleShot(0, self, lambda: self._return(from_end))

    def go_to_end(self) -> None:
        """Show the end, and follow again what is added."""
        self._follows = True
        self._move(self.verticalScrollBar().maximum())
        self._show_button()

    def retranslate(self) -> None:
        """Say everything again."""
        for turn in self.turns:
            turn.retranslate()

    def _return(self, from_end: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum() - from_end)
        self._moving = False

    def _build_older(self) -> None:
        batch = self._older[-_TURNS_AT_ONCE:]
        del self._older[-_TURNS_AT_ONCE:]
        built: list[Turn] = []
        for question, answer, feedback in batch:
            turn = self._made(question)
            if answer is None:
                turn.show_unanswered()
            else:
                turn.show_answer(answer, feedback)
                turn.show_states(self._states)
            self._past_layout.insertWidget(len(built), turn)
            built.append(turn)
        if built and not self.turns:
            self._layout.insertWidget(self._layout.count() - 1, built[-1])
        chain_tabs(self.earlier, *(stop for turn in built for stop in turn.tab_stops))
        self.turns[:0] = built
        self._past.setVisible(len(self.turns) > 1)
        self._mark_last()
        self.earlier.setVisible(bool(self._older))

    def _made(self, question: str) -> Turn:
        turn = Turn(question)
        turn.opened.connect(self.opened)
        turn.asked_again.connect(self.asked_again)
        turn.edit_wanted.connect(self.edit_wanted)
        turn.rated.connect(self.rated)
        return turn

    def _mark_last(self) -> None:
        for turn in self.turns:
            turn.set_last(turn is self.turns[-1])

    def _keep_up(self) -> None:
        """Follow what is added: a text as it is written to its end, an answer to its top."""
        if self._follows and self.turns:
            turn, end = self.turns[-1], self.verticalScrollBar().maximum()
            if turn.streamed and turn.answer is None:
                self._move(end)
            elif not turn.streamed:
                self._move(min(end, max(0, turn.mapTo(self._body, QPoint()).y() - _MARGIN)))
        self._show_button()

    def _move(self, value: int) -> None:
        self._moving = True
        self.verticalScrollBar().setValue(value)
        self._moving = False

    def _on_scroll(self, value: int) -> None:
        if not self._moving:
            self._follows = value >= self.verticalScrollBar().maximum() - _NEAR_END
            if value < _NEAR_START and self._older:
                self._moving = True
                QTimer.singleShot(0, self, self.show_earlier)
        self._show_button()

    def _show_button(self) -> None:
        bar = self.verticalScrollBar()
        away = bar.maximum() - bar.value() > max(_NEAR_END, self.viewport().height() // 2)
        if away != self.to_end.isVisibleTo(self):
            self.to_end.setVisible(away)
            self._place_button()

    def _place_button(self) -> None:
        size = self.to_end.sizeHint()
        self.to_end.setGeometry(
            (self.width() - size.width()) // 2,
            self.height() - size.height() - 10,
            size.width(),
            size.height(),
        )
        self.to_end.raise_()
