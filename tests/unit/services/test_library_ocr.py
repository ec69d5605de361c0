"""Pages without text: in the library at once, recognised when there is nothing else to do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from tests.helpers.ocr_parts import NOT_POSSIBLE, ScanWorkshop

WAIT = 30.0
MIXED = "text: cover\n" + "\n".join(f"scan: word{number}" for number in range(2, 11))


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[ScanWorkshop]:
    shop = ScanWorkshop(tmp_path / "data")
    yield shop
    shop.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "docs"
    path.mkdir()
    return path


class Halt:
    """Holds the recognition up at one page until it is let go or cancelled."""

    def __init__(self, workshop: ScanWorkshop, page: int) -> None:
        self.page = page
        self.workshop = workshop
        self.reached = threading.Event()
        self.go_on = threading.Event()
        workshop.recogniser.before_page = self

    def __call__(self, path: Path, page: int, cancel: CancelToken) -> None:
        if page != self.page:
            return
        self.reached.set()
        while not self.go_on.wait(0.01) and not cancel.cancelled:
            pass

    def wait(self) -> None:
        assert self.reached.wait(WAIT)
        self.workshop.store.flush()


def only_file(workshop: ScanWorkshop) -> FileRecord:
    (file,) = workshop.library.files()
    return file


def settle(workshop: ScanWorkshop) -> None:
    assert workshop.library.wait_settled(WAIT)


def in_database(workshop: ScanWorkshop, words: str) -> bool:
    """Whether words stand in any file of the data folder."""
    needle = words.encode()
    files = (path for path in workshop.data_dir.rglob("*") if path.is_file())
    return any(needle in path.read_bytes() for path in files)


def test_a_mixed_document_answers_before_its_scanned_pages_are_read(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "b2.txt").write_text(MIXED)
    halt = Halt(workshop, 4)
    workshop.library.add([folder])
    halt.wait()
    file = only_file(workshop)
    assert file.status is FileStatus.READY
    assert file.recognising == (3, 9)
    assert [unit.page for unit in file.coverage.unreadable] == list(range(2, 11))
    assert {unit.reason for unit in file.coverage.unreadable} == {
        "no text: scanned; waiting for OCR"
    }
    assert workshop.found("cover") == ["b2.txt"]
    assert workshop.found("word3") == []
    assert not workshop.library.files(problems_only=True)
    progress = workshop.library.progress()
    assert (progress.state, progress.page, progress.pages) == ("recognising", 3, 9)
    halt.go_on.set()
    settle(workshop)
    file = only_file(workshop)
    assert (file.coverage.read, file.coverage.ocr, file.coverage.unreadable) == (1, 9, ())
    assert file.recognising is None
    assert workshop.found("word3") == workshop.found("word10") == ["b2.txt"]
    assert workshop.embedded.count("cover") == 1
    assert workshop.library.progress().state == "idle"
    assert workshop.recogniser.rested


def test_a_long_document_is_found_by_its_first_pages_before_its_last(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "book.txt").write_text("\n".join(f"scan: word{n}" for n in range(1, 13)))
    halt = Halt(workshop, 12)
    workshop.library.add([folder])
    halt.wait()
    assert workshop.found("word10") == ["book.txt"]
    assert workshop.found("word11") == []
    file = only_file(workshop)
    assert (file.coverage.ocr, file.recognising) == (10, (12, 12))
    halt.go_on.set()
    settle(workshop)
    assert workshop.found("word12") == ["book.txt"]
    assert only_file(workshop).coverage.ocr == 12


def test_a_file_of_pictures_alone_waits_and_is_found_by_name(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "scan.txt").write_text("scan: first\nscan: second")
    halt = Halt(workshop, 2)
    workshop.library.add([folder])
    halt.wait()
    assert only_file(workshop).status is FileStatus.READING
    status = workshop.library.status()
    assert (status.ready, status.waiting, status.ocr, status.scanned) == (0, 1, "on", 1)
    assert workshop.library.coverage().ready == 0
    halt.go_on.set()
    settle(workshop)
    assert only_file(workshop).status is FileStatus.READY
    assert workshop.library.status().scanned == 0
    assert workshop.found("second") == ["scan.txt"]


def test_index_waits_for_the_pages_and_counts_them(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "b2.txt").write_text(MIXED)
    (folder / "plain.txt").write_text("plain words")
    report = workshop.library.index([folder])
    assert (report.added, report.failed, report.problems) == (2, 0, ())
    assert report.embedded == 11
    assert workshop.found("word7") == ["b2.txt"]
    again = workshop.library.index([folder])
    assert (again.unchanged, again.embedded) == (2, 0)
    assert len(workshop.recogniser.pages) == 9


def test_a_stopped_program_goes_on_with_the_next_page(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "b2.txt").write_text(MIXED)
    halt = Halt(workshop, 5)
    workshop.library.add([folder])
    halt.wait()
    done = [page for _, page in workshop.recogniser.pages]
    assert done == [2, 3, 4]
    workshop.reopen()
    workshop.library.start(watch=False)
    settle(workshop)
    assert [page for _, page in workshop.recogniser.pages] == [5, 6, 7, 8, 9, 10]
    assert only_file(workshop).coverage.ocr == 9


def test_what_was_stored_before_a_crash_is_read_again_with_the_document(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "a.txt").write_text("scan: alone")
    halt = Halt(workshop, 1)
    workshop.library.add([folder])
    halt.wait()
    content_hash = only_file(workshop).content_hash
    page = workshop.recogniser
    workshop.reopen()
    workshop.recogniser.before_page = None
    result = workshop.recogniser.recognise(folder / "a.txt", 1, CancelToken())
    assert content_hash is not None
    assert page.pages == []
    assert workshop.store.put_recognised_page(content_hash, result)
    workshop.recogniser.pages.clear()
    workshop.library.start(watch=False)
    settle(workshop)
    assert workshop.recogniser.pages == []
    assert workshop.found("alone") == ["a.txt"]


def test_pausing_stops_in_the_middle_of_a_page(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "a.txt").write_text("scan: one\nscan: two")
    halt = Halt(workshop, 2)
    workshop.library.add([folder])
    halt.wait()
    halt.reached.clear()
    workshop.library.pause()
    assert not workshop.library.wait_settled(0.2)
    assert workshop.recogniser.pages == [("a.txt", 1)]
    halt.go_on.set()
    workshop.library.resume()
    settle(workshop)
    assert workshop.recogniser.pages == [("a.txt", 1), ("a.txt", 2)]


def test_a_file_that_comes_meanwhile_is_read_first(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "a.txt").write_text("scan: one\nscan: two\nscan: three")
    halt = Halt(workshop, 1)
    workshop.library.add([folder])
    halt.wait()
    read_before: list[list[tuple[str, int]]] = []
    workshop.reader.before_read = lambda _path, _cancel: read_before.append(
        list(workshop.recogniser.pages)
    )
    (folder / "b.txt").write_text("urgent words")
    workshop.library.refresh()
    while not read_before:
        threading.Event().wait(0.01)
    halt.go_on.set()
    settle(workshop)
    assert read_before[0] == []
    assert workshop.found("urgent") == ["b.txt"]
    assert workshop.found("three") == ["a.txt"]


def test_copies_and_other_names_are_not_recognised_again(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "a.txt").write_text("scan: costly")
    workshop.library.index([folder])
    (folder / "copy.txt").write_text("scan: costly")
    (folder / "a.txt").rename(folder / "renamed.txt")
    report = workshop.library.index([folder])
    assert (report.added, report.moved, report.embedded) == (1, 1, 0)
    assert workshop.recogniser.pages == [("a.txt", 1)]
    assert len(workshop.reader.paths) == 2
    assert workshop.found("costly") == ["copy.txt", "renamed.txt"]


def test_words_of_a_removed_scan_are_in_no_file(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "a.txt").write_text("scan: unspeakable")
    (folder / "b.txt").write_text("scan: stays")
    workshop.library.index([folder])
    assert in_database(workshop, "unspeakable")
    (folder / "a.txt").unlink()
    workshop.library.index([folder])
    settle(workshop)
    assert not in_database(workshop, "unspeakable")
    assert workshop.found("stays") == ["b.txt"]


def test_a_changed_scan_is_recognised_anew(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "a.txt").write_text("scan: former")
    workshop.library.index([folder])
    (folder / "a.txt").write_text("scan: latter words")
    workshop.library.index([folder])
    assert workshop.found("former") == []
    assert workshop.found("latter") == ["a.txt"]
    assert not in_database(workshop, "former")


def test_a_file_that_changes_while_its_pages_are_recognised(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "a.txt").write_text("scan: old1\nscan: old2")
    halt = Halt(workshop, 1)
    workshop.library.add([folder])
    halt.wait()
    (folder / "a.txt").write_text("scan: new1\nscan: new2 longer")
    halt.go_on.set()
    workshop.library.index()
    settle(workshop)
    assert workshop.found("new2") == ["a.txt"]
    assert workshop.found("old1") == workshop.found("old2") == []


def test_a_page_that_fails_is_tried_again_only_when_asked(
    workshop: ScanWorkshop, folder: Path
) -> None:
    (folder / "a.txt").write_text("scan: good\nscan: !")
    report = workshop.library.index([folder])
    assert [(p.page, p.message) for p in report.problems] == [(2, NOT_POSSIBLE)]
    file = only_file(workshop)
    assert (file.coverage.ocr, len(file.missing)) == (1, 1)
    workshop.library.index([folder])
    workshop.reopen()
    workshop.library.start(watch=False)
    settle(workshop)
    assert workshop.recogniser.pages == []
    workshop.recogniser.can.add(2)
    workshop.library.retry([file.id])
    settle(workshop)
    assert workshop.recogniser.pages == [("a.txt", 2)]
    assert only_file(workshop).coverage.ocr == 2
    assert not workshop.library.files(problems_only=True)


def test_without_ocr_the_reason_says_so_and_installing_it_is_enough(
    tmp_path: Path, folder: Path
) -> None:
    (folder / "scan.txt").write_text("scan: hidden")
    (folder / "b2.txt").write_text("text: cover\nscan: inner")
    workshop = ScanWorkshop(tmp_path / "data", installed=False)
    try:
        report = workshop.library.index([folder])
        assert {(p.page, p.title) for p in report.problems} == {
            (None, "No text: scanned"),
            (2, "Page not read"),
        }
        assert all("OCR would read it" in p.message for p in report.problems)
        assert all("not installed" in p.message for p in report.problems)
        assert workshop.library.status().ocr == "missing"
        assert workshop.paths() == {"scan.txt": "failed", "b2.txt": "ready"}
        workshop.installed = True
        workshop.reopen()
        workshop.library.start(watch=False)
        settle(workshop)
        assert workshop.paths() == {"scan.txt": "ready", "b2.txt": "ready"}
        assert workshop.found("hidden") == ["scan.txt"]
        assert workshop.found("inner") == ["b2.txt"]
    finally:
        workshop.close()


def test_switched_off_and_on_again(workshop: ScanWorkshop, folder: Path) -> None:
    (folder / "scan.txt").write_text("scan: one\nscan: two")
    halt = Halt(workshop, 2)
    workshop.library.start(watch=False)
    workshop.library.add([folder])
    halt.wait()
    workshop.library.set_recognition(False)
    settle(workshop)
    file = only_file(workshop)
    assert file.status is FileStatus.FAILED
    assert file.problem is not None
    assert "switched off" in file.problem.message
    workshop.recogniser.before_page = None
    workshop.library.set_recognition(True)
    settle(workshop)
    assert workshop.found("two") == ["scan.txt"]
    assert workshop.recogniser.pages == [("scan.txt", 1), ("scan.txt", 2)]


def test_a_recogniser_that_does_not_start_holds_nothing_up(
    workshop: ScanWorkshop, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_path: Path, _page: int, _cancel: CancelToken) -> None:
        raise RuntimeError("the recognising process does not start")

    workshop.recogniser.before_page = fail
    (folder / "scan.txt").write_text("scan: one")
    workshop.library.index([folder])
    settle(workshop)
    assert any("not recognised" in note for note in workshop.library.status().notes)
    assert "recognising pages failed" in caplog.text


def test_a_file_that_is_out_of_reach_is_left_until_it_is_heard_of(
    workshop: ScanWorkshop, folder: Path
) -> None:
    def lose(path: Path, _page: int, _cancel: CancelToken) -> None:
        path.unlink()
        raise FileNotFoundError(2, "gone", str(path))

    workshop.recogniser.before_page = lose
    (folder / "scan.txt").write_text("scan: one")
    workshop.library.index([folder])
    workshop.library.index([folder])
    assert workshop.library.files() == []
