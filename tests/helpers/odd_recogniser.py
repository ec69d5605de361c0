"""The worker program with a recogniser that does what the worst of pages may do.

A file's first line says what happens; the page's number comes back as its text.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.domain.ocr import RecognisedLine, RecognisedPage
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.ingestion.ocr_wire import page_frames
from desktop_rag.worker import ocr
from desktop_rag.worker.__main__ import main

MANY_LINES = 250
BROKEN = "ODD_RECOGNISER_BROKEN"
_WORDS = "words of the page"


class _OddService:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        if BROKEN in os.environ:
            raise RuntimeError("the models are damaged")

    def answer(self, _kind: str, payload: Any) -> Iterator[Frame]:
        deed = Path(os.fsdecode(payload["path"])).read_text().strip()
        words = f"page {payload['page']} niceness {os.nice(0)} process {os.getpid()}"
        lines = [words]
        if deed == "!hang":
            while True:
                time.sleep(0.05)
        if deed == "!spin":  # in C code that never lets another thread run
            re.match(r"(a+)+$", "a" * 60 + "b")
        if deed == "!crash":
            os.abort()
        if deed == "!memory":
            bytearray(1 << 40)
        if deed == "!bug":
            raise RuntimeError(_WORDS)
        if deed == "!damaged":
            raise KnownError("Damaged", "The file is damaged.")
        if deed == "!many":
            lines = [f"{number} {'x' * 390}" for number in range(MANY_LINES)]
        page = tuple(RecognisedLine(line, 1, 2, 3, 4, 0.5) for line in lines)
        yield from page_frames([RecognisedPage(payload["page"], page)])
        yield "done", None


if __name__ == "__main__":
    ocr.OcrService = _OddService
    main()
