from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_rag.bootstrap import open_services
from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.settings import LANGUAGE, Settings
from desktop_rag.gui.app import run
from desktop_rag.gui.chat.card import SourceCard
from desktop_rag.gui.source.rich_view import RichView
from desktop_rag.gui.source.text_view import TextView
from desktop_rag.gui.window import MainWindow
from desktop_rag.services.client import RequestClient

CLOSINGS = int(os.environ.get("DESKTOP_RAG_CLOSINGS", "5"))
"""How often the window is closed in the middle of things; a soak test sets 50."""

NOTES = "# Notes 📓\n\nThe herd of 🐘🐘 was seen at dawn near the river Lualaba in May.\n"
CONTRACT = "第一条 合同付款期限为三十天。\n\n第二条 维修费用由出租方承担。\n"
LEASE = (
    "The lease begins in March.\n\n"
    "Either party may terminate this lease by giving three months notice in writing.\n\n"
    "The rent is due on the third working day of each month.\n"
)

Step = Callable[[MainWindow], Any]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    (folder / "lease.txt").write_text(LEASE, encoding="utf-8")
    (folder / "合同.txt").write_text(CONTRACT, encoding="gb18030")
    (folder / "table.xlsx").write_bytes(b"PK\x03\x04 not really a table")
    return folder


