"""Things that happen in the very moment in which they change what goes on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStat, Source
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.survey import Listed, Paths, Surveyor
from desktop_rag.services.reports import IndexReport
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
    stage = shop.library._engine.pipeline._embedding.works
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


def test_a_look_at_all_leaves_what_is_added_later_to_the_one_who_counts_it(
    shop: Workshop, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.library.index([write(tmp_path / "other" / "c.txt", "gamma").parent])
    go_on = threading.Event()
    looks: list[str] = []
    look = Surveyor.look

    def slow(surveyor: Surveyor, source: Source, paths: Paths, cancel: CancelToken) -> Listed:
        assert go_on.wait(_SECONDS)
        looks.append(Path(source.path).name)
        return look(surveyor, source, paths, cancel)

    monkeypatch.setattr(Surveyor, "look", slow)
    shop.library.refresh()
    shop.library.refresh()
    reports: list[IndexReport] = []
    indexing = threading.Thread(target=lambda: reports.append(shop.library.index([docs])))
    indexing.start()
    while len(shop.store.sources()) < 2:
        assert not shop.library.wait_settled(0.01)
    go_on.set()
    indexing.join(_SECONDS)
    assert [report.added for report in reports] == [2]
    assert looks == ["other", "other", "docs"]
