"""The words of a Word paragraph: insertions in, deletions out, a text box once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_rag.ingestion.parsers.office_package import attribute, clean
from desktop_rag.ingestion.parsers.xml_safe import Element, local_name

_PASSED_OVER = frozenset(
    {
        *("del", "moveFrom", "delText", "delInstrText", "instrText", "rt", "rPr", "pPr", "sdtPr"),
        *("fldData", "docPr", "cNvPr", "binData", "sectPr", "tblPr", "tcPr", "trPr", "delMathPara"),
    }
)
_FOR = {
    "tab": " ",
    "ptab": " ",
    "br": "\n",
    "cr": "\n",
    "noBreakHyphen": "-",
}
_NOTES = {
    "footnoteReference": "footnote",
    "endnoteReference": "endnote",
    "commentReference": "comment",
}
_MOST_NESTING = 200


@dataclass(slots=True)
class Words:
    """A paragraph's words, the text boxes anchored in it and the notes it refers to.

    ``boxes`` are elements that hold paragraphs; ``notes`` are (kind, id).
    """

    text: str = ""
    boxes: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)


def words_of(paragraph: Element) -> Words:
    """Read one paragraph."""
    words = Words()
    pieces: list[str] = []
    _collect(paragraph, pieces, words, 0)
    lines = (" ".join(line.split()) for line in clean("".join(pieces)).split("\n"))
    words.text = "\n".join(line for line in lines if line)
    return words


def paragraphs_of(container: Element) -> Iterator[Element]:
    """Yield the paragraphs and tables of a text box, note, cell or header, in order."""
    for element in container:
        name = local_name(element)
        if name in ("p", "tbl"):
            yield element
        elif name not in _PASSED_OVER:
            yield from paragraphs_of(element)


def _collect(element: Element, pieces: list[str], words: Words, depth: int) -> None:
    if depth > _MOST_NESTING:
        return
    for item in element:
        name = local_name(item)
        if name == "t":
            pieces.append(item.text or "")
        elif name in _PASSED_OVER:
            continue
        elif name in _FOR:
            pieces.append(_FOR[name])
        elif name in _NOTES:
            words.notes.append((_NOTES[name], attribute(item, "id")))
        elif name == "txbxContent":
            words.boxes.append(item)
        elif name == "AlternateContent":
            _collect_alternative(item, pieces, words, depth)
        else:
            _collect(item, pieces, words, depth + 1)


def _collect_alternative(item: Element, pieces: list[str], words: Words, depth: int) -> None:
    """Read the first of several versions of the same that says anything."""
    for version in item:
        before = len(pieces), len(words.boxes)
        _collect(version, pieces, words, depth + 1)
        if (len(pieces), len(words.boxes)) != before:
            return
