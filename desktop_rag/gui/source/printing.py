"""Printing the document that is shown: pages as they are, texts as they are set."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QTextCursor, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog

from desktop_rag.gui import theme
from desktop_rag.gui.operations import Operation, Operations
from desktop_rag.gui.source.page_work import picture_of
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import file_name

if TYPE_CHECKING:
    from desktop_rag.gui.source.pane import SourcePane
    from desktop_rag.services.library import Library

_DOTS_PER_INCH = 200
"""Of a printed page: fine enough to read, and about 4 MB a page."""

_POINTS = 11.0


def choose_printer(pane: SourcePane, pages: int) -> QPrinter | None:
    """Let the user choose a printer and a range of pages; None if they rather do not."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(file_name(pane.path))
    dialog = QPrintDialog(printer, pane)
    dialog.setWindowTitle(tr("source.print"))
    dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange, pages > 1)
    if pages > 1:
        dialog.setMinMax(1, pages)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    return printer if accepted else None


class Printing(QObject):
    """One document on its way to the printer; pages are drawn one after the other."""

    def __init__(
        self,
        pane: SourcePane,
        operations: Operations,
        choose: Callable[[SourcePane, int], QPrinter | None] = choose_printer,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._operations = operations
        self._choose = choose
        self._painter: QPainter | None = None

    def begin(self) -> None:
        """Ask for a printer and print what is shown; nothing where a notice stands."""
        pane, library = self._pane, self._pane.library
        document = pane.document
        if document is None or library is None or pane.current_view is pane.notice:
            return
        by_page = pane.current_view is pane.pages
        printer = self._choose(pane, document.pages or 1 if by_page else 1)
        if printer is None:
            return
        if by_page:
            self._print_pages(library, pane.path, printer, document.pages or 1)
        else:
            text = pane.rich if pane.current_view is pane.rich else None
            whole = text.whole_document() if text is not None else _plain(document.text)
            whole.print_(printer)

    def _print_pages(self, library: Library, path: str, printer: QPrinter, count: int) -> None:
        first = printer.fromPage() or 1
        numbers = range(first, min(count, printer.toPage() or count) + 1)

        def work(operation: Operation) -> None:
            for number in numbers:
                operation.token.check()
                drawn = library.viewer.render_page(path, number, _DOTS_PER_INCH / 72)
                operation.tell(picture_of(drawn).image)

        self._painter = QPainter(printer)
        self._printer, self._blank = printer, True
        self._operations.run(self, work, lambda _: self._end(), self._fail, self._put)

    def _put(self, image: QImage) -> None:
        """Put one page on paper, as large as it fits."""
        if self._painter is None:
            return
        if not self._blank:
            self._printer.newPage()
        self._blank = False
        area = QRectF(self._painter.viewport())
        size = QSizeF(image.size())
        scale = min(area.width() / size.width(), area.height() / size.height())
        self._painter.drawImage(QRectF(area.topLeft(), size * scale), image)

    def _fail(self, error: Exception) -> None:
        self._end()
        self._operations.report(error)

    def _end(self) -> None:
        if self._painter is not None:
            self._painter.end()
            self._painter = None
        self.deleteLater()


def _plain(text: str) -> QTextDocument:
    """Return a text to print, black on white whatever the theme is."""
    document = QTextDocument()
    font = theme.current.font(13)
    font.setPointSizeF(_POINTS)
    document.setDefaultFont(font)
    cursor = QTextCursor(document)
    cursor.insertText(text)
    return document
