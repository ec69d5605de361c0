from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.document import BlockKind
from desktop_rag.domain.structure import Look, Structure, text_digest
from desktop_rag.ingestion.parsers.registry import parse_file
from desktop_rag.ingestion.reading import PageRenderer
from tests.helpers.drawn_pdf import LOREM, box, drawn
from tests.helpers.office_files import docx, rows, xlsx


@pytest.fixture
def renderer() -> Iterator[PageRenderer]:
    renderer = PageRenderer()
    yield renderer
    renderer.close()


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(drawn([lambda page: box(page, LOREM * 2, (72, 72, 523, 700))] * 2))
    return path


def looks(path: Path, structure: Structure) -> list[tuple[str, str]]:
    text = parse_file(path).document.text
    assert structure.digest == text_digest(text)
    hidden = [s for s in structure.spans if s.look is Look.HIDDEN]
    return [(text[s.start : s.end], s.look.value) for s in structure.spans if s not in hidden]


def test_a_part_of_a_page_is_drawn_as_large_as_wanted(renderer: PageRenderer, report: Path) -> None:
    whole = renderer.render(report, 1, 2.0)
    part = renderer.render(report, 1, 20.0, (72.0, 72.0, 172.0, 122.0))

    assert (whole.x_pt, whole.y_pt, whole.scale) == (0, 0, 2.0)
    assert (part.width, part.height) == (2000, 1000)
    assert (part.x_pt, part.y_pt, part.scale) == (72.0, 72.0, 20.0)
    assert min(part.rgb) < 100


def test_every_place_of_some_words_is_found(renderer: PageRenderer, report: Path) -> None:
    found = renderer.find_all(report, 2, "BRIDGE")
    text = parse_file(report).document.text

    assert len(found) == text.lower().count("bridge") // 2 >= 2
    assert [place[0].y0 for place in found] == sorted(place[0].y0 for place in found)
    assert renderer.find_all(report, 1, "zebra") == ()


def test_words_come_in_reading_order_with_their_boxes(renderer: PageRenderer, report: Path) -> None:
    words = renderer.words(report, 1)
    lines = {word.line for word in words}

    assert " ".join(word.text for word in words).startswith(" ".join(LOREM.split()[:6]))
    assert [word.line for word in words] == sorted(word.line for word in words)
    assert len(lines) > 3
    assert all(word.x0 < word.x1 and word.y0 < word.y1 for word in words)
    assert renderer.sizes(report, 2) == ((595.0, 842.0),)


def test_markdown_shows_its_emphasis_without_its_marks(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "# Title\n\nSome **bold and *both*** words, `co_de` and [a link](http://x.invalid/).\n\n"
        "2 * 3 * 4 and snake_case_name stay.\n\n```\n**not bold**\n```\n",
        encoding="utf-8",
    )
    structure = renderer.structure(path)

    assert looks(path, structure) == [
        ("bold and *both*", "bold"),
        ("both", "italic"),
        ("co_de", "code"),
    ]
    text = path.read_text("utf-8")
    hidden = [text[s.start : s.end] for s in structure.spans if s.look is Look.HIDDEN]
    assert sorted(hidden) == sorted(["**", "**", "*", "*", "`", "`", "[", "](http://x.invalid/)"])
    kinds = [block.kind for block in structure.blocks]
    assert kinds == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.PARAGRAPH, BlockKind.CODE]


def test_a_word_document_shows_its_emphasis(renderer: PageRenderer, tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    run = "<w:r><w:rPr>{0}</w:rPr><w:t>{1}</w:t></w:r>"
    body = (
        "<w:p><w:r><w:t>The rent is due.</w:t></w:r></w:p><w:p>"
        + run.format("", "The ")
        + run.format("<w:b/>", "rent")
        + run.format('<w:b w:val="0"/><w:i/>', " is due.")
        + "</w:p>"
    )
    path.write_bytes(docx(body))

    assert looks(path, renderer.structure(path)) == [("rent", "bold"), ("is due.", "italic")]


def test_a_web_page_shows_its_emphasis(renderer: PageRenderer, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<script>var rent = 'The rent';</script><h1>Lease</h1><p>The rent.</p>"
        "<p>The <b>rent is <i>due</i></b> on <code>day 3</code>.</p>",
        encoding="utf-8",
    )
    assert looks(path, renderer.structure(path)) == [
        ("rent is", "bold"),
        ("due", "bold"),
        ("due", "italic"),
        ("day 3", "code"),
    ]


def test_the_sheets_of_a_workbook_are_blocks_with_a_number(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    path = tmp_path / "a.xlsx"
    sheets = {"Sales": rows(("Region", "Units"), ("North", 7)), "Costs": rows(("Item",), ("Rent",))}
    path.write_bytes(xlsx(sheets))
    structure = renderer.structure(path)

    assert [(b.kind.value, b.page) for b in structure.blocks][:2] == [("heading", 1), ("table", 1)]
    assert structure.blocks[-1].page == 2
