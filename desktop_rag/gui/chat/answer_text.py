"""The text of an answer: it grows while it is written, and its marks are links.

Qt lays out anew what was changed alone, so a long text can grow without a pause.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from desktop_rag.domain.answer import CheckedSentence, Support
from desktop_rag.gui import theme
from desktop_rag.gui.chat.markup import Kind, Run, runs, settled, split_at
from desktop_rag.gui.strings import tr

_SIZE = 15
_LINE_HEIGHT = 125.0
_LONGEST_OPEN = 1_200
"""Characters at the end of a growing text that are set again with each piece."""

CITE, CHECK = "cite", "check"


class AnswerText(QTextBrowser):
    """Rich text as high as it needs to be; the conversation around it scrolls.

    ``link_activated`` and ``link_hovered`` bring ``cite:3`` for a mark, ``check:2`` for the
    word at an unsupported sentence, "" when the pointer leaves.
    """

    link_activated = Signal(str)
    link_hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self._marks: list[tuple[int, int, int]] = []
        self._active: int | None = None
        self._sentences: Sequence[CheckedSentence] = ()
        self._grown = ""
        self._set, self._set_at = 0, 0
        self.anchorClicked.connect(lambda url: self.link_activated.emit(url.toString()))
        self.highlighted.connect(self._hover)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())

    def sizeHint(self) -> QSize:
        """Return the height of the whole text."""
        return QSize(200, self.height())

    def text(self) -> str:
        """Return the text as rich text."""
        return self.toHtml()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the conversation scroll."""
        event.ignore()

    def grow(self, piece: str, numbers: Collection[int]) -> None:
        """Append a piece of an answer that is being written."""
        self._grown += piece
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(self._set_at)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if not self._set:
            cursor.setBlockFormat(_block_format())
        self._marks = [mark for mark in self._marks if mark[2] <= self._set_at]
        until = settled(self._grown, self._set, _LONGEST_OPEN)
        self._put(cursor, self._grown[:until], numbers, self._set)
        self._set, self._set_at = until, cursor.position()
        self._put(cursor, self._grown, numbers, until)
        cursor.endEditBlock()

    def show_text(
        self,
        text: str,
        numbers: Collection[int],
        sentences: Sequence[CheckedSentence] = (),
    ) -> None:
        """Show the whole text with its marks, and the sentences that lack support."""
        doubtful = [one for one in sentences if one.support is not Support.SUPPORTED]
        self._sentences = doubtful
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setBlockFormat(_block_format())
        self._marks.clear()
        self._put(cursor, text, numbers, 0)
        cursor.endEditBlock()

    def set_active(self, number: int | None) -> None:
        """Stress the marks with this number."""
        if number == self._active:
            return
        former, self._active = self._active, number
        for one, first, last in self._marks:
            if one in (former, number):
                cursor = QTextCursor(self.document())
                cursor.setPosition(first)
                cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(self._mark_format(one))

    def _put(self, cursor: QTextCursor, text: str, numbers: Collection[int], start: int) -> None:
        bounds = [one for each in self._sentences for one in (each.start, each.end)]
        waiting = list(enumerate(self._sentences))
        for whole in runs(text, numbers, start):
            for run in split_at(whole, bounds):
                while waiting and waiting[0][1].end <= run.start:
                    self._put_word(cursor, *waiting.pop(0))
                self._put_run(cursor, run, waiting[0][1] if waiting else None)
        for position, sentence in waiting:
            self._put_word(cursor, position, sentence)

    def _put_run(self, cursor: QTextCursor, run: Run, sentence: CheckedSentence | None) -> None:
        if run.kind is Kind.MARK:
            number = int(run.words)
            cursor.insertText("\u00a0", _format())
            first = cursor.position()
            cursor.insertText(f"\u00a0{number}\u00a0", self._mark_format(number))
            self._marks.append((number, first, cursor.position()))
            return
        style = _format(run.kind)
        if sentence is not None and run.start >= sentence.start and run.words.strip():
            _underline(style, sentence)
        cursor.insertText(run.words, style)

    def _put_word(self, cursor: QTextCursor, position: int, sentence: CheckedSentence) -> None:
        """Say in a word that no source has a sentence; a weak one is underlined alone."""
        if sentence.support is not Support.UNSUPPORTED:
            return
        style = _format()
        style.setFontPointSize(theme.current.points(12))
        style.setForeground(theme.current.color("bad"))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setAnchor(True)
        style.setAnchorHref(f"{CHECK}:{position}")
        style.setToolTip(why(sentence))
        cursor.insertText("\u00a0", _format())
        word = tr("check.unsupported")
        cursor.insertText(f"({word})", style)

    def _mark_format(self, number: int) -> QTextCharFormat:
        style = _format()
        ground, ink = ("mark", "text") if number == self._active else ("accent", "on_accent")
        style.setBackground(theme.current.color(ground))
        style.setForeground(theme.current.color(ink))
        style.setFontPointSize(theme.current.points(12))
        style.setFontWeight(QFont.Weight.DemiBold)
        style.setAnchor(True)
        style.setAnchorHref(f"{CITE}:{number}")
        style.setToolTip(tr("check.mark", number=number))
        return style

    def _hover(self, url: QUrl) -> None:
        self.link_hovered.emit(url.toString())

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height()) + 2
        if height != self.height():
            self.setFixedHeight(height)


def why(sentence: CheckedSentence) -> str:
    """Return why a sentence is not fully supported, with the quote that is nearest to it."""
    key = "check.weak" if sentence.support is Support.WEAK else "check.unsupported"
    word = tr(key)
    said = word[:1].upper() + word[1:] + (f": {sentence.reason}" if sentence.reason else "")
    if sentence.quote is None:
        return said
    words = " ".join(sentence.quote.quote.split())
    nearest = tr("check.nearest", number=sentence.quote.number)
    return f"{said}\n{nearest} “{words}”"


def _underline(style: QTextCharFormat, sentence: CheckedSentence) -> None:
    weak = sentence.support is Support.WEAK
    line = QTextCharFormat.UnderlineStyle
    style.setUnderlineStyle(line.DotLine if weak else line.WaveUnderline)
    style.setUnderlineColor(theme.current.color("warn" if weak else "bad"))
    style.setToolTip(why(sentence))


def _format(kind: Kind = Kind.PLAIN) -> QTextCharFormat:
    style = QTextCharFormat()
    style.setFontPointSize(theme.current.points(_SIZE))
    style.setForeground(theme.current.color("text"))
    if kind is Kind.BOLD:
        style.setFontWeight(QFont.Weight.DemiBold)
    elif kind is Kind.CODE:
        style.setFontFixedPitch(True)
        style.setFontFamilies(["monospace"])
        style.setBackground(theme.current.color("chip"))
    return style


def _block_format() -> QTextBlockFormat:
    style = QTextBlockFormat()
    style.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return style
