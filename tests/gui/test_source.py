from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
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
    assert window.source.text.marked_text() == ELEPHANTS
    window.source.step_hit(1)
    assert window.source.text.marked_text() == "The elephants had moved on 🌧️ to"
    assert window.source.header.hit.text() == "hit 2 of 2"
    window.source.step_hit(1)
    assert window.source.header.hit.text() == "hit 2 of 2"


def test_a_pdf_is_drawn_with_its_lines_marked(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages = window.source.pages
    qtbot.waitUntil(lambda: pages._canvas.picture is not None)
    assert window.source.header.page.text() == "Page 4 of 12"
    qtbot.waitUntil(lambda: [box.top() for box in pages._canvas.boxes] == [242.0])
    assert window.source.footer.text().startswith("All 12 pages read · changed ")
    assert window.source.footer.text().endswith("also in Backup/Lease.pdf")


def test_the_mark_is_painted_where_the_line_is(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages = window.source.pages
    qtbot.waitUntil(lambda: pages._canvas.picture is not None)
    image = QImage(pages._canvas.size(), QImage.Format.Format_RGB32)
    pages._canvas.render(image)
    scale = pages.scale
    inside = image.pixelColor(round(200 * scale), round(247 * scale))
    outside = image.pixelColor(round(200 * scale), round(400 * scale))
    assert inside.blue() < 160 < outside.blue()


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
    assert pages.verticalScrollBar().value() > 0


def test_pages_turn_and_marks_come_back(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    pages, header = window.source.pages, window.source.header
    header.page_wanted.emit(1)
    assert (header.page.text(), pages._canvas.boxes) == ("Page 5 of 12", [])
    header.page_wanted.emit(-1)
    assert len(pages._canvas.boxes) == 1
    for _ in range(20):
        pages.turn(1)
    assert header.page.text() == "Page 12 of 12"


def test_zoom_goes_by_steps_and_asks_for_a_sharp_page(
    qtbot: QtBot, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, services = open_window()
    asked: list[float] = []
    plain = services.library.render_page

    def render(path: str, page: int, zoom: float) -> object:
        asked.append(zoom)
        return plain(path, page, zoom)

    monkeypatch.setattr(services.library, "render_page", render)
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    window.source.pages.zoom(1)
    window.source.pages.zoom(1)
    percent = int(window.source.header.percent.text().split()[0])
    wanted = percent / 100 * 96 / 72 * window.devicePixelRatioF()
    qtbot.waitUntil(lambda: bool(asked) and abs(asked[-1] - wanted) < 0.02)
    window.source.header.percent.click()
    assert int(window.source.header.percent.text().split()[0]) < percent


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
    text = "🐘 line\r\n" * 100_000 + "the needle" + " hay" * 100_000
    view.show_text(text, markdown=False)
    assert view.document().characterCount() < 2 * MOST_SHOWN
    assert view.is_part
    start = text.index("the needle")
    view.mark(start, start + len("the needle"))
    assert view.marked_text() == "the needle"


def test_find_goes_on_back_and_around(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    open_and_wait(qtbot, window, of_file(services.library.records[8]))
    window.source.begin_find()
    bar, view = window.source.find_bar, window.source.text
    qtbot.keyClicks(bar.field, "THE")
    first = view.textCursor().selectionStart()
    assert view.textCursor().selectedText() == "The"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert view.textCursor().selectionStart() > first
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.textCursor().selectionStart() == first
    bar.field.setText("")
    qtbot.keyClicks(bar.field, "zebra")
    assert bar._found.text() == "not found"
    window._back()
    assert not bar.isVisible()
    assert window.source.isVisible()


def test_find_goes_through_the_pages_of_a_pdf(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, _ = open_window()
    open_and_wait(qtbot, window, of_citations(EXAMPLE_ANSWER.citations, 0))
    window.source.begin_find()
    bar, header = window.source.find_bar, window.source.header
    bar.field.setText("zebra")
    bar.field.textEdited.emit("zebra")
    qtbot.waitUntil(lambda: header.page.text() == "Page 9 of 12")
    assert len(window.source.pages._canvas.boxes) == 1
    assert window.source.pages.order(backwards=True, onward=True)[:2] == [8, 7]
    assert window.source.pages.order(backwards=False, onward=False)[-1] == 8


def test_escape_closes_the_source(qtbot: QtBot, open_window: OpenWindow) -> None:
    window, services = open_window()
    open_and_wait(qtbot, window, of_file(services.library.records[8]))
    window._back()
    assert not window.source.isVisible()
