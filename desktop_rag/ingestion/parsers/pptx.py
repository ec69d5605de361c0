"""PowerPoint presentations (pptx, pptm, ppsx)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.drawing_text import drawn_paragraphs
from desktop_rag.ingestion.parsers.office_package import OfficePackage, child, clean
from desktop_rag.ingestion.parsers.pptx_shapes import (
    Piece,
    Places,
    pieces_of,
    placeholder,
    places_of,
)
from desktop_rag.ingestion.parsers.problems import damaged, no_text
from desktop_rag.ingestion.parsers.xml_safe import Element

NOTES_LABEL = "Notes: "
COMMENT_LABEL = "Comment: "
SLIDE_DAMAGED = "the slide is damaged"

_PRESENTATION = "ppt/presentation.xml"


class PptxParser:
    """Reads presentations slide by slide: title, boxes by position, tables, notes."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read a presentation; see ``Parser``."""
        package = OfficePackage(source, name)
        with package.archive:
            return _Presentation(package).parsed()


class _Presentation:
    """One presentation being read."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._main = package.main_part(_PRESENTATION)
        self._assembly = Assembly()
        self._layouts: dict[str, Places] = {}
        self._title = ""

    def parsed(self) -> ParsedDocument:
        """Read all slides."""
        name = self._package.name
        slides = list(self._slides())
        if not slides:
            raise damaged(name)
        empty, unreadable = 0, []
        for number, path in enumerate(slides, start=1):
            root = self._package.xml(path)
            if root is None:
                unreadable.append(UnreadableUnit(number, SLIDE_DAMAGED))
                continue
            before = len(self._assembly)
            self._add_slide(root, path, number)
            empty += len(self._assembly) == before
        if not len(self._assembly):
            raise damaged(name) if unreadable else no_text(name, "Its slides have no words.")
        title, metadata = self._package.properties()
        read = len(slides) - empty - len(unreadable)
        return self._assembly.finish(
            "pptx",
            title=title or self._title,
            metadata=metadata,
            coverage=Coverage(read, 0, empty, tuple(unreadable)),
            pages=len(slides),
        )

    def _slides(self) -> Iterator[str]:
        """Yield the paths of the slides in their order; without a list, as they lie."""
        parts = self._package.relations(self._main)
        root = self._package.xml(self._main)
        listed = None if root is None else child(root, "sldIdLst")
        for slide in () if listed is None else listed:
            relation = next((v for k, v in slide.items() if k.endswith("}id")), "")
            kind, path = parts.get(relation, ("", ""))
            if kind == "slide":
                yield path
        if listed is None:
            names = [n for n in self._package.archive.names if n.startswith("ppt/slides/slide")]
            yield from sorted(names, key=lambda name: (len(name), name))

    def _add_slide(self, root: Element, path: str, number: int) -> None:
        parts = self._package.relations(path)
        tree = child(root, "cSld", "spTree")
        layout = next((p for kind, p in parts.values() if kind == "slideLayout"), "")
        for piece in () if tree is None else pieces_of(tree, self._places(layout)):
            self._add(piece, number, parts)
        for kind, part in parts.values():
            if kind == "notesSlide":
                self._add_notes(part, number)
            elif kind == "comments":
                self._add_comments(part, number)

    def _add(self, piece: Piece, number: int, parts: dict[str, tuple[str, str]]) -> None:
        if piece.rows:
            self._assembly.table(piece.rows, 1 if len(piece.rows) > 1 else 0, page=number)
        elif piece.part:
            root = self._package.xml(parts.get(piece.part, ("", ""))[1])
            for words in () if root is None else drawn_paragraphs(root):
                self._assembly.add(BlockKind.PARAGRAPH, words, page=number)
        else:
            is_heading = piece.kind is BlockKind.HEADING
            self._assembly.add(piece.kind, piece.text, level=int(is_heading), page=number)
            if is_heading and not self._title:
                self._title = piece.text

    def _add_notes(self, path: str, number: int) -> None:
        root = self._package.xml(path)
        tree = None if root is None else child(root, "cSld", "spTree")
        for shape in () if tree is None else tree:
            held, body = placeholder(shape), child(shape, "txBody")
            if body is not None and held is not None and held[0] == "body":
                words = "\n".join(drawn_paragraphs(body))
                if words:
                    self._assembly.add(BlockKind.NOTE, NOTES_LABEL + words, page=number)

    def _add_comments(self, path: str, number: int) -> None:
        root = self._package.xml(path)
        for comment in () if root is None else root:
            text = child(comment, "text")
            body = child(comment, "txBody")
            words = "" if text is None else clean(text.text or "")
            if body is not None:
                words = "\n".join(drawn_paragraphs(body))
            if words.strip():
                self._assembly.add(BlockKind.NOTE, COMMENT_LABEL + words.strip(), page=number)

    def _places(self, layout: str) -> Places:
        if layout not in self._layouts:
            root = self._package.xml(layout)
            tree = None if root is None else child(root, "cSld", "spTree")
            self._layouts[layout] = {} if tree is None else places_of(tree)
        return self._layouts[layout]
