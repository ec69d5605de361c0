from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent
from pytestqt.qtbot import QtBot

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.source.opening import Hit, Opening, of_citations, of_file
from desktop_rag.gui.source.text_view import MOST_SHOWN, TextView
from desktop_rag.gui.window import MainWindow
from tests.gui.conftest import OpenWindow
from tests.helpers.window_services import EXAMPLE_ANSWER, NOTES, FakeDocument

ELEPHANTS = "The herd was seen at dawn 🐘🐘 near the river."


def open_and_wait(qtbot: QtBot, window: MainWindow, opening: Opening) -> None:
    with qtbot.waitSignal(window.source.opened):
        window.open_source(opening)


def test_a_passage_after_emoji_is_marked_exactly(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    start = NOTES.index("The elephants")
    end = start + len("The elephants had moved on 🌧️ to")
    hits = (
        Hit(ELEPHANTS, NOTES.index(ELEPHANTS), NOTES.index(ELEPHANTS) + len(ELEPHANTS)),
        Hit(NOTES[start:end], start, end),
    )
    opening = Opening("/home/ada/Research/field-notes.md", 3, hits=hits)
    open_and_wait(qtbot, window, opening)
    assert window.source.rich.marked_text() == ELEPHANTS
    window.source.step_hit(1)
    assert window.source.rich.marked_text() == "The elephants had moved on 🌧️ to"
    assert window.source.header.hit.text() == "hit 2 of 2"
    window.source.step_hit(1)
    assert window.source.header.hit.text() == "hit 2 of 2"


def test_a_pdf_is_drawn_with_its_lines_marked(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages = window.source.pages
    qtbot.waitUntil(lambda: pages.pictures.whole(4) is not None)
    assert window.source.header.page.text() == "Page 4 of 12"
    qtbot.waitUntil(lambda: [box.top() for box in pages.boxes(4)] == [242.0])
    assert window.source.footer.text().startswith("All 12 pages read · changed ")
    assert window.source.footer.text().endswith("also in Backup/Lease.pdf")


def test_the_mark_is_painted_where_the_line_is(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages = window.source.pages
    qtbot.waitUntil(lambda: [box.top() for box in pages.boxes(4)] == [242.0])
    qtbot.waitUntil(lambda: pages.pictures.whole(4) is not None)
    image = pages.viewport().grab().toImage()
    corner = pages.layout_.rect(4).topLeft() - pages._offset()
    scale, ratio = pages.scale, image.devicePixelRatio()

    def color(x: float, y: float) -> QColor:
        place = (QPointF(corner) + QPointF(x, y) * scale) * ratio
        return image.pixelColor(place.toPoint())

    assert color(200, 247).blue() < 160 < color(200, 300).blue()


def test_a_passage_at_the_side_of_a_large_page_is_scrolled_to(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()
    monkeypatch.setattr(services.library, "find_words", lambda *_: ())
    citation = EXAMPLE_ANSWER.citations[0]
    line = replace(citation.lines[0], x0=420, x1=560, y0=700, y1=712)
    open_and_wait(qtbot, window, of_citations((replace(citation, lines=(line,)),), 0))
    pages = window.source.pages
    qtbot.waitUntil(lambda: pages.horizontalScrollBar().value() > 0)
    place = pages.layout_.to_screen(4, pages.boxes(4)[0]).translated(-QPointF(pages._offset()))
    assert QRectF(pages.viewport().rect()).contains(place)


def test_pages_turn_and_marks_come_back(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages, header = window.source.pages, window.source.header
    header.page_wanted.emit(1)
    assert (header.page.text(), pages.boxes(5)) == ("Page 5 of 12", [])
    header.page_wanted.emit(-1)
    assert len(pages.boxes(4)) == 1
    for _ in range(20):
        pages.turn(1)
    assert header.page.text() == "Page 12 of 12"


@pytest.mark.parametrize("continuous", [True, False])
def test_pages_are_shown_in_a_row_or_one_at_a_time(
    qtbot: QtBot, open_window: OpenWindow, continuous: bool
) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages, header = window.source.pages, window.source.header
    if not continuous:
        header.single.click()
    pages.go_to_page(5)
    bar = pages.verticalScrollBar()
    qtbot.waitUntil(lambda: pages.pictures.whole(5) is not None)
    if continuous:
        bar.setValue(pages.layout_.rect(6).top() - 40)
        assert pages.visible_pages()[:2] == [5, 6]
        assert header.page.text() == "Page 6 of 12"
        qtbot.waitUntil(lambda: pages.pictures.whole(6) is not None)
    else:
        assert pages.visible_pages() == [5]
        bar.setValue(bar.maximum())
        qtbot.keyClick(pages, Qt.Key.Key_Space)
        assert (header.page.text(), bar.value()) == ("Page 6 of 12", 0)
        qtbot.keyClick(pages, Qt.Key.Key_PageUp)
        assert header.page.text() == "Page 5 of 12"
        pages.set_continuous(True)
    qtbot.keyClick(pages, Qt.Key.Key_End)
    assert header.page.text() == "Page 12 of 12"
    qtbot.keyClick(pages, Qt.Key.Key_Home)
    assert header.page.text() == "Page 1 of 12"


def test_the_number_of_a_page_can_be_typed(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    header = window.source.header
    window.source.ask_page()
    assert header.page_field.text() == "4"
    qtbot.keyClicks(header.page_field, "11")
    qtbot.keyClick(header.page_field, Qt.Key.Key_Return)
    assert header.page.text() == "Page 11 of 12"
    qtbot.waitUntil(lambda: header.page.isVisible() and not header.page_field.isVisible())
    header.page.click()
    qtbot.keyClicks(header.page_field, "99")
    qtbot.keyClick(header.page_field, Qt.Key.Key_Return)
    assert header.page.text() == "Page 11 of 12"
    window._back()
    assert window.source.isVisible()
    assert header.page.isVisible()


def test_zoom_asks_for_sharp_pages_and_at_a_great_scale_for_the_part_in_view(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages, header = window.source.pages, window.source.header
    before = int(header.percent.text().split()[0])
    window.source.zoom(1)
    percent = int(header.percent.text().split()[0])
    assert percent > before

    def wanted() -> float:
        percent = int(header.percent.text().split()[0])
        return percent / 100 * 96 / 72 * window.devicePixelRatioF()

    def scale() -> float:
        picture = pages.pictures.whole(pages.page)
        return picture.scale if picture is not None else 0.0

    qtbot.waitUntil(lambda: abs(scale() - wanted()) < 0.02)
    for _ in range(20):
        window.source.zoom(1)
    assert header.percent.text() == "800 %"
    key = round(pages.layout_.scale * pages.devicePixelRatioF(), 3)
    qtbot.waitUntil(lambda: pages.pictures.part(pages.page, key) is not None)
    part = pages.pictures.part(pages.page, key)
    assert part is not None
    assert part.scale == pytest.approx(wanted(), abs=0.01)
    assert part.image.width() < 3 * pages.viewport().width() * pages.devicePixelRatioF()
    header.percent.click()
    assert int(header.percent.text().split()[0]) < percent


def test_what_is_under_the_pointer_stays_there_while_zooming(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages = window.source.pages
    pages.go_to_page(6)
    point = QPoint(150, 200)
    page, place = pages._place(QPointF(point))
    pages._zoom_at(1, point)
    again, moved = pages._place(QPointF(point))
    assert again == page
    assert abs(moved.y() - place.y()) < 3
    assert pages.page == 6


def test_words_are_selected_with_the_mouse_and_copied(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages = window.source.pages
    pages.go_to_page(4)
    qtbot.waitUntil(lambda: 4 in pages.selection.words)

    def at(x: float, y: float) -> QPoint:
        box = pages.layout_.to_screen(4, QRectF(x, y, 1, 1))
        return (box.topLeft() - QPointF(pages._offset())).toPoint()

    button = Qt.MouseButton.LeftButton
    qtbot.mousePress(pages.viewport(), button, pos=at(140, 105))
    qtbot.mouseMove(pages.viewport(), at(250, 105))
    move = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(at(250, 105)), QPointF(at(250, 105)),
        button, button, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    pages.mouseMoveEvent(move)
    qtbot.mouseRelease(pages.viewport(), button, pos=at(250, 105))
    assert len(pages.selection.boxes(4)) == 1
    qtbot.keyClick(pages, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "of page 4"
    qtbot.mouseClick(pages.viewport(), button, pos=at(550, 600))
    assert pages.selection.text == ""


@pytest.mark.parametrize("there", [True, False])
def test_a_citation_whose_document_is_gone_shows_the_words_as_they_were(
    qtbot: QtBot, open_window: OpenWindow, there: bool
) -> None:
    window, services = open_window()
    services.library.documents.clear()
    if not there:
        del window.feed.records[1]
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 1))
    notice = window.source.notice
    assert window.source.current_view is notice
    expected = "has changed since it was quoted" if there else "no longer in the library"
    assert expected in notice.title.text()
    assert "Minor repairs not exceeding EUR 150" in notice.quote.text()
    assert window.source.header.open.isEnabled() is there


def test_a_file_that_was_not_read_says_why(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    open_and_wait(qtbot, window, of_file(services.library.records[9]))
    assert window.source.notice.title.text() == "Needs a password"
    assert "save a copy without one" in window.source.notice.message.text()
    open_and_wait(qtbot, window, of_file(services.library.records[7]))
    assert window.source.notice.title.text() == "Not read yet"


def test_a_page_that_cannot_be_drawn_leaves_the_words(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()

    def fail(*_args: object) -> object:
        raise KnownError("Cannot be shown", "This page cannot be drawn.")

    monkeypatch.setattr(services.library, "render_page", fail)
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    qtbot.waitUntil(lambda: window.source.current_view is window.source.notice)
    assert window.source.notice.title.text() == "Cannot be shown"
    assert "Either party may terminate" in window.source.notice.quote.text()


def test_a_document_opens_from_a_copy_when_its_own_file_is_gone(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    del window.feed.records[1]
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    assert window.source.header.name.text() == "Lease.pdf"


def test_partial_reading_is_told(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    scan = services.library.records[3]
    services.library.documents[9] = FakeDocument(9, "pdf", "x", pages=9, coverage=scan.coverage)
    record = replace(scan, document_id=9)
    services.library.records[3] = window.feed.records[3] = record
    open_and_wait(qtbot, window, of_file(record))
    assert window.source.footer.text().startswith("6 of 9 pages read")


def test_a_long_document_is_shown_around_the_passage(qtbot: QtBot) -> None:
    view = TextView()
    qtbot.addWidget(view)
    view.show()
    text = "🐘 line\r\n" * 100_000 + "the needle" + " hay" * 100_000
    view.show_text(text)
    assert view.document().characterCount() < 2 * MOST_SHOWN
    assert view.is_part
    start = text.index("the needle")
    view.mark(start, start + len("the needle"))
    assert view.marked_text() == "the needle"


def test_find_goes_on_back_and_around(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    open_and_wait(qtbot, window, of_file(services.library.records[8]))
    window.source.begin_find()
    bar, view = window.source.find_bar, window.source.rich
    qtbot.keyClicks(bar.field, "THE")
    first = view.textCursor().selectionStart()
    assert view.textCursor().selectedText() == "The"
    assert bar._found.text() == "1 of 4"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert view.textCursor().selectionStart() > first
    assert bar._found.text() == "2 of 4"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.textCursor().selectionStart() == first
    bar.field.setText("")
    qtbot.keyClicks(bar.field, "zebra")
    assert bar._found.text() == "not found"
    window._back()
    assert not bar.isVisible()
    assert window.source.isVisible()


def test_find_goes_through_all_places_on_the_pages_of_a_pdf(
    qtbot: QtBot, open_window: OpenWindow
) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    window.source.begin_find()
    bar, header, pages = window.source.find_bar, window.source.header, window.source.pages
    bar.field.setText("zebra")
    bar.field.textEdited.emit("zebra")
    qtbot.waitUntil(lambda: header.page.text() == "Page 9 of 12")
    qtbot.waitUntil(lambda: bar._found.text() == "1 of 3")
    assert len(pages.all_found[9]) == 2
    seen = []
    for _ in range(3):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
        seen.append((bar._found.text(), header.page.text(), pages.found[1][0].top()))
    assert seen == [
        ("2 of 3", "Page 9 of 12", 100.0),
        ("3 of 3", "Page 11 of 12", 0.0),
        ("1 of 3", "Page 9 of 12", 0.0),
    ]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar._found.text() == "3 of 3"
    bar.field.setText("giraffe")
    bar.field.textEdited.emit("giraffe")
    qtbot.waitUntil(lambda: bar._found.text() == "not found")
    assert pages.order(backwards=True)[:2] == [11, 10]
    window._back()
    assert pages.found == (0, [])


def test_escape_closes_the_source(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    open_and_wait(qtbot, window, of_file(services.library.records[8]))
    window._back()
    assert not window.source.isVisible()
