"""The icon in the system's tray: what the program does, and what one wants of it there."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from desktop_rag.foundation.paths import resources_dir
from desktop_rag.gui import theme
from desktop_rag.gui.strings import language_changed, say, tr
from desktop_rag.gui.words import progress_line

if TYPE_CHECKING:
    from desktop_rag.ingestion.progress import Progress

_SIZES = (16, 22, 32, 48)


class TrayState(Enum):
    """What the icon's badge tells; the tooltip says it in words."""

    IDLE = "idle"
    WORKING = "working"
    PAUSED = "paused"
    TROUBLE = "trouble"


_BADGES = {TrayState.WORKING: "accent", TrayState.PAUSED: "soft", TrayState.TROUBLE: "bad"}


def tray_state(progress: Progress | None) -> TrayState:
    """Return what a progress comes to."""
    if progress is None or (progress.state == "idle" and progress.problem is None):
        return TrayState.IDLE
    if progress.problem is not None:
        return TrayState.TROUBLE
    return TrayState.PAUSED if progress.state == "paused" else TrayState.WORKING


def tray_icon(state: TrayState) -> QIcon:
    """Return the program's icon with the badge of a state."""
    plain = QIcon(str(resources_dir() / "icons" / "app.svg"))
    token = _BADGES.get(state)
    if token is None:
        return plain
    icon = QIcon()
    for size in _SIZES:
        icon.addPixmap(_with_badge(plain.pixmap(size, size), size, state, token))
    return icon


def _with_badge(picture: QPixmap, size: int, state: TrayState, token: str) -> QPixmap:
    badge = QRectF(size * 0.5, size * 0.5, size * 0.5, size * 0.5)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(getattr(theme.LIGHT, token)))
    painter.drawEllipse(badge)
    painter.setBrush(QColor("#FFFFFF"))
    width = badge.width()
    bars = {
        TrayState.PAUSED: ((0.30, 0.28, 0.14, 0.44), (0.56, 0.28, 0.14, 0.44)),
        TrayState.TROUBLE: ((0.43, 0.2, 0.14, 0.36), (0.43, 0.64, 0.14, 0.14)),
        TrayState.WORKING: ((0.35, 0.35, 0.30, 0.30),),
    }[state]
    for x, y, across, down in bars:
        corner = badge.topLeft()
        painter.drawRect(
            QRectF(corner.x() + x * width, corner.y() + y * width, across * width, down * width)
        )
    painter.end()
    return picture


class Tray(QObject):
    """Shown where the system has a tray; a click brings the window up."""

    open_wanted = Signal()
    ask_wanted = Signal()
    pause_wanted = Signal(bool)
    quit_wanted = Signal()
    notice_clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._progress: Progress | None = None
        self._state = TrayState.IDLE
        self.icon = QSystemTrayIcon(tray_icon(TrayState.IDLE), self)
        self.menu = QMenu(parent)
        say(self.menu.addAction("", self.open_wanted.emit), "tray.open")
        say(self.menu.addAction("", self.ask_wanted.emit), "tray.ask")
        self.pause = self.menu.addAction("", self._on_pause)
        self.menu.addSeparator()
        say(self.menu.addAction("", self.quit_wanted.emit), "tray.quit")
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_click)
        self.icon.messageClicked.connect(self.notice_clicked)
        language_changed.connect(self._say)
        self._say()

    @staticmethod
    def is_available() -> bool:
        """Whether the system has a tray."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show_progress(self, progress: Progress) -> None:
        """Show what the program does."""
        self._progress = progress
        state = tray_state(progress)
        if state is not self._state:
            self._state = state
            self.icon.setIcon(tray_icon(state))
        self._say()

    def notify(self, title: str, message: str) -> None:
        """Tell something that needs a person."""
        self.icon.showMessage(title, message, tray_icon(TrayState.TROUBLE))

    @property
    def paused(self) -> bool:
        """Whether the reading is paused."""
        return self._progress is not None and self._progress.state == "paused"

    def _on_pause(self) -> None:
        self.pause_wanted.emit(not self.paused)

    def _on_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (
            QSystemTrayIcon.ActivationReason.Trigger,
            QSystemTrayIcon.ActivationReason.DoubleClick,
        ):
            self.open_wanted.emit()

    def _say(self) -> None:
        progress = self._progress
        self.pause.setText(tr("progress.resume" if self.paused else "progress.pause"))
        busy = progress is not None and progress.state != "idle"
        self.pause.setEnabled(busy)
        line = progress_line(progress) if progress is not None and busy else tr("tray.idle")
        self.icon.setToolTip(f"Desktop RAG\n{line}")
