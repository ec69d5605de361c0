"""Small widgets that all panes use."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

Named = TypeVar("Named", bound=QWidget)


class ElidedLabel(QLabel):
    """One line that is cut in its middle where the place is narrow; the tooltip has all."""

    def __init__(self, text: str = "", parent: QWidget | None = None, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text on one line."""
        super().setText(" ".join(text.split()))
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        """Return a width of a few letters: the text gives way."""
        return QSize(self.fontMetrics().averageCharWidth() * 6, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what fits."""
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        area = self.contentsRect()
        text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideMiddle, area.width()
        )
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, int(self.alignment()), text)


class PressableFrame(QFrame):
    """A frame that acts as a button: a click, Enter or Space presses it."""

    pressed = Signal()
    hovered = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Press, if the pointer is still over the frame."""
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self.pressed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the press, so that the release comes here too."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Enter or Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Tell when the pointer comes and goes."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.hovered.emit(event.type() == QEvent.Type.Enter)
        return super().event(event)


def restyle(widget: QWidget) -> None:
    """Let the style sheet look again at a widget whose property has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def unmarked(text: str) -> str:
    """Return a text for a button or menu, where a single ``&`` would mark a key."""
    return text.replace("&", "&&")


def chain_tabs(first: QWidget, *others: QWidget) -> QWidget:
    """Let the Tab key go through widgets in this order; return the last one."""
    for following in others:
        QWidget.setTabOrder(first, following)
        first = following
    return first


def named(widget: Named, name: str) -> Named:
    """Return a widget after giving it the name that the style sheet knows it by.

    A label takes its text as it is: names of files may look like markup.
    """
    widget.setObjectName(name)
    if isinstance(widget, QLabel):
        widget.setTextFormat(Qt.TextFormat.PlainText)
    return widget
