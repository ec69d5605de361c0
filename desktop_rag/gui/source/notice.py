"""What stands in the place of a document that can't be shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.labels import named
from desktop_rag.gui.source.opening import Hit, Opened
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import problem_message, problem_title, readable, translated_problem


class SourceNotice(QWidget):
    """Says why, and shows quoted words as they were."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = named(QLabel(wordWrap=True), "heading")
        self.message = named(QLabel(wordWrap=True), "soft")
        self.quote = named(QLabel(wordWrap=True), "quoteBox")
        for label in (self.title, self.message, self.quote):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.quote.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 24, 16, 24)
        layout.setSpacing(12)
        for label in (self.title, self.message, self.quote):
            layout.addWidget(label)
        layout.addStretch()

    def show_source(self, source: Opened) -> None:
        """Say why a document has no content to show."""
        record = source.record
        if source.opening.hits:
            changed = record is not None
            key = "source.gone_changed" if changed else "source.gone_deleted"
            self._show(tr(key), tr("source.gone_words"), source.opening.hits)
        elif record is not None and record.status is FileStatus.FAILED:
            title = problem_title(record)
            self._show(title[:1].upper() + title[1:], problem_message(record), ())
        elif record is not None and record.status is FileStatus.IGNORED:
            self._show(tr("source.ignored"), tr("source.ignored_message"), ())
        else:
            self._show(tr("source.not_yet"), tr("source.not_yet_message"), ())

    def show_error(self, error: KnownError, hits: Sequence[Hit]) -> None:
        """Say why a page can't be drawn."""
        path = error.path or ""
        title = translated_problem(error.title, "title", path) or error.title
        message = translated_problem(error.title, "message", path) or readable(error.message)
        self._show(title, message, hits)

    def _show(self, title: str, message: str, hits: Sequence[Hit]) -> None:
        self.title.setText(title)
        self.message.setText(message)
        self.quote.setText("\n\n".join(f"“{hit.quote}”" for hit in hits))
        self.quote.setVisible(bool(hits))
