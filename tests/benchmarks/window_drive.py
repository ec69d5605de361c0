"""Drives the window from within, for ``tests.benchmarks.window``; prints what it measured."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop_rag.bootstrap import open_services
from desktop_rag.gui.app import make_application, run
from desktop_rag.gui.window import MainWindow

TICK_MS = 20
_A_CHAT = 6
"""Questions, after which a new chat is begun, as people do."""

_QUESTIONS = ("pump pressure", "How is heat transferred?", "What was measured in the wind tunnel?")


class Drive(QObject):
    """Sees the first picture; then waits, asks, or measures, and closes the window."""

    def __init__(self, what: str, arguments: list[str]) -> None:
        super().__init__()
        self._what, self._arguments = what, arguments
        self._started = float(os.environ["BENCH_STARTED"])
        self.measured: dict[str, float] = {}
        self._late: list[float] = []
        self._due = 0.0
        self._asked = 0
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.setTimerType(Qt.TimerType.PreciseTimer)
        self._tick.timeout.connect(self._note)
        self._poll = QTimer(self, interval=50)
        self._poll.timeout.connect(self._step)
        self._window: MainWindow | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  - Qt's name
        if event.type() == QEvent.Type.Paint and isinstance(watched, MainWindow):
            QApplication.instance().removeEventFilter(self)
            self._window = watched
            QTimer.singleShot(0, self._shown)
        return False

    def _shown(self) -> None:
        self._measure("window_s")
        self._step()
        self._poll.start()

    def _measure(self, name: str) -> None:
        self.measured[name] = round(time.time() - self._started, 3)

    def _step(self) -> None:
        window = self._window
        assert window is not None
        if self._what == "start":
            done = window.feed.loaded
        elif self._what == "answer":
            done = self._answer(window)
        else:
            done = self._index(window)
        if done:
            self._poll.stop()
            window.close()

    def _answer(self, window: MainWindow) -> bool:
        chat = window.chat_controller
        if not chat.is_open:
            return False
        if not self._asked:
            self._asked = 1
            self._poll.setInterval(5)
            chat.answered.connect(lambda _: self._measure("answer_s"))
            chat.failed.connect(lambda error: print(error, file=sys.stderr))
            chat.ask(_QUESTIONS[1])
        return not chat.busy

    def _index(self, window: MainWindow) -> bool:
        chat, progress = window.chat_controller, window.feed.progress
        if not chat.is_open or not window.feed.loaded:
            return False
        if not self._due:
            window.verbs.add(self._arguments)
            self._due = time.perf_counter() + TICK_MS / 1000
            self._tick.start()
        if not chat.busy:
            if self._asked % _A_CHAT == 0:
                window.chat.new_chat()
            chat.ask(_QUESTIONS[self._asked % len(_QUESTIONS)])
            self._asked += 1
        read = bool(window.feed.sources) and progress is not None and progress.state == "idle"
        if not read:
            return False
        self._tick.stop()
        late = sorted(self._late)
        self.measured |= {
            "late_p50_ms": round(statistics.median(late), 1),
            "late_p99_ms": round(late[int(0.99 * len(late))], 1),
            "late_max_ms": round(late[-1], 1),
            "over_50_ms": sum(1 for each in late if each > 50),
            "ticks": len(late),
            "questions": self._asked,
            "files": len(window.feed.records),
        }
        return True

    def _note(self) -> None:
        """Note how late the tick is; missed ones count from when they were due."""
        now = time.perf_counter()
        self._late.append(max(0.0, (now - self._due) * 1000))
        self._due = now + TICK_MS / 1000


def main() -> int:
    """Run the window on the library named, and print."""
    data_dir, what, *arguments = sys.argv[1:]
    application = make_application()
    drive = Drive(what, arguments)
    application.installEventFilter(drive)
    code = run(Path(data_dir), (), open_services)
    print(json.dumps(drive.measured))
    return code


if __name__ == "__main__":
    sys.exit(main())
