"""Services without a library behind them, for tests of what stands before them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, LibraryCoverage, Outcome
from desktop_rag.domain.events import OnEvent, StatusEvent, Step
from desktop_rag.domain.files import FileRecord, FileStatus, Problem, Source
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.scope import Scope
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.reports import (
    FileProblem,
    IndexReport,
    LibraryEvent,
    LibraryStatus,
    ModelChange,
    Progress,
    Removal,
)
from desktop_rag.services.search_report import SearchReport, SearchResult
from desktop_rag.services.services import Services
from desktop_rag.services.surveying import OnCount, Survey, survey
from desktop_rag.store.model_store import Backlog
from tests.helpers.fake_models import FakeModels


def file_record(id_: int, path: str, status: FileStatus = FileStatus.READY, **more: Any) -> Any:
    """A file as the store would give it."""
    fields = {"content_hash": "aa", "segments": 2, **more}
    return FileRecord(id_, 1, Path(path).name, path, status, **fields)


ANSWER = Answer(
    text="A trace takes 64 KB [1].",
    outcome=Outcome.ANSWER,
    confidence=0.93,
    kind=AnswerKind.EXTRACTIVE,
    citations=(
        Citation(
            number=1,
            path="/papers/trace.pdf",
            page=3,
            start=10,
            end=30,
            quote="A trace takes 64 KB.",
            metadata=Metadata({"title": "Traces"}),
        ),
    ),
    queries=("how large is a trace?",),
    notes=("2 files have not been read yet.",),
    coverage=LibraryCoverage(ready=3, files=5),
    seconds=0.0123456,
)

REPORT = IndexReport(
    added=2,
    failed=1,
    segments=7,
    embedded=5,
    reused=2,
    tokens=400,
    seconds=1.5,
    problems=(FileProblem("/papers/old.pdf", None, "Needs a password", "Save it without one."),),
)

RESULT = SearchResult(
    rank=1,
    score=0.8,
    text="A trace takes 64 KB.",
    path="/papers/trace.pdf",
    paths=("/papers/trace.pdf", "/copies/trace.pdf"),
    page=3,
    heading="Memory",
    start=10,
    end=30,
    segment=4,
    metadata=Metadata({"title": "Traces"}),
    document_id=2,
)


class FakeLibrary:
    """Holds files in a list; ``index`` reports two steps and waits when told to."""

    def __init__(self) -> None:
        self.records: list[FileRecord] = []
        self.indexed: list[list[str]] = []
        self.added: list[str] = []
        self.removed: list[str] = []
        self.started = 0
        self.change: ModelChange | None = None
        self.hold = threading.Event()
        self.hold.set()
        self.listeners: list[Callable[[LibraryEvent], None]] = []

    def index(
        self,
        paths: Sequence[str] = (),
        on_progress: Callable[[Progress], None] | None = None,
        cancel: CancelToken | None = None,
        again: bool = False,
    ) -> IndexReport:
        for path in paths:
            if not os.path.exists(path):
                raise KnownError("Not there", "Check the name.", path)
        self.indexed.append(list(paths))
        for done in (1, 2):
            if on_progress is not None:
                on_progress(Progress("reading", done, 2, done, 2, "/papers/a.pdf", 61.0))
        while not self.hold.wait(0.01):
            if cancel is not None:
                cancel.check()
        return REPORT

    def survey(
        self,
        paths: Sequence[str],
        cancel: CancelToken | None = None,
        on_progress: OnCount | None = None,
    ) -> Survey:
        return survey(paths, Path("/nowhere"), 512, (), on_progress, cancel)

    def start(self, watch: bool) -> None:
        self.started += watch

    def model_change(self) -> ModelChange | None:
        return self.change

    def accept_model(self) -> None:
        self.change = None

    def add(self, paths: Sequence[str]) -> list[Source]:
        self.added.extend(paths)
        return []

    def remove(self, paths: Sequence[str]) -> list[Removal]:
        self.removed.extend(paths)
        return [Removal(path, "source") for path in paths]

    def wait_settled(self, timeout: float | None = None) -> bool:
        return True

    def files(self, problems_only: bool = False, source_id: int | None = None) -> list[FileRecord]:
        return [r for r in self.records if not problems_only or r.problem is not None]

    def file(self, file_id: int) -> FileRecord | None:
        return next((record for record in self.records if record.id == file_id), None)

    def progress(self) -> Progress:
        return Progress()

    def status(self) -> LibraryStatus:
        return LibraryStatus(
            sources=(Source(1, "/papers", True),),
            files=5,
            ready=3,
            waiting=1,
            reading=1,
            segments=20,
            vectors=19,
            indexes={"words": {"reached": 7, "count": 19, "state": "ready"}},
            bytes=12_345,
        )

    def listen(self, callback: Callable[[LibraryEvent], None]) -> Callable[[], None]:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def tell(self, event: LibraryEvent) -> None:
        """Let every listener know, as the real one does."""
        for listener in tuple(self.listeners):
            listener(event)


class FakeAssistant:
    """Gives the same answer to every question, after the usual steps."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int | None, str, bool]] = []
        self.searched: list[tuple[str, int, str, str, bool]] = []
        self.scopes: list[Scope | None] = []
        self.chats: dict[str, int] = {}
        self.answer = ANSWER

    def ask(
        self,
        text: str,
        chat: int | None,
        filter_text: str,
        rerank: bool,
        on_event: OnEvent,
        cancel: CancelToken,
        scope: Scope | None = None,
    ) -> Answer:
        self.scopes.append(scope)
        self.asked.append((text, chat, filter_text, rerank))
        if text == "bug":
            raise LookupError("a bug")
        if text == "damaged":
            raise KnownError("A model file is damaged", "Install the program again.", "/m.onnx")
        for step in (Step.UNDERSTANDING, Step.SEARCHING, Step.TEXT, Step.TEXT, Step.DONE):
            on_event(StatusEvent(step, None, 0.01))
        return replace(self.answer, queries=(text,))

    def search(
        self,
        text: str,
        k: int,
        mode: str,
        filter_text: str,
        rerank: bool,
        cancel: CancelToken,
        scope: Scope | None = None,
    ) -> SearchReport:
        self.scopes.append(scope)
        self.searched.append((text, k, mode, filter_text, rerank))
        return SearchReport((RESULT,) if text.strip() else (), 0.01, ("One note.",))

    def chat_named(self, title: str) -> int | None:
        return self.chats.get(title)

    def create_chat(self, title: str) -> int:
        return self.chats.setdefault(title, len(self.chats) + 1)


