"""The library at work: order, pause, progress, closing, cancelling."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_rag.foundation import power
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.ingestion.speed import ON_BATTERY
from desktop_rag.services.reports import LibraryEvent
from tests.helpers.library_parts import Workshop, settled, write

_SECONDS = 20.0


def test_a_file_that_waits_is_read_first_when_asked_for(shop: Workshop, docs: Path) -> None:
    write(docs / "c.txt", "gamma")
    shop.library.pause()
    shop.library.add([docs])
    while len(shop.paths()) < 3:
        assert not shop.library.wait_settled(0.01)
    (last,) = [file.id for file in shop.library.files() if file.path.endswith("c.txt")]
    shop.library.retry([last])
    shop.library.resume()
    settled(shop)
    assert [Path(path).name for path in shop.reader.paths] == ["c.txt", "a.txt", "b.txt"]


def test_a_folder_that_waits_is_read_first_when_asked_for(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    began = threading.Event()

    def hang(_path: Path, cancel: CancelToken) -> None:
        if not began.is_set():
            began.set()
            while not cancel.wait(0.02):
                pass
            cancel.check()

    shop.reader.before_read = hang
    shop.library.add([docs])
    assert began.wait(_SECONDS)
    shop.library.add([docs / "sub"])
    settled(shop)
    names = [Path(path).name for path in shop.reader.paths]
    assert names == ["a.txt", "c.txt", "a.txt", "b.txt"]


def test_what_could_not_be_read_is_tried_again(shop: Workshop, docs: Path) -> None:
    write(docs / "bad.txt", "omega")

    def refuse(path: Path, _cancel: CancelToken) -> None:
        if path.name == "bad.txt":
            raise KnownError("Damaged", "It is damaged.", str(path))

    shop.reader.before_read = refuse
    assert shop.library.index([docs]).failed == 1
    assert shop.library.index([docs]).failed == 1
    shop.reader.before_read = None
    assert shop.library.index([docs / "a.txt"], again=True).failed == 0
    assert shop.paths()["bad.txt"] == "failed"
    report = shop.library.index([docs], again=True)
    assert (report.failed, report.added, report.problems) == (0, 1, ())
    assert shop.found("omega") == ["bad.txt"]


def test_an_edit_need_not_wait_for_a_long_reading(shop: Workshop, docs: Path) -> None:
    began = threading.Event()

    def hang(path: Path, cancel: CancelToken) -> None:
        if path.name == "a.txt" and not began.is_set():
            began.set()
            while not cancel.wait(0.02):
                pass
            cancel.check()

    shop.reader.before_read = hang
    shop.library.add([docs / "a.txt"])
    assert began.wait(_SECONDS)
    shop.library.add([docs / "b.txt"])
    settled(shop)
    assert [Path(path).name for path in shop.reader.paths] == ["a.txt", "b.txt", "a.txt"]


def test_pause_stops_in_the_middle_of_a_document(shop: Workshop, docs: Path) -> None:
    write(docs / "long.txt", "\n\n".join(f"passage {number}" for number in range(600)))
    shop.spaces.model.seconds = 0.01
    shop.library.add([docs / "long.txt"])
    while len(shop.embedded) < 20:
        assert not shop.library.wait_settled(0.01)
    shop.library.pause()
    assert shop.library.paused
    assert not shop.library.wait_settled(0.1)
    done = len(shop.embedded)
    assert not shop.library.wait_settled(0.2)
    assert len(shop.embedded) == done < 600
    progress = shop.library.progress()
    assert (progress.state, progress.seconds_left) == ("paused", None)
    shop.spaces.model.seconds = 0.0
    shop.library.resume()
    settled(shop)
    assert len(shop.embedded) == 600


def test_closing_in_mid_document_keeps_what_was_done(shop: Workshop, docs: Path) -> None:
    write(docs / "long.txt", "\n\n".join(f"passage {number}" for number in range(600)))
    shop.spaces.model.seconds = 0.002
    shop.library.add([docs])
    while len(shop.embedded) < 300:
        assert not shop.library.wait_settled(0.01)
    done = len(shop.embedded)
    shop.reopen()
    assert shop.paths()["long.txt"] == "waiting"
    shop.library.start(watch=False)
    settled(shop)
    assert set(shop.paths().values()) == {"ready"}
    assert len(shop.embedded) <= 603 - done + 2


def test_what_the_user_has_just_touched_comes_first(shop: Workshop, docs: Path) -> None:
    for number in range(30):
        write(docs / "old" / f"{number}.txt", f"old {number}")
    shop.library.pause()
    shop.library.add([docs / "old"])
    shop.library.add([docs / "b.txt"])
    while shop.library.progress().files_total < 31:
        assert not shop.library.wait_settled(0.01)
    shop.library.resume()
    settled(shop)
    assert shop.reader.paths[0] == str(docs / "b.txt")


def test_an_index_can_be_cancelled_and_the_library_closed_meanwhile(
    shop: Workshop, docs: Path
) -> None:
    shop.library.pause()
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        shop.library.index([docs], cancel=token)
    ended: list[BaseException] = []

    def index() -> None:
        try:
            shop.library.index([docs])
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=index)
    thread.start()
    assert not shop.library.wait_settled(0.1)
    shop.library.close()
    thread.join(_SECONDS)
    assert isinstance(ended[0], Cancelled)
    assert not shop.library.wait_settled(0.1)
    assert set(shop.paths().values()) == {"waiting"}


def test_closing_ends_a_read_that_hangs(shop: Workshop, docs: Path) -> None:
    began = threading.Event()

    def hang(_: Path, cancel: CancelToken) -> None:
        began.set()
        cancel.wait(_SECONDS)
        cancel.check()

    shop.reader.before_read = hang
    shop.library.add([docs])
    assert began.wait(_SECONDS)
    shop.reopen()
    assert set(shop.paths().values()) == {"waiting"}


def test_removing_what_is_being_read(shop: Workshop, docs: Path) -> None:
    began = threading.Event()

    def hang(_: Path, cancel: CancelToken) -> None:
        began.set()
        cancel.wait(_SECONDS)
        cancel.check()

    shop.reader.before_read = hang
    shop.library.add([docs])
    assert began.wait(_SECONDS)
    shop.library.remove([docs])
    settled(shop)
    assert shop.library.files() == []


def test_at_low_speed_one_text_is_embedded_at_a_time(shop: Workshop, docs: Path) -> None:
    busy = threading.Semaphore(1)
    both: list[bool] = []
    real = shop.spaces.model.embed_text

    def embed(text: str) -> object:
        both.append(not busy.acquire(blocking=False))
        try:
            return real(text)
        finally:
            busy.release()

    shop.spaces.model.embed_text = embed
    shop.library.set_full_speed(False)
    shop.spaces.model.seconds = 0.005
    write(docs / "long.txt", "\n\n".join(f"passage {number}" for number in range(50)))
    shop.library.index([docs])
    assert not any(both)


def test_events_are_told_and_end_with_settled(shop: Workshop, docs: Path) -> None:
    events: list[LibraryEvent] = []
    done = threading.Event()

    def tell(event: LibraryEvent) -> None:
        events.append(event)
        if event.kind == "settled":
            done.set()

    stop = shop.library.listen(tell)
    shop.library.add([docs])
    assert done.wait(_SECONDS)
    kinds = [event.kind for event in events]
    assert kinds[-1] == "settled"
    assert {"sources", "files", "progress"} <= set(kinds)
    ids = {file.id for file in shop.library.files()}
    assert ids == {id_ for event in events for id_ in event.file_ids}
    stop()
    events.clear()
    shop.library.refresh()
    settled(shop)
    assert events == []


def test_progress_status_and_coverage(shop: Workshop, docs: Path) -> None:
    seen = []
    shop.spaces.model.seconds = 0.15
    shop.library.index([docs], on_progress=seen.append)
    assert seen
    assert all(progress.files_done <= progress.files_total for progress in seen)
    assert shop.library.progress().state == "idle"
    status = shop.library.status()
    assert (status.files, status.ready, status.segments, status.vectors) == (2, 2, 4, 3)
    assert status.bytes > 0
    assert all(index["state"] == "ok" for index in status.indexes.values())
    coverage = shop.library.coverage()
    assert (coverage.ready, coverage.files, coverage.failed) == (2, 2, 0)


def test_on_battery_files_are_read_in_the_background(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "on_battery", lambda: True)
    shop.reopen()
    write(docs / "long.txt", "\n\n".join(f"passage {number}" for number in range(300)))
    shop.spaces.model.seconds = 0.01
    shop.library.add([docs])
    while ON_BATTERY not in shop.library.progress().notes:
        assert not shop.library.wait_settled(0.01)
    shop.spaces.model.seconds = 0.0
    settled(shop)
    assert shop.library.progress().notes == ()
