"""A source of an answer as a card: number, file, place, the quoted words, open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.answer import Citation
from desktop_rag.domain.chats import QuoteState
from desktop_rag.gui import icons
from desktop_rag.gui.labels import ElidedLabel, PressableFrame, named, restyle
from desktop_rag.gui.strings import say, tr
from desktop_rag.gui.words import citation_place, file_name, readable

QuoteKey = tuple[str, int | None, int, int]
States = Mapping[QuoteKey, QuoteState]
"""What has become of quotes, by what tells them apart."""

_LONGEST_QUOTE = 420
"""Characters shown on a card; the source pane has all of them."""


class SourceCard(PressableFrame):
    """Pressing it opens the source at the quoted words."""

    open_outside = Signal()

    def __init__(self, citation: Citation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.citation = citation
        self.badge = named(QLabel(str(citation.number)), "badge")
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.name = ElidedLabel(file_name(citation.path), name="cardName")
        self.name.setToolTip(readable("\n".join(citation.paths or (citation.path,))))
        self.place = ElidedLabel(name="soft")
        open_button = self.open_button = named(QPushButton(), "link")
        say(open_button, "card.open")
        icons.put(open_button, "open", "soft", 12)
        open_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        open_button.setToolTip(tr("card.open_tip"))
        open_button.clicked.connect(self.pressed)
        self.quote = named(QLabel(f"“{_shortened(citation.quote)}”", wordWrap=True), "quote")
        self.quote.setTextFormat(Qt.TextFormat.PlainText)
        self.quote.setVisible(bool(citation.quote))
        self.state = QuoteState.UNCHANGED
        self.warning = named(QLabel(wordWrap=True), "cardWarning")
        self.warning.hide()
        self._lay_out()
        self.retranslate()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.badge)
        head.addWidget(self.name)
        head.addWidget(self.place, 1)
        head.addWidget(self.open_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 7, 10, 8)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.quote)
        layout.addWidget(self.warning)

    def retranslate(self) -> None:
        """Say the place in the window's language."""
        place = citation_place(self.citation)
        copies = [path for path in self.citation.paths if path != self.citation.path]
        if copies:
            place = " · ".join(filter(None, [place, _also_in(copies)]))
        self.place.setText(place)
        self.place.setToolTip(readable("\n".join([self.citation.heading, *copies]).strip()))
        name = file_name(self.citation.path)
        warning = "" if self.state is QuoteState.UNCHANGED else tr(f"card.{self.state}")
        self.warning.setText(warning)
        self.warning.setVisible(bool(warning))
        self.setAccessibleName(tr("card.spoken", number=self.citation.number, name=name))
        said = " ".join(filter(None, [f"{place}.", warning, self.citation.quote]))
        self.setAccessibleDescription(said)

    def show_state(self, state: QuoteState) -> None:
        """Say if the file is gone or says something else by now; the words stay."""
        if state is not self.state:
            self.state = state
            self.retranslate()

    def set_active(self, active: bool) -> None:
        """Stress the card, as its number in the text."""
        if self.property("active") != active:
            self.setProperty("active", active)
            restyle(self)


def quote_key(citation: Citation) -> QuoteKey:
    """Return what tells a quote from all others."""
    return (citation.path, citation.document_id, citation.start, citation.end)


def _also_in(copies: Sequence[str]) -> str:
    first = "/".join(readable(copies[0]).replace("\\", "/").rsplit("/", 2)[-2:])
    if len(copies) == 1:
        return tr("card.also", path=first)
    return tr("card.also_more", path=first, n=len(copies) - 1)


def _shortened(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _LONGEST_QUOTE else words[: _LONGEST_QUOTE - 1] + "…"
