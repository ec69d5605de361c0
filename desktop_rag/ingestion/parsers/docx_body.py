"""The body of a Word document, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from desktop_rag.domain.document import BlockKind
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.docx_styles import (
    TITLE,
    Numbering,
    Style,
    numbering_of,
    outline_level,
)
from desktop_rag.ingestion.parsers.docx_tables import rows_of, sole_cells
from desktop_rag.ingestion.parsers.docx_text import Words, paragraphs_of, words_of
from desktop_rag.ingestion.parsers.office_package import attribute, child
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

_LONGEST_HEADING = 250
_MOST_NESTING = 20
_PLAIN = Style()


class DocxBody:
    """Appends the elements of a body to an assembly.

    Args:
        assembly: what is appended to.
        styles: the paragraph styles by id.
        numbering: counts the numbered paragraphs.
        notes: the words of footnotes, endnotes and comments by (kind, id).
    """

    def __init__(
        self,
        assembly: Assembly,
        styles: Mapping[str, Style],
        numbering: Numbering,
        notes: Mapping[tuple[str, str], str],
    ) -> None:
        self._assembly = assembly
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self.title = ""

    def add(self, element: Element, depth: int = 0) -> None:
        """Append a paragraph or a table, and what is anchored in it."""
        if depth > _MOST_NESTING:
            return
        if local_name(element) == "p":
            words = words_of(element)
            self._paragraph(element, words.text)
            self._anchored(words, depth)
        else:
            self._table(element, depth)

    def _table(self, table: Element, depth: int) -> None:
        cells = sole_cells(table)
        if cells is not None:
            for cell in cells:
                self._all(paragraphs_of(cell), depth)
            return
        found = rows_of(table)
        self._assembly.table(found.rows, found.header_rows)
        self._anchored(found.anchored, depth)

    def _all(self, elements: Iterable[Element], depth: int) -> None:
        for element in elements:
            self.add(element, depth + 1)

    def _anchored(self, words: Words, depth: int) -> None:
        for box in words.boxes:
            self._all(paragraphs_of(box), depth)
        for note in words.notes:
            self._assembly.add(BlockKind.NOTE, self._notes.get(note, ""))

    def _paragraph(self, paragraph: Element, text: str) -> None:
        properties = child(paragraph, "pPr")
        style = self._style(properties)
        numbered = numbering_of(properties) or style.numbering
        if not text:
            return
        label = self._numbering.label(*numbered) if numbered is not None else ""
        level = outline_level(properties)
        level = style.level if level is None else level
        words = f"{label} {text}" if label else text
        if level is not None and len(text) <= _LONGEST_HEADING:
            self._heading(level, " ".join(words.split()))
        else:
            listed = numbered is not None and numbered[0] not in ("", "0")
            self._assembly.add(BlockKind.LIST_ITEM if listed else BlockKind.PARAGRAPH, words)

    def _heading(self, level: int, words: str) -> None:
        if level == TITLE and not self.title:
            self.title = words
        below = 1 if self.title else 0
        self._assembly.add(BlockKind.HEADING, words, level=max(1, level + below))

    def _style(self, properties: Element | None) -> Style:
        named = None if properties is None else child(properties, "pStyle")
        return _PLAIN if named is None else self._styles.get(attribute(named, "val"), _PLAIN)
