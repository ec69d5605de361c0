"""Documents inside documents: attachments, entries of archives, enclosed mails."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from desktop_rag.domain.document import BlockKind, Coverage, ParsedDocument, UnreadableUnit
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.assembly import Assembly

MAX_DEPTH = 3
"""How deep documents may be nested: an archive, attached to a mail, in an archive."""

MAX_PARTS = 2000
MAX_BYTES = 256 * 1024 * 1024
"""How many parts one file may have in all, and of how many bytes when unpacked."""

MAX_REASONS = 500
"""How many of the parts that were not read are named."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Budget:
    """What the parts of the file that is being read may still take."""

    parts: int = MAX_PARTS
    bytes: int = MAX_BYTES
    depth: int = 0


_current: ContextVar[_Budget | None] = ContextVar("current", default=None)
"""That of the outermost document; what is parsed inside it takes from the same."""


class Parts:
    """Puts the parts of one document into its text, each under a heading of its name.

    A part that cannot be read costs nothing but itself; ``coverage`` says why.

    Args:
        assembly: the text that they are appended to.
        level: of the heading of each part.
    """

    def __init__(self, assembly: Assembly, level: int) -> None:
        self._assembly = assembly
        self._level = level
        self._budget = _current.get() or _Budget()
        self._number = 0
        self._read = 0
        self._unreadable: list[UnreadableUnit] = []

    def add(self, name: str, content: bytes) -> None:
        """Parse a part by its content and append what it says."""
        self._number += 1
        try:
            with _taken(self._budget, len(content)):
                parsed = _parse(content, name)
        except KnownError as problem:
            self._miss(name, problem.title)
        else:
            self._append(name, parsed)

    def skip(self, name: str, reason: str) -> None:
        """Note a part that is known to be unreadable; ``reason`` in a few words."""
        self._number += 1
        self._miss(name, reason)

    def coverage(self, read: int = 1) -> Coverage:
        """Return what was read: ``read`` units of the document's own, and its parts."""
        named = self._unreadable[:MAX_REASONS]
        if more := len(self._unreadable) - len(named):
            named.append(UnreadableUnit(self._number, f"{more:,} more could not be read"))
        return Coverage(read=read + self._read, unreadable=tuple(named))

    def _append(self, name: str, parsed: ParsedDocument) -> None:
        self._read += 1
        self._assembly.add(BlockKind.HEADING, " ".join(name.split()), level=self._level)
        self._assembly.embed(parsed, self._level)
        for unit in parsed.coverage.unreadable:
            self._miss(name, unit.reason)

    def _miss(self, name: str, reason: str) -> None:
        self._unreadable.append(UnreadableUnit(self._number, f"“{name}”: {reason}"))


def _parse(content: bytes, name: str) -> ParsedDocument:
    # late, since the registry knows the parsers that have parts
    from desktop_rag.ingestion.parsers.registry import parse_bytes

    try:
        return parse_bytes(content, name)
    except (KnownError, MemoryError):
        raise
    except Exception as error:
        _log.exception("a part could not be read")
        raise KnownError("Could not be read", f"“{name}” is not built as expected.") from error


@contextmanager
def _taken(budget: _Budget, size: int) -> Iterator[None]:
    """Count a part, and be one level deeper while it is read.

    Raises:
        KnownError: it is one too many, too large or too deep inside.
    """
    budget.parts -= 1
    budget.bytes -= size
    budget.depth += 1
    token = _current.set(budget)
    try:
        _check(budget)
        yield
    finally:
        _current.reset(token)
        budget.depth -= 1


def _check(budget: _Budget) -> None:
    if budget.depth > MAX_DEPTH:
        raise KnownError("Nested too deeply", f"More than {MAX_DEPTH} files inside each other.")
    if budget.parts < 0:
        raise KnownError("Too many parts", f"A file may have {MAX_PARTS:,} parts.")
    if budget.bytes < 0:
        raise KnownError("Too large", f"Parts may have {MAX_BYTES // 1024**2} MB in all.")
