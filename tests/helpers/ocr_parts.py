"""Stand-ins for the reader and the recogniser, for tests of what lies between them.

A toy scan is a text file of lines: "text: words" is a page of text, "scan: words" one that
only OCR can read, where "scan: !" cannot be recognised at all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain.document import Coverage, UnreadableUnit
from desktop_rag.domain.ocr import OcrState, RecognisedLine, RecognisedPage, Recognition
from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.parsers.recognition import SCANNED, scanned
from desktop_rag.ingestion.reading import OnMember
from desktop_rag.services.library import Library
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.helpers.library_parts import (
    DIMENSION,
    SPACE,
    NoRenderer,
    ToyReader,
    ToySpaces,
    Workshop,
    prepared,
)

NOT_POSSIBLE = "this page could not be recognised"


class ScanReader(ToyReader):
    """Reads toy scans; every other file as ever."""

    def read(
        self,
        path: Path,
        cancel: CancelToken | None = None,
        recognition: Recognition | None = None,
        on_member: OnMember | None = None,
    ) -> PreparedDocument:
        lines = path.read_text(encoding="utf-8").splitlines()
        if not any(line.startswith("scan:") for line in lines):
            return super().read(path, cancel, recognition, on_member)
        self.paths.append(str(path))
        return _prepared(lines, recognition or Recognition(), path.name)


class ScriptedRecogniser:
    """Recognises toy scans in this process; ``before_page`` may raise, wait or change files."""

    def __init__(self) -> None:
        self.pages: list[tuple[str, int]] = []
        self.before_page: Callable[[Path, int, CancelToken], None] | None = None
        self.can: set[int] = set()
        self.rested = 0
        self.closed = threading.Event()

    def recognise(self, path: Path, page: int, cancel: CancelToken) -> RecognisedPage:
        if self.before_page is not None:
            self.before_page(path, page, cancel)
        if self.closed.is_set():
            raise RuntimeError("the recogniser is closed")
        cancel.check()
        self.pages.append((path.name, page))
        words = path.read_text(encoding="utf-8").splitlines()[page - 1].partition(": ")[2]
        if words == "!" and page not in self.can:
            return RecognisedPage(page, reason=NOT_POSSIBLE)
        return RecognisedPage(page, (RecognisedLine(words, 10, 20, 90, 30, 0.9),))

    def rest(self) -> None:
        self.rested += 1

    def close(self) -> None:
        self.closed.set()


class ScanWorkshop(Workshop):
    """A workshop that can read scans, and recognises them when it is ``installed``."""

    def __init__(self, data_dir: Path, installed: bool = True) -> None:
        self.installed = installed
        super().__init__(data_dir)

    def open(self) -> None:
        self.spaces = ToySpaces()
        self.reader = ScanReader()
        self.recogniser = ScriptedRecogniser()
        self.store = KnowledgeStore.open(self.data_dir, {SPACE: DIMENSION})
        self.library = Library(
            self.store,
            self.spaces,
            self.reader,
            NoRenderer(),
            self.data_dir,
            None,
            self.recogniser if self.installed else None,
        )


def _prepared(lines: list[str], recognition: Recognition, name: str) -> PreparedDocument:
    texts: list[str] = []
    unreadable: list[UnreadableUnit] = []
    ocr = 0
    for number, line in enumerate(lines, start=1):
        kind, _, words = line.partition(": ")
        page = recognition.pages.get(number)
        if kind == "text":
            texts.append(words)
        elif page is None:
            unreadable.append(UnreadableUnit(number, SCANNED, True))
        elif page.reason is not None:
            unreadable.append(UnreadableUnit(number, page.reason))
        else:
            texts.extend(line.text for line in page.lines)
            ocr += 1
    waits = any(unit.recognisable for unit in unreadable)
    if not texts and waits and recognition.state is not OcrState.ON:
        raise scanned(name, "Its pages are pictures.", recognition.state)
    read = len(lines) - ocr - len(unreadable)
    coverage = Coverage(read, ocr, 0, tuple(unreadable))
    return replace(prepared("\n\n".join(texts)), pages=len(lines), coverage=coverage)
