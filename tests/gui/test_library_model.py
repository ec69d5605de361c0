from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop_rag.domain.document import Coverage, UnreadableUnit
from desktop_rag.domain.files import FileRecord, FileStatus, Source
from desktop_rag.gui import strings
from desktop_rag.gui.library.model import EXPANDED, ROW, LibraryModel
from desktop_rag.gui.library.tree import (
    ALL,
    NOT_READ,
    PDF,
    FileFilter,
    Group,
    build_tree,
    not_read,
)
from desktop_rag.gui.library.view import LibraryView
from desktop_rag.gui.words import file_state, page_reason, problem_message
from desktop_rag.ingestion.changes import NOT_HERE
from tests.helpers.window_services import example_files, example_sources

MANY = 100_000


def names(model: LibraryModel) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def model_of(wanted: FileFilter | None = None) -> LibraryModel:
    model = LibraryModel()
    model.show_tree(build_tree(example_sources(), example_files(), wanted or FileFilter()))
    return model


def test_files_stand_below_their_source_in_the_order_of_names(qtbot: QtBot) -> None:
    model = model_of()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shown = names(model)
    assert shown[:3] == ["Contracts", "Lease.pdf", "Lease 2024-08.pdf"]
    assert shown[-2:] == ["Mail archive", "inbox.txt"]


def test_counts_leave_out_what_is_ignored() -> None:
    tree = build_tree(example_sources(), example_files(), FileFilter())
    assert {chip: number for chip, number in tree.counts.items() if number} == {
        ALL: 10, PDF: 5, NOT_READ: 3, "waiting": 2, "away": 1, "ignored": 1,
        "word": 1, "sheets": 1, "text": 3,
    }  # fmt: skip
    assert [group.total for group in tree.groups] == [5, 4, 1]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (FileFilter(PDF), 5),
        (FileFilter(NOT_READ), 3),
        (FileFilter("waiting"), 2),
        (FileFilter("ignored"), 1),
        (FileFilter("away"), 1),
        (FileFilter("sheets"), 1),
        (FileFilter("word", "minutes"), 1),
        (FileFilter(text="LEASE"), 2),
        (FileFilter(text="backup lease"), 1),
        (FileFilter(PDF, "minutes"), 1),
        (FileFilter(text="合同"), 1),
        (FileFilter(text="nothing like it"), 0),
    ],
)
def test_filters_keep_what_matches_and_its_source(wanted: FileFilter, expected: int) -> None:
    tree = build_tree(example_sources(), example_files(), wanted)
    assert sum(len(group.files) for group in tree.groups) == expected
    assert all(group.files for group in tree.groups)


def test_folding_hides_the_files_of_one_source(qtbot: QtBot) -> None:
    model = model_of()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    rows = model.rowCount()
    first = model.index(0, 0)
    model.fold(first)
    assert model.rowCount() == rows - 5
    assert names(model)[:2] == ["Contracts", "Research"]
    assert model.index(0, 0).data(EXPANDED) is False
    model.fold(model.index(0, 0))
    assert model.rowCount() == rows


def test_a_new_state_repaints_one_row(qtbot: QtBot) -> None:
    model = model_of()
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda top, end, *_: changed.append((top.row(), end.row())))
    waiting = next(record for record in example_files() if record.id == 7)
    model.update_files([replace(waiting, status=FileStatus.READY)])
    index = model.index_of(7)
    assert changed == [(index.row(), index.row())]
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "figures.xlsx, ready"


def test_an_update_of_a_folded_or_unknown_file_is_kept_or_passed_over(qtbot: QtBot) -> None:
    model = model_of()
    model.fold(model.index(0, 0))
    lease = next(record for record in example_files() if record.id == 1)
    model.update_files([replace(lease, status=FileStatus.READING), replace(lease, id=999)])
    model.fold(model.index(0, 0))
    assert model.index_of(1).data(ROW).status is FileStatus.READING


def test_every_state_has_its_word_and_a_reason(qtbot: QtBot) -> None:
    words = {record.id: file_state(record).word for record in example_files()}
    assert words[1] == "ready"
    assert words[3] == "3 pages not read"
    assert words[4] == "not read yet"
    assert words[6] == "reading…"
    assert words[7] == "waiting"
    assert words[9] == "needs a password"
    assert words[10] == "ignored"
    assert words[11] == "drive not connected"
    model = model_of()
    tip = str(model.index_of(9).data(Qt.ItemDataRole.ToolTipRole))
    assert "save a copy without one" in tip


