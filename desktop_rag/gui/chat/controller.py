"""The open chat: asks in the pool, tells the pane, and remembers which chat it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.conversation.export import chat_markdown, turns_of, write_chat
from desktop_rag.conversation.titles import title_of
from desktop_rag.domain.answer import Answer, Citation
from desktop_rag.domain.chats import Feedback
from desktop_rag.domain.events import StatusEvent
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.chat.card import States, quote_key
from desktop_rag.gui.chat.changes import Changes
from desktop_rag.gui.chat.opened import OpenedChat, Question, citations_of, said
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.scope.chips import Chip, chips_of, filter_of, scope_of, stored
from desktop_rag.gui.strings import current_language

if TYPE_CHECKING:
    from desktop_rag.services.assistant import Assistant
    from desktop_rag.store.records import ChatInfo

_CHAT_KEY = "chat/open"

_CHECK_MS = 1_500
"""Between a change of the library and a look at the sources of the open chat."""


class ChatController(QObject):
    """One question at a time.

    ``opened`` brings an ``OpenedChat`` or None for a new one, ``asked`` a ``Question``,
    ``checked`` the ``States`` of its sources, ``chats_changed`` the list of all chats.
    """

    ready = Signal()
    opened = Signal(object)
    asked = Signal(object)
    told = Signal(object)
    answered = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    titled = Signal(str)
    checked = Signal(object)
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
        self.chips: tuple[Chip, ...] = ()
        self.chats: list[ChatInfo] = []
        self._cited: list[Citation] = []
        self._changes = Changes(operations, self)
        self._check_timer = QTimer(self, singleShot=True, interval=_CHECK_MS)
        self._check_timer.timeout.connect(self._check)

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
        self.list_chats(lambda: self._reopen(last))

    def close(self) -> None:
        """Ask nothing more."""
        self.stop()
        self._check_timer.stop()
        self._changes.clear()
        self._assistant = None

    def ask(self, text: str, chips: Sequence[Chip] = (), replaces: str | None = None) -> None:
        """Ask in the open chat; a new one is made for a first question.

        ``chips`` is where to look; ``replaces`` the last question, whose place this one takes.
        """
        assistant, question = self._assistant, Question(text, tuple(chips), replaces)
        if assistant is None or self.busy or not text.strip():
            return
        title = self._title_for(question)
        number_of = self._numbering(title)
        if title != self.title:
            self._set_chat(self.chat, title)

        def work(operation: Operation) -> Answer:
            return assistant.ask(
                text,
                chat=number_of(assistant, operation),
                filter_text=filter_of(chips),
                on_event=operation.tell,
                cancel=operation.token,
                scope=scope_of(chips),
                replace_last=replaces is not None,
            )

        self.asked.emit(question)
        self._asking = self._operations.run(self, work, self._done, self._fail, self._tell)

    def _numbering(self, title: str) -> Callable[[Assistant, Operation], int]:
        """Return what gives the open chat's number in the pool; a new one is made there."""
        chat, before, scope = self.chat, self.title, stored(self.chips)

        def number_of(assistant: Assistant, operation: Operation) -> int:
            if chat is None:
                made = assistant.create_chat(title, scope)
                operation.tell(made)
                return made
            if title != before:
                assistant.rename_chat(chat, title)
            return chat

        return number_of

    def _title_for(self, question: Question) -> str:
        """Return the chat's title after this question; a chat's own is kept."""
        messages = next((info.messages for info in self.chats if info.id == self.chat), 0)
        first = messages <= 2 and question.replaces is not None
        own = self.chat is None or (first and self.title == title_of(question.replaces or ""))
        return title_of(question.text) if own else self.title

    def stop(self) -> None:
        """Stop the question that is being answered."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
            self.stopped.emit()
            self.list_chats()

    def new_chat(self) -> None:
        """Leave the open chat for an empty one, which is stored with its first question."""
        self.stop()
        self._cited, self.chips = [], ()
        self._set_chat(None, "")
        self.opened.emit(None)

    def switch(self, chat: int) -> None:
        """Open a stored chat."""
        assistant = self._assistant
        if assistant is None:
            return
        self.stop()
        info = next((info for info in self.chats if info.id == chat), None)
        title, scope = (info.title, info.scope) if info is not None else ("", ())

        def work(_operation: Operation) -> OpenedChat:
            return OpenedChat(chat, title, said(assistant.messages(chat)), scope)

        self._operations.run(self, work, self._show)

    def _show(self, opened: OpenedChat) -> None:
        self.chips = tuple(chips_of(opened.scope))
        self._cited = citations_of(answer for _, answer, _ in opened.turns)
        self._set_chat(opened.id, opened.title)
        self.opened.emit(opened)
        self._check()

    def narrow(self, chips: Sequence[Chip]) -> None:
        """Set where the open chat looks, and keep it with the chat."""
        self.chips = tuple(chips)
        chat, scope = self.chat, stored(chips)
        if chat is not None:
            self._change(lambda assistant: assistant.set_chat_scope(chat, scope))

    def rename(self, title: str, chat: int | None = None) -> None:
        """Give a chat another title, the open one if none is named."""
        wanted = self.chat if chat is None else chat
        if wanted is not None and title.strip():
            if wanted == self.chat:
                self._set_chat(wanted, title.strip())
            self._change(lambda assistant: assistant.rename_chat(wanted, title.strip()))

    def delete(self, chat: int | None = None) -> None:
        """Delete a chat, the open one if none is named; ``restore`` brings it back."""
        wanted = self.chat if chat is None else chat
        if wanted is not None and self._assistant is not None:
            if wanted == self.chat:
                self.new_chat()
            self._change(lambda assistant: assistant.delete_chat(wanted))

    def restore(self, chat: int) -> None:
        """Bring a deleted chat back and open it."""
        self._change(lambda assistant: assistant.restore_chat(chat), lambda: self.switch(chat))

    def forget(self, chat: int) -> None:
        """Delete a deleted chat for good."""
        self._change(lambda assistant: assistant.forget_chat(chat))

    def rate(self, message: int, feedback: Feedback | None) -> None:
        """Keep what the user thinks of an answer."""
        self._change(lambda assistant: assistant.set_feedback(message, feedback))

    def export(self, path: Path) -> None:
        """Write the open chat as Markdown."""
        assistant, chat, title = self._assistant, self.chat, self.title
        if assistant is None or chat is None:
            return
        language = current_language()

        def work(_operation: Operation) -> None:
            write_chat(path, chat_markdown(title, turns_of(assistant.messages(chat)), language))

        self._operations.run(self, work, lambda _: None)

    def check_soon(self) -> None:
        """Look again at what has become of the sources: the library has changed."""
        if self.is_open and self._cited and not self._check_timer.isActive():
            self._check_timer.start()

    def _check(self) -> None:
        assistant, chat, cited = self._assistant, self.chat, list(self._cited)
        if assistant is None or not cited:
            return

        def show(states: States) -> None:
            if chat == self.chat:
                self.checked.emit(states)

        def work(_operation: Operation) -> States:
            states = assistant.quote_states(cited)
            return {quote_key(one): state for one, state in zip(cited, states, strict=True)}

        self._operations.run(self, work, show)

    def _change(
        self, work: Callable[[Assistant], None], then: Callable[[], None] = lambda: None
    ) -> None:
        """Change something about the chats, one thing after the other, and list them anew."""
        assistant = self._assistant
        if assistant is not None:
            self._changes.add(lambda: work(assistant), lambda: self.list_chats(then))

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
            self.list_chats()
        else:
            self.told.emit(news)

    def _done(self, answer: Answer) -> None:
        self._asking = None
        self._cited += citations_of([answer])
        self.answered.emit(answer)
        self.list_chats()

    def _fail(self, error: Exception) -> None:
        self._asking = None
        if isinstance(error, KnownError):
            self.failed.emit(error)
        else:
            self.stopped.emit()
            self._operations.report(error)

    def list_chats(self, then: Callable[[], None] = lambda: None) -> None:
        """Fetch the list of chats, then do what is to be done with it."""
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
