"""XML from documents: no entities, no DTDs fetched, nothing loaded from elsewhere.

A document type may declare elements and attributes, which does nothing here; one that
declares entities is refused.

lxml is imported late: only the processes that read files need it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, Protocol

from desktop_rag.ingestion.parsers.problems import unsafe_xml

Element = Any
"""An element of lxml."""

_HEAD_BYTES = 65_536
"""Within so many bytes the root element must begin."""

_PROLOG = re.compile(r"\ufeff?(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_LITERAL = r"\"[^\"]*+\"|'[^']*+'"
_HARMLESS_DOCTYPE = re.compile(
    rf"<!DOCTYPE(?>[^\[\]<>\"']|{_LITERAL})*+"
    rf"(?:\[(?>[^\]\"'<%]|{_LITERAL}|<!--.*?-->|<\?.*?\?>|<!(?:ELEMENT|ATTLIST|NOTATION)\s)*+\]"
    r"\s*+)?>",
    re.DOTALL | re.IGNORECASE,
)
"""A document type without entities, and without references ("%name;") to any."""

_BETWEEN = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_WIDE: tuple[tuple[bytes, str], ...] = (
    *((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")),
    *((b"<\0\0\0", "utf-32-le"), (b"\0\0\0<", "utf-32-be")),
    *((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")),
    *((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")),
)
"""How XML begins in encodings of two and four bytes a character (XML 1.0, appendix F)."""

_ELEMENT = re.compile(r"<[^\W\d]|<:")


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes, b"" at the end."""
        ...


class BrokenXml(Exception):  # noqa: N818  - what was read before it may still be used
    """XML that is not well-formed from some place on."""


def parse_xml(content: bytes, name: str) -> Element:
    """Return the root element of a whole XML document.

    Args:
        content: the document, in any encoding that XML allows.
        name: the file's name, for messages.

    Raises:
        KnownError: it declares entities.
        BrokenXml: it is not well-formed.
    """
    from lxml import etree

    _refuse_entities(content[:_HEAD_BYTES], name)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BrokenXml(str(error)) from error
    if root is None:
        raise BrokenXml("no root element")
    return root


def stream_xml(
    stream: Readable, name: str, tags: tuple[str, ...], events: tuple[str, ...] = ("end",)
) -> Iterator[tuple[str, Element]]:
    """Yield (event, element) while an XML document is being read.

    Args:
        stream: the document.
        name: the file's name, for messages.
        tags: what elements are told of ("{namespace}name"); all others are passed over.
        events: "start", "end".

    Raises:
        KnownError: it declares entities.
        BrokenXml: it is not well-formed from here on; what came before was yielded.
    """
    from lxml import etree

    head = stream.read(_HEAD_BYTES)
    _refuse_entities(head, name)
    try:
        yield from etree.iterparse(
            _Rejoined(head, stream),
            events=events,
            tag=tags,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
    except etree.XMLSyntaxError as error:
        raise BrokenXml(str(error)) from error


def forget(element: Element) -> None:
    """Free a streamed element and what came before it, once it has been dealt with."""
    element.clear(keep_tail=True)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


class _Rejoined:
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head = io.BytesIO(head)
        self._rest = rest

    def read(self, size: int = -1, /) -> bytes:
        return self._head.read(size) or self._rest.read(size)


def _refuse_entities(head: bytes, name: str) -> None:
    """Raise for a document type that declares entities.

    One without them ("<!DOCTYPE html>") does nothing, since no DTD is ever loaded. What
    does not begin as XML does is not given to the library, which knows more encodings than
    are looked through here.
    """
    text = _decoded(head)
    place = _end_of(_PROLOG, text, 0)
    if text[place : place + 2] == "<!":
        harmless = _HARMLESS_DOCTYPE.match(text, place)
        if harmless is None:
            raise unsafe_xml(name)
        place = _end_of(_BETWEEN, text, harmless.end())
    if not _ELEMENT.match(text, place):
        if len(head) >= _HEAD_BYTES:
            raise unsafe_xml(name)
        raise BrokenXml("no root element")


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return start if match is None else match.end()


def _decoded(head: bytes) -> str:
    wide = next((encoding for mark, encoding in _WIDE if head.startswith(mark)), "utf-8")
    return head.decode(wide, "replace")
