from __future__ import annotations

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.docx import CUT_OFF
from desktop_rag.ingestion.parsers.registry import parse_bytes
from tests.helpers.office_files import WORD, docx, paragraph
from tests.helpers.parsed_blocks import blocks, header_of, words_of


def parse(content: bytes, name: str = "a.docx") -> ParsedDocument:
    return parse_bytes(content, name)


def run(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


def cell(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def styles(**names: str) -> dict[str, str]:
    written = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in names.items()
    )
    return {"styles.xml": f"<w:styles {WORD}>{written}</w:styles>"}


def test_insertions_are_in_and_deletions_out() -> None:
    body = (
        f"<w:p>{run('One ')}<w:ins>{run('Two')}</w:ins>"
        "<w:del><w:r><w:delText>Three</w:delText></w:r></w:del>"
        f"<w:moveFrom>{run('Four')}</w:moveFrom><w:moveTo>{run(' Five')}</w:moveTo></w:p>"
    )

    assert parse(docx(body)).document.text == "One Two Five"


def test_a_word_in_several_runs_is_whole() -> None:
    assert parse(docx(f"<w:p>{run('Project')}{run('X2024')}</w:p>")).document.text == "ProjectX2024"


def test_a_text_box_is_there_once() -> None:
    inside = f"<w:txbxContent>{paragraph('In the box')}</w:txbxContent>"
    body = (
        f"<w:p>{run('Before')}<w:r><mc:AlternateContent>"
        f"<mc:Choice><wps:txbx>{inside}</wps:txbx></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{inside}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )

    assert parse(docx(body)).document.text == "Before\n\nIn the box"


def test_notes_headers_and_footers_are_there() -> None:
    body = f"<w:p>{run('A claim')}<w:r><w:footnoteReference w:id='2'/></w:r></w:p>"
    parts = {
        "footnotes.xml": f"<w:footnotes {WORD}><w:footnote w:type='separator' w:id='0'>"
        f"{paragraph('-----')}</w:footnote><w:footnote w:id='2'>{paragraph('Its source')}"
        "</w:footnote></w:footnotes>",
        "header1.xml": f"<w:hdr {WORD}>{paragraph('Confidential')}</w:hdr>",
        "header2.xml": f"<w:hdr {WORD}>{paragraph('Confidential')}</w:hdr>",
        "footer1.xml": f"<w:ftr {WORD}>{paragraph('Smith and Partners')}</w:ftr>",
        "footer2.xml": f"<w:ftr {WORD}>{paragraph('17')}</w:ftr>",
    }

    parsed = parse(docx(body, parts))

    assert blocks(parsed) == [
        ("note", "Confidential"),
        ("note", "Smith and Partners"),
        ("paragraph", "A claim"),
        ("note", "Its source"),
    ]


def test_comments_name_their_author() -> None:
    body = f"<w:p>{run('A claim')}<w:r><w:commentReference w:id='1'/></w:r></w:p>"
    comment = f"<w:comment w:id='1' w:author='Ada'>{paragraph('Is it so?')}</w:comment>"

    parsed = parse(docx(body, {"comments.xml": f"<w:comments {WORD}>{comment}</w:comments>"}))

    assert words_of(parsed, BlockKind.NOTE) == ["Ada: Is it so?"]


def test_a_nested_table_is_in_its_cell() -> None:
    inner = table(cell(paragraph("a")) + cell(paragraph("b")), cell(paragraph("c")))
    body = table(
        cell(paragraph("Name")) + cell(paragraph("Parts")),
        cell(paragraph("Pump")) + cell(inner + paragraph("end")),
    )

    parsed = parse(docx(body))

    assert parsed.document.text == "Name | Parts\nPump | a, b; c end"
    assert header_of(parsed, parsed.blocks[0]) == "Name | Parts"


def test_a_wide_header_cell_counts_for_all_of_its_columns() -> None:
    body = table(
        cell(paragraph("Site")) + cell(paragraph("Units"), "<w:gridSpan w:val='2'/>"),
        cell(paragraph("York")) + cell(paragraph("1")) + cell(paragraph("2")),
    )

    assert parse(docx(body)).document.text == "Site | Units | Units\nYork | 1 | 2"


def test_a_table_of_one_cell_is_only_a_frame() -> None:
    body = table(cell(paragraph("First sentence.") + paragraph("Second sentence.")))

    assert blocks(parse(docx(body))) == [
        ("paragraph", "First sentence."),
        ("paragraph", "Second sentence."),
    ]


def test_headings_by_style_outline_and_inheritance() -> None:
    parts = styles(T="Title", H="heading 1")
    more = (
        '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H"/></w:style>'
        "</w:styles>"
    )
    parts["styles.xml"] = parts["styles.xml"].replace("</w:styles>", more)
    body = (
        paragraph("Lease", "<w:pStyle w:val='T'/>")
        + paragraph("Rent", "<w:pStyle w:val='H'/>")
        + paragraph("Term", "<w:pStyle w:val='Mine'/>")
        + paragraph("Notice", "<w:outlineLvl w:val='1'/>")
        + paragraph("It ends in May.")
    )

    parsed = parse(docx(body, parts))

    assert [(block.kind.value, block.level) for block in parsed.blocks] == [
        *(("heading", 1), ("heading", 2), ("heading", 2), ("heading", 3), ("paragraph", 0))
    ]
    assert parsed.title == "Lease"


def test_lists_are_numbered_as_word_shows_them() -> None:
    def level(number: int, style: str, text: str) -> str:
        return (
            f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{style}"/>'
            f'<w:lvlText w:val="{text}"/></w:lvl>'
        )

    def item(text: str, depth: int, number: int = 1) -> str:
        return paragraph(
            text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
        )

    levels = level(0, "decimal", "%1.") + level(1, "lowerLetter", "%1.%2)")
    numbering = (
        f"<w:numbering {WORD}><w:abstractNum w:abstractNumId='7'>{levels}</w:abstractNum>"
        f"<w:abstractNum w:abstractNumId='8'>{level(0, 'bullet', '•')}</w:abstractNum>"
        "<w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>"
        "<w:num w:numId='2'><w:abstractNumId w:val='8'/></w:num></w:numbering>"
    )
    body = (
        item("Rent", 0) + item("Due", 1) + item("Late", 1) + item("Term", 0) + item("Start", 1)
    ) + item("Keys", 0, 2)

    parsed = parse(docx(body, {"numbering.xml": numbering}))

    assert words_of(parsed, BlockKind.LIST_ITEM) == [
        *("1. Rent", "1.a) Due", "1.b) Late", "2. Term", "2.a) Start", "Keys")
    ]


def test_title_and_author_come_from_the_properties() -> None:
    parsed = parse(docx(paragraph("Words"), title="Lease of the mill", author="Ada Lovelace"))

    assert parsed.title == "Lease of the mill"
    assert parsed.document.metadata["author"] == "Ada Lovelace"
    assert parsed.document.metadata["created"] == "2024-03-15"


def test_field_codes_are_no_text_and_their_results_are() -> None:
    body = (
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>DATE</w:instrText>"
        f"</w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>{run('1 May')}</w:p>"
    )

    assert parse(docx(body)).document.text == "1 May"


def test_content_controls_and_symbol_characters() -> None:
    body = (
        f"<w:sdt><w:sdtPr/><w:sdtContent><w:p>{run('In a control')}<w:r><w:tab/></w:r>"
        f"{run(chr(0xF0B7) + ' after' + chr(0xAD) + 'wards')}</w:p></w:sdtContent></w:sdt>"
    )

    assert parse(docx(body)).document.text == "In a control afterwards"


def test_what_is_left_of_a_cut_off_file_is_read() -> None:
    body = "".join(paragraph(f"Sentence number {n} of the agreement.") for n in range(4000))
    whole = docx(body)

    parsed = parse(whole[: len(whole) * 3 // 4])

    assert "Sentence number 100 of the agreement." in parsed.document.text
    assert [unit.reason for unit in parsed.coverage.unreadable] == [CUT_OFF]


def test_a_word_document_is_one_whatever_its_name_is() -> None:
    assert parse(docx(paragraph("Words")), "a.txt").kind == "docx"
    assert parse(docx(paragraph("Words")), "a.xlsx").kind == "docx"
