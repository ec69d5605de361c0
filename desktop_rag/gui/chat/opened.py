"""A chat as the pane takes it, and a question as it is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.domain.answer import Answer, Citation
from desktop_rag.domain.chats import ScopeChips
from desktop_rag.gui.chat.thread import Said
from desktop_rag.gui.scope.chips import Chip

if TYPE_CHECKING:
    from desktop_rag.store.records import StoredMessage


@dataclass(frozen=True, slots=True)
class OpenedChat:
    """A stored chat: its questions, each with its answer or None, and where it looks."""

    id: int
    title: str
    turns: tuple[Said, ...]
    scope: ScopeChips = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where; ``replaces`` is the last question, which it takes the place of."""

    text: str
    chips: tuple[Chip, ...] = ()
    replaces: str | None = None


def said(messages: Iterable[StoredMessage]) -> tuple[Said, ...]:
    """Return the questions of a chat, each with its answer and what the user thinks of it."""
    turns: list[Said] = []
    for message in messages:
        if message.answer is None:
            turns.append((message.text, None, None))
        elif turns:
            turns[-1] = (turns[-1][0], message.answer, message.feedback)
    return tuple(turns)


def citations_of(answers: Iterable[Answer | None]) -> list[Citation]:
    """Return all that the cards of these answers show."""
    return [one for each in answers if each for one in (*each.citations, *each.nearest)]
