"""A small library with every state in it, behind the doors that the window uses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, LibraryCoverage, Outcome
from desktop_rag.domain.chats import Feedback, QuoteState, ScopeChips
from desktop_rag.domain.document import Coverage, LineBox, UnreadableUnit
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Problem, Source, SourceState
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.structure import Structure, text_digest
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.settings import Settings
from desktop_rag.ingestion.parsers.emphasis import markdown_spans
from desktop_rag.ingestion.parsers.registry import parse_bytes
from desktop_rag.ingestion.progress import Progress
from desktop_rag.ingestion.rendering import PageWord
from desktop_rag.services.reports import LibraryEvent, ModelChange, Removal
from desktop_rag.services.search_report import SearchReport, SearchResult
from desktop_rag.services.services import Services
from desktop_rag.services.surveying import OnCount, Survey, survey
from desktop_rag.store.records import ChatInfo, ChatMatch, Collection
from tests.helpers.fake_models import FakeModels

NOTICE = "Either party may terminate this lease by giving three months’ written notice."
REPAIRS = "Minor repairs not exceeding EUR 150 are borne by the tenant."
CHINESE = "单次费用超过一百五十欧元的维修由出租方承担。"
NOTES = (
    "# Field notes 📓\n\nThe herd was seen at dawn 🐘🐘 near the river.\n\n"
    "## Second day\n\nThe elephants had moved on 🌧️ to the dry bank.\n"
)
LEASE_TEXT = f"{NOTICE}\n{REPAIRS}\n"


@dataclass(frozen=True)
class FakeDocument:
    """What the store keeps of a document."""

    id: int
    kind: str
    text: str
    title: str = ""
    language: str = "en"
    metadata: Metadata = field(default_factory=Metadata)
    pages: int | None = None
    coverage: Coverage = field(default_factory=Coverage)
    encoding: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True)
class FakePage:
    """A drawn page."""

    width: int
    height: int
    stride: int
    rgb: bytes
    page_width_pt: float = 595.0
    page_height_pt: float = 842.0
    pages: int = 12
    x_pt: float = 0.0
    y_pt: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class FakeBox:
    """Where words stand on a page."""

    page: int
    x0: float = 72.0
    y0: float = 242.0
    x1: float = 300.0
    y1: float = 252.0


DOCUMENTS = {
    1: FakeDocument(1, "pdf", LEASE_TEXT, pages=12, coverage=Coverage(read=12)),
    2: FakeDocument(2, "text", CHINESE * 3, encoding="GB18030", coverage=Coverage(read=1)),
    3: FakeDocument(3, "markdown", NOTES, coverage=Coverage(read=1)),
}
_STAT = FileStat(1000, 1_786_700_000_000_000_000, 1, 7)


def _file(
    id_: int, source: int, root: str, name: str, status: FileStatus, **more: Any
) -> FileRecord:
    return FileRecord(id_, source, name, f"{root}/{name}", status, _STAT, **more)


def example_files() -> list[FileRecord]:
    """Files in every state."""
    contracts, research = "/home/ada/Contracts", "/home/ada/Research"
    ready, failed = FileStatus.READY, FileStatus.FAILED
    pages = Coverage(read=6, unreadable=tuple(UnreadableUnit(n, "no text") for n in (2, 5, 9)))
    old = Problem("Not read yet", "“Old minutes.doc” is a Word document; save it as PDF.")
    locked = Problem(
        "Needs a password",
        "“Minutes.pdf” needs a password. Open it in a PDF viewer and save a copy without one.",
    )
    return [
        _file(1, 1, contracts, "Lease 2024-08.pdf", ready, document_id=1, kind="pdf", pages=12),
        _file(2, 1, contracts, "供应合同 HT-2024-0815 补充协议（二）.txt", ready, document_id=2),
        _file(3, 1, contracts, "Scan of deed.pdf", ready, kind="pdf", pages=9, coverage=pages),
        _file(4, 1, contracts, "Old minutes.doc", failed, problem=old),
        _file(5, 1, contracts, "Backup/Lease.pdf", ready, document_id=1, kind="pdf", pages=12),
        _file(6, 2, research, "tracemonkey.pdf", FileStatus.READING),
        _file(7, 2, research, "figures.xlsx", FileStatus.WAITING),
        _file(8, 2, research, "field-notes.md", ready, document_id=3, kind="markdown"),
        _file(9, 2, research, "Minutes.pdf", failed, problem=locked),
        _file(10, 2, research, "drafts/scratch.txt", FileStatus.IGNORED),
        _file(11, 3, "/media/disk/Mail archive", "inbox.txt", FileStatus.UNAVAILABLE),
    ]


def example_sources() -> list[Source]:
    """Two folders and a drive that is not connected."""
    return [
        Source(1, "/home/ada/Contracts", True),
        Source(2, "/home/ada/Research", True),
        Source(3, "/media/disk/Mail archive", True, SourceState.UNAVAILABLE),
    ]


def _cite(number: int, quote: str, page: int | None, heading: str, document: int) -> Citation:
    text = DOCUMENTS[document].text
    start = text.index(quote)
    line = LineBox(
        start, start + len(quote), page or 1, 72, 200 + 40 * number, 500, 214 + 40 * number
    )
    path = next(f.path for f in example_files() if f.document_id == document)
    return Citation(
        number, path, page, start, start + len(quote), quote, heading, (path,),
        lines=(line,) if page else (), document_id=document,
    )  # fmt: skip


EXAMPLE_ANSWER = Answer(
    text=f"“{NOTICE}” [1]\n\n“{REPAIRS}” [2]",
    outcome=Outcome.ANSWER,
    confidence=0.91,
    kind=AnswerKind.EXTRACTIVE,
    citations=(
        _cite(1, NOTICE, 4, "§ 7 Notice", 1),
        _cite(2, REPAIRS, 6, "§ 11 Repairs", 1),
        _cite(3, CHINESE, None, "第三章 维修", 2),
    ),
    coverage=LibraryCoverage(3210, 9800),
    notes=("Based on 3,210 of 9,800 files; the others are still being read.",),
    seconds=0.2,
)
NOT_FOUND = replace(
    EXAMPLE_ANSWER,
    text="This was not found in your documents.",
    outcome=Outcome.NOT_FOUND,
    confidence=0.1,
    citations=(),
    nearest=EXAMPLE_ANSWER.citations[:2],
)


@dataclass(frozen=True)
class FakeMessage:
    """A stored message."""

    id: int
    role: str
    text: str
    created_at: float = 0.0
    answer: Answer | None = None
    feedback: Feedback | None = None


@dataclass
class FakeChat:
    """A stored chat."""

    id: int
    title: str
    created_at: float = 0.0
    changed_at: float = 0.0
    messages: int = 0
    scope: ScopeChips = ()


class FakeLibrary:
    """Answers from lists; remembers what it was asked to do."""

    def __init__(self, files: list[FileRecord], sources: list[Source]) -> None:
        self.records = {record.id: record for record in files}
        self.source_list = sources
        self.calls: list[tuple[str, Any]] = []
        self.state = Progress("reading", 3210, 9800, 1, 2, None, 240.0)
        self.listeners: list[Callable[[LibraryEvent], None]] = []
        self.documents = dict(DOCUMENTS)
        self.change: ModelChange | None = None

    def model_change(self) -> ModelChange | None:
        return self.change

    def accept_model(self) -> None:
        self.change = None

    def listen(self, callback: Callable[[LibraryEvent], None]) -> Callable[[], None]:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def tell(self, event: LibraryEvent) -> None:
        """Tell from another thread, as the library does."""
        thread = threading.Thread(target=lambda: [tell(event) for tell in self.listeners])
        thread.start()
        thread.join()

    def survey(
        self,
        paths: Sequence[str],
        cancel: CancelToken | None = None,
        on_progress: OnCount | None = None,
    ) -> Survey:
        return survey(paths, Path("/nowhere"), 512, (), on_progress, cancel)

    def start(self, watch: bool) -> None:
        self.calls.append(("start", watch))

    def sources(self) -> list[Source]:
        return list(self.source_list)

    def files(self, problems_only: bool = False, source_id: int | None = None) -> list[FileRecord]:
        return list(self.records.values())

    def file(self, file_id: int) -> FileRecord | None:
        return self.records.get(file_id)

    def progress(self) -> Progress:
        return self.state

    def document(self, file_id: int) -> Any:
        number = self.records[file_id].document_id
        return self.documents.get(number) if number is not None else None

    def document_by_id(self, document_id: int) -> Any:
        return self.documents.get(document_id)

    @property
    def viewer(self) -> Any:
        return self

    def render_page(self, path: str, page: int, zoom: float, clip: Any = None) -> Any:
        left, top, right, bottom = clip or (0, 0, 595, 842)
        width, height = round((right - left) * zoom), round((bottom - top) * zoom)
        stride = width * 3 + 5
        pixels = b"\xfa" * (stride * height)
        return FakePage(width, height, stride, pixels, x_pt=left, y_pt=top, scale=zoom)

    def page_sizes(self, path: str, first: int) -> Any:
        return ((595.0, 842.0),) * 12

    def page_words(self, path: str, page: int) -> Any:
        words = f"Words of page {page} .".split()
        return tuple(
            PageWord(word, 72 + 60 * n, 100, 122 + 60 * n, 112, 0) for n, word in enumerate(words)
        )

    def recognised_lines(self, document_id: int, page: int) -> Any:
        return ()

    def find_all(self, path: str, page: int, text: str) -> Any:
        places = {9: 2, 11: 1} if text == "zebra" else {}
        return tuple(
            (FakeBox(page, y0=100.0 * n, y1=100.0 * n + 10),) for n in range(places.get(page, 0))
        )

    def structure(self, path: str) -> Structure:
        document = next(self.document(r.id) for r in self.records.values() if r.path == path)
        parsed = parse_bytes(document.text.encode(), "a.md")
        spans = markdown_spans(document.text, parsed.blocks)
        return Structure(text_digest(document.text), parsed.blocks, tuple(spans))

    def find_words(
        self, path: str, page: int, text: str, lines: Sequence[LineBox] = ()
    ) -> tuple[Any, ...]:
        if "zebra" in text and page != 9:
            return ()
        return (FakeBox(page),)

    def add(self, paths: Sequence[str | Path]) -> list[Source]:
        self.calls.append(("add", [str(path) for path in paths]))
        return []

    def remove(self, paths: Sequence[str | Path]) -> list[Removal]:
        self.calls.append(("remove", [str(path) for path in paths]))
        return []

    def retry(self, file_ids: Sequence[int]) -> None:
        self.calls.append(("retry", list(file_ids)))

    def refresh(self) -> None:
        self.calls.append(("refresh", None))

    def pause(self) -> None:
        self.state = replace(self.state, state="paused")
        self.calls.append(("pause", None))
        self.tell(LibraryEvent("progress"))

    def resume(self) -> None:
        self.state = replace(self.state, state="reading")
        self.calls.append(("resume", None))
        self.tell(LibraryEvent("progress"))

    def set_full_speed(self, full: bool) -> None:
        self.calls.append(("set_full_speed", full))

    def wait_settled(self, timeout: float | None = None) -> bool:
        return True


class FakeAssistant:
    """Answers with the same answer, or waits until it is cancelled."""

    def __init__(self) -> None:
        self.answer = EXAMPLE_ANSWER
        self.slow = False
        self.chat_list: list[FakeChat] = []
        self.kept: dict[int, list[FakeMessage]] = {}
        self.asked: list[tuple[str, str]] = []
        self.scopes: list[Scope | None] = []
        self.deleted: dict[int, FakeChat] = {}
        self.feedback: dict[int, Feedback | None] = {}
        self.states: dict[str, QuoteState] = {}
        self.events: list[StatusEvent] = []
        self.searched: list[str] = []

    def chats(self) -> list[FakeChat]:
        return list(self.chat_list)

    def create_chat(self, title: str, scope: ScopeChips = ()) -> int:
        chat = FakeChat(len(self.kept) + 1, title, scope=scope)
        self.chat_list.append(chat)
        self.kept[chat.id] = []
        return chat.id

    def _chat(self, chat: int) -> FakeChat:
        return next(one for one in self.chat_list if one.id == chat)

    def rename_chat(self, chat: int, title: str) -> None:
        self._chat(chat).title = title

    def set_chat_scope(self, chat: int, scope: ScopeChips) -> None:
        self._chat(chat).scope = scope

    def delete_chat(self, chat: int) -> None:
        self.deleted[chat] = self._chat(chat)
        self.chat_list = [info for info in self.chat_list if info.id != chat]

    def restore_chat(self, chat: int) -> None:
        self.chat_list.append(self.deleted.pop(chat))

    def forget_chat(self, chat: int) -> None:
        self.deleted.pop(chat)

    def search_chats(self, words: str) -> list[ChatMatch]:
        return [
            ChatMatch(cast(ChatInfo, one), "")
            for one in self.chat_list
            if words.casefold() in one.title.casefold()
        ]

    def set_feedback(self, message: int, feedback: Feedback | None) -> None:
        self.feedback[message] = feedback

    def quote_states(self, citations: Sequence[Citation]) -> list[QuoteState]:
        return [self.states.get(one.path, QuoteState.UNCHANGED) for one in citations]

    def messages(self, chat: int) -> list[FakeMessage]:
        return list(self.kept[chat])

    def ask(
        self,
        text: str,
        chat: int | None = None,
        filter_text: str = "",
        rerank: bool = True,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
        scope: Scope | None = None,
        replace_last: bool = False,
    ) -> Answer:
        self.scopes.append(scope)
        self.asked.append((text, filter_text))
        kept = self.kept[chat] if chat is not None else []
        if replace_last:
            last = max(at for at, one in enumerate(kept) if one.role == "user")
            del kept[last:]
        kept.append(FakeMessage(len(kept), "user", text))
        on_event(StatusEvent(Step.SEARCHING, (text,), 0.01))
        while self.slow and cancel is not None:
            cancel.check()
            time.sleep(0.005)
        for event in self.events:
            on_event(event)
        answer = replace(self.answer, message_id=len(kept))
        kept.append(FakeMessage(len(kept), "assistant", answer.text, 0.0, answer))
        on_event(StatusEvent(Step.DONE, answer, 0.2))
        return answer

    def search(
        self,
        text: str,
        k: int = 10,
        mode: str = "hybrid",
        filter_text: str = "",
        rerank: bool = False,
        cancel: CancelToken | None = None,
        scope: Scope | None = None,
    ) -> SearchReport:
        self.searched.append(text)
        results = tuple(
            SearchResult(
                c.number, 1.0, c.quote, c.path, c.paths, c.page, c.heading, c.start, c.end,
                c.number, c.metadata, c.document_id or 0, c.lines,
            )
            for c in EXAMPLE_ANSWER.citations
        )  # fmt: skip
        return SearchReport(results if "zzz" not in text else (), 0.01)


class FakeStore:
    """Has collections, and nobody who wrote anything."""

    def __init__(self, sources: list[Source]) -> None:
        self._sources = sources

    def sources(self) -> list[Source]:
        return list(self._sources)

    def collections(self) -> list[Collection]:
        return [Collection(1, "Leases", "what we rent", (1,))] if self._sources else []

    def authors(self) -> list[str]:
        return ["Ada Lovelace"] if self._sources else []


class FakeServices:
    """Stands for ``Services``."""

    def __init__(self, data_dir: Path, empty: bool = False) -> None:
        files = [] if empty else example_files()
        self.library = FakeLibrary(files, [] if empty else example_sources())
        if empty:
            self.library.state = Progress()
        self.store = FakeStore(self.library.source_list)
        self.assistant = FakeAssistant()
        self.models = FakeModels()
        self.settings = Settings(data_dir)
        self.data_dir = data_dir
        self.closed = False

    def close(self) -> None:
        self.closed = True

    @property
    def real(self) -> Services:
        """As the type that the window asks for."""
        return cast(Services, self)
