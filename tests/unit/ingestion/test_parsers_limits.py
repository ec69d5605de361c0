"""How much of one file is read, and what is said of the rest."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.archive import Archive
from desktop_rag.ingestion.parsers.limits import (
    ROWS_TOO_LONG,
    TEXT_TOO_LONG,
    TOO_MANY_PAGES,
    ParseLimits,
    limited,
    limits_in_force,
)
from desktop_rag.ingestion.parsers.registry import parse_bytes, parse_file
from desktop_rag.worker import job_object
from tests.helpers.drawn_pdf import drawn, lines
from tests.helpers.office_files import rows, xlsx, zipped

SHORT = ParseLimits(text=20_000)
LINE = "A sentence of the long document that nobody has read to its end.\n\n"


def reasons(parsed: ParsedDocument) -> list[tuple[int, str]]:
    return [(unit.page, unit.reason) for unit in parsed.coverage.unreadable]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.py", "a.html", "a.rst"])
def test_of_a_long_text_file_the_beginning_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("<p>" * (name == "a.html") + LINE * 1000, "utf-8")

    with limited(SHORT):
        parsed = parse_file(path)

    assert 15_000 < len(parsed.document.text) <= 20_000
    assert parsed.document.text.rstrip().endswith("end.")
    assert reasons(parsed) == [(1, TEXT_TOO_LONG)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "gb18030"])
def test_a_long_text_is_cut_between_characters(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes((("合同付款期限为三十天，" * 9 + "\n") * 3000).encode(encoding))

    with limited(SHORT):
        parsed = parse_file(path)

    assert len(parsed.document.text.encode()) <= 20_000
    assert "\ufffd" not in parsed.document.text
    assert reasons(parsed) == [(1, TEXT_TOO_LONG)]


def test_a_file_at_the_limit_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(LINE * 300, "utf-8")

    with limited(ParseLimits(text=path.stat().st_size)):
        assert parse_file(path).coverage.complete


def test_one_block_without_end_is_cut() -> None:
    with limited(SHORT):
        parsed = parse_bytes(b"word " * 10_000, "a.txt")

    assert len(parsed.document.text) == 20_000
    assert [block.kind for block in parsed.blocks] == [BlockKind.PARAGRAPH]


def test_what_a_format_gives_is_cut_between_blocks() -> None:
    mail = b"From: a@example.org\r\nSubject: s\r\nContent-Type: text/plain\r\n\r\n"

    with limited(SHORT):
        parsed = parse_bytes(mail + LINE.encode() * 1000, "a.eml")

    assert len(parsed.document.text) <= 20_000
    assert parsed.document.text.endswith("end.")
    assert (1, TEXT_TOO_LONG) in reasons(parsed)


def test_of_a_long_sheet_the_first_rows_are_read() -> None:
    content = xlsx({"A": rows(*(("word", str(n), "another word") for n in range(3000)))})

    with limited(SHORT):
        parsed = parse_bytes(content, "a.xlsx")

    assert 15_000 < len(parsed.document.text) < 21_000
    assert reasons(parsed) == [(1, ROWS_TOO_LONG)]


def test_of_a_long_pdf_the_first_pages_are_read() -> None:
    pages = [lambda page, n=n: lines(page, [f"Words of page number {n}."]) for n in range(1, 9)]

    with limited(ParseLimits(pages=5)):
        parsed = parse_bytes(drawn(pages), "a.pdf")

    assert "page number 5" in parsed.document.text
    assert "page number 6" not in parsed.document.text
    assert (parsed.pages, parsed.coverage.read) == (8, 5)
    assert reasons(parsed) == [(6, TOO_MANY_PAGES)]


def test_an_archive_unpacks_within_the_limit() -> None:
    content = zipped({"a.txt": "x" * 100_000})

    with limited(ParseLimits(unpacked=99_999)), Archive(content, "a.zip") as archive:
        with pytest.raises(KnownError) as caught:
            archive.read("a.txt")
        assert caught.value.title == "Unpacks to too much"
    with Archive(content, "a.zip") as archive:
        assert len(archive.read("a.txt")) == 100_000


def test_limits_end_with_the_file() -> None:
    with limited(SHORT):
        assert limits_in_force() is SHORT
    assert limits_in_force() == ParseLimits()


@pytest.mark.parametrize("limit", ["pages", "text", "unpacked", "depth"])
def test_a_limit_of_nothing_is_refused(limit: str) -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        ParseLimits(**{limit: 0})


class Kernel:
    """Windows' kernel32, as far as jobs need it."""

    def __init__(self) -> None:
        self.limits: list[tuple[int, int, int]] = []
        self.joined: list[tuple[int, int]] = []

    def CreateJobObjectW(self, *_: None) -> int:  # noqa: N802
        return 7

    def GetCurrentProcess(self) -> int:  # noqa: N802
        return -1

    def SetInformationJobObject(self, job: int, kind: int, limits: Any, size: int) -> int:  # noqa: N802
        set_ = limits._obj
        self.limits.append((kind, set_.BasicLimitInformation.LimitFlags, set_.ProcessMemoryLimit))
        assert (job, size) == (7, ctypes.sizeof(set_))
        return 1

    def AssignProcessToJobObject(self, job: int, process: int) -> int:  # noqa: N802
        self.joined.append((job, process))
        return 1


def test_on_windows_a_job_refuses_memory_and_ends_what_was_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel = Kernel()
    monkeypatch.setattr(job_object, "_kernel", lambda: kernel)

    job_object.enter_job(900 << 20)

    assert kernel.limits == [(9, 0x2100, 900 << 20)]
    assert kernel.joined == [(7, -1)]
    if ctypes.sizeof(ctypes.c_void_p) == 8:  # as in the headers of Windows
        assert ctypes.sizeof(job_object.BasicLimits) == 64
        assert ctypes.sizeof(job_object.ExtendedLimits) == 144


def test_a_job_that_windows_refuses_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = SimpleNamespace(CreateJobObjectW=lambda *_: 0)
    monkeypatch.setattr(job_object, "_kernel", lambda: refused)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: 5, raising=False)
    monkeypatch.setattr(ctypes, "WinError", lambda code: OSError(code, "denied"), raising=False)

    with pytest.raises(OSError, match="denied"):
        job_object.enter_job(1)
