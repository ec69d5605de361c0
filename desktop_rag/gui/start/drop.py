"""Dropping files and folders anywhere, with an overlay that says what will happen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.gui import theme
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.strings import tr

_MOST_COUNTED = 20_000
"""Files after which the overlay says "more than": nobody waits for an exact number."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is being dragged; ``files`` is None while nothing was counted yet."""

    items: int
    folders: int = 0
    files: int | None = None

    @property
    def words(self) -> str:
        """What will happen on dropping."""
        if self.files is None:
            return tr("drop.items", n=self.items)
        if not self.folders:
            return tr("drop.files", n=self.files)
        if self.files >= _MOST_COUNTED:
            return tr("drop.folders_many", n=self.folders, files=_MOST_COUNTED)
        rounded = self.files if self.files < 100 else round(self.files, -2)
        return tr("drop.folders_about", n=self.folders, files=rounded)


def local_paths(data: QMimeData) -> list[str]:
    """Return the local files and folders of a drag."""
    return [_local_path(url) for url in data.urls() if url.isLocalFile()]


def _local_path(url: QUrl) -> str:
    if sys.platform == "win32":
        return url.toLocalFile()
    encoded = url.path(QUrl.ComponentFormattingOption.FullyEncoded)
    return os.fsdecode(unquote_to_bytes(encoded))


def count_files(paths: Sequence[str], token: CancelToken) -> Load:
    """Return what these paths hold, counted up to a limit. Runs in the pool."""
    waiting = [path for path in paths if os.path.isdir(path)]
    folders = len(waiting)
    count = len(paths) - folders
    while waiting and count < _MOST_COUNTED:
        token.check()
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        count += 1
        except OSError:
            continue
    return Load(len(paths), folders, min(count, _MOST_COUNTED))


class DropOverlay(QWidget):
    """Covers the window while files are dragged over it; ``dropped`` brings the paths.

    Fields would take a file's address as text, so no child of the window accepts drops.
    """

    dropped = Signal(list)

    def __init__(self, window: QWidget, operations: Operations) -> None:
        super().__init__(window)
        self._window = window
        self._operations = operations
        self._counting: Operation | None = None
        self._load = Load(0)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        for child in window.findChildren(QWidget):
            child.setAcceptDrops(False)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    @property
    def words(self) -> str:
        """What the overlay says."""
        return self._load.words

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        """Take the drags of the window."""
        if isinstance(event, QDragEnterEvent) and local_paths(event.mimeData()):
            self._begin(local_paths(event.mimeData()))
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and not isinstance(event, QDragMoveEvent):
            self._end()
            event.acceptProposedAction()
            self.dropped.emit(local_paths(event.mimeData()))
            return True
        if event.type() == QEvent.Type.DragLeave:
            self._end()
        return super().eventFilter(window, event)

    def _begin(self, paths: list[str]) -> None:
        self._load = Load(len(paths))
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self._counting = self._operations.run(
            self, lambda operation: count_files(paths, operation.token), self._counted
        )

    def _counted(self, load: Load) -> None:
        self._load = load
        self.update()

    def _end(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint a veil with a dashed frame and the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = theme.current.color("window")
        veil.setAlpha(235)
        painter.fillRect(self.rect(), veil)
        pen = QPen(theme.current.color("accent"), 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(theme.current.color("tint"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(24, 24, -24, -24), 14, 14)
        painter.setPen(theme.current.color("text"))
        painter.setFont(theme.current.font(22, bold=True))
        painter.drawText(self.rect().adjusted(48, 48, -48, -48), _CENTRED, self.words)


_CENTRED = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
