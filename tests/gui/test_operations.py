from __future__ import annotations

import sys
import threading
from typing import Any

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.operations import Operation, Operations


def test_a_result_comes_back_in_the_gui_thread(qtbot: QtBot, operations: Operations) -> None:
    threads: list[int] = []

    def work(_operation: Operation) -> str:
        threads.append(threading.get_ident())
        return "done"

    results: list[tuple[str, int]] = []
    operations.run(operations, work, lambda result: results.append((result, threading.get_ident())))
    qtbot.waitUntil(lambda: bool(results))
    assert results == [("done", threading.get_ident())]
    assert threads != [threading.get_ident()]


def test_news_arrive_in_order_before_the_result(qtbot: QtBot, operations: Operations) -> None:
    heard: list[object] = []

    def work(operation: Operation) -> str:
        for number in range(5):
            operation.tell(number)
        return "end"

    operations.run(operations, work, heard.append, told=heard.append)
    qtbot.waitUntil(lambda: len(heard) == 6)
    assert heard == [0, 1, 2, 3, 4, "end"]


def test_a_cancelled_operation_stops_and_delivers_nothing(
    qtbot: QtBot, operations: Operations
) -> None:
    started, stopped = threading.Event(), threading.Event()
    heard: list[object] = []

    def work(operation: Operation) -> None:
        started.set()
        operation.token.wait(10)
        stopped.set()
        operation.token.check()

    operation = operations.run(operations, work, heard.append, heard.append, heard.append)
    assert started.wait(5)
    operation.cancel()
    assert stopped.wait(5)
    operations.wait(5)
    qtbot.wait(20)
    assert not heard


def test_nothing_is_delivered_to_an_owner_that_is_gone(
    qtbot: QtBot, operations: Operations
) -> None:
    owner, heard = QObject(), list[object]()
    go = threading.Event()
    operations.run(owner, lambda _: go.wait(5), heard.append)
    shiboken6.delete(owner)
    go.set()
    operations.wait(5)
    qtbot.wait(20)
    assert not heard


def test_known_errors_and_bugs_go_different_ways(qtbot: QtBot, operations: Operations) -> None:
    known: list[Any] = []
    bugs: list[Any] = []
    operations.known_error.connect(known.append)
    operations.unknown_error.connect(bugs.append)

    def fail(error: Exception) -> None:
        raise error

    operations.run(operations, lambda _: fail(KnownError("Full", "No room.")), known.append)
    operations.run(operations, lambda _: fail(ZeroDivisionError()), known.append)
    qtbot.waitUntil(lambda: bool(known) and bool(bugs))
    assert known[0].title == "Full"
    assert isinstance(bugs[0], ZeroDivisionError)


def test_after_closing_nothing_is_started(qtbot: QtBot, operations: Operations) -> None:
    operations.cancel_all()
    ran: list[int] = []
    operations.run(operations, lambda _: ran.append(1), lambda _: ran.append(2))
    operations.wait(5)
    qtbot.wait(10)
    assert not ran


def test_the_binding_keeps_count_of_none(qtbot: QtBot) -> None:
    """PySide 6.12.0 gives None back once too often a call, until Python 3.11 aborts."""
    button = QPushButton()
    qtbot.addWidget(button)
    button.clicked.connect(lambda: None)
    before = sys.getrefcount(None)
    for _ in range(500):
        button.click()
    assert abs(sys.getrefcount(None) - before) < 250
