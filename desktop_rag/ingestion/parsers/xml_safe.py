"""XML from documents: no entities, no DTDs fetched, nothing loaded from elsewhere.

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
_DOCTYPE_WITHOUT_SUBSET = re.compile(r"<!DOCTYPE[^\[\]<>]*>", re.IGNORECASE)


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
    """Raise for a document type with declarations of its own.

    A type without them ("<!DOCTYPE html>") does nothing, since no DTD is ever loaded.
    """
    text = _decoded(head)
    prolog = _PROLOG.match(text)
    rest = text[prolog.end() if prolog else 0 :]
    if rest[:2] == "<!" and not _DOCTYPE_WITHOUT_SUBSET.match(rest):
        raise unsafe_xml(name)
    if not rest and len(head) >= _HEAD_BYTES:
        raise unsafe_xml(name)


def _decoded(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head.decode("utf-16", "replace")
    if b"\0" in head[:4]:
        return head.decode("utf-16-le" if head[1:2] == b"\0" else "utf-16-be", "replace")
    return head.decode("utf-8", "replace")
