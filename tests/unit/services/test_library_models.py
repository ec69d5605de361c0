"""A language model that became another one: asked for, told, interruptible, searchable."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_rag.embedding.model import Vector
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.status_request import tell_status
from tests.helpers.library_parts import SPACE, Workshop, settled, write

FIRST, SECOND = {SPACE: "first"}, {SPACE: "second"}
_SECONDS = 20.0


def read_by_the_first(shop: Workshop, docs: Path, passages: int = 3) -> None:
    """Have files read, and then come back with another model."""
    shop.store.follow_models(FIRST)
    write(docs / "long.txt", "\n\n".join(f"passage {number}" for number in range(passages)))
    shop.library.index([docs])
    shop.reopen()
    shop.store.follow_models(SECOND)
    shop.library.start(watch=False)
    settled(shop)


def test_nothing_is_read_again_before_it_is_accepted(shop: Workshop, docs: Path) -> None:
    read_by_the_first(shop, docs)
    assert shop.embedded == []
    assert shop.found("alpha") == ["a.txt"]
    assert any("another one now" in note for note in shop.library.progress().notes)
    change = shop.library.model_change()
    assert change is not None
    assert (change.passages, change.seconds > 0) == (6, True)


def test_a_damaged_model_is_told_and_the_status_comes(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_by_the_first(shop, docs)

    def damaged(*_arguments: object) -> None:
        raise KnownError("The language model is damaged", "Install the program again.")

    monkeypatch.setattr(shop.spaces.model, "embed_text", damaged)
    status = tell_status(shop.library)
    assert status["files"] == len(shop.library.files())
    extra = status["extra"]
    assert isinstance(extra, dict)
    assert extra["model_change"] is None
    assert extra["notes"][-1] == "The language model is damaged: Install the program again."


def test_accepted_it_reads_the_texts_and_no_file(shop: Workshop, docs: Path) -> None:
    read_by_the_first(shop, docs)
    shop.library.accept_model()
    settled(shop)
    assert shop.library.model_change() is None
    assert shop.library.progress().notes == ()
    assert sorted(shop.embedded) == sorted(
        ["alpha", "beta", "shared words", *(f"passage {number}" for number in range(3))]
    )
    assert shop.reader.paths == []
    assert shop.store.vector_count(SPACE) == 6
    assert shop.store.verify().ok


def test_it_tells_how_far_it_is_can_be_paused_and_goes_on(shop: Workshop, docs: Path) -> None:
    read_by_the_first(shop, docs, passages=300)
    shop.spaces.model.seconds = 0.01
    shop.library.accept_model()
    while not (progress := shop.library.progress()).page:
        assert not shop.library.wait_settled(0.01)
    assert (progress.state, progress.pages) == ("relearning", 303)
    shop.library.pause()
    while shop.library.progress().state != "paused":
        assert not shop.library.wait_settled(0.01)
    shop.reopen()
    shop.store.follow_models(SECOND)
    assert 0 < shop.store.backlog().passages < 303
    shop.library.start(watch=False)
    settled(shop)
    assert shop.store.backlog().passages == 0
    assert shop.store.verify().ok


def test_a_full_disk_holds_it_up_and_loses_nothing(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_by_the_first(shop, docs)
    fill = shop.store.fill_vectors
    refused = threading.Event()

    def full(space: str, vectors: dict[int, Vector]) -> None:
        if not refused.is_set():
            refused.set()
            raise KnownError("The disk is full", "Make room.")
        fill(space, vectors)

    monkeypatch.setattr(shop.store, "fill_vectors", full)
    shop.library.accept_model()
    assert refused.wait(_SECONDS)
    while "The disk is full" not in " ".join(shop.library.progress().notes):
        assert not shop.library.wait_settled(0.01)
    shop.library.resume()
    settled(shop)
    assert shop.store.vector_count(SPACE) == 6
