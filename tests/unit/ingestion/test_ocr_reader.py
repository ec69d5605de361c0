"""Having pages recognised by another process, and what the worst of pages may do to it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.ocr import RecognisedPage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.ingestion.ocr_reader import (
    NEEDED_TOO_MUCH_MEMORY,
    NOT_RECOGNISED,
    PAGE_LIMITS,
    TOOK_TOO_LONG,
    WorkerRecogniser,
)
from desktop_rag.ingestion.reading import ReadLimits
from tests.helpers.odd_recogniser import BROKEN, MANY_LINES

ODD = (sys.executable, "-m", "tests.helpers.odd_recogniser")

Make = Callable[..., WorkerRecogniser]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes recognisers with the odd program, and closes them."""
    root = str(Path(__file__).resolve().parents[3])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((root, os.environ.get("PYTHONPATH", ""))))
    made: list[WorkerRecogniser] = []

    def make(seconds: float = 60.0, command: tuple[str, ...] = ODD) -> WorkerRecogniser:
        made.append(WorkerRecogniser(ReadLimits(seconds), command))
        return made[-1]

    yield make
    for recogniser in made:
        recogniser.close()


def ask(recogniser: WorkerRecogniser, folder: Path, deed: str, page: int = 1) -> RecognisedPage:
    path = folder / "page.txt"
    path.write_text(deed)
    return recogniser.recognise(path, page, CancelToken())


def process_of(page: RecognisedPage) -> str:
    return page.lines[0].text.rpartition(" ")[2]


def test_pages_come_from_one_process_of_the_lowest_priority(make: Make, tmp_path: Path) -> None:
    recogniser = make()
    first, second = ask(recogniser, tmp_path, "words", 3), ask(recogniser, tmp_path, "words", 4)
    assert first.lines[0].text.startswith("page 3 niceness 19")
    assert process_of(first) == process_of(second)
    recogniser.rest()
    third = ask(recogniser, tmp_path, "words")
    assert process_of(third) != process_of(first)


def test_many_lines_come_whole(make: Make, tmp_path: Path) -> None:
    page = ask(make(), tmp_path, "!many")
    assert [line.text.split()[0] for line in page.lines] == [str(n) for n in range(MANY_LINES)]
    assert page.lines[0].confidence == 0.5


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("!crash", NOT_RECOGNISED),
        ("!memory", NEEDED_TOO_MUCH_MEMORY),
        ("!bug", NOT_RECOGNISED),
        ("!damaged", NOT_RECOGNISED),
    ],
)
def test_a_bad_page_costs_itself_alone(
    make: Make, tmp_path: Path, deed: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    recogniser = make()
    assert ask(recogniser, tmp_path, deed, 7) == RecognisedPage(7, reason=reason)
    assert ask(recogniser, tmp_path, "words").reason is None
    assert "words of the page" not in caplog.text


@pytest.mark.parametrize("deed", ["!hang", "!spin"])
def test_a_page_that_takes_too_long_is_given_up(make: Make, tmp_path: Path, deed: str) -> None:
    recogniser = make()
    ask(recogniser, tmp_path, "words")
    recogniser.limits = ReadLimits(0.3)
    assert ask(recogniser, tmp_path, deed).reason == TOOK_TOO_LONG
    recogniser.limits = PAGE_LIMITS
    assert ask(recogniser, tmp_path, "words").reason is None


def test_a_file_that_is_gone_is_no_verdict_on_its_page(make: Make, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        make().recognise(tmp_path / "gone.txt", 1, CancelToken())


def test_cancelling_ends_a_page_at_once(make: Make, tmp_path: Path) -> None:
    recogniser = make()
    cancel = CancelToken()
    path = tmp_path / "page.txt"
    path.write_text("!hang")
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        recogniser.recognise(path, 1, cancel)
    timer.join()
    assert ask(recogniser, tmp_path, "words").reason is None


def test_closing_ends_a_page_at_once(make: Make, tmp_path: Path) -> None:
    recogniser = make()
    path = tmp_path / "page.txt"
    path.write_text("!hang")
    timer = threading.Timer(0.2, recogniser.close)
    timer.start()
    with pytest.raises(RuntimeError, match="closed"):
        recogniser.recognise(path, 1, CancelToken())
    timer.join()
    with pytest.raises(RuntimeError, match="closed"):
        recogniser.recognise(path, 1, CancelToken())


def test_a_program_that_does_not_start_is_no_verdict_on_a_page(make: Make, tmp_path: Path) -> None:
    recogniser = make(command=(sys.executable, "-c", "raise SystemExit('broken')"))
    with pytest.raises(RuntimeError, match="does not start: broken"):
        ask(recogniser, tmp_path, "words")


def test_models_that_cannot_be_loaded_are_no_verdict_on_a_page(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BROKEN, "1")
    with pytest.raises(RuntimeError, match="does not start"):
        ask(make(), tmp_path, "words")
