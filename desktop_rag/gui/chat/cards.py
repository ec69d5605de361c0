"""The sources of an answer, a part of them at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.answer import Citation
from desktop_rag.domain.chats import QuoteState
from desktop_rag.gui.chat.card import SourceCard, States, quote_key
from desktop_rag.gui.labels import chain_tabs, named
from desktop_rag.gui.strings import say, tr

_CARDS_AT_ONCE = 30
"""Sources built at once; a question about the library may have thousands."""


class SourceCards(QWidget):
    """``pressed`` brings a citation's position, ``hovered`` its number or None."""

    pressed = Signal(int)
    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[SourceCard] = []
        self._citations: Sequence[Citation] = ()
        self._states: States = {}
        self.heading = named(QLabel(), "soft")
        self.more = named(QPushButton(), "link")
        self.more.clicked.connect(self._add)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        self._layout.addWidget(self.heading)
        self._layout.addWidget(self.more)

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        """All that the Tab key reaches."""
        return (*(stop for card in self.cards for stop in (card, card.open_button)), self.more)

    def show_citations(self, citations: Sequence[Citation], found: bool) -> None:
        """Show sources, or what is nearest where nothing was found."""
        self._citations = citations
        say(self.heading, "chat.sources" if found else "chat.may_help")
        self._add()
        self.setVisible(bool(citations))

    def show_states(self, states: States) -> None:
        """Mark what is gone or changed."""
        self._states = states
        for card in self.cards:
            card.show_state(states.get(quote_key(card.citation), QuoteState.UNCHANGED))

    def set_active(self, number: int | None) -> None:
        """Stress the cards with this number."""
        for card in self.cards:
            card.set_active(card.citation.number == number)

    def retranslate(self) -> None:
        """Say everything in the window's language."""
        self._count_others()
        for card in self.cards:
            card.retranslate()

    def _add(self) -> None:
        built = len(self.cards)
        coming = self._citations[built : built + _CARDS_AT_ONCE]
        for position, citation in enumerate(coming, built):
            card = self._card(citation, position)
            self._layout.insertWidget(self._layout.indexOf(self.more), card)
        chain_tabs(*self.tab_stops)
        self._count_others()

    def _card(self, citation: Citation, position: int) -> SourceCard:
        card = SourceCard(citation)
        card.show_state(self._states.get(quote_key(citation), QuoteState.UNCHANGED))
        card.pressed.connect(lambda: self.pressed.emit(position))
        card.hovered.connect(lambda over: self.hovered.emit(citation.number if over else None))
        self.cards.append(card)
        return card

    def _count_others(self) -> None:
        others = len(self._citations) - len(self.cards)
        self.more.setVisible(others > 0)
        self.more.setText(tr("chat.more", n=min(others, _CARDS_AT_ONCE)) if others > 0 else "")
