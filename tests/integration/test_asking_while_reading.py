"""Questions, chats and reading at the same time, with the real models."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from desktop_rag.bootstrap import open_services

_FILES = 80
_QUESTION = "In which week was the pump P-7 checked?"


def reports(folder: Path) -> Path:
    folder.mkdir()
    for number in range(_FILES):
        words = f"The pump P-{number} of hall {number % 7} was checked in week {number % 52}. "
        (folder / f"{number}.txt").write_text(words * 12)
    return folder


def test_e4_a_chat_goes_on_while_files_are_read(data_dir: Path, tmp_path: Path) -> None:
    docs = reports(tmp_path / "reports")
    with closing(open_services(data_dir)) as services:
        library, assistant = services.library, services.assistant
        library.index([docs / "7.txt"])
        chat = assistant.create_chat("Pumps")
        library.add([docs])
        asked = 0
        while asked < 3 or (asked < 20 and not library.wait_settled(0.01)):
            answer = assistant.ask(_QUESTION, chat=chat)
            assert any("week 7" in one.quote for one in answer.citations)
            asked += 1
        assert library.wait_settled(60.0)

        messages = assistant.messages(chat)
        assert [one.role for one in messages] == ["user", "assistant"] * asked
        assert all(one.answer is not None for one in messages[1::2])
        assert [file.status.value for file in library.files()] == ["ready"] * _FILES
