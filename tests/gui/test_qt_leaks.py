"""The fixture that fails a test for what it leaves running does so."""

from __future__ import annotations

import threading

from PySide6.QtCore import QThread, QThreadPool, QTimer
from pytestqt.qtbot import QtBot

from tests.helpers.qt_leaks import running_of_qt


def test_a_timer_a_thread_and_a_pool_are_seen_while_they_run(qtbot: QtBot) -> None:
    assert running_of_qt() == []
    timer, thread, pool = QTimer(interval=1000), QThread(), QThreadPool()
    go = threading.Event()
    assert running_of_qt() == []
    timer.start()
    thread.start()
    pool.start(lambda: go.wait(10))
    assert {type(one) for one in running_of_qt()} == {QTimer, QThread, QThreadPool}
    timer.stop()
    thread.quit()
    thread.wait()
    go.set()
    pool.waitForDone()
    qtbot.waitUntil(lambda: running_of_qt() == [])
