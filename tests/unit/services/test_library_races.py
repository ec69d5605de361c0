"""A document goes in the very moment in which a copy of its file is recognised."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStat
from tests.helpers.library_parts import Workshop, settled, write

_SECONDS = 30.0


def lose_first(shop: Workshop, original: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the original leave the library just before its copy is to share its document."""
    attach = shop.store.attach_document
    refused: list[str] = []

    def late(file_id: int, stat: FileStat, content_hash: str, document_id: int) -> None:
        if not refused:
            record = shop.store.file_by_path(str(original))
            assert record is not None
            original.unlink()
            shop.store.remove_files([record.id])
        try:
            attach(file_id, stat, content_hash, document_id)
        except LookupError as error:
            refused.append(type(error).__name__)
            raise

    monkeypatch.setattr(shop.store, "attach_document", late)
    return refused


def test_a_copy_is_read_when_its_document_went_as_it_was_recognised(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.library.index([docs])
    copy = write(docs / "copy.txt", (docs / "a.txt").read_text())
    refused = lose_first(shop, docs / "a.txt", monkeypatch)
    report = shop.library.index()
    settled(shop)
    assert refused == ["MissingDocumentError"]
    assert (report.added, report.failed) == (1, 0)
    assert shop.reader.paths[-1] == str(copy)
    assert shop.found("alpha") == ["copy.txt"]
    assert shop.store.verify().ok


def test_a_copy_that_waited_for_a_document_starts_again_when_it_went(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = write(docs / "b.txt", (docs / "a.txt").read_text())
    refused = lose_first(shop, docs / "a.txt", monkeypatch)
    stage = shop.library._engine.pipeline._embedding
    follow, embed = stage.follow, shop.spaces.model.embed_text
    waits = threading.Event()

    def followed(*arguments: object) -> bool:
        found: bool = follow(*arguments)
        if found:
            waits.set()
        return found

    def embed_late(text: str) -> object:
        assert waits.wait(_SECONDS)
        return embed(text)

    monkeypatch.setattr(stage, "follow", followed)
    monkeypatch.setattr(shop.spaces.model, "embed_text", embed_late)
    report = shop.library.index([docs])
    settled(shop)
    assert refused == ["MissingDocumentError"]
    assert report.failed == 0
    assert shop.reader.paths == [str(docs / "a.txt"), str(copy)]
    assert shop.paths() == {"b.txt": "ready"}
    assert shop.found("alpha") == ["b.txt"]
    assert shop.store.verify().ok
