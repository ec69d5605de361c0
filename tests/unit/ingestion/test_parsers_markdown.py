from __future__ import annotations

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.markdown import MarkdownParser
from desktop_rag.ingestion.plain import plain_markdown, plain_text_of


def parse(text: str) -> ParsedDocument:
    return MarkdownParser().parse(text.encode(), "a.md")


def pieces(parsed: ParsedDocument) -> list[tuple[str, int, str]]:
    text = parsed.document.text
    return [(b.kind.value, b.level, text[b.start : b.end]) for b in parsed.blocks]


def test_the_canonical_text_is_the_source() -> None:
    source = "# A **bold** title\r\n\r\nSee [the page](http://example.org/x?y=1).\r\n"

    assert parse(source).document.text == source


def test_blocks_and_their_places() -> None:
    parsed = parse(
        "# Manual\n\nIntro *words*.\n\n## Use ##\n\n- first\n  goes on\n- second\n\n"
        "1. one\n\n> quoted\n> twice\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nSetext\n------\n"
    )

    assert pieces(parsed) == [
        ("heading", 1, "Manual"),
        ("paragraph", 0, "Intro *words*."),
        ("heading", 2, "Use"),
        ("list_item", 0, "first\n  goes on"),
        ("list_item", 0, "second"),
        ("list_item", 0, "one"),
        ("paragraph", 0, "quoted\n> twice"),
        ("table", 0, "| A | B |\n|---|---|\n| 1 | 2 |"),
        ("heading", 2, "Setext"),
    ]
    table = next(b for b in parsed.blocks if b.kind is BlockKind.TABLE)
    assert table.header is not None
    assert parsed.document.text[slice(*table.header)] == "| A | B |"


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_comment_in_a_fence_is_no_heading(fence: str) -> None:
    parsed = parse(f"# Title\n\n{fence}sh\n# comment\nls\n{fence}\n\nEnd.\n")

    assert pieces(parsed)[1] == ("code", 0, "# comment\nls")
    assert [b.kind for b in parsed.blocks].count(BlockKind.HEADING) == 1


def test_front_matter_becomes_metadata() -> None:
    parsed = parse(
        '---\ntitle: "My: Book"\nauthors:\n  - Ann\n  - Bo\ndate: 2024-03-01\nlayout: post\n---\n'
        "\n# Chapter\n\nText.\n"
    )

    assert parsed.title == "My: Book"
    assert dict(parsed.document.metadata) == {
        "title": "My: Book",
        "author": "Ann, Bo",
        "date": "2024-03-01",
    }
    assert pieces(parsed)[0] == ("heading", 1, "Chapter")


def test_a_thematic_break_is_no_front_matter() -> None:
    parsed = parse("---\n\nJust text here.\n\n---\n\nMore.\n")

    assert not parsed.document.metadata
    assert [words for _, _, words in pieces(parsed)] == ["Just text here.", "More."]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# One\n\ntext\n\n## Sub\n\ntext\n", "One"),
        ("# Book\n\n# Chapter 1\n\ntext\n\n# Chapter 2\n\ntext\n", "Book"),
        ("# Chapter 1\n\ntext\n\n# Chapter 2\n\ntext\n", ""),
        ("no heading\n", ""),
        ("# With `code` and *stress*\n\ntext\n", "With code and stress"),
    ],
)
def test_the_title_is_the_only_top_heading_or_the_books(source: str, title: str) -> None:
    assert parse(source).title == title


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("See [the *new* page](http://x.org/a_b?c) now", "See the new page now"),
        ("![a chart](img.png) shows **growth**", "a chart shows growth"),
        ("use `__init__` and snake_case", "use __init__ and snake_case"),
        ("cut off **bold", "cut off bold"),
        ("2 * 3 = 6 and a < b", "2 * 3 = 6 and a < b"),
        ("line<br>break &amp; more", "line break & more"),
        ("before <!-- hidden --> after", "before   after"),
        ("<https://example.org> link", "https://example.org link"),
        ("- [x] done\n- open", "done\nopen"),
    ],
)
def test_what_the_model_reads_has_no_markup(source: str, words: str) -> None:
    assert plain_markdown(source) == words


def test_code_is_read_as_it_is() -> None:
    plain = plain_text_of("markdown")

    assert plain("x = a * b  # *note*", BlockKind.CODE) == "x = a * b  # *note*"
    assert plain("| A | B |\n|---|:-:|\n| *1* | 2 |", BlockKind.TABLE).split() == [
        *("A", "B"),
        *("1", "2"),
    ]


def test_deep_nesting_and_broken_markup_do_no_harm() -> None:
    parsed = parse(">" * 500 + " deep\n\n" + "[" * 2000 + "x" + "](" * 100 + "\n\nEnd.\n")

    assert pieces(parsed)[-1] == ("paragraph", 0, "End.")


def test_footnotes_are_notes_and_lose_no_word() -> None:
    source = (
        "The pump runs.[^1] It stops.[^long]\n\n"
        "[^1]: Sometimes\n"
        "[^long]: When it is cold.\n\n"
        "    And at night.\n\n"
        "It is blue."
    )

    assert pieces(parse(source)) == [
        ("paragraph", 0, "The pump runs.[^1] It stops.[^long]"),
        ("note", 0, "Sometimes"),
        ("note", 0, "When it is cold."),
        ("note", 0, "And at night."),
        ("paragraph", 0, "It is blue."),
    ]
