"""PDF files whose letters mean something else: fonts with a table of characters of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pymupdf

from tests.helpers.drawn_pdf import lines

_TABLE = """/CIDInit /ProcSet findresource begin
begincmap
/CMapName /Own def
1 begincodespacerange
<00> <ff>
endcodespacerange
{count} beginbfchar
{pairs}
endbfchar
endcmap
"""


def mapped(data: bytes, page: int, characters: Mapping[str, str]) -> bytes:
    """Return a copy in which the fonts of a page (from 0) say other characters than they draw."""
    document = pymupdf.open(stream=data, filetype="pdf")
    pairs = "\n".join(
        f"<{ord(drawn):02x}> <{meant.encode('utf-16-be').hex()}>"
        for drawn, meant in characters.items()
    )
    table = document.get_new_xref()
    document.update_object(table, "<<>>")
    document.update_stream(table, _TABLE.format(count=len(characters), pairs=pairs).encode())
    for font in document[page].get_fonts():
        document.xref_set_key(font[0], "ToUnicode", f"{table} 0 R")
    changed: bytes = document.tobytes()
    document.close()
    return changed


def pages(*texts: Sequence[str]) -> bytes:
    """Return a PDF with these lines on its pages, each page with a font object of its own."""
    document = pymupdf.open()
    for page in texts:
        one = pymupdf.open()
        lines(one.new_page(width=595, height=842), page)
        document.insert_pdf(one)
        one.close()
    data: bytes = document.tobytes()
    document.close()
    return data
