"""Scanned pages and pictures with the real models: recognised, found, shown."""

from __future__ import annotations

import difflib
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import psutil
import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.domain.files import FileStatus
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.settings import OCR
from desktop_rag.ingestion.ocr_models import find_ocr_models
from desktop_rag.ingestion.ocr_reader import WorkerRecogniser
from desktop_rag.ingestion.reading import PageRenderer
from desktop_rag.services.services import Services
from desktop_rag.store.database import DATABASE_NAME
from tests.helpers.scans import bomb, picture, png, scanned_pdf

pytestmark = pytest.mark.skipif(find_ocr_models() is None, reason="the part “ocr” is not installed")

WAIT = 90.0
_OWNER = """
import sys
from pathlib import Path
from desktop_rag.bootstrap import open_services
open_services(Path(sys.argv[1])).library.index([sys.argv[2]])
"""
ENGLISH = ("The tenancy begins on 1 March 2025.", "The deposit is 2400 francs.")
CHINESE = ("本合同自签订之日起生效。", "租金每月三千元整。")
PROSE = "This cover letter comes with the lease that is attached to it as a scan. " * 2


@pytest.fixture
def recogniser() -> Iterator[WorkerRecogniser]:
    recogniser = WorkerRecogniser()
    yield recogniser
    recogniser.close()


@pytest.fixture
def services(data_dir: Path) -> Iterator[Services]:
    opened = open_services(data_dir)
    yield opened
    opened.close()


def texts(recogniser: WorkerRecogniser, path: Path, page: int = 1) -> list[str]:
    result = recogniser.recognise(path, page, CancelToken())
    assert result.reason is None
    return [line.text for line in result.lines]


def like(found: list[str], wanted: tuple[str, ...]) -> float:
    """How much two texts have in common, 0..1: models may differ in a character."""
    return difflib.SequenceMatcher(None, "".join(found), "".join(wanted)).ratio()


def test_english_and_chinese_are_recognised_with_their_places(
    recogniser: WorkerRecogniser, tmp_path: Path
) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(scanned_pdf([ENGLISH, CHINESE]))
    page = recogniser.recognise(path, 1, CancelToken())
    assert like([line.text for line in page.lines], ENGLISH) > 0.95
    first = page.lines[0]
    assert first.confidence > 0.9
    # the line was written at 30, 52 in 16 points
    assert (first.x0, first.y1) == pytest.approx((30, 52), abs=9)
    assert 12 < first.y1 - first.y0 < 30
    assert like(texts(recogniser, path, 2), CHINESE) > 0.95


def test_pictures_are_read_in_the_points_that_the_viewer_has(
    recogniser: WorkerRecogniser, tmp_path: Path
) -> None:
    path = tmp_path / "photo.bin"
    path.write_bytes(picture(*ENGLISH, dpi=144).tobytes("jpeg"))
    page = recogniser.recognise(path, 1, CancelToken())
    assert like([line.text for line in page.lines], ENGLISH) > 0.95
    renderer = PageRenderer()
    try:
        shown = renderer.render(path, 1, 1.0)
    finally:
        renderer.close()
    share = page.lines[0].x0 / shown.page_width_pt
    assert share == pytest.approx(30 / 400, abs=0.02)


def test_a_page_upside_down_is_read(recogniser: WorkerRecogniser, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    upright = picture(*ENGLISH)
    turned = image.frombytes("RGB", (upright.width, upright.height), upright.samples).rotate(180)
    path = tmp_path / "turned.png"
    turned.save(path)
    assert like(texts(recogniser, path)[::-1], ENGLISH) > 0.95


def test_a_blank_page_has_no_lines_and_a_bomb_is_not_unpacked(
    recogniser: WorkerRecogniser, tmp_path: Path
) -> None:
    blank, bad = tmp_path / "blank.png", tmp_path / "bomb.png"
    blank.write_bytes(png())
    bad.write_bytes(bomb(40_000, 4_000))
    assert texts(recogniser, blank) == []
    assert recogniser.recognise(bad, 1, CancelToken()).reason is not None
    assert recogniser.recognise(blank, 9, CancelToken()).reason is not None


def test_a_library_finds_what_scans_and_pictures_say(services: Services, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "lease.pdf").write_bytes(scanned_pdf([PROSE, ENGLISH]))
    (docs / "合同.png").write_bytes(png(*CHINESE))
    report = services.library.index([docs])
    assert report.problems == ()
    assert services.library.wait_settled(WAIT)
    files = {Path(file.path).name: file for file in services.library.files()}
    assert {file.status for file in files.values()} == {FileStatus.READY}
    lease = files["lease.pdf"].coverage
    assert (lease.read, lease.ocr, lease.unreadable) == (1, 1, ())
    assert files["合同.png"].kind == "image"
    found = services.assistant.search("how much is the deposit?").results[0]
    assert (Path(found.path).name, found.page) == ("lease.pdf", 2)
    assert found.lines
    found = services.assistant.search("租金每月多少").results[0]
    assert Path(found.path).name == "合同.png"


def test_what_is_attached_is_recognised_too(services: Services, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    message = EmailMessage()
    message["From"], message["Subject"] = "anne@example.org", "The lease"
    message.set_content("Please find the scan attached.")
    message.add_attachment(scanned_pdf([ENGLISH]), "application", "pdf", filename="lease.pdf")
    (docs / "mail.eml").write_bytes(message.as_bytes())
    services.library.index([docs])
    assert services.library.wait_settled(WAIT)
    message.replace_header("Subject", "The lease again")
    (docs / "again.eml").write_bytes(message.as_bytes())
    services.library.index([docs])
    assert services.library.wait_settled(WAIT)

    scans = [file for file in services.library.files() if file.path.endswith(".pdf")]
    assert [(file.status, file.coverage.ocr) for file in scans] == [(FileStatus.READY, 1)] * 2
    found = services.assistant.search("how much is the deposit?").results[0]
    assert set(found.paths) == {
        str(docs / name / "lease.pdf") for name in ("mail.eml", "again.eml")
    }


def test_a_killed_program_leaves_nothing_and_goes_on_with_the_next_page(
    data_dir: Path, tmp_path: Path
) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(scanned_pdf([ENGLISH, CHINESE, ENGLISH[::-1]]))
    owner = subprocess.Popen([sys.executable, "-c", _OWNER, str(data_dir), str(path)])
    try:
        assert until(lambda: len(stored(data_dir)) > 0)
        children = psutil.Process(owner.pid).children(recursive=True)
    finally:
        owner.kill()
        owner.wait()
    assert until(lambda: not any(child.is_running() for child in children))
    before = stored(data_dir)
    services = open_services(data_dir)
    try:
        services.library.index([path])
        (file,) = services.library.files()
    finally:
        services.close()
    assert file.coverage.ocr == 3
    assert stored(data_dir)[: len(before)] == before


def stored(data_dir: Path) -> list[tuple[int, int]]:
    """The recognised pages in the order in which they were stored."""
    path = data_dir / DATABASE_NAME
    if not path.exists():
        return []
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT id, page FROM ocr_pages ORDER BY id").fetchall()
    except sqlite3.OperationalError:  # the tables are being made
        return []
    finally:
        connection.close()


def until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + WAIT
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def test_switched_off_it_says_so(services: Services, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "scan.pdf").write_bytes(scanned_pdf([ENGLISH]))
    services.settings.set(OCR, False)
    report = services.library.index([docs])
    assert [problem.title for problem in report.problems] == ["No text: scanned"]
    assert "switched off" in report.problems[0].message
