"""Documents of every manner, as real files in a real library, shown in the source pane."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QFont, QTextTable
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.bootstrap import open_services
from desktop_rag.foundation.settings import Settings
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.source.opening import Hit, Opening, of_file
from desktop_rag.gui.source.printing import Printing
from desktop_rag.gui.window import MainWindow
from tests.helpers.drawn_pdf import LOREM, box, drawn
from tests.helpers.office_files import WORD, docx, paragraph, rows, xlsx

STYLES = (
    f'<w:styles {WORD}><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/>'
    "</w:style></w:styles>"
)
LISTED = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'


def cells(*words: str) -> str:
    made = (f"<w:tc><w:p><w:r><w:t>{word}</w:t></w:r></w:p></w:tc>" for word in words)
    return f"<w:tr>{''.join(made)}</w:tr>"


HANDBOOK = (
    paragraph("Handbook", '<w:pStyle w:val="H1"/>')
    + "<w:p><w:r><w:t>The </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>seal</w:t></w:r>"
    "<w:r><w:t> is changed every two years.</w:t></w:r></w:p>"
    + paragraph("Close both valves.", LISTED)
    + f"<w:tbl>{cells('Pump', 'Seal')}{cells('P-100', 'EPDM 40')}</w:tbl>"
)
PAGE = (
    "<html><script>alert('no')</script><h1>Hours</h1><p>Open <b>Tuesday</b> to Friday.</p>"
    "<img src='http://example.invalid/a.png'></html>"
)


def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Ada <ada@example.org>", "Charles <cb@example.org>"
    message["Date"], message["Subject"] = "Tue, 05 Mar 2024 10:11:12 +0000", "Mill parts"
    message.set_content("The mill parts come on 14 May.\n")
    message.add_attachment(
        b"Twelve brass wheels and one crate of levers.\n",
        maintype="text", subtype="plain", filename="Packing list.txt",
    )  # fmt: skip
    return bytes(message)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "handbook.docx").write_bytes(docx(HANDBOOK, {"styles.xml": STYLES}))
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    (folder / "mill.eml").write_bytes(mail())
    (folder / "tool.py").write_text("import os\n\n\ndef main():\n    return os\n", encoding="utf-8")
    sales = rows(("Region", "Units"), *((f"Region {n}", n) for n in range(1, 400)))
    costs = rows(("Item", "Amount"), ("Rent", 12000), ("Power", 3400))
    (folder / "figures.xlsx").write_bytes(xlsx({"Sales": sales, "Costs": costs}))
    pages = [lambda page: box(page, LOREM * 2, (72, 72, 523, 700))] * 3
    (folder / "report.pdf").write_bytes(drawn(pages))
    return folder


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, data_dir: Path, operations: Operations, folder: Path
) -> Iterator[MainWindow]:
    services = open_services(data_dir)
    services.library.index([str(folder)])
    window = MainWindow(operations, Preferences(qapp, Settings(data_dir)), Memory(data_dir))
    window.show()
    window.open_services(services)
    qtbot.waitUntil(lambda: len(window.feed.records) == 7, timeout=20_000)
    yield window
    window.close_services()
    operations.cancel_all()
    operations.wait(5)
    services.close()
    window.close()
    shiboken6.delete(window)


def show(qtbot: QtBot, window: MainWindow, name: str, words: str = "", wait: Any = None) -> None:
    """Open a file at some words and wait for its final view."""
    record = next(r for r in window.feed.records.values() if r.path.endswith(name))
    assert record.document_id is not None
    document = window.source.library.document_by_id(record.document_id)
    start = document.text.index(words)
    hits = (Hit(words, start, start + len(words), 1 if document.kind == "pdf" else None),)
    window.open_source(Opening(record.path, document.id, hits=hits if words else ()))
    view = wait or window.source.rich
    qtbot.waitUntil(
        lambda: window.source.current_view is view and window.source.path == record.path,
        timeout=20_000,
    )


def test_a_word_document_is_set_with_the_passage_marked(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, "handbook.docx", "The seal is changed every two years.")
    view = window.source.rich
    assert view.marked_text().replace("\n", "") == "The seal is changed every two years."
    document = view.document()
    heading = document.firstBlock()
    assert (heading.text(), heading.blockFormat().headingLevel()) == ("Handbook", 1)
    bold = document.find("seal")
    assert bold.charFormat().fontWeight() == QFont.Weight.Bold
    assert document.find("Close both").currentList() is not None
    table = document.find("EPDM").currentTable()
    assert isinstance(table, QTextTable)
    assert (table.rows(), table.columns()) == (2, 2)
    assert window.source.header.hit.text() == "hit 1 of 1"
    view.zoom(1)
    assert "font-size" in view.styleSheet()


def test_a_passage_in_a_table_is_marked_in_its_cells(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, "handbook.docx", "P-100 | EPDM 40")
    assert window.source.rich.marked_text() == "P-100\nEPDM 40"


def test_a_web_page_brings_no_script_and_no_picture(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, "page.html", "Open Tuesday to Friday.")
    assert window.source.rich.marked_text().replace("\n", "") == "Open Tuesday to Friday."
    shown = window.source.rich.toHtml()
    assert "script" not in shown
    assert "<img" not in shown
    assert "invalid" not in shown


def test_a_mail_shows_its_header_and_opens_its_attachment(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, "mill.eml", "The mill parts come on 14 May.")
    text = window.source.rich.toPlainText()
    for words in ("Mill parts", "From: Ada <ada@example.org>", "To: Charles", "Date: Tue, 05 Mar"):
        assert words in text
    (chip,) = window.source.attachments.chips
    assert chip.text() == "Packing list.txt"
    chip.click()
    qtbot.waitUntil(lambda: window.source.header.name.text() == "Packing list.txt")
    assert "brass wheels" in window.source.text.toPlainText()
    assert not window.source.attachments.isVisible()


def test_code_has_the_numbers_of_its_lines(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, "tool.py", "def main():", window.source.text)
    view = window.source.text
    assert view.marked_text() == "def main():"
    assert view.textCursor().blockNumber() == 3
    assert view.viewport().x() >= view.numbers_width()
    image = view.grab().toImage()
    paper = image.pixelColor(view.numbers_width() + 6, view.height() - 12)
    column = {
        image.pixelColor(x, y).name() for x in range(8, view.numbers_width()) for y in range(20, 80)
    }
    assert column - {paper.name()}


def test_a_workbook_is_a_table_with_tabs_and_the_row_marked(
    qtbot: QtBot, window: MainWindow
) -> None:
    view = window.source.sheets
    show(qtbot, window, "figures.xlsx", "Rent | 12000", view)
    qtbot.waitUntil(lambda: view.tabs.count() == 2, timeout=20_000)
    assert [view.tabs.tabText(n) for n in range(view.tabs.count())] == ["Sales", "Costs"]
    assert view.tabs.currentIndex() == 1
    assert view.model.marked_rows() == [1]
    assert view.marked_text() == "Rent | 12000"
    assert view.model.index(1, 1).data() == "12000"
    assert view.model.index(0, 0).data(Qt.ItemDataRole.FontRole).weight() == QFont.Weight.DemiBold
    view.tabs.setCurrentIndex(0)
    assert (view.model.rowCount(), view.model.marked_rows()) == (400, [])
    found = view.find_words("region 399")
    assert found is not None
    assert (found.number, found.count) == (1, 1)
    assert view.table.currentIndex().row() == 399
    whole = (
        QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
    )
    view.table.selectionModel().select(view.model.index(2, 0), whole)
    view.table.copy()
    assert QApplication.clipboard().text() == "Region 2\t2"
    assert window.source.footer.text().startswith("All 2 sheets read")


def test_a_file_that_changed_on_the_disk_shows_its_words_as_they_were(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    window.source.library.pause()
    (folder / "page.html").write_text("<p>Something else.</p>", encoding="utf-8")
    show(qtbot, window, "page.html", "Open Tuesday to Friday.", window.source.text)
    assert window.source.text.marked_text() == "Open Tuesday to Friday."


def test_pages_and_texts_are_printed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, operations: Operations
) -> None:
    made = tmp_path / "out.pdf"

    def to_file(_pane: object, pages: int) -> QPrinter:
        printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(made))
        if pages == 3:
            printer.setFromTo(2, 3)
        return printer

    show(qtbot, window, "report.pdf", "", window.source.pages)
    printing = Printing(window.source, operations, to_file)
    with qtbot.waitSignal(printing.destroyed, timeout=20_000):
        printing.begin()
    assert made.read_bytes().count(b"/Type /Page\n") == 2
    show(qtbot, window, "handbook.docx")
    Printing(window.source, operations, to_file).begin()
    assert made.read_bytes().count(b"/Type /Page\n") == 1


def test_a_file_deleted_under_its_page_is_told(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    (folder / "report.pdf").unlink()
    record = next(r for r in window.feed.records.values() if r.path.endswith("report.pdf"))
    window.open_source(of_file(record))
    qtbot.waitUntil(lambda: window.source.current_view is window.source.notice, timeout=20_000)
    assert window.source.notice.title.text() == "The file is not there"
