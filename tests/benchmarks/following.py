"""How the library follows the disk: an edit in a large library, a moved folder, one line of a book.

    python -m tests.benchmarks.following [--library DIR] [--files 10000] [--pages 600]

``saved_*`` is the time from a small file's being written until a search finds its new word,
with the watcher on, in a library of 100,000 passages (one that ``tests.benchmarks.scale`` has
kept, or a new one). ``idle_ticks`` are hundredths of a second of processor time in ten seconds
in which nothing happens. ``estimate_*`` are the seconds left that were told, over those that it
took, at every moment after a tenth of the bytes, of reading texts and the shared documents
together. The folder that is renamed holds small files that a model without cost
has read; the PDF is read by the real one, twice, with one line changed in between.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
import pymupdf

from desktop_rag.bootstrap import open_library, open_services
from desktop_rag.foundation.paths import prepare_data_dir
from desktop_rag.foundation.settings import OCR, Settings
from desktop_rag.services.reports import Progress
from desktop_rag.services.services import Services
from tests.benchmarks.corpus import shared_dir
from tests.benchmarks.reading import free_model, small_files
from tests.benchmarks.scale import make
from tests.helpers.preparing import paragraphs

SAVES = 40
_LOOK_SECONDS = 0.01
_LONGEST_SECONDS = 30.0
_IDLE_SECONDS = 10.0
_LAST_SECONDS = 2.0
"""So near to the end nobody reads an estimate, and its share of what is left means little."""


def saved_to_found(services: Services, folder: Path) -> list[float]:
    """Return for each of a number of saves the seconds until its word was found."""
    folder.mkdir()
    services.library.start(watch=True)
    services.library.index([folder])
    services.library.wait_settled()
    times = []
    for number in range(SAVES):
        # every other save edits the file before
        path = folder / f"note {number // 2}.txt"
        path.write_text(f"The invoice of the hall is named uniq{number}word this time.")
        began = time.perf_counter()
        while not _finds(services, f"uniq{number}word", path):
            assert time.perf_counter() - began < _LONGEST_SECONDS
            time.sleep(_LOOK_SECONDS)
        times.append(time.perf_counter() - began)
        time.sleep(0.3)
    return times


def _finds(services: Services, word: str, path: Path) -> bool:
    results = services.assistant.search(word, k=1, mode="keyword").results
    return bool(results) and results[0].path == str(path)


def idle_ticks(services: Services) -> int:
    """Return the ticks that this process uses while nothing happens."""
    services.library.wait_settled()
    time.sleep(3.0)
    before = psutil.Process().cpu_times()
    time.sleep(_IDLE_SECONDS)
    after = psutil.Process().cpu_times()
    return round(100 * (after.user + after.system - before.user - before.system))


def in_a_large_library(library: Path | None, folder: Path) -> dict[str, Any]:
    """Save, find, and rest."""
    library = library or folder / "library"
    if not (library / "library.db").exists():
        make(library, 100_000, real=False)
    services = open_services(library)
    try:
        times = saved_to_found(services, folder / "saves")
        ticks = idle_ticks(services)
        services.library.remove([folder / "saves"])
        services.library.wait_settled()
    finally:
        services.close()
    return {
        "saved_p50_seconds": round(statistics.median(times), 2),
        "saved_p95_seconds": round(statistics.quantiles(times, n=20)[-1], 2),
        "idle_ticks": ticks,
    }


def renamed_folder(folder: Path, count: int) -> dict[str, Any]:
    """Return what it costs that a folder of small files has another name."""
    small_files(folder / "disk" / "old name", count)
    with free_model(), open_library(prepare_data_dir(folder / "data")) as base:
        base.add(folder / "disk")
        (folder / "disk" / "old name").rename(folder / "disk" / "new name")
        began = time.perf_counter()
        report = base.refresh()
        seconds = time.perf_counter() - began
    assert (report.moved, report.embedded) == (count, 0), report
    return {"renamed_files": count, "renamed_seconds": round(seconds, 2)}


def estimates(folder: Path, texts: int) -> dict[str, Any]:
    """Return how far the estimates of the remaining time were off, at worst either way."""
    small_files(folder / "mixed", texts)
    shared = shared_dir()
    paths = [folder / "mixed", *([] if shared is None else [shared / "documents"])]
    told: list[tuple[float, float]] = []

    def note(progress: Progress) -> None:
        past_a_tenth = progress.bytes_done * 10 >= progress.bytes_total > 0
        if past_a_tenth and progress.seconds_left is not None and progress.state == "reading":
            told.append((time.perf_counter(), progress.seconds_left))

    data = prepare_data_dir(folder / "estimate data")
    Settings(data).set(OCR, False)
    services = open_services(data)
    try:
        services.library.index(paths, on_progress=note)
        end = time.perf_counter()
    finally:
        services.close()
    ratios = sorted(left / (end - at) for at, left in told if end - at > _LAST_SECONDS)
    return {
        "estimate_low": round(ratios[0], 2),
        "estimate_p10": round(ratios[len(ratios) // 10], 2),
        "estimate_p90": round(ratios[len(ratios) * 9 // 10], 2),
        "estimate_high": round(ratios[-1], 2),
    }


def _book(path: Path, pages: int, changed: str = "") -> None:
    """Write a PDF of running text; one line of its middle page may be another."""
    document = pymupdf.open()
    for number, text in enumerate(paragraphs(1, pages, 40)):
        page = document.new_page(width=595, height=842)
        page.insert_textbox((72, 72, 523, 700), text, fontsize=10, align=3)
        middle = number == pages // 2
        page.insert_text((72, 730), changed if changed and middle else f"Note of page {number}.")
    document.save(path)
    document.close()


def edited_book(folder: Path, pages: int) -> dict[str, Any]:
    """Return what one changed line of a long PDF costs, beside reading it whole."""
    path = folder / "book" / "book.pdf"
    path.parent.mkdir()
    _book(path, pages)
    with open_library(prepare_data_dir(folder / "book data")) as base:
        first = base.add(path.parent)
        _book(path, pages, "Another line in place of the note, and a longer one.")
        again = base.refresh()
    return {
        "book_embedded": first.embedded,
        "book_seconds": round(first.seconds, 1),
        "line_embedded": again.embedded,
        "line_seconds": round(again.seconds, 1),
        "line_ratio": round(again.seconds / first.seconds, 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="following", description=__doc__)
    parser.add_argument("--library", type=Path, help="a library that scale has kept")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--texts", type=int, default=2_000, help="small ones, for the estimate")
    parser.add_argument("--pages", type=int, default=600)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="following-") as made:
        folder = Path(made)
        figures = in_a_large_library(options.library, folder)
        figures |= renamed_folder(folder, options.files)
        figures |= estimates(folder, options.texts)
        figures |= edited_book(folder, options.pages)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
