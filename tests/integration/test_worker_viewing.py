from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.pdf import PdfParser
from desktop_rag.ingestion.reading import PageRenderer
from tests.helpers.drawn_pdf import LOREM, box, drawn, encrypted, lines


@pytest.fixture
def renderer() -> Iterator[PageRenderer]:
    """A renderer with its process."""
    renderer = PageRenderer()
    yield renderer
    renderer.close()


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Two pages of running text, one of them turned."""
    path = tmp_path / "report.pdf"
    path.write_bytes(drawn([lambda page: box(page, LOREM * 2, (72, 72, 523, 700))] * 2))
    return path


def test_a_page_is_a_picture(renderer: PageRenderer, report: Path) -> None:
    picture = renderer.render(report, 2, 1.5)

    assert (picture.width, picture.height) == (893, 1263)
    assert picture.stride >= 3 * picture.width
    assert len(picture.rgb) == picture.stride * picture.height
    assert (picture.page_width_pt, picture.page_height_pt, picture.pages) == (595, 842, 2)
    assert picture.rgb[:3] == b"\xff\xff\xff"
    assert min(picture.rgb) < 100


def test_an_enormous_picture_is_drawn_smaller(renderer: PageRenderer, report: Path) -> None:
    picture = renderer.render(report, 1, 60)

    assert 20_000_000 < picture.width * picture.height < 25_000_000


def test_words_are_found_where_they_stand(renderer: PageRenderer, report: Path) -> None:
    parsed = PdfParser().parse(report, report.name)
    block = parsed.blocks[0]
    quote = "the repairs of the old bridge, which had been closed since the flood"
    start = parsed.document.text.index(quote)
    held = [b for b in block.lines if b.end > start and b.start < start + len(quote)]

    boxes = renderer.find_words(report, 1, quote, block.lines)

    assert len(boxes) == len(held)
    for found, line in zip(boxes, held, strict=True):
        assert (found.page, found.y0) == (1, pytest.approx(line.y0, abs=1.5))
        assert line.x0 - 1 <= found.x0 < found.x1 <= line.x1 + 1
    whole = sum(line.x1 - line.x0 for line in held)
    assert sum(found.x1 - found.x0 for found in boxes) < whole
    assert renderer.find_words(report, 1, quote) == boxes
    assert renderer.find_words(report, 1, "words that are not there") == ()
    assert renderer.find_words(report, 1, " - ") == ()


def test_of_two_places_the_one_that_was_read_is_meant(renderer: PageRenderer, report: Path) -> None:
    parsed = PdfParser().parse(report, report.name)
    quote = "discuss the budget"
    second = parsed.document.text.index(quote, parsed.document.text.index(quote) + 1)
    held = [b for b in parsed.blocks[0].lines if b.end > second and b.start < second + len(quote)]

    (found,) = renderer.find_words(report, 1, quote, held)

    assert found.y0 == pytest.approx(held[0].y0, abs=1.5)
    assert renderer.find_words(report, 1, quote)[0].y0 < found.y0


def test_a_broken_word_is_found_by_its_joined_form(renderer: PageRenderer, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(drawn([lambda page: lines(page, ["on the cli-", "mate of it"]) and None]))

    boxes = renderer.find_words(path, 1, "the climate of")

    assert len(boxes) == 2
    assert boxes[0].y0 < boxes[1].y0


def test_a_file_that_changed_is_opened_again(renderer: PageRenderer, report: Path) -> None:
    assert renderer.render(report, 1, 1).pages == 2
    time.sleep(0.02)
    report.write_bytes(drawn([lambda page: box(page, LOREM, (72, 72, 523, 700))] * 5))

    assert renderer.render(report, 5, 1).pages == 5


def test_what_cannot_be_shown_is_explained(renderer: PageRenderer, report: Path) -> None:
    with pytest.raises(KnownError) as caught:
        renderer.render(report, 3, 1)
    assert caught.value.title == "No such page"
    locked = report.with_name("locked.pdf")
    locked.write_bytes(encrypted(report.read_bytes(), owner="a", user="b"))
    with pytest.raises(KnownError) as caught:
        renderer.render(locked, 1, 1)
    assert caught.value.title == "Needs a password"
    damaged = report.with_name("damaged.pdf")
    damaged.write_bytes(b"nothing")
    with pytest.raises(KnownError) as caught:
        renderer.render(damaged, 1, 1)
    assert (caught.value.title, caught.value.path) == ("Damaged", str(damaged))
    with pytest.raises(FileNotFoundError):
        renderer.render(report.with_name("gone.pdf"), 1, 1)
    assert renderer.render(report, 1, 1).pages == 2


def test_arguments_are_checked(renderer: PageRenderer, report: Path) -> None:
    for page, zoom in ((0, 1.0), (1, 0.0), (1, 1000.0)):
        with pytest.raises(ValueError, match="page"):
            renderer.render(report, page, zoom)


def test_closed_it_refuses(report: Path) -> None:
    renderer = PageRenderer()
    renderer.close()

    with pytest.raises(RuntimeError, match="closed"):
        renderer.render(report, 1, 1)
