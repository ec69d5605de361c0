"""Documents inside documents: attachments, mails of a mailbox, entries of archives.

Each is a document of its own. A parser that comes upon one says so here, and whoever has
the container read decides, with ``visiting``, what becomes of it; where nobody visits, the
parts are passed by.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Protocol

from desktop_rag.domain.document import Coverage, Document, ParsedDocument
from desktop_rag.domain.ocr import OcrState, Recognition
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import file_at
from desktop_rag.ingestion.parsers.limits import limits_in_force
from desktop_rag.ingestion.parsers.recognition import TextlessDocument

MAX_PARTS = 200_000
"""How many documents may lie in one file in all: the mails of a very full mailbox."""

_MOST_LISTED = 10_000
_LONGEST_NAME = 120
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\\]")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Part:
    """A document inside another: what it says, or why it could not be read.

    ``name`` is its place in the outermost container, with ``/``, and unique there.
    """

    name: str
    content: bytes
    outcome: ParsedDocument | TextlessDocument | KnownError


class PartVisitor(Protocol):
    """Gets the parts of a container, those inside a part before the part itself."""

    def wants(self, name: str, content: bytes) -> bool:
        """Return whether a part is to be parsed."""
        ...

    def take(self, part: Part) -> None:
        """Take a part that was parsed, or could not be."""
        ...


@dataclass(slots=True)
class _Visit:
    """Where the visitor of the outermost container is, and what parts may still take."""

    visitor: PartVisitor
    ocr: OcrState = OcrState.MISSING
    names: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    left: int = MAX_PARTS
    depth: int = 0
    bytes: int = field(default_factory=lambda: limits_in_force().unpacked)

    def name(self, wanted: str) -> str:
        """Return the place of a part that calls itself ``wanted``, unlike all others."""
        self.left -= 1
        clean = "/".join((*self.names, _clean(wanted) or f"part {MAX_PARTS - self.left}"))
        path, number = PurePosixPath(clean), 1
        while clean in self.taken:
            number += 1
            clean = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
        self.taken.add(clean)
        return clean

    @contextmanager
    def inside(self, name: str, size: int) -> Iterator[None]:
        """Be one level deeper while a part is read; raises ``KnownError`` for too much."""
        self.bytes -= size
        above, self.names = self.names, [name]
        self.depth += 1
        try:
            self._check(name)
            yield
        finally:
            self.names = above
            self.depth -= 1

    def _check(self, name: str) -> None:
        last = PurePosixPath(name).name
        most = limits_in_force()
        if self.depth > most.depth:
            message = f"“{last}” lies more than {most.depth} files deep. Take it out of them."
            raise KnownError("Nested too deeply", message)
        if self.left < 0:
            message = f"Of one file, {MAX_PARTS:,} parts are read, and “{last}” comes after them."
            raise KnownError("Too many parts", message)
        if self.bytes < 0:
            message = f"With “{last}” more than {most.unpacked // 1024**2:,} MB were unpacked."
            raise KnownError("Too large", message)


_visit: ContextVar[_Visit | None] = ContextVar("visit", default=None)


@contextmanager
def visiting(visitor: PartVisitor, ocr: OcrState = OcrState.MISSING) -> Iterator[None]:
    """Give the parts of what is parsed meanwhile to ``visitor``.

    ``ocr``: whether pages of theirs without text are going to be recognised.
    """
    token = _visit.set(_Visit(visitor, ocr))
    try:
        yield
    finally:
        _visit.reset(token)


def add_part(name: str, content: bytes, parse: Callable[[], ParsedDocument] | None = None) -> None:
    """Hand on a part.

    Args:
        name: its file name, or path in an archive.
        content: its bytes.
        parse: reads it; None for the parser of what the bytes are.
    """
    visit = _visit.get()
    if visit is None:
        return
    place = visit.name(name)
    try:
        with visit.inside(place, len(content)):
            if not visit.visitor.wants(place, content):
                return
            outcome = _parse(content, place, parse, visit.ocr)
    except KnownError as problem:
        visit.visitor.take(Part(place, content, problem))
    else:
        visit.visitor.take(Part(place, content, outcome))


def skip_part(name: str, problem: KnownError) -> None:
    """Hand on a part that is known to be unreadable."""
    visit = _visit.get()
    if visit is not None:
        visit.visitor.take(Part(visit.name(name), b"", problem))


def listing(kind: str, names: Sequence[str]) -> ParsedDocument:
    """Return the document of a container that has no words of its own.

    It says what is inside, to be looked at: with no blocks, nothing of it is searched.
    """
    shown = [" ".join(name.split()) for name in names[:_MOST_LISTED]]
    if len(names) > _MOST_LISTED:
        shown.append(f"… {len(names):,}")
    return ParsedDocument(Document("\n".join(shown)), (), Coverage(read=1), kind)


def source_of(path: Path) -> Path | bytes:
    """Return what there is to open at a path: a file, or the content of one that lies in it.

    Raises:
        KnownError: the container cannot be read, or has no such part any more.
        OSError: nothing is there.
    """
    on_disk = file_at(path)
    if on_disk == path:
        return path
    status = on_disk.stat()
    name = path.relative_to(on_disk).as_posix()
    return _kept_content(on_disk, name, (status.st_mtime_ns, status.st_size, status.st_ino))


@lru_cache(maxsize=1)
def _kept_content(container: Path, name: str, _stamp: tuple[int, int, int]) -> bytes:
    """Return a part's content; the last one's is kept, since its pages are asked for in a row."""
    return content_of_part(container, name)


def content_of_part(container: Path, name: str) -> bytes:
    """Return the bytes of a part by its place.

    Raises:
        KnownError: the container cannot be read, or has no such part any more.
        OSError: it is gone.
    """
    # late, since the registry knows the parsers that have parts
    from desktop_rag.ingestion.parsers.registry import parse_file

    seeker = _Seeker(name)
    try:
        with visiting(seeker):
            parse_file(container)
    except _Found as found:
        return found.content
    last = PurePosixPath(name).name
    raise KnownError("No longer there", f"“{last}” is no longer in “{container.name}”.")


class _Found(BaseException):
    """Ends the search for a part: nothing that comes after it is read."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


class _Seeker:
    def __init__(self, name: str) -> None:
        self._name = name

    def wants(self, name: str, content: bytes) -> bool:
        if name == self._name:
            raise _Found(content)
        return self._name.startswith(f"{name}/")

    def take(self, part: Part) -> None:
        """Whatever comes is another one."""


def _clean(name: str) -> str:
    """Return a name as a relative path whose components every system takes."""
    parts = [part.strip(" .") for part in _FORBIDDEN.sub("_", name).split("/")]
    return "/".join(_shortened(part) for part in parts if part)


def _shortened(part: str) -> str:
    if len(part) <= _LONGEST_NAME:
        return part
    path = PurePosixPath(part)
    suffix = path.suffix[:20]
    return f"{path.stem[: _LONGEST_NAME - len(suffix)]}{suffix}"


def _parse(
    content: bytes, place: str, parse: Callable[[], ParsedDocument] | None, ocr: OcrState
) -> ParsedDocument | TextlessDocument:
    # late, since the registry knows the parsers that have parts
    from desktop_rag.ingestion.parsers.registry import parse_bytes

    name = PurePosixPath(place).name
    try:
        return parse_bytes(content, name, Recognition(ocr)) if parse is None else parse()
    except TextlessDocument as textless:
        return textless
    except (KnownError, MemoryError):
        raise
    except Exception as error:
        _log.exception("a part could not be read")
        message = f"“{name}” is not built the way this program expects."
        raise KnownError("Could not be read", message) from error