class Player:
    """Works the window from within its event loop, one step after the other."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.failure: BaseException | None = None
        self.timer = QTimer(interval=20)
        self.timer.timeout.connect(self.play)

    def start(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.deadline = time.monotonic() + 60
        self.timer.start()

    def play(self) -> None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
        window = next((w for w in windows if w.isVisible()), None)
        if window is None:
            return
        try:
            assert time.monotonic() < self.deadline, f"{len(self.steps)} steps are left"
            if self.steps:
                if self.steps[0](window) is not False:
                    self.steps.pop(0)
                return
        except BaseException as error:
            self.failure = error
        self.timer.stop()
        window.close()


@pytest.fixture
def player(qapp: QApplication) -> Iterator[Player]:
    made = Player()
    yield made
    made.timer.stop()
    if made.failure is not None:
        raise made.failure


def settled(window: MainWindow) -> bool:
    progress = window.feed.progress
    states = {record.status for record in window.feed.records.values()}
    return (
        progress is not None
        and progress.state == "idle"
        and FileStatus.READY in states
        and not states & {FileStatus.WAITING, FileStatus.READING}
    )


def ask(question: str) -> Step:
    return lambda window: window.chat_controller.ask(question)


def first_card(window: MainWindow) -> SourceCard:
    return window.chat.thread_view.turns[-1].sources.cards[0]


def answered(window: MainWindow) -> bool:
    return not window.chat_controller.busy


def new_chat(window: MainWindow) -> None:
    window.chat.new_chat()


def open_source(number: int) -> Step:
    return lambda window: window.chat.thread_view.turns[-1]._open(number)


def test_from_an_empty_window_to_an_answer_with_its_source(
    player: Player, data_dir: Path, documents: Path
) -> None:
    seen: dict[str, str] = {}

    def keep(name: str) -> Step:
        def look(window: MainWindow) -> bool | None:
            view = window.source.current_view
            if not window.source.isVisible() or not isinstance(view, (TextView, RichView)):
                return False
            if view.marked_text() == "":
                return False
            seen[name] = view.marked_text()
            seen[f"{name} file"] = window.source.header.name.text()
            window.close_source()
            view.setExtraSelections([])
            return None

        return look

    player.start(
        lambda window: window.chat.start.isVisible(),
        lambda window: window.verbs.add([str(documents)]),
        settled,
        ask("How many months notice terminate the lease?"),
        answered,
        open_source(0),
        keep("lease"),
        new_chat,
        ask("合同付款期限是多少天？"),
        answered,
        open_source(0),
        keep("contract"),
        new_chat,
        ask("Where was the herd seen?"),
        answered,
        open_source(0),
        keep("notes"),
        lambda window: window.chat.composer.field.put("half a question"),
        lambda window: seen.update(
            states=", ".join(sorted(r.status.value for r in window.feed.records.values()))
        ),
    )
    assert run(data_dir, (), open_services) == 0
    assert player.failure is None, player.failure
    assert "three months notice in writing" in seen["lease"]
    assert "三十天" in seen["contract"]
    assert seen["contract file"] == "合同.txt"
    assert "🐘🐘 was seen at dawn near the river Lualaba" in seen["notes"]
    assert seen["states"] == "failed, ready, ready, ready"

    restored: list[Any] = []
    player.start(
        lambda window: len(window.chat.thread_view.turns) == 1,
        lambda window: len(window.feed.records) == 4,
        lambda window: restored.extend(
            [
                window.chat.thread_view.turns[0].question,
                window.chat.composer.field.toPlainText(),
                len(window.chat_controller.chats),
            ]
        ),
    )
    assert run(data_dir, (), open_services) == 0
    assert restored == ["Where was the herd seen?", "half a question", 3]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_guide_answers_the_first_question(
    player: Player, data_dir: Path, language: str
) -> None:
    Settings(data_dir).set(LANGUAGE, language)
    answers: list[Any] = []
    player.start(
        lambda window: window.chat.start.isVisible() and window.chat_controller.is_open,
        lambda window: window.chat.start.guide.click(),
        lambda window: bool(window.chat.thread_view.turns) and answered(window),
        lambda window: answers.append(window.chat.thread_view.turns[0].answer),
    )
    assert run(data_dir, (), open_services) == 0
    assert player.failure is None, player.failure
    assert answers[0].answerable
    assert answers[0].citations[0].path.endswith(f"guide.{language}.md")


def test_closing_in_the_middle_of_anything_loses_nothing(
    player: Player, data_dir: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(60):
        words = f"Report {number}. " + f"The pump P-{number} was checked in week {number}. " * 40
        (folder / f"report-{number}.txt").write_text(words, encoding="utf-8")
    moments = random.Random(7)
    for _ in range(CLOSINGS):
        wait = moments.uniform(0, 1.2)

        def busy_since(window: MainWindow, until: list[float], wait: float = wait) -> bool:
            if not until:
                window.verbs.add([str(folder)])
                window.chat_controller.ask("Which pump was checked in week 7?")
                window.search.setText("pump")
                until.append(time.monotonic() + wait)
            return time.monotonic() >= until[0]

        until: list[float] = []
        player.start(lambda window, until=until: busy_since(window, until))
        assert run(data_dir, (), open_services) == 0
        assert player.failure is None, player.failure
    complaints = [r.getMessage() for r in caplog.records if r.levelname in ("ERROR", "WARNING")]
    assert not complaints

    player.start(
        settled,
        lambda window: len(window.feed.records) == 60,
        lambda window: window.chat.new_chat(),
        ask("Which pump was checked in week 7?"),
        answered,
        lambda window: window.chat.thread_view.turns[-1].answer is not None,
    )
    assert run(data_dir, (), open_services) == 0


def test_closing_while_the_services_are_being_built(player: Player, data_dir: Path) -> None:
    go = threading.Event()
    built: list[Any] = []

    def slowly(folder: Path) -> Any:
        go.wait(10)
        built.append(open_services(folder))
        return built[0]

    def close_soon(_window: MainWindow) -> None:
        threading.Timer(0.3, go.set).start()

    player.start(close_soon)
    assert run(data_dir, (), slowly) == 0
    assert len(built) == 1


def test_a_second_start_shows_the_window_and_adds(
    player: Player, data_dir: Path, documents: Path
) -> None:
    shown: list[bool] = []

    def start_again(window: MainWindow) -> bool | None:
        if not window.chat_controller.is_open:
            return False
        path = str(documents / "lease.txt")
        thread = threading.Thread(
            target=lambda: shown.append(RequestClient.show(data_dir, (path,)))
        )
        thread.start()
        return None

    player.start(start_again, settled, lambda window: len(window.feed.sources) == 1)
    assert run(data_dir, (), open_services) == 0
    assert shown == [True]


def test_services_that_cannot_be_built_are_told(
    player: Player, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: told.append(box.text()))

    def fail(_folder: Path) -> Any:
        raise KnownError("A model file is damaged", "Install the program again.")

    player.start(lambda _window: bool(told))
    assert run(data_dir, (), fail) == 0
    assert told == ["A model file is damaged"]


def test_a_bug_is_shown_with_the_log(
    player: Player, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: told.append(box.informativeText()))

    def fail(window: MainWindow) -> None:
        def work(_operation: object) -> None:
            raise ZeroDivisionError

        window.operations.run(window, work, lambda _: None)

    player.start(fail, lambda _window: bool(told))
    assert run(data_dir, (), open_services) == 0
    assert "ZeroDivisionError" in told[0]
    log = data_dir / "logs" / "desktop-rag.log"
    assert str(log) in told[0]
    assert "ZeroDivisionError" in log.read_text("utf-8")


def test_the_window_needs_no_heavy_library_to_show() -> None:
    heavy = ("numpy", "onnxruntime", "pymupdf", "tantivy", "hnswlib", "tokenizers", "sqlite_utils")
    code = f"import sys, desktop_rag.gui.app; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_a_real_pdf_opens_at_the_page_of_the_quote(
    qtbot: QtBot, player: Player, data_dir: Path, shared_dir: Path
) -> None:
    paper = shared_dir / "documents" / "tracemonkey.pdf"
    seen: list[Any] = []

    def drawn(window: MainWindow) -> bool | None:
        pages = window.source.pages
        if not window.source.isVisible() or pages.pictures.whole(pages.page) is None:
            return False
        seen.extend([pages.page, len(pages.boxes(pages.page)) > 0, pages.pages])
        return None

    player.start(
        lambda window: window.verbs.add([str(paper)]),
        settled,
        ask("When does TraceMonkey start a tree?"),
        answered,
        lambda window: seen.append(first_card(window).citation.page),
        open_source(0),
        drawn,
    )
    assert run(data_dir, (), open_services) == 0
    assert player.failure is None, player.failure
    assert seen[1] == seen[0]
    assert seen[2:] == [True, 14]
