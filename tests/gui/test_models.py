from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.chat_models.model_state import ModelPhase, ModelState
from desktop_rag.chat_models.server_search import FoundServer
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.model_settings import (
    MODEL_CONTEXT,
    MODEL_FILE,
    MODEL_IN_FILE,
    MODEL_KIND,
    NO_MODEL,
    STEPS_MODEL_KIND,
)
from desktop_rag.foundation.settings import Settings
from desktop_rag.gui import strings
from desktop_rag.gui.models.page import ModelsDialog, ModelsPage
from desktop_rag.gui.operations import Operations
from desktop_rag.gui.settings_dialog import SettingsDialog
from tests.helpers.fake_models import FakeModels
from tests.helpers.scripted_model import ScriptedModel

READY = ModelState(ModelPhase.READY, "Small", None, 345_000_000, 1.0)
OLLAMA = FoundServer("Ollama", "http://127.0.0.1:11434", ("a:1b", "b:3b"))


class Stand:
    """What the page asks of the services."""

    def __init__(self, data_dir: Path) -> None:
        self.models = FakeModels()
        self.settings = Settings(data_dir)


@pytest.fixture
def stand(data_dir: Path) -> Stand:
    return Stand(data_dir)


@pytest.fixture
def page(qtbot: QtBot, stand: Stand, operations: Operations) -> Iterator[ModelsPage]:
    made = ModelsPage(cast(Any, stand), operations)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.hide()


def test_nothing_is_asked_before_the_user_wants_it(page: ModelsPage, stand: Stand) -> None:
    assert stand.models.looked == 0
    assert page.state.text() == "No language model: answers are quotes only"
    assert not page.try_.isEnabled()
    assert not page.none.isEnabled()
    assert not page.found.isVisible()


def test_a_file_is_chosen(
    qtbot: QtBot, page: ModelsPage, stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/m/small.gguf", ""))
    stand.models.known_state = READY
    with qtbot.waitSignal(page.chosen):
        page.file.click()
    assert stand.models.chosen == [("file", "/m/small.gguf")]
    assert page.state.text() == "Small · ready · 345 MB of memory"


def test_a_server_is_found_and_its_model_chosen(
    qtbot: QtBot, page: ModelsPage, stand: Stand
) -> None:
    page.look.click()
    qtbot.waitUntil(lambda: "No server was found" in page.result.text())
    stand.models.servers = [OLLAMA]
    page.look.click()
    qtbot.waitUntil(page.found.isVisible)
    assert [page.found.itemText(n) for n in range(2)] == ["Ollama · a:1b", "Ollama · b:3b"]
    page.found.setCurrentIndex(1)
    with qtbot.waitSignal(page.chosen):
        page.use.click()
    assert stand.models.chosen == [("server", "http://127.0.0.1:11434", "b:3b")]


def test_trying_says_what_it_costs(qtbot: QtBot, page: ModelsPage, stand: Stand) -> None:
    stand.models.known_state = READY
    strings.set_language("en")
    page.none.setEnabled(True)
    page.test()
    qtbot.waitUntil(lambda: "Loaded in 1.2 s" in page.result.text())
    for words in ("“A library keeps books.”", "First word after 0.5 s", "419 MB of memory"):
        assert words in page.result.text()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Model file is damaged. “x.gguf” is"), ("zh", "“x.gguf”已损坏")]
)
def test_what_goes_wrong_is_said_on_the_page(
    qtbot: QtBot, page: ModelsPage, stand: Stand, language: str, words: str
) -> None:
    def fail(*_arguments: object, **_more: object) -> None:
        raise KnownError("Model file is damaged", "“x.gguf” is damaged.", "/m/x.gguf")

    strings.set_language(language)
    stand.models.test = fail  # type: ignore[method-assign]
    page.test()
    qtbot.waitUntil(lambda: words in page.result.text())
    assert page.file.isEnabled()


def test_a_failed_model_says_why_in_both_languages(page: ModelsPage, stand: Stand) -> None:
    problem = "The language model hangs: It said nothing for 180 seconds."
    stand.models.known_state = ModelState(ModelPhase.FAILED, "Small", problem, 0)
    strings.set_language("zh")
    assert page.state.text().startswith("Small · 无法使用\n语言模型长时间没有输出")
    strings.set_language("en")
    assert "It said nothing for 180 seconds." in page.state.text()


def test_the_options_change_the_settings(page: ModelsPage, stand: Stand) -> None:
    fields: dict[str, Any] = page.options.fields
    fields[MODEL_CONTEXT.key].setValue(4096)
    assert stand.settings.get(MODEL_CONTEXT) == 4096
    steps = fields[STEPS_MODEL_KIND.key]
    steps.setCurrentIndex(steps.findData(NO_MODEL))
    steps.activated.emit(steps.currentIndex())
    assert stand.settings.get(STEPS_MODEL_KIND) == NO_MODEL


def test_the_line_at_the_foot_says_who_writes_and_opens_the_page(
    qtbot: QtBot, open_window: Callable[..., Any]
) -> None:
    window, services = open_window()
    line = window.bottom.answers
    assert line.text() == "Answers: quotes only · add a language model"
    services.models.model = ScriptedModel(name="Small & quick")
    services.settings.set(MODEL_FILE, "/m/small.gguf")
    services.settings.set(MODEL_KIND, MODEL_IN_FILE)
    qtbot.waitUntil(lambda: line.text() == "Answers written by Small && quick")
    strings.set_language("zh")
    assert line.text() == "回答由 Small && quick 撰写"
    strings.set_language("en")
    line.click()
    [dialog] = window.findChildren(ModelsDialog)
    assert dialog.isVisible()
    dialog.accept()
    window.verbs.settings()
    [settings] = window.findChildren(SettingsDialog)
    settings.search.setText("model file")
    assert settings.findChildren(ModelsPage)[0].isVisible()
    qtbot.keyClick(settings.search, Qt.Key.Key_Return)
    assert settings.isVisible()
    settings.accept()
