"""The chat pane: title and chats, the conversation or the start page, the field."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answer import Answer
from desktop_rag.domain.events import StatusEvent
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui import icons
from desktop_rag.gui.chat.composer import Composer
from desktop_rag.gui.chat.controller import ChatController
from desktop_rag.gui.chat.opened import OpenedChat, Question
from desktop_rag.gui.chat.thread import Thread
from desktop_rag.gui.chat.turn import Turn
from desktop_rag.gui.chats.controller import ChatsFinder
from desktop_rag.gui.chats.page import ChatsPage
from desktop_rag.gui.chats.undo import UndoBar
from desktop_rag.gui.labels import named, unmarked
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.scope.offers import Offers
from desktop_rag.gui.start.page import StartPage
from desktop_rag.gui.strings import language_changed, name_for_readers, say, tr

_DRAFT_KEY = "chat/draft"


class ChatPane(QFrame):
    """``opened`` asks to show citations in the source pane."""

    opened = Signal(tuple, int)

    def __init__(
        self,
        controller: ChatController,
        finder: ChatsFinder,
        offers: Offers,
        memory: Memory,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.controller = controller
        self._memory = memory
        self._turn: Turn | None = None
        self._starting = False
        self._choosing = False
        self.thread_view = Thread()
        self.start = StartPage()
        self.composer = Composer(offers)
        self.chats = ChatsPage(finder)
        self.undo = UndoBar()
        self._lay_out()
        self._connect()
        self.composer.field.put(memory.text(_DRAFT_KEY))
        self._say()

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        for page in (self.thread_view, self.start, self.chats):
            self._pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self._head())
        layout.addWidget(self.undo)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self.composer)

    def _head(self) -> QWidget:
        head = named(QWidget(), "paneHead")
        self.title = named(QPushButton(), "titleButton")
        icons.put(self.title, "down", "soft", 12)
        self.title.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.title.clicked.connect(self.show_chats)
        self.new = named(QPushButton(), "quiet")
        self.export = named(QPushButton(), "quiet")
        say(self.new, "chat.new")
        say(self.export, "chat.export")
        self.new.clicked.connect(self.new_chat)
        self.export.clicked.connect(self._export)
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 10, 0)
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.new)
        row.addWidget(self.export)
        return head

    def _connect(self) -> None:
        chat = self.controller
        chat.ready.connect(self._refresh)
        chat.opened.connect(self._show_chat)
        chat.asked.connect(self._begin)
        chat.told.connect(self._tell)
        chat.answered.connect(self._finish)
        chat.failed.connect(self._fail)
        chat.stopped.connect(self._stop)
        chat.titled.connect(lambda _: self._say())
        chat.checked.connect(self.thread_view.show_states)
        chat.chats_changed.connect(lambda _: self._refresh_chats())
        self.composer.asked.connect(self._ask)
        self.composer.scope_changed.connect(chat.narrow)
        self.composer.stop_wanted.connect(chat.stop)
        self.composer.typed.connect(lambda text: self._memory.put(_DRAFT_KEY, text))
        self.composer.field.last_wanted.connect(self._edit_last)
        self.thread_view.opened.connect(self.opened)
        self.thread_view.asked_again.connect(self._ask)
        self.thread_view.edit_wanted.connect(self._edit_last)
        self.thread_view.rated.connect(chat.rate)
        self.chats.opened.connect(self._open_chat)
        self.chats.renamed.connect(chat.rename)
        self.chats.deleted.connect(self._delete)
        self.undo.undone.connect(chat.restore)
        self.undo.past.connect(chat.forget)
        language_changed.connect(self.retranslate)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the title to the room there is."""
        super().resizeEvent(event)
        self._say()

    def show_start(self, starting: bool) -> None:
        """Show the page of the first start while there is nothing to ask about."""
        self._starting = starting
        self._refresh()

    def new_chat(self) -> None:
        """Begin an empty chat and go to the field."""
        self.controller.new_chat()
        self.composer.field.setFocus()

    def retranslate(self) -> None:
        """Say everything again; also after a change of colours."""
        self.thread_view.retranslate()
        self._say()

    def _say(self) -> None:
        shown = self.controller.title or tr("chat.untitled")
        taken = self.new.sizeHint().width() + self.export.sizeHint().width() + 80
        room = max(80, self.width() - taken)
        metrics = self.title.fontMetrics()
        elided = metrics.elidedText(shown, Qt.TextElideMode.ElideRight, room)
        self.title.setText(unmarked(elided))
        name_for_readers(self.title, "chat.title_name", title=shown)
        self._refresh()

    def _refresh(self) -> None:
        controller = self.controller
        self.composer.set_state(controller.is_open, controller.busy)
        empty = self._starting and not self.thread_view.turns
        self._pages.setCurrentIndex(2 if self._choosing else 1 if empty else 0)
        self.export.setEnabled(controller.chat is not None)

    def _ask(self, text: str, replaces: bool = False) -> None:
        turns = self.thread_view.turns
        last = turns[-1].question if replaces and turns else None
        self.controller.ask(text, self.composer.chips, last)

    def _begin(self, question: Question) -> None:
        self._choosing = False
        if question.replaces is not None:
            self.thread_view.drop_last()
        self._turn = self.thread_view.add(question.text)
        self._refresh()
        self.composer.set_state(ready=True, busy=True)

    def _tell(self, event: StatusEvent) -> None:
        if self._turn is not None:
            self._turn.show_event(event)

    def _finish(self, answer: Answer) -> None:
        if self._turn is not None:
            self._turn.show_answer(answer)
        self._end()

    def _fail(self, error: KnownError) -> None:
        if self._turn is not None:
            self._turn.show_failure(error)
        self._end()

    def _stop(self) -> None:
        if self._turn is not None:
            self._turn.show_unanswered()
        self._end()

    def _end(self) -> None:
        self._turn = None
        self._refresh()

    def _show_chat(self, chat: OpenedChat | None) -> None:
        self._turn = None
        self._choosing = False
        self.composer.stop_editing()
        self.composer.show_scope(self.controller.chips)
        self.thread_view.show_chat(chat.turns if chat is not None else ())
        self._refresh()

    def _edit_last(self) -> None:
        if self.thread_view.turns and not self.controller.busy:
            self.composer.edit(self.thread_view.turns[-1].question)

    def show_chats(self) -> None:
        """Show all chats in place of the conversation, or the conversation again."""
        self._choosing = not self._choosing
        self._refresh()
        if self._choosing:
            self.chats.begin(self.controller.chat)
        else:
            self.composer.field.setFocus()

    def back_out(self) -> bool:
        """Leave the list of chats, or the editing of a question; return whether one did."""
        if self._choosing:
            self.show_chats()
        elif self.composer.editing:
            self.composer.stop_editing()
        else:
            return False
        return True

    def _open_chat(self, chat: int) -> None:
        self._choosing = False
        if chat != self.controller.chat:
            self.controller.switch(chat)
        self._refresh()
        self.composer.field.setFocus()

    def _delete(self, chat: int, title: str) -> None:
        self.undo.offer(chat, title)
        choosing = self._choosing
        self.controller.delete(chat)
        self._choosing = choosing
        self._refresh()

    def _refresh_chats(self) -> None:
        if self._choosing:
            self.chats.refresh()

    def _export(self) -> None:
        name = "".join(c if c.isalnum() or c in " -_" else " " for c in self.controller.title)
        path, _ = QFileDialog.getSaveFileName(
            self, tr("chat.export"), f"{name.strip() or 'chat'}.md", "Markdown (*.md)"
        )
        if path:
            self.controller.export(Path(path))
