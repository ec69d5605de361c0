"""Files, drives and disks that fail, and what becomes of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from tests.helpers.library_parts import Workshop, settled, write


def test_a_file_too_large_is_listed(shop: Workshop, docs: Path) -> None:
    write(docs / "large.txt", "x" * 1_100_000)
    report = shop.library.index([docs])
    assert [problem.title for problem in report.problems] == ["Too large"]


def test_a_file_that_may_not_be_opened_is_listed(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open
    closed = {str(docs / "a.txt")}

    def refuse(path: str, *rest: int) -> int:
        if path in closed:
            raise PermissionError(13, "Permission denied", path)
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    report = shop.library.index([docs])
    assert [problem.title for problem in report.problems] == ["Permission denied"]
    closed.clear()
    assert shop.library.index([docs]).failed == 1
    (docs / "a.txt").chmod(0o600)
    assert shop.library.index([docs]).updated == 1


def test_a_bug_in_a_parser_costs_that_file_alone(
    shop: Workshop, docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(path: Path, _: CancelToken) -> None:
        if path.name == "a.txt":
            raise ZeroDivisionError("a bug")

    shop.reader.before_read = fail
    report = shop.library.index([docs])
    assert [problem.title for problem in report.problems] == ["Could not be read"]
    assert report.added == 1
    assert "ZeroDivisionError" in caplog.text
    assert "alpha" not in caplog.text


def test_a_bug_in_the_model_costs_that_file_alone(shop: Workshop, docs: Path) -> None:
    shop.spaces.model.error = ZeroDivisionError("a bug")
    report = shop.library.index([docs])
    assert (report.added, report.failed) == (0, 2)
    shop.spaces.model.error = None
    shop.library.retry([file.id for file in shop.library.files()])
    settled(shop)
    assert set(shop.paths().values()) == {"ready"}


def test_a_file_that_changes_while_it_is_read_is_read_again(shop: Workshop, docs: Path) -> None:
    def change(path: Path, _: CancelToken) -> None:
        if path.name == "a.txt" and shop.reader.paths.count(str(path)) == 1:
            path.write_text("alpha was changed")

    shop.reader.before_read = change
    shop.library.index([docs])
    assert shop.found("changed") == ["a.txt"]
    assert "alpha" not in shop.embedded


def test_a_file_that_never_rests_is_given_up(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.ingestion.ledger._FIRST_DELAY", 0.01)

    def change(path: Path, _: CancelToken) -> None:
        if path.name == "a.txt":
            path.write_text("x" * len(shop.reader.paths))

    shop.reader.before_read = change
    report = shop.library.index([docs])
    assert [problem.title for problem in report.problems] == ["Still being written"]
    shop.reader.before_read = None
    assert shop.library.index([docs]).updated == 1


def test_a_file_that_goes_while_it_waits(shop: Workshop, docs: Path) -> None:
    def remove(path: Path, _: CancelToken) -> None:
        (docs / "b.txt").unlink(missing_ok=True)

    shop.reader.before_read = remove
    shop.library.index([docs / "a.txt", docs])
    settled(shop)
    assert "b.txt" not in shop.paths()


def test_a_full_disk_stalls_and_loses_nothing(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shop.store.commit_document

    def refuse(*_: object) -> None:
        raise KnownError("The disk is full", "Make some room.")

    monkeypatch.setattr(shop.store, "commit_document", refuse)
    with pytest.raises(KnownError, match="disk is full"):
        shop.library.index([docs])
    progress = shop.library.progress()
    assert progress.state == "paused"
    assert progress.notes == ("The disk is full: Make some room.",)
    assert FileStatus.FAILED not in {file.status for file in shop.library.files()}
    monkeypatch.setattr(shop.store, "commit_document", real)
    shop.library.resume()
    settled(shop)
    assert set(shop.paths().values()) == {"ready"}
    assert len(shop.embedded) == 3


def test_a_plan_that_the_store_refuses_is_made_again(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shop.store.put_files

    def refuse(*_: object) -> None:
        raise KnownError("The disk is full", "Make some room.")

    monkeypatch.setattr(shop.store, "put_files", refuse)
    with pytest.raises(KnownError, match="disk is full"):
        shop.library.index([docs])
    monkeypatch.setattr(shop.store, "put_files", real)
    shop.library.resume()
    settled(shop)
    assert set(shop.paths().values()) == {"ready"}


def test_a_damaged_model_stalls(shop: Workshop, docs: Path) -> None:
    shop.spaces.model.error = KnownError("Model damaged", "Install the program again.")
    with pytest.raises(KnownError, match="Model damaged"):
        shop.library.index([docs])
    shop.spaces.model.error = None
    shop.library.resume()
    settled(shop)
    assert set(shop.paths().values()) == {"ready"}


def test_failed_files_are_tried_again_when_asked_or_changed(shop: Workshop, docs: Path) -> None:
    path = write(docs / "bad.txt", "DAMAGED")
    shop.library.index([docs])
    (bad,) = shop.library.files(problems_only=True)
    tries = shop.reader.paths.count(str(path))
    shop.library.index([docs])
    assert shop.reader.paths.count(str(path)) == tries == 1
    shop.library.retry([bad.id])
    settled(shop)
    assert shop.reader.paths.count(str(path)) == 2
    write(path, "sound")
    assert shop.library.index([docs]).updated == 1
    assert shop.library.files(problems_only=True) == []


def test_the_empty_place_of_a_drive_is_not_taken_for_the_drive(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = [str(docs)]
    real = os.path.ismount
    monkeypatch.setattr(os.path, "ismount", lambda path: str(path) in drive or real(path))
    shop.library.index([docs])
    shop.reopen()
    drive.clear()
    docs.rename(docs.parent / "unplugged")
    docs.mkdir()
    shop.library.index()
    assert set(shop.paths().values()) == {"unavailable"}
    docs.rmdir()
    (docs.parent / "unplugged").rename(docs)
    drive.append(str(docs))
    assert shop.library.index().unchanged == 2
    assert set(shop.paths().values()) == {"ready"}