def test_pages_for_ocr_are_a_state_and_no_problem(qtbot: QtBot) -> None:
    lease = next(record for record in example_files() if record.id == 1)
    waits = UnreadableUnit(2, "no text: scanned; waiting for OCR", True)
    damaged = UnreadableUnit(3, "the page is damaged")
    lease = replace(lease, coverage=Coverage(1, 0, 0, (waits,)), recognising=(0, 9))
    assert file_state(lease).word == "9 pages wait for OCR"
    assert file_state(replace(lease, recognising=(3, 9))).word == "page 3 of 9 · OCR"
    assert file_state(replace(lease, status=FileStatus.WAITING)).word == "9 pages wait for OCR"
    assert not not_read(lease)
    assert not_read(replace(lease, recognising=None))
    assert not_read(replace(lease, coverage=Coverage(1, 0, 0, (waits, damaged))))
    strings.set_language("zh")
    assert file_state(replace(lease, recognising=(3, 9))).word == "第 3/9 页 · 文字识别"
    assert page_reason(waits.reason) == "没有文字：扫描页；等待文字识别"


def test_states_and_reasons_are_said_in_chinese(qtbot: QtBot) -> None:
    strings.set_language("zh")
    words = {record.id: file_state(record).word for record in example_files()}
    assert words[9] == "需要密码"
    assert words[11] == "驱动器未连接"
    assert words[3] == "3 页未读取"
    model = model_of()
    tip = str(model.index_of(9).data(Qt.ItemDataRole.ToolTipRole))
    assert "“Minutes.pdf”需要密码" in tip


def test_names_that_are_not_utf8_are_shown(qtbot: QtBot) -> None:
    broken = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    record = FileRecord(1, 1, broken, f"/a/{broken}", FileStatus.READY)
    model = LibraryModel()
    model.show_tree(build_tree([Source(1, "/a", True)], [record], FileFilter()))
    assert names(model) == ["a", "caf\ufffd.txt"]


def test_a_hundred_thousand_files_are_asked_for_only_where_they_are_seen(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [
        FileRecord(n, 1, f"f{n:06}.txt", f"/a/f{n:06}.txt", FileStatus.WAITING) for n in range(MANY)
    ]
    asked: list[int] = []
    plain = LibraryModel.data

    def counted(self: LibraryModel, index: QModelIndex, role: int = 0) -> object:
        asked.append(index.row())
        return plain(self, index, role)

    monkeypatch.setattr(LibraryModel, "data", counted)
    model = LibraryModel()
    view = LibraryView(model)
    qtbot.addWidget(view)
    view.resize(280, 600)
    view.show()
    model.show_tree(build_tree([Source(1, "/a", True)], records, FileFilter()))
    view.scrollToBottom()
    qtbot.waitUntil(lambda: max(asked, default=0) == MANY)
    model.update_files([replace(record, status=FileStatus.READY) for record in records[:300]])
    view.viewport().repaint()
    assert model.rowCount() == MANY + 1
    assert len(set(asked)) < 200


def test_a_partly_read_document_is_not_called_ready() -> None:
    record = FileRecord(1, 1, "a.pdf", "/a.pdf", FileStatus.READY, coverage=Coverage(read=3))
    assert file_state(record).word == "ready"
    group = build_tree(example_sources(), example_files(), FileFilter(NOT_READ)).groups[0]
    assert isinstance(group, Group)
    assert "Scan of deed.pdf" in [record.relpath for record in group.files]


def test_a_file_in_the_cloud_alone_says_so() -> None:
    away = FileRecord(1, 1, "a.pdf", "/x/a.pdf", FileStatus.UNAVAILABLE, problem=NOT_HERE)
    assert (file_state(away).word, file_state(away).token) == ("not on this computer", "warn")
    assert not_read(away)
    assert not not_read(replace(away, document_id=1))
    strings.set_language("zh")
    assert file_state(away).word == "不在本机"
    assert problem_message(away).startswith("“a.pdf”只保存在云端")
