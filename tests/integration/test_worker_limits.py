"""The limits of a file, from the settings to the process that reads it."""

from __future__ import annotations

from pathlib import Path

from desktop_rag import bootstrap
from desktop_rag.foundation.settings import (
    READ_DEPTH,
    READ_PAGES,
    READ_TEXT_MB,
    READ_UNPACKED_MB,
    Settings,
)
from desktop_rag.ingestion.parsers.limits import ParseLimits
from desktop_rag.ingestion.reading import ReadLimits, WorkerReader


def test_what_is_read_of_a_file_may_be_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("A sentence that says what many others say.\n\n" * 1000, "utf-8")
    reader = WorkerReader(ReadLimits(parse=ParseLimits(text=9000)))
    try:
        part = reader.read(path)
        reader.limits = ReadLimits()
        whole = reader.read(path)
    finally:
        reader.close()

    assert len(part.text) <= 9000
    assert not part.coverage.complete
    assert len(whole.text) > 40_000
    assert whole.coverage.complete


def test_the_settings_are_the_limits(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    assert bootstrap._limits(settings) == ReadLimits()

    settings.set(READ_PAGES, 500)
    settings.set(READ_TEXT_MB, 7)
    settings.set(READ_UNPACKED_MB, 128)
    settings.set(READ_DEPTH, 2)

    limits = ParseLimits(pages=500, text=7_000_000, unpacked=128 << 20, depth=2)
    assert bootstrap._limits(settings).parse == limits
