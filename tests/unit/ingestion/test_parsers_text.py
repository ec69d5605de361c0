from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.formats import Format, format_of, parser_key
from desktop_rag.ingestion.parsers.registry import parse_bytes, parse_file
from desktop_rag.ingestion.parsers.text import parse_text

LONG = "The experiment was carried out over three years in five hospitals with 240 patients, and "
LONG += "the outcome was compared with that of a control group of the same age and sex."


def pieces(parsed: ParsedDocument) -> list[tuple[str, str]]:
    text = parsed.document.text
    return [(block.kind.value, text[block.start : block.end]) for block in parsed.blocks]


def test_the_canonical_text_is_the_text_of_the_file() -> None:
    raw = "Title\r\n\r\n  First.\r\nSecond.\t\r\n\r\n\r\nThird.\n"

    assert parse_bytes(raw.encode(), "a.txt").document.text == raw


def test_a_first_short_line_is_the_title() -> None:
    parsed = parse_text(f"White matter in newborns\n{LONG}")

    assert parsed.title == "White matter in newborns"
    assert pieces(parsed) == [("heading", "White matter in newborns"), ("paragraph", LONG)]


@pytest.mark.parametrize(
    "title",
    [
        "Microstructural development of white matter assessed by imaging.",
        "Soluble nucleotidase from placenta. Properties and regulation",
        "Who is at risk of disease?",
        "株洲北站",
    ],
)
def test_titles_of_articles_may_end_like_sentences(title: str) -> None:
    assert parse_text(f"{title}\n{LONG}").title == title


@pytest.mark.parametrize(
    "text",
    [
        "A single line",
        "Dear all.\nThanks for coming.",
        "This is the first line of a paragraph that a program has broken\n"
        "at a column, as mail programs do, so it is not the title of it.\n",
        f"{LONG}\nAnother paragraph that is about as long as the first one, give or take.",
        "——————\n" + LONG,
    ],
)
def test_other_first_lines_are_no_titles(text: str) -> None:
    assert parse_text(text).title == ""


def test_a_paragraph_broken_at_a_column_is_one_block() -> None:
    wrapped = "\n".join(
        ["This paragraph was broken at a column by the program that wrote it, and"] * 5
    )
    parsed = parse_text(f"Notes\n\n{wrapped}\n\nAnother one.")

    assert [kind for kind, _ in pieces(parsed)] == ["heading", "paragraph", "paragraph"]


def test_unbroken_lines_are_paragraphs_of_their_own() -> None:
    parsed = parse_text(f"{LONG}\n{LONG}\n{LONG}")

    assert len(parsed.blocks) == 3


@pytest.mark.parametrize("line", ["Chapter 2", "Article IV: Payment", "第三章 违约责任", "第十条"])
def test_chapter_lines_are_headings(line: str) -> None:
    parsed = parse_text(f"Contract\n\n{LONG}\n\n{line}\n\n{LONG}")

    headings = [b for b in parsed.blocks if b.kind is BlockKind.HEADING]
    assert [b.level for b in headings] == [1, 2]


@pytest.mark.parametrize("line", ["Part of the money was lost", "Section 3 says so."])
def test_sentences_about_chapters_are_not(line: str) -> None:
    parsed = parse_text(f"{LONG}\n\n{line}\n\n{LONG}")

    assert all(block.kind is BlockKind.PARAGRAPH for block in parsed.blocks)


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.7", "a.txt", Format.PDF),
        (b"junk\n%PDF-1.4", "scan", Format.PDF),
        (b"plain", "a.pdf", Format.PDF),
        (b"# Title", "a.md", Format.MARKDOWN),
        (b"# Title", "a.txt", Format.TEXT),
        (b"words", "README", Format.TEXT),
        (b"words", "notes.2024", Format.TEXT),
        (b"words", "letter to Mr. Smith", Format.TEXT),
        (b"a;b", "a.csv", Format.CSV),
        (b"PK\x03\x04 word/document.xml", "a.txt", Format.OFFICE),
        (b"{\\rtf1", "a.txt", Format.RTF),
        (b"\x89PNG\r\n\x1a\n", "a.txt", Format.IMAGE),
    ],
)
def test_formats_are_told_by_content_first(head: bytes, name: str, expected: Format) -> None:
    assert format_of(head, name) is expected


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"\0\0\0\x18ftypheic", "x.jpg", "a picture"),
        (b"ID3", "x.mp3", "“x.mp3” is a sound recording"),
        (b"\x7fELF", "x.txt", "“x.txt” is a program"),
        (b"??", "x.qqq", "an unknown kind (.qqq)"),
    ],
)
def test_formats_without_a_parser_are_named(content: bytes, name: str, words: str) -> None:
    with pytest.raises(KnownError) as caught:
        parse_bytes(content, name)

    assert caught.value.title == "Not read yet"
    assert words in caught.value.message
    assert "files of this kind are not read by this version" in caught.value.message


def test_a_name_adds_its_family_to_the_key() -> None:
    assert parser_key("a.txt") == parser_key("b.LOG") == parser_key("README") == "text"
    assert parser_key("a.md") == "markdown"
    assert parser_key("a.pdf") == "pdf"
    assert parser_key("a.csv") != parser_key("a.txt")


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        parse_file(tmp_path / "gone.txt")
