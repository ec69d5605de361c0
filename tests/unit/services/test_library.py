from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileStatus, SourceState
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.library import LibraryLimits
from desktop_rag.services.reports import LibraryEvent, Removal
from tests.helpers.library_parts import Workshop

_SECONDS = 20.0


@pytest.fixture
def shop(data_dir: Path) -> Iterator[Workshop]:
    workshop = Workshop(data_dir, LibraryLimits(file_mb=1))
    yield workshop
    workshop.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    write(folder / "a.txt", "alpha\n\nshared words")
    write(folder / "b.txt", "beta\n\nshared words")
    return folder


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def settled(shop: Workshop) -> None:
    assert shop.library.wait_settled(_SECONDS)


def test_a_report_counts_exactly(shop: Workshop, docs: Path) -> None:
    write(docs / "bad.txt", "DAMAGED")
    report = shop.library.index([docs])
    assert (report.added, report.failed, report.unchanged) == (2, 1, 0)
    assert (report.segments, report.embedded, report.reused, report.tokens) == (4, 3, 1, 4)
    assert [(p.path, p.page, p.title) for p in report.problems] == [
        (str(docs / "bad.txt"), None, "Damaged")
    ]
    again = shop.library.index([docs])
    assert (again.added, again.failed, again.unchanged, again.embedded) == (0, 1, 2, 0)
    assert again.problems == report.problems


def test_copies_share_what_was_read(shop: Workshop, docs: Path) -> None:
    for number in range(5):
        write(docs / f"copy{number}.txt", "the same text")
    report = shop.library.index([docs])
    assert report.added == 7
    assert shop.embedded.count("the same text") == 1
    assert shop.found("same") == [f"copy{n}.txt" for n in range(5)]
    write(docs / "late copy.txt", "the same text")
    late = shop.library.index([docs])
    assert (late.added, late.embedded) == (1, 0)
    assert len([path for path in shop.reader.paths if "copy" in path]) == 1


