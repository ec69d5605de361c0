"""The scrolling conversation. Old turns are built when one scrolls up to them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.domain.answer import Answer
from desktop_rag.gui import theme
from desktop_rag.gui.chat.turn import Turn
from desktop_rag.gui.labels import chain_tabs, named
from desktop_rag.gui.strings import name_for_readers, say

_TURNS_AT_ONCE = 12
"""Built when a chat is opened and with each step back: more would delay the window."""

_WIDEST = 780
"""Of a line, in pixels of the drawing: about a hundred letters."""

_NEAR_END = 24
"""Pixels from the end within which the view follows what is added."""


class Thread(QScrollArea):
    """Turns below each other; follows the newest until the user scrolls away."""

    opened = Signal(tuple, int)
    asked_again = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("thread")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        name_for_readers(self, "chat.thread_name")
        self.setToolTip("")
        self.turns: list[Turn] = []
        self._older: list[tuple[str, Answer | None]] = []
        self._follows = True
        self._moving = False
        self.earlier = named(QPushButton(), "link")
        say(self.earlier, "chat.earlier")
        self.earlier.clicked.connect(self.show_earlier)
        self._body = named(QWidget(), "threadBody")
        self._layout = QVBoxLayout(self._body)
        self._layout.setContentsMargins(28, 18, 28, 18)
        self._layout.setSpacing(28)
        self._layout.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.addStretch()
        self.earlier.hide()
        self.setWidget(self._body)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda *_: self._keep_up())
        bar.valueChanged.connect(self._on_scroll)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines short enough to read in a wide window."""
        super().resizeEvent(event)
        side = max(28, (event.size().width() - theme.current.pixels(_WIDEST)) // 2)
        self._layout.setContentsMargins(side, 18, side, 18)

    def show_chat(self, turns: Sequence[tuple[str, Answer | None]]) -> None:
        """Replace the conversation; the last turns at once, the others on demand."""
        for turn in self.turns:
            turn.hide()
            turn.deleteLater()
        self.turns.clear()
        self._older = list(turns)
        self._follows = True
        self._build_older()

    def add(self, question: str) -> Turn:
        """Append a question and scroll to it."""
        turn = self._made(question)
        last = self.turns[-1].tab_stops[-1] if self.turns else self.earlier
        self.turns.append(turn)
        self._layout.insertWidget(self._layout.count() - 1, turn)
        chain_tabs(last, *turn.tab_stops)
        self._follows = True
        QTimer.singleShot(0, self, self._keep_up)
        return turn

    def show_earlier(self) -> None:
        """Build the turns before the first one, and keep the place that is looked at."""
        bar = self.verticalScrollBar()
        from_end = bar.maximum() - bar.value()
        self._follows = False
        self._build_older()
        self._layout.activate()
        self._body.adjustSize()
        QTimer.singleShot(0, self, lambda: bar.setValue(bar.maximum() - from_end))

    def retranslate(self) -> None:
        """Say everything again."""
        for turn in self.turns:
            turn.retranslate()

    def _build_older(self) -> None:
        batch = self._older[-_TURNS_AT_ONCE:]
        del self._older[-_TURNS_AT_ONCE:]
        built: list[Turn] = []
        for question, answer in batch:
            turn = self._made(question)
            if answer is None:
                turn.show_unanswered()
            else:
                turn.show_answer(answer)
            self._layout.insertWidget(1 + len(built), turn)
            built.append(turn)
        chain_tabs(self.earlier, *(stop for turn in built for stop in turn.tab_stops))
        self.turns[:0] = built
        self.earlier.setVisible(bool(self._older))

    def _made(self, question: str) -> Turn:
        turn = Turn(question)
        turn.opened.connect(self.opened)
        turn.asked_again.connect(self.asked_again)
        return turn

    def _keep_up(self) -> None:
        if not self._follows or not self.turns:
            return
        bar = self.verticalScrollBar()
        self._moving = True
        bar.setValue(min(bar.maximum(), max(0, self.turns[-1].y() - 18)))
        self._moving = False

    def _on_scroll(self, value: int) -> None:
        bar = self.verticalScrollBar()
        if not self._moving:
            self._follows = value >= bar.maximum() - _NEAR_END
