"""Recognised pages as frames: from the process that recognises, and to the one that reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from typing import Any

from desktop_rag.domain.ocr import RecognisedLine, RecognisedPage
from desktop_rag.foundation.frames import Frame

RECOGNISED = "recognised"
"""The kind of the frames; each has some of a page's lines, the first also its reason."""

_LINES_A_FRAME = 100
"""A line has 400 characters at most, see the engine: far from the longest frame."""


def page_frames(pages: Iterable[RecognisedPage]) -> Iterator[Frame]:
    """Yield the frames of recognised pages, at least one for each."""
    for page in pages:
        for start in range(0, max(1, len(page.lines)), _LINES_A_FRAME):
            lines = [astuple(line) for line in page.lines[start : start + _LINES_A_FRAME]]
            yield RECOGNISED, (page.page, page.reason, lines)


class PagesBuilder:
    """Puts recognised pages together from their frames."""

    def __init__(self) -> None:
        self._reasons: dict[int, str | None] = {}
        self._lines: dict[int, list[RecognisedLine]] = {}

    def add(self, payload: Any) -> None:  # noqa: ANN401
        """Take one frame."""
        page, reason, lines = payload
        self._reasons[page] = reason
        self._lines.setdefault(page, []).extend(RecognisedLine(*line) for line in lines)

    def take(self) -> dict[int, RecognisedPage]:
        """Return the pages that came, by page, and begin anew."""
        pages = {
            page: RecognisedPage(page, tuple(self._lines[page]), reason)
            for page, reason in self._reasons.items()
        }
        self._reasons, self._lines = {}, {}
        return pages
