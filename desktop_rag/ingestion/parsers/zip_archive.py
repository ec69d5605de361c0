"""Zip archives: folders whose files lie in one file."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.archive import Archive, BrokenPart
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parts import add_part, listing, skip_part
from desktop_rag.ingestion.parsers.problems import damaged, needs_password, no_text

_OF_SYSTEMS = frozenset({"__macosx", ".git", ".svn", "node_modules", "__pycache__"})
_OF_SYSTEM_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


class ZipParser:
    """Hands on the files in an archive, in the order of their paths."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read an archive; see ``Parser``."""
        with Archive(source, name) as archive:
            parts = sorted(part for part in archive.names if _is_wanted(part))
            if not parts:
                raise no_text(name, "There is no file in it.")
            if all(archive.is_locked(part) for part in parts):
                raise needs_password(name, "the program that made it")
            for part in parts:
                _add(archive, part)
            return listing(Format.ZIP.value, [archive.shown(part) for part in parts])


def _is_wanted(part: str) -> bool:
    path = PurePosixPath(part.lower())
    if part.endswith("/") or path.name in _OF_SYSTEM_FILES or path.name.startswith(("._", "~$")):
        return False
    return not _OF_SYSTEMS & set(path.parts)


def _add(archive: Archive, part: str) -> None:
    shown = archive.shown(part)
    try:
        content = archive.read(part)
    except KnownError as problem:
        skip_part(shown, problem)
    except (BrokenPart, KeyError):
        skip_part(shown, damaged(PurePosixPath(shown).name))
    else:
        add_part(shown, content)
