"""Questions, chats and reading at the same time, with the real models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.services.services import Services

_SECONDS = 60.0
_FILES = 80


@pytest.fixture
def services(data_dir: Path) -> Iterator[Services]:
    opened = open_services(data_dir)
    yield opened
    opened.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(_FILES):
        words = f"The pump P-{number} of hall {number % 7} was checked in week {number % 52}. "
        (folder / f"{number}.txt").write_text(words * 12)
    return folder


def test_e4_a_chat_goes_on_while_files_are_read(services: Services, docs: Path) -> None:
    services.library.index([docs / "7.txt"])
    chat = services.assistant.create_chat("Pumps")
    services.library.add([docs])
    asked = 0
    while asked < 3 or (asked < 20 and not services.library.wait_settled(0.01)):
        answer = services.assistant.ask("In which week was the pump P-7 checked?", chat=chat)
        assert any("week 7" in one.quote for one in answer.citations)
        asked += 1
    assert services.library.wait_settled(_SECONDS)

    messages = services.assistant.messages(chat)
    assert [one.role for one in messages] == ["user", "assistant"] * asked
    assert all(one.answer is not None for one in messages[1::2])
    assert {file.status.value for file in services.library.files()} == {"ready"}
    assert len(services.library.files()) == _FILES
