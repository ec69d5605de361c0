"""Paints pages: the picture, marked words, what was found, what is selected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_rag.gui import theme
from desktop_rag.gui.source.page_pictures import PagePicture
from desktop_rag.gui.strings import tr

_BESIDE = 2
"""Pixels by which a mark is wider than its words, on both sides."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Rectangles on one page, in points.

    A passage, what was found (``current``: the one that one is at), what is selected, and the
    lines that were recognised in a picture.
    """

    passage: Sequence[QRectF] = ()
    found: Sequence[QRectF] = ()
    current: Sequence[QRectF] = ()
    selected: Sequence[QRectF] = ()
    recognised: Sequence[QRectF] = ()


def paint_page(
    painter: QPainter, rect: QRect, scale: float, pictures: Iterable[PagePicture | None]
) -> None:
    """Paint the paper and the pictures of a page at its place, the later ones on top.

    Args:
        painter: of the viewport.
        rect: the page's place.
        scale: device-independent pixels a point.
        pictures: what there is of it.
    """
    painter.fillRect(rect, Qt.GlobalColor.white)
    there = [picture for picture in pictures if picture is not None]
    for picture in there:
        area = picture.area
        target = QRectF(QPointF(rect.topLeft()) + area.topLeft() * scale, area.size() * scale)
        ratio = painter.device().devicePixelRatioF()
        if abs(picture.scale - scale * ratio) < 1e-2:  # pixel by pixel, nothing is smoothed
            target.setSize(picture.image.size().toSizeF() / ratio)
        painter.drawImage(target, picture.image)
    if not there:
        painter.setPen(QColor(theme.LIGHT.soft))
        upper = rect.adjusted(0, 24, 0, 0)
        painter.drawText(upper, int(Qt.AlignmentFlag.AlignHCenter), tr("source.drawing"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.current.color("line"), 1))
    painter.drawRect(rect.adjusted(0, 0, -1, -1))


def paint_marks(painter: QPainter, corner: QPointF, scale: float, marks: Marks) -> None:
    """Paint the marks of a page whose upper left corner is at ``corner``."""

    def outline(boxes: Sequence[QRectF]) -> QPainterPath:
        """Return one shape around boxes: those of close lines overlap."""
        path = QPainterPath()
        for box in boxes:
            rect = QRectF(corner + box.topLeft() * scale, box.size() * scale)
            path.addRect(rect.adjusted(-_BESIDE, 0, _BESIDE, 0))
        path.setFillRule(Qt.FillRule.WindingFill)
        return path.simplified()

    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    # the paper is white in every theme, so the marks are those of the light one
    for boxes, color in (
        (marks.passage, theme.LIGHT.mark),
        (marks.found, theme.LIGHT.tint),
        (marks.selected, _SELECTED),
    ):
        painter.fillPath(outline(boxes), QColor(color))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    for boxes, color, width in (
        (marks.recognised, theme.LIGHT.line, 1.0),
        (marks.passage, theme.LIGHT.warn, 1.0),
        (marks.current, theme.LIGHT.accent, 2.0),
    ):
        painter.strokePath(outline(boxes), QPen(QColor(color), width))


_SELECTED = "#B9D3FB"
