"""Line icons from ``resources/icons``, tinted with a colour of the theme."""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from desktop_rag.foundation.paths import resources_dir
from desktop_rag.gui import theme

_SCALES = (1.0, 2.0, 3.0)
"""Device pixel ratios that an icon carries a picture for."""

_buttons: WeakKeyDictionary[QAbstractButton, tuple[str, str, int]] = WeakKeyDictionary()


@lru_cache(maxsize=64)
def _drawing(name: str) -> str:
    return (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def pixmap(name: str, color: str, size: int, ratio: float) -> QPixmap:
    """Return one icon in a colour (``#rrggbb``), ``size`` device-independent pixels wide."""
    source = _drawing(name).replace("currentColor", color)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    picture = QPixmap(QSize(size, size) * ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@lru_cache(maxsize=128)
def icon(name: str, color: str, size: int = 16) -> QIcon:
    """Return an icon in a colour, sharp at every usual scale of the screen."""
    result = QIcon()
    for ratio in _SCALES:
        result.addPixmap(pixmap(name, color, size, ratio))
    return result


def put(button: QAbstractButton, name: str, token: str = "soft", size: int = 16) -> None:
    """Give a button an icon that follows the theme.

    ``token`` names the colour, ``size`` is in pixels of the drawing.
    """
    _buttons[button] = (name, token, size)
    _dress(button, name, token, size)


def refresh() -> None:
    """Dress all buttons again after the theme or the size of text has changed."""
    for button, (name, token, size) in list(_buttons.items()):
        if shiboken6.isValid(button):
            _dress(button, name, token, size)


def _dress(button: QAbstractButton, name: str, token: str, size: int) -> None:
    pixels = theme.current.pixels(size)
    button.setIconSize(QSize(pixels, pixels))
    button.setIcon(icon(name, theme.current.color(token).name(), pixels))
