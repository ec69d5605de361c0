"""What is known of one file: what was read of it, page by page, why, when, what was found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.gui import theme
from desktop_rag.gui.flow import FlowLayout
from desktop_rag.gui.labels import named
from desktop_rag.gui.library.view import REMOVE
from desktop_rag.gui.strings import name_for_readers, say, tr
from desktop_rag.gui.words import (
    changed_on,
    file_name,
    file_state,
    kind_word,
    page_reason,
    problem_message,
    readable,
    size,
)

if TYPE_CHECKING:
    from desktop_rag.store.records import StoredDocument


class DetailsDialog(QDialog):
    """Shows a file's facts and its pages; ``wanted`` asks for a verb of the context menu.

    Args:
        record: the file.
        document: what was read of it, None if nothing was.
        verbs: those that can be done with it, in their order.
        parent: the window.
    """

    wanted = Signal(str, object)

    def __init__(
        self,
        record: FileRecord,
        document: StoredDocument | None,
        verbs: list[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.resize(theme.current.pixels(560), theme.current.pixels(520))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        say(self, "details.title", "setWindowTitle")
        heading = named(QLabel(file_name(record.path), wordWrap=True), "heading")
        self.facts = list(facts_of(record, document))
        self.pages = _page_list(record)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addLayout(_form(self.facts))
        layout.addWidget(self.pages, 1)
        if not record.pages:
            layout.addStretch(1)
        layout.addLayout(self._buttons(record, verbs))

    def _buttons(self, record: FileRecord, verbs: list[str]) -> QHBoxLayout:
        row, several = QHBoxLayout(), QWidget()
        flow = FlowLayout(several, spacing=8)
        for verb in verbs:
            button = QPushButton(
                tr("menu.ignore" if verb == REMOVE and record.relpath else f"menu.{verb}")
            )
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._ask_for, verb, record))
            flow.addWidget(button)
        row.addWidget(several, 1)
        close = named(QPushButton(), "primary")
        say(close, "dialog.close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row.addWidget(close)
        return row

    def _ask_for(self, verb: str, record: FileRecord) -> None:
        self.accept()
        self.wanted.emit(verb, record)


def _form(facts: list[tuple[str, str]]) -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    for key, value in facts:
        words = named(QLabel(value, wordWrap=True), "fact")
        words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        words.setAccessibleName(f"{tr(key)}: {value}")
        form.addRow(named(QLabel(tr(key)), "soft"), words)
    return form


def _page_list(record: FileRecord) -> QListView:
    pages = QListView()
    pages.setModel(QStringListModel(list(page_lines(record)), pages))
    pages.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    pages.setWordWrap(True)
    name_for_readers(pages, "details.pages")
    pages.setToolTip("")
    pages.setVisible(bool(record.pages))
    return pages


def facts_of(record: FileRecord, document: StoredDocument | None) -> Iterator[tuple[str, str]]:
    """Yield the keys of names of facts, and the facts in words."""
    yield "details.place", readable(record.path)
    yield "details.state", file_state(record).word
    if record.problem is not None:
        yield "details.reason", problem_message(record)
    if record.stat is not None:
        yield "details.size", size(record.stat.size)
        yield "details.changed", changed_on(record.stat.mtime_ns)
    if record.status is FileStatus.IGNORED:
        return
    yield "details.read", _read(record)
    if document is not None:
        yield "details.found", _found(record, document)


def page_lines(record: FileRecord) -> Iterator[str]:
    """Yield what became of each page; pages in a row that were read share a line."""
    if record.pages is None or record.status in (FileStatus.WAITING, FileStatus.FAILED):
        return
    read_from = 1
    for unit in sorted(record.coverage.unreadable, key=lambda unit: unit.page):
        yield from _read_line(read_from, unit.page - 1)
        waits = unit.recognisable and record.recognising is not None
        reason = tr("details.waits_for_ocr") if waits else page_reason(unit.reason)
        yield tr("library.page_reason", page=unit.page, reason=reason)
        read_from = unit.page + 1
    yield from _read_line(read_from, record.pages)


def _read_line(first: int, last: int) -> Iterator[str]:
    if first == last:
        yield tr("details.page_read", page=first)
    elif first < last:
        yield tr("details.pages_read", first=first, last=last)


def _read(record: FileRecord) -> str:
    coverage = record.coverage
    parts = [
        tr("details.units", read=coverage.read, n=coverage.read + len(coverage.unreadable)),
        tr("details.by_ocr", n=coverage.ocr) if coverage.ocr else "",
        tr("details.empty", n=coverage.empty) if coverage.empty else "",
        tr("details.passages", n=record.segments) if record.segments else "",
    ]
    return " · ".join(filter(None, parts))


def _found(record: FileRecord, document: StoredDocument) -> str:
    author = document.metadata.get("author")
    parts = [
        kind_word(document.kind),
        f"“{readable(document.title)}”" if document.title else "",
        readable(str(author)) if author else "",
        tr("details.headings", n=len(document.headings)) if document.headings else "",
        tr("details.letters", n=len(document.text)),
        tr(f"details.language_{document.language}") if document.language in ("en", "zh") else "",
        record.encoding or document.encoding or "",
    ]
    return " · ".join(filter(None, parts))
