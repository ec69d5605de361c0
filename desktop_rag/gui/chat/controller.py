"""The open chat: asks in the pool, tells the pane, and remembers which chat it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.conversation.export import chat_markdown, turns_of, write_chat
from desktop_rag.conversation.titles import title_of
from desktop_rag.domain.answer import Answer
from desktop_rag.domain.events import StatusEvent
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.strings import current_language

if TYPE_CHECKING:
    from desktop_rag.services.assistant import Assistant
    from desktop_rag.store.records import ChatInfo

_CHAT_KEY = "chat/open"


@dataclass(frozen=True, slots=True)
class OpenedChat:
    """A stored chat: its questions, each with its answer or None."""

    id: int
    title: str
    turns: tuple[tuple[str, Answer | None], ...]


class ChatController(QObject):
    """One question at a time.

    ``opened`` brings an ``OpenedChat`` or None for a new one; ``chats_changed`` the list
    of all chats.
    """

    ready = Signal()
    opened = Signal(object)
    asked = Signal(str)
    told = Signal(object)
    answered = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    titled = Signal(str)
    chats_changed = Signal(list)

    def __init__(
        self, operations: Operations, memory: Memory, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._operations = operations
        self._memory = memory
        self._assistant: Assistant | None = None
        self._asking: Operation | None = None
        self.chat: int | None = None
        self.title = ""
        self.chats: list[ChatInfo] = []

    @property
    def busy(self) -> bool:
        """Whether a question is being answered."""
        return self._asking is not None

    @property
    def is_open(self) -> bool:
        """Whether questions can be asked."""
        return self._assistant is not None

    def open(self, assistant: Assistant) -> None:
        """Begin, with the chat that was open last."""
        self._assistant = assistant
        last = self._memory.number(_CHAT_KEY, 0)
        self.ready.emit()
        self._list_chats(lambda: self._reopen(last))

    def close(self) -> None:
        """Ask nothing more."""
        self.stop()
        self._assistant = None

    def ask(self, question: str, filter_text: str = "") -> None:
        """Ask in the open chat; a new one is made for a first question."""
        assistant = self._assistant
        if assistant is None or self.busy or not question.strip():
            return
        chat, title = self.chat, title_of(question)

        def work(operation: Operation) -> Answer:
            number = chat
            if number is None:
                number = assistant.create_chat(title)
                operation.tell(number)
            return assistant.ask(
                question,
                chat=number,
                filter_text=filter_text,
                on_event=operation.tell,
                cancel=operation.token,
            )

        if chat is None:
            self._set_chat(None, title)
        self.asked.emit(question)
        self._asking = self._operations.run(self, work, self._done, self._fail, self._tell)

    def stop(self) -> None:
        """Stop the question that is being answered."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
            self.stopped.emit()
            self._list_chats()

    def new_chat(self) -> None:
        """Leave the open chat for an empty one, which is stored with its first question."""
        self.stop()
        self._set_chat(None, "")
        self.opened.emit(None)

    def switch(self, chat: int) -> None:
        """Open a stored chat."""
        assistant = self._assistant
        if assistant is None:
            return
        self.stop()
        title = next((info.title for info in self.chats if info.id == chat), "")

        def work(_operation: Operation) -> OpenedChat:
            return OpenedChat(chat, title, turns_of(assistant.messages(chat)))

        def show(opened: OpenedChat) -> None:
            self._set_chat(opened.id, opened.title)
            self.opened.emit(opened)

        self._operations.run(self, work, show)

    def rename(self, title: str) -> None:
        """Give the open chat another title."""
        assistant, chat = self._assistant, self.chat
        if assistant is not None and chat is not None and title.strip():
            self._set_chat(chat, title.strip())
            self._operations.run(
                self,
                lambda _: assistant.rename_chat(chat, title.strip()),
                lambda _: self._list_chats(),
            )

    def delete(self) -> None:
        """Delete the open chat."""
        assistant, chat = self._assistant, self.chat
        if assistant is not None and chat is not None:
            self.new_chat()
            self._operations.run(
                self, lambda _: assistant.delete_chat(chat), lambda _: self._list_chats()
            )

    def export(self, path: Path) -> None:
        """Write the open chat as Markdown."""
        assistant, chat, title = self._assistant, self.chat, self.title
        if assistant is None or chat is None:
            return
        language = current_language()

        def work(_operation: Operation) -> None:
            text = chat_markdown(title, turns_of(assistant.messages(chat)), language)
            write_chat(path, text)

        self._operations.run(self, work, lambda _: None)

    def _reopen(self, chat: int) -> None:
        if not self.busy and any(info.id == chat for info in self.chats):
            self.switch(chat)

    def _set_chat(self, chat: int | None, title: str) -> None:
        self.chat, self.title = chat, title
        self._memory.put(_CHAT_KEY, chat or 0)
        self.titled.emit(title)

    def _tell(self, news: StatusEvent | int) -> None:
        if isinstance(news, int):
            self._set_chat(news, self.title)
            self._list_chats()
        else:
            self.told.emit(news)

    def _done(self, answer: Answer) -> None:
        self._asking = None
        self.answered.emit(answer)
        self._list_chats()

    def _fail(self, error: Exception) -> None:
        self._asking = None
        if isinstance(error, KnownError):
            self.failed.emit(error)
        else:
            self.stopped.emit()
            self._operations.report(error)

    def _list_chats(self, then: Callable[[], None] = lambda: None) -> None:
        assistant = self._assistant
        if assistant is None:
            return

        def show(chats: list[ChatInfo]) -> None:
            self.chats = chats
            title = next((info.title for info in chats if info.id == self.chat), None)
            if title is not None and title != self.title:
                self._set_chat(self.chat, title)
            self.chats_changed.emit(chats)
            then()

        self._operations.run(self, lambda _: assistant.chats(), show)
