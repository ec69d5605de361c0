from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_rag.domain.files import FileStatus, Problem
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.services.library_changes import SettledFiles, follow_changes
from desktop_rag.services.reports import LibraryEvent
from tests.helpers.fake_services import FakeLibrary, file_record

READY = file_record(1, "/papers/a.txt")


def kinds(changes: list[dict]) -> list[tuple[object, object]]:
    return [(change["change"], change["path"]) for change in changes]


def test_what_was_there_before_is_no_change():
    assert SettledFiles([READY]).replaced([READY]) == []


def test_a_file_is_told_once_it_can_be_searched():
    known = SettledFiles([])

    assert known.updated({1: replace(READY, status=FileStatus.WAITING)}) == []
    assert known.updated({1: replace(READY, status=FileStatus.READING)}) == []
    assert known.updated({1: READY}) == [
        {
            "change": "added",
            "path": "/papers/a.txt",
            "from": None,
            "status": "ready",
            "problem": None,
            "segments": 2,
        }
    ]
    assert known.updated({1: READY}) == []


def test_an_edit_is_one_update_and_a_touch_is_none():
    known = SettledFiles([READY])

    assert known.updated({1: replace(READY, status=FileStatus.WAITING)}) == []
    assert known.updated({1: READY}) == []
    assert kinds(known.updated({1: replace(READY, content_hash="bb")})) == [
        ("updated", "/papers/a.txt")
    ]


def test_a_rename_tells_where_from():
    change = SettledFiles([READY]).updated({1: replace(READY, path="/papers/b.txt")})[0]

    assert (change["change"], change["from"], change["path"]) == (
        "moved",
        "/papers/a.txt",
        "/papers/b.txt",
    )


def test_removed_files_are_told_with_their_last_path():
    known = SettledFiles([READY])

    assert kinds(known.updated({1: None})) == [("removed", "/papers/a.txt")]
    assert known.updated({1: None}) == []
    assert kinds(SettledFiles([READY]).replaced([])) == [("removed", "/papers/a.txt")]


def test_a_failure_is_told_with_its_reason_and_not_again():
    known = SettledFiles([READY])
    failed = replace(
        READY, status=FileStatus.FAILED, problem=Problem("Damaged", "It cannot be read.")
    )

    change = known.updated({1: failed})[0]

    assert (change["change"], change["problem"]) == (
        "failed",
        {"title": "Damaged", "message": "It cannot be read."},
    )
    assert known.updated({1: failed}) == []
    assert kinds(known.updated({1: READY})) == [("updated", "/papers/a.txt")]


def test_ignored_files_are_told_only_when_they_were_searchable():
    ignored = replace(READY, status=FileStatus.IGNORED)
    known = SettledFiles([])

    assert known.updated({1: ignored}) == []
    assert known.updated({1: None}) == []
    assert kinds(SettledFiles([READY]).updated({1: ignored})) == [("ignored", "/papers/a.txt")]
    assert kinds(SettledFiles([ignored]).updated({1: READY})) == [("added", "/papers/a.txt")]


def test_a_drive_that_goes_away_is_told():
    gone = replace(READY, status=FileStatus.UNAVAILABLE)

    assert kinds(SettledFiles([READY]).updated({1: gone})) == [("unavailable", "/papers/a.txt")]


@pytest.fixture
def library() -> FakeLibrary:
    return FakeLibrary()


def test_events_of_the_library_become_changes_until_cancelled(library):
    cancel = CancelToken()
    changes: Iterator[dict] = follow_changes(library, ["/papers"], cancel)
    other = file_record(2, "/papers/b.txt")

    def act_when_listening() -> None:
        library.records = [READY, other]
        library.tell(LibraryEvent("progress"))
        library.tell(LibraryEvent("files", (1,)))
        library.tell(LibraryEvent("settled"))

    library.add = lambda paths: act_when_listening()

    assert kinds([next(changes), next(changes)]) == [
        ("added", "/papers/a.txt"),
        ("added", "/papers/b.txt"),
    ]
    assert library.started == 1
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(changes)
    assert library.listeners == []
