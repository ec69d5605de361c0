"""Zip archives: a heading for each file in them, and what it says."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.archive import Archive, BrokenPart
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parts import MAX_PARTS, Parts
from desktop_rag.ingestion.parsers.problems import needs_password, no_text

_OF_SYSTEMS = frozenset({"__macosx", ".git", ".svn", "node_modules", "__pycache__"})
_OF_SYSTEM_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


class ZipParser:
    """Reads the files in an archive, in the order of their paths."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read an archive; see ``Parser``."""
        assembly = Assembly()
        parts = Parts(assembly, level=1)
        with Archive(source, name) as archive:
            names = sorted(part for part in archive.names if _is_wanted(part))
            for part in names[:MAX_PARTS]:
                _add(archive, part, parts)
            if len(names) > MAX_PARTS:
                parts.skip("the rest", f"only the first {MAX_PARTS:,} files are read")
        if not len(assembly):
            raise _nothing_read(name, [unit.reason for unit in parts.coverage().unreadable])
        return assembly.finish(Format.ZIP.value, coverage=parts.coverage(0))


def _nothing_read(name: str, reasons: list[str]) -> KnownError:
    """Return the error that says why nothing was read, with the reason that all parts share."""
    password = needs_password(name, "the program that made it")
    shared = {reason.rpartition(": ")[2] for reason in reasons}
    if shared == {password.title}:
        return password
    why = f"Nothing in it can be read. {'; '.join(reasons[:3])}".rstrip()
    if len(shared) == 1:
        return KnownError(shared.pop(), f"“{name}”: {why}")
    return no_text(name, why)


def _is_wanted(part: str) -> bool:
    path = PurePosixPath(part.lower())
    if part.endswith("/") or path.name in _OF_SYSTEM_FILES or path.name.startswith(("._", "~$")):
        return False
    return not _OF_SYSTEMS & set(path.parts)


def _add(archive: Archive, part: str, parts: Parts) -> None:
    try:
        content = archive.read(part)
    except KnownError as problem:
        parts.skip(part, problem.title)
    except (BrokenPart, KeyError):
        parts.skip(part, "Damaged")
    else:
        parts.add(part, content)
