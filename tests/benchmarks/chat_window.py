"""`python -m tests.benchmarks.chat_window`: a long answer in a long chat, and opening one.

Prints one JSON object. A timer of 20 ms in the window's thread tells how late it is while an
answer of 3,000 tokens streams into a chat of 200 messages: once followed at its end, once with
the user reading further up, who must not be moved; ``busy`` is the window's own work between
two ticks, whatever else the machine does. ``open_500_messages`` is from the click on a chat of
500 messages until it is painted. ``keystroke`` is from a key in the search field until
its results are painted, over a library of so many files.
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.bootstrap import open_services
from desktop_rag.domain.answer import (
    Answer,
    AnswerKind,
    CheckedSentence,
    Citation,
    Outcome,
    Support,
)
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.window import MainWindow

TOKENS = 3_000
TOKENS_A_SECOND = 500
TICK_MS = 20
FILES = 400
CITATION = Citation(1, "/docs/Lease.pdf", 4, 0, 30, "three months' written notice", "§ 7 Notice")


def words(count: int) -> list[str]:
    """Return so many pieces of an answer: sentences with marks, now and then a paragraph."""
    pieces = []
    for number in range(count):
        end = " [1].\n\n" if number % 120 == 119 else " [1]. " if number % 15 == 14 else " "
        pieces.append(f"word{number % 97}{end}")
    return pieces


def written(text: str) -> Answer:
    """Return a written answer with every third sentence in doubt."""
    sentences, start = [], 0
    for number, part in enumerate(text.split(". ")):
        end = min(len(text), start + len(part) + 1)
        support = Support.WEAK if number % 3 == 2 else Support.SUPPORTED
        sentences.append(CheckedSentence(start, end, support, (1,), "", None))
        start = end + 1
    return Answer(
        text, Outcome.ANSWER, 0.8, AnswerKind.GENERATIVE, (CITATION,),
        sentences=tuple(sentences), model="Scripted",
    )  # fmt: skip


def _gaps(moments: list[float]) -> list[float]:
    """Return the milliseconds between moments."""
    return [(later - earlier) * 1000 for earlier, later in itertools.pairwise(moments)]


def _figures(name: str, values: list[float]) -> dict[str, float]:
    ranked = sorted(values)
    return {
        f"{name}_p50_ms": round(statistics.median(ranked), 1),
        f"{name}_p99_ms": round(ranked[int(len(ranked) * 0.99)], 1),
        f"{name}_max_ms": round(ranked[-1], 1),
    }


class Bench:
    """A window over real services; only the answer is scripted."""

    def __init__(self, folder: Path) -> None:
        self.app = QApplication.instance() or QApplication([])
        self.services = open_services(folder / "data")
        self._write_files(folder / "files")
        self.operations = Operations()
        preferences = Preferences(self.app, self.services.settings)  # type: ignore[arg-type]
        self.window = MainWindow(self.operations, preferences, Memory(folder))
        self.window.resize(1360, 820)
        self.window.show()
        self.window.open_services(self.services)
        self.until(lambda: self.window.feed.loaded)

    def _write_files(self, folder: Path) -> None:
        folder.mkdir()
        for number in range(FILES):
            text = f"The notice period of contract {number} is {number % 12} months.\n" * 4
            (folder / f"contract-{number}.txt").write_text(text, "utf-8")
        self.services.library.index([str(folder)])

    def close(self) -> None:
        self.window.close_services()
        self.operations.cancel_all()
        self.operations.wait(5)
        self.window.close()
        self.services.close()

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError
            QTest.qWait(1)

    def chat(self, messages: int) -> int:
        """Store a chat and return its number."""
        store = self.services.store
        number = store.create_chat(f"{messages} messages")
        answer = written(" ".join(words(60)))
        for turn in range(messages // 2):
            store.add_user_message(number, f"Question {turn}: how long is the notice period?")
            store.add_answer(number, replace(answer, citations=(CITATION,) * 3))
        return number

    def switch(self, chat: int) -> tuple[float, float]:
        """Open a chat; return the milliseconds until it is painted, and those of work."""
        thread = self.window.chat.thread_view
        before = list(thread.turns)
        started, worked = time.perf_counter(), time.thread_time()
        self.window.chat_controller.switch(chat)
        self.until(lambda: thread.turns != before and bool(thread.turns))
        self.window.grab()
        return (time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000

    def stream(self, chat: int, up: bool) -> dict[str, float]:
        """Stream an answer; return how late the timer was, and how far the view was moved."""
        self.script()
        self.switch(chat)
        thread = self.window.chat.thread_view
        while thread.earlier.isVisibleTo(thread):
            thread.show_earlier()
            QTest.qWait(30)
        bar, ticks, work = thread.verticalScrollBar(), [], []
        timer = QTimer(interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
        timer.timeout.connect(lambda: work.append(time.thread_time()))
        self.window.chat_controller.ask("How long?")
        QTest.qWait(300)
        if up:
            bar.setValue(bar.maximum() // 2)
        at = bar.value()
        timer.start()
        self.until(lambda: not self.window.chat_controller.busy)
        QTest.qWait(300)
        timer.stop()
        late = [max(0.0, gap - TICK_MS) for gap in _gaps(ticks)]
        moved = abs(bar.value() - at) if up else 0
        return {**_figures("late", late), **_figures("busy", _gaps(work)), "moved_px": moved}

    def script(self) -> None:
        """Let the assistant say what the script says, at a steady pace."""
        assistant: Any = self.services.assistant
        store = self.services.store

        def ask(
            text: str,
            chat: int,
            on_event: OnEvent = ignore_event,
            cancel: CancelToken | None = None,
            **_more: object,
        ) -> Answer:
            store.add_user_message(chat, text)
            on_event(StatusEvent(Step.SOURCES, (CITATION,)))
            pieces, started = words(TOKENS), time.perf_counter()
            for number, piece in enumerate(pieces):
                if cancel is not None:
                    cancel.check()
                time.sleep(max(0.0, started + number / TOKENS_A_SECOND - time.perf_counter()))
                on_event(StatusEvent(Step.TEXT, piece))
            answer = written("".join(pieces))
            return replace(answer, message_id=store.add_answer(chat, answer))

        assistant.ask = ask

    def keystrokes(self, text: str) -> list[float]:
        """Type a search letter by letter; return the milliseconds until each is answered."""
        field, times = self.window.search, []
        self.window.activateWindow()
        field.setFocus()
        self.until(field.hasFocus)
        for at in range(1, len(text) + 1):
            started = time.perf_counter()
            field.setText(text[:at])
            wanted = text[:at].strip()
            self.until(lambda wanted=wanted: field.popup.shown_words == wanted)  # type: ignore[misc]
            self.window.grab()
            times.append((time.perf_counter() - started) * 1000)
        return times


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(Path(folder))
        try:
            chats = {n: bench.chat(n) for n in (200, 500)}
            bench.switch(chats[200])
            opened = [bench.switch(chats[500 if n % 2 == 0 else 200]) for n in range(10)]
            bench.keystrokes("contract")
            typed = bench.keystrokes("notice period")
            figures = {
                **_figures("open_500_messages", [shown for shown, _ in opened[::2]]),
                **_figures("open_500_messages_busy", [work for _, work in opened[::2]]),
                **_figures("keystroke", typed),
                "following": bench.stream(chats[200], up=False),
                "reading_further_up": bench.stream(chats[200], up=True),
            }
        finally:
            bench.close()
    json.dump(figures, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
