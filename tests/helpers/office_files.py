"""Office files made from scratch, with nothing in them but what a test is about."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping

from tests.helpers.compound_file import compound_file

_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
SHEET = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{_KINDS}"'
SLIDE = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    f'xmlns:r="{_KINDS}"'
)
ODF = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (
            *(("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing")),
            *(("presentation", "presentation"), ("style", "style"), ("meta", "meta")),
            ("svg", "svg-compatible"),
        )
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
_CORE = (
    "<cp:coreProperties "
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
    "<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator>"
    "<dcterms:created>2024-03-15T10:00:00Z</dcterms:created></cp:coreProperties>"
)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, method)
    return file.getvalue()


def relations(*targets: tuple[str, str, str]) -> str:
    """Return a part of relations (id, kind, target)."""
    items = "".join(
        f'<Relationship Id="{key}" Type="{_KINDS}/{kind}" Target="{target}"/>'
        for key, kind, target in targets
    )
    return f'<Relationships xmlns="{_RELATIONS}">{items}</Relationships>'


def core(title: str = "", author: str = "") -> str:
    """Return a part of core properties."""
    return _CORE.format(title=title, author=author)


def docx(body: str, parts: Mapping[str, str] | None = None, **more: str) -> bytes:
    """Return a Word document.

    Args:
        body: what is within w:body.
        parts: parts beside the document, by file name: "styles.xml".
        more: ``title`` and ``author``.
    """
    beside = parts or {}
    kinds = [(f"r{n}", name.rstrip("0123456789.xml"), name) for n, name in enumerate(beside)]
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
            "docProps/core.xml": core(**more),
            "word/_rels/document.xml.rels": relations(*kinds),
            "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
            **{f"word/{name}": content for name, content in beside.items()},
        }
    )


def paragraph(text: str, properties: str = "") -> str:
    """Return a paragraph of a Word document."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def xlsx(
    sheets: Mapping[str, str],
    strings: tuple[str, ...] = (),
    formats: tuple[str, ...] = (),
    parts: Mapping[str, str] | None = None,
) -> bytes:
    """Return a workbook.

    Args:
        sheets: what is within each worksheet, by name.
        strings: the shared strings.
        formats: number formats; the first is style 1 (style 0 has none).
        parts: further parts by path.
    """
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="s{n}"/>' for n, name in enumerate(sheets, 1)
    )
    codes = "".join(
        f'<numFmt numFmtId="{164 + n}" formatCode="{code}"/>' for n, code in enumerate(formats)
    )
    styles = "".join(f'<xf numFmtId="{164 + n}"/>' for n in range(len(formats)))
    kinds = [(f"s{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)]
    kinds += [("st", "styles", "styles.xml"), ("ss", "sharedStrings", "sharedStrings.xml")]
    items = "".join(f"<si><t>{text}</t></si>" for text in strings)
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f"<workbook {SHEET}><sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(*kinds),
            "xl/sharedStrings.xml": f"<sst {SHEET}>{items}</sst>",
            "xl/styles.xml": f"<styleSheet {SHEET}><numFmts>{codes}</numFmts>"
            f'<cellXfs><xf numFmtId="0"/>{styles}</cellXfs></styleSheet>',
            **{
                f"xl/worksheets/sheet{n}.xml": f"<worksheet {SHEET}>{content}</worksheet>"
                for n, content in enumerate(sheets.values(), 1)
            },
            **(parts or {}),
        }
    )


def rows(*lines: tuple[str | float, ...]) -> str:
    """Return the data of a sheet: words as inline strings, numbers as they are."""
    written = []
    for number, line in enumerate(lines, 1):
        cells = "".join(_cell(value, number, column) for column, value in enumerate(line))
        written.append(f'<row r="{number}">{cells}</row>')
    return f"<sheetData>{''.join(written)}</sheetData>"


def _cell(value: str | float, row: int, column: int) -> str:
    place = f"{chr(65 + column)}{row}"
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>' if value else ""
    return f'<c r="{place}"><v>{value}</v></c>'


def pptx(slides: list[str], parts: Mapping[str, str] | None = None) -> bytes:
    """Return a presentation.

    Args:
        slides: what is within the shape tree of each.
        parts: further parts by path.
    """
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in range(1, len(slides) + 1))
    kinds = [(f"s{n}", "slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)]
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f"<p:presentation {SLIDE}><p:sldIdLst>{listed}</p:sldIdLst>"
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(*kinds),
            **{
                f"ppt/slides/slide{n}.xml": slide("sld", content)
                for n, content in enumerate(slides, 1)
            },
            **(parts or {}),
        }
    )


def slide(kind: str, shapes: str) -> str:
    """Return a slide ("sld"), or its notes ("notes")."""
    tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
    return f"<p:{kind} {SLIDE}>{tree}</p:{kind}>"


def box(text: str, x: int = 0, y: int = 0, placeholder: str = "") -> str:
    """Return a box of a slide at a place, or a placeholder without one."""
    held = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    place = "" if placeholder else f'<a:xfrm><a:off x="{x}" y="{y}"/></a:xfrm>'
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f"<p:sp><p:nvSpPr><p:nvPr>{held}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody>{lines}</p:txBody></p:sp>"
    )


def odf(kind: str, body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """Return an OpenDocument file of a kind: "text", "spreadsheet", "presentation"."""
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {ODF}><office:body><office:{kind}>{body}"
            f"</office:{kind}></office:body></office:document-content>",
            "meta.xml": f"<office:document-meta {ODF}><office:meta><dc:title>Annual report"
            "</dc:title><meta:initial-creator>Ada</meta:initial-creator>"
            "<meta:creation-date>2024-03-15T10:00:00</meta:creation-date>"
            "</office:meta></office:document-meta>",
            **(parts or {}),
        }
    )


def xls(cells: Mapping[tuple[int, int], str | tuple[float, str]], name: str = "Sheet") -> bytes:
    """Return an old workbook of one sheet: words, and (number, format) pairs, by place."""
    formats = dict.fromkeys(v[1] for v in cells.values() if not isinstance(v, str))
    codes = {code: 164 + n for n, code in enumerate(formats)}
    opening = struct.pack("<HHHHII", 0x600, 5, 0, 1997, 0, 6)
    book = _record(0x809, opening)
    for code, number in codes.items():
        book += _record(0x41E, struct.pack("<HHB", number, len(code), 0) + code.encode("latin-1"))
    book += _record(0xE0, struct.pack("<HHH", 0, 0, 0xFFF4) + bytes(14))
    for number in (0, *codes.values()):
        book += _record(0xE0, struct.pack("<HHH", 0, number, 0) + bytes(14))
    label = struct.pack("<BB", len(name), 0) + name.encode("latin-1")
    start = len(book) + 4 + 6 + len(label) + 4
    book += _record(0x85, struct.pack("<IH", start, 0) + label) + _record(0x0A, b"")
    sheet = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 1997, 0, 6))
    for (row, column), value in sorted(cells.items()):
        if isinstance(value, str):
            words = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
            sheet += _record(0x204, struct.pack("<HHH", row, column, 1) + words)
        else:
            style = 2 + list(codes).index(value[1])
            sheet += _record(0x203, struct.pack("<HHHd", row, column, style, value[0]))
    return compound_file({"Workbook": book + sheet + _record(0x0A, b"")})


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data
