"""The setting for questions without an answer, from the dialog's file to the answer."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.bootstrap import open_services
from desktop_rag.foundation.settings import NOT_FOUND_TEXT, WHEN_NOT_FOUND, Settings


def test_the_setting_counts_at_the_start_and_when_it_changes(tmp_path: Path) -> None:
    Settings(tmp_path).set(WHEN_NOT_FOUND, "own_text")
    services = open_services(tmp_path)
    try:
        assert services.assistant.ask("What is a trace?").text == "Not found in your documents."
        services.settings.set(NOT_FOUND_TEXT, "Ask Ada.")
        assert services.assistant.ask("What is a trace?").text == "Ask Ada."
        services.settings.set(WHEN_NOT_FOUND, "not_found")
        assert services.assistant.ask("What is a trace?").text == "Not found in your documents."
    finally:
        services.close()
