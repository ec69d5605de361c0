"""How well and how fast scanned pages are recognised.

``python -m tests.benchmarks.bench_ocr`` draws A4 pages of random words and
characters, prints them at 200 dots per inch, straight and askew, and compares
what the recognising process says with what was drawn.
"""

from __future__ import annotations

import difflib
import json
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pymupdf
from PIL import Image

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.ingestion.ocr_reader import WorkerRecogniser

_ENGLISH = (
    "the lease tenant shall pay rent on first day of each month notice period three deposit "
    "court judgment patient treated with aspirin dose mg twice daily study results figure table "
    "agreement party signed Zurich 2024 invoice total amount due within thirty days research"
)
_CHINESE = (
    "本合同由甲方与乙方于年月日签订双方同意按照下列条款执行租金每月元整患者出院后建议休息天复查"
)
_LINES = 40
_DPI = 200
_PAPER = (595, 842)


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    text: str
    picture: Image.Image


def main() -> None:
    """Print one line of JSON a page: accuracy of characters, seconds, memory."""
    recogniser = WorkerRecogniser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for sheet in _sheets():
                path = Path(folder, f"{sheet.name}.png")
                sheet.picture.save(path, dpi=(_DPI, _DPI))
                print(json.dumps(_measured(recogniser, sheet, path)), flush=True)
    finally:
        recogniser.close()


def _measured(recogniser: WorkerRecogniser, sheet: _Sheet, path: Path) -> dict[str, object]:
    recogniser.recognise(path, 1, CancelToken())
    began = time.monotonic()
    page = recogniser.recognise(path, 1, CancelToken())
    seconds = time.monotonic() - began
    found = "\n".join(line.text for line in page.lines)
    matcher = difflib.SequenceMatcher(None, sheet.text, found, autojunk=False)
    return {
        "page": sheet.name,
        "characters": len(sheet.text),
        "accuracy": round(matcher.ratio(), 4),
        "lines": len(page.lines),
        "seconds": round(seconds, 2),
    }


def _sheets() -> Iterator[_Sheet]:
    pick = random.Random(5)
    english = [" ".join(pick.choices(_ENGLISH.split(), k=13)) for _ in range(_LINES)]
    chinese = ["".join(pick.choices(_CHINESE, k=36)) for _ in range(_LINES)]
    for name, lines, font, size in (
        ("english", english, "tiro", 10),
        ("chinese", chinese, "china-s", 11),
    ):
        straight = _drawn(lines, font, size)
        text = "\n".join(lines)
        yield _Sheet(name, text, straight)
        yield _Sheet(f"{name}-askew", text, straight.rotate(1.5, fillcolor="white", resample=3))


def _drawn(lines: list[str], font: str, size: int) -> Image.Image:
    with pymupdf.open() as document:
        page = document.new_page(width=_PAPER[0], height=_PAPER[1])
        for number, line in enumerate(lines):
            page.insert_text((60, 80 + 17 * number), line, fontname=font, fontsize=size)
        pixmap = page.get_pixmap(dpi=_DPI)
        return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)


if __name__ == "__main__":
    main()