@dataclass
class FakeVerifyReport:
    ok: bool = True
    problems: tuple[str, ...] = ()
    unsound: bool = False


@dataclass
class FakeStore:
    repairs: list[bool] = field(default_factory=list)

    def flush(self) -> None:
        """Nothing is written here."""

    def sources(self) -> list[Source]:
        return []

    def count_files(self) -> dict[FileStatus, int]:
        return {}

    def backlog(self) -> Backlog:
        return Backlog()

    def verify(self, repair: bool) -> FakeVerifyReport:
        self.repairs.append(repair)
        return FakeVerifyReport()


@dataclass
class FakeProgram:
    """The services of one data folder, and how often they were opened and closed."""

    library: FakeLibrary = field(default_factory=FakeLibrary)
    assistant: FakeAssistant = field(default_factory=FakeAssistant)
    store: FakeStore = field(default_factory=FakeStore)
    models: FakeModels = field(default_factory=FakeModels)
    opened: int = 0
    closed: int = 0

    def open_services(self, data_dir: Path) -> Services:
        self.opened += 1
        return Services(
            cast(Any, self.library),
            cast(Any, self.assistant),
            cast(Any, self.store),
            cast(Any, None),
            data_dir,
            self._close,
            cast(Any, self.models),
        )

    def _close(self) -> None:
        self.closed += 1


FAILED = file_record(
    9,
    "/papers/old.pdf",
    FileStatus.FAILED,
    problem=Problem("Needs a password", "Save a copy without one."),
    segments=0,
)
