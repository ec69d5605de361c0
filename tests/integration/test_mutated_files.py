"""Broken files of every format, read by the real child process."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from desktop_rag.foundation.errors import KnownError
from desktop_rag.gui.strings import reasons
from desktop_rag.ingestion.parsers import registry
from desktop_rag.ingestion.parsers.formats import HEAD_BYTES, format_of
from desktop_rag.ingestion.reading import ReadLimits, WorkerReader
from tests.helpers.compound_file import compound_file
from tests.helpers.mutations import MUTATIONS
from tests.helpers.sample_files import SAMPLES

LIMIT = 60.0
"""Seconds a file: far more than any of them needs, also on a busy machine."""

ROUNDS = 3


def picture() -> bytes:
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 30))
    pixels.clear_with(200)
    content: bytes = pixels.tobytes("png")
    return content


FILES = {
    **SAMPLES,
    "doc": ("a.doc", compound_file({"WordDocument": bytes(2000)})),
    "ppt": ("a.ppt", compound_file({"PowerPoint Document": bytes(2000)})),
    "image": ("a.png", picture()),
}


def broken_files() -> Iterator[tuple[str, str, bytes]]:
    """Yield (what it is, name, content): the same ones every time."""
    for kind, (name, content) in FILES.items():
        for mutation in MUTATIONS:
            chance = random.Random(f"{kind} {mutation.__name__}")
            for number in range(ROUNDS):
                yield f"{kind}-{mutation.__name__}-{number}", name, mutation(content, chance)
    chance = random.Random("swapped")
    names = [name for name, _ in FILES.values()]
    for kind, (_, content) in FILES.items():
        yield f"{kind}-swapped", chance.choice(names), content


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerReader]:
    """The program's own reader; LibreOffice is not found, since it would take a second each."""
    monkeypatch.setenv("PATH", "")
    reader = WorkerReader(ReadLimits(seconds=LIMIT))
    yield reader
    reader.close()


def test_they_are_of_every_format() -> None:
    formats = {format_of(content[:HEAD_BYTES], name) for name, content in FILES.values()}

    assert formats == set(registry._PARSERS)
    assert len(list(broken_files())) >= 300


def test_each_is_read_or_has_a_reason(
    reader: WorkerReader, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    known = reasons("zh").keys()
    failures: list[str] = []
    for what, name, content in broken_files():
        path = tmp_path / what / name
        path.parent.mkdir()
        path.write_bytes(content)
        before = len(caplog.records)
        try:
            assert reader.read(path).text.strip()
        except KnownError as error:
            if error.title not in known or name not in error.message or error.path != str(path):
                failures.append(f"{what}: {error.title}: {error.message}")
        if any(record.levelno >= logging.WARNING for record in caplog.records[before:]):
            failures.append(f"{what}: {caplog.records[-1].getMessage()}")

    assert not failures
    (healthy := tmp_path / "healthy.txt").write_text("Fine words.", "utf-8")
    assert reader.read(healthy).text == "Fine words."