def test_a_new_name_that_asks_for_another_parser_is_read_again(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    read = len(shop.reader.paths)
    (docs / "a.txt").rename(docs / "a.md")
    report = shop.library.index([docs])
    assert (report.moved, report.embedded) == (1, 0)
    assert shop.reader.paths[read:] == [str(docs / "a.md")]
    (docs / "b.txt").rename(docs / "c.txt")
    report = shop.library.index([docs])
    assert (report.moved, report.unchanged) == (1, 1)
    assert len(shop.reader.paths) == read + 1


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


def test_removing_a_source(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    assert shop.library.remove([docs]) == [Removal(str(docs), "source")]
    settled(shop)
    assert shop.library.sources() == []
    assert shop.found("alpha") == []
    assert shop.store.stats().texts == 0
    with pytest.raises(KnownError, match="Not in the library"):
        shop.library.remove([docs])


def test_removing_a_path_inside_a_source_leaves_it_out(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    shop.library.index([docs])
    removed = shop.library.remove([docs / "a.txt", docs / "sub"])
    assert removed == [
        Removal(str(docs / "a.txt"), "ignored"),
        Removal(str(docs / "sub"), "ignored"),
    ]
    settled(shop)
    assert shop.paths() == {"a.txt": "ignored", "b.txt": "ready", "c.txt": "ignored"}
    assert shop.found("alpha") == shop.found("gamma") == []
    report = shop.library.index([docs])
    assert (report.skipped, report.unchanged) == (2, 1)
    assert shop.library.coverage().files == 1
    (source,) = shop.library.add([docs / "a.txt"])
    settled(shop)
    assert source.path == str(docs)
    assert shop.found("alpha") == ["a.txt"]
    assert shop.paths()["c.txt"] == "ignored"


def test_a_folder_inside_a_source_doubles_nothing(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    shop.library.index([docs])
    report = shop.library.index([docs / "sub"])
    assert (report.added, report.unchanged) == (0, 1)
    assert len(shop.library.sources()) == 1
    (docs.parent / "link").symlink_to(docs)
    shop.library.index([docs.parent / "link"])
    assert len(shop.library.sources()) == 1
    assert len(shop.library.files()) == 3


def test_a_folder_around_sources_takes_them_over(shop: Workshop, docs: Path) -> None:
    write(docs / "sub" / "c.txt", "gamma")
    shop.library.index([docs / "sub", docs / "a.txt"])
    shop.library.remove([docs / "sub" / "c.txt"])
    settled(shop)
    shop.embedded.clear()
    report = shop.library.index([docs])
    assert [source.path for source in shop.library.sources()] == [str(docs)]
    assert (report.added, report.unchanged, report.skipped) == (1, 1, 1)
    assert shop.embedded == ["beta"]
    assert shop.paths() == {"a.txt": "ready", "b.txt": "ready", "c.txt": "ignored"}


def test_a_hidden_folder_that_is_added_is_a_source_of_its_own(shop: Workshop, docs: Path) -> None:
    write(docs / ".notes" / "n.txt", "nu")
    shop.library.index([docs])
    assert shop.found("nu") == []
    shop.library.index([docs / ".notes"])
    assert shop.found("nu") == ["n.txt"]
    assert len(shop.library.sources()) == 2
    assert len(shop.library.files()) == 3


def test_what_cannot_be_added(shop: Workshop, docs: Path) -> None:
    with pytest.raises(KnownError, match="Not found"):
        shop.library.add([docs, docs / "nothing.txt"])
    with pytest.raises(KnownError, match="Belongs to the program"):
        shop.library.add([shop.data_dir])
    os.mkfifo(docs / "pipe")
    with pytest.raises(KnownError, match="Not found"):
        shop.library.add([docs / "pipe"])
    assert shop.library.sources() == []


def test_the_library_s_own_folder_inside_a_source_is_not_read(shop: Workshop) -> None:
    write(shop.data_dir.parent / "a.txt", "alpha")
    shop.library.index([shop.data_dir.parent])
    assert list(shop.paths()) == ["a.txt"]


def test_a_single_file_as_source(shop: Workshop, docs: Path) -> None:
    assert shop.library.index([docs / "a.txt"]).added == 1
    (file,) = shop.library.files()
    assert (file.relpath, file.path) == ("", str(docs / "a.txt"))
    docs.rename(docs.parent / "away")
    shop.library.refresh()
    settled(shop)
    assert shop.library.sources()[0].state is SourceState.UNAVAILABLE
    assert shop.paths() == {"a.txt": "unavailable"}
    (docs.parent / "away").rename(docs)
    (docs / "a.txt").unlink()
    shop.library.refresh()
    settled(shop)
    assert shop.library.sources()[0].state is SourceState.AVAILABLE
    assert shop.paths() == {}
    assert shop.found("alpha") == []
    write(docs / "a.txt", "alpha again")
    shop.library.refresh()
    settled(shop)
    assert shop.found("again") == ["a.txt"]


def test_a_link_to_a_file_is_added_as_that_file(shop: Workshop, docs: Path) -> None:
    (docs / "link.txt").symlink_to("a.txt")
    assert shop.library.index([docs / "link.txt"]).added == 1
    assert [source.path for source in shop.library.sources()] == [str(docs / "a.txt")]


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


def test_another_way_of_preparing_reads_everything_again(
    shop: Workshop, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs / "bad.txt", "DAMAGED")
    shop.library.start(watch=False)
    shop.library.index([docs])
    shop.reopen()
    shop.library.start(watch=False)
    settled(shop)
    assert shop.reader.paths == []
    shop.reopen()
    for module in ("ingestion.reading_stage", "services.library_engine"):
        monkeypatch.setattr(f"desktop_rag.{module}.PREPARATION_VERSION", "another")
    shop.library.start(watch=False)
    settled(shop)
    assert {Path(path).name for path in shop.reader.paths} == {"a.txt", "b.txt", "bad.txt"}
    assert shop.embedded == []
    assert shop.found("alpha") == ["a.txt"]


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


def test_documents_are_handed_out(shop: Workshop, docs: Path) -> None:
    shop.library.index([docs])
    (first, *_) = shop.library.files()
    document = shop.library.document(first.id)
    assert document is not None
    assert document.text == "alpha\n\nshared words"
    assert shop.library.document_by_id(document.id) == document
    assert shop.library.document(99) is None
    assert shop.library.file(99) is None


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
