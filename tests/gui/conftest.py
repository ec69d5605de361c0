"""The window over a small made-up library, as most tests of it need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.foundation.settings import LANGUAGE, THEME, Settings
from desktop_rag.gui import strings
from desktop_rag.gui.memory import Memory
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.preferences import Preferences
from desktop_rag.gui.window import MainWindow
from tests.helpers.qt_leaks import running_of_qt
from tests.helpers.window_services import FakeServices

OpenWindow = Callable[..., tuple[MainWindow, FakeServices]]


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    """Every test begins in English."""
    strings.set_language("en")
    yield
    strings.set_language("en")


@pytest.fixture(autouse=True)
def nothing_left_running(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a QTimer ticking, or a QThread or a QThreadPool at work."""
    before = running_of_qt()
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    left = [one for one in running_of_qt() if not any(one is other for other in before)]
    assert not left, f"still running: {left}"


@pytest.fixture
def operations(qapp: QApplication) -> Iterator[Operations]:
    """A pool whose threads end with the test."""
    made = Operations()
    yield made
    made.cancel_all()
    made.wait(5)
    shiboken6.delete(made)


@pytest.fixture
def open_window(
    qtbot: QtBot, qapp: QApplication, data_dir: Path, operations: Operations
) -> Iterator[OpenWindow]:
    """Opens a window over ``FakeServices``; ``size``, ``empty`` and ``language`` can be set."""
    made: list[MainWindow] = []
    bugs: list[object] = []
    operations.unknown_error.connect(bugs.append)

    def open_(
        size: tuple[int, int] = (1360, 820), empty: bool = False, language: str = "en"
    ) -> tuple[MainWindow, FakeServices]:
        settings = Settings(data_dir)
        settings.set(LANGUAGE, language)
        settings.set(THEME, "light")
        window = MainWindow(operations, Preferences(qapp, settings), Memory(data_dir))
        made.append(window)
        window.resize(*size)
        window.show()
        services = FakeServices(data_dir, empty)
        window.open_services(services.real)
        qtbot.waitUntil(lambda: window.feed.loaded and bool(window.library.model.tree.counts))
        qtbot.waitUntil(lambda: bool(window.library.model.tree.groups) != empty)
        return window, services

    yield open_
    for window in made:
        window.close_services()
        window.operations.cancel_all()
        window.operations.wait(5)
        window.close()
        shiboken6.delete(window)
    assert not bugs
