"""The line under a document: what was read of it, when it changed, other copies."""

from __future__ import annotations

from pathlib import PurePath

from desktop_rag.gui.source.kinds import unit_of
from desktop_rag.gui.source.opening import Opened
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import changed_on, file_state, readable

_COPIES_NAMED = 2


def footer_line(source: Opened, part: bool = False) -> str:
    """Return "All 12 pages read · changed 14 Aug 2026 · also in Backup/Lease.pdf".

    ``part`` says that only a part of a long text is on the screen.
    """
    parts = [_read(source)]
    if part:
        parts.append(tr("source.part"))
    record = source.record
    if record is not None and record.stat is not None:
        parts.append(tr("source.changed", date=changed_on(record.stat.mtime_ns)))
    if source.copies:
        named = ", ".join(_short(path) for path in source.copies[:_COPIES_NAMED])
        more = len(source.copies) - _COPIES_NAMED
        key = "source.copies_more" if more > 0 else "source.copies"
        parts.append(tr(key, names=named, more=more))
    return " · ".join(filter(None, parts))


def _read(source: Opened) -> str:
    document, record = source.document, source.record
    if document is None:
        return file_state(record).word if record is not None else ""
    missing = len(document.coverage.unreadable)
    unit = unit_of(document)
    if document.pages and missing:
        read = document.pages - missing
        return tr(f"source.some_{unit}", read=read, n=document.pages)
    if document.pages:
        return tr(f"source.all_{unit}", n=document.pages)
    if document.encoding:
        return tr("source.whole_read_as", encoding=document.encoding)
    return tr("source.whole_read")


def _short(path: str) -> str:
    parts = PurePath(path).parts
    return readable("/".join(parts[-2:]))
