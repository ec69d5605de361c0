"""What needs a person: told once, outside of the window, while it is not in front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import translated_problem

if TYPE_CHECKING:
    from desktop_rag.ingestion.progress import Progress

NEEDS_A_PERSON = frozenset({"Needs a password", "Needs LibreOffice", "Permission denied"})
"""Of the reasons why a file was not read, those that somebody has to do something about."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A title and a sentence."""

    title: str
    message: str


class Notices:
    """Remembers what was told, so that nothing is told twice."""

    def __init__(self) -> None:
        self._files: set[int] = set()
        self._problem = ""
        self._seen_first = False

    def of_problem(self, progress: Progress) -> Notice | None:
        """Return what to say about work that stalled, None if it goes on or was told of."""
        problem = progress.problem
        title = problem.title if problem is not None else ""
        if title == self._problem:
            return None
        self._problem = title
        if problem is None:
            return None
        words = translated_problem(title, "title", "") or title
        return Notice(words, translated_problem(title, "message", "") or problem.message)

    def of_files(self, records: Iterable[FileRecord]) -> Notice | None:
        """Return what to say about files that need a person, if there are new ones.

        Those of before the program was started are known already.
        """
        needy = {
            record.id
            for record in records
            if record.status is FileStatus.FAILED
            and record.problem is not None
            and record.problem.title in NEEDS_A_PERSON
        }
        new, self._files = needy - self._files, needy
        first, self._seen_first = not self._seen_first, True
        if first or not new:
            return None
        return Notice(tr("notice.files", n=len(new)), tr("notice.files_message"))
