"""Text recognised on pictures of pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class OcrState(StrEnum):
    """Whether pages without text are recognised here: installed and switched on."""

    ON = "on"
    OFF = "off"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line as it was recognised.

    The rectangle is in points with the origin at the page's top left, as the page is shown;
    ``confidence`` is 0..1.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """What came of one page (1-based): its lines, or why it could not be recognised."""

    page: int
    lines: tuple[RecognisedLine, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Recognition:
    """What is known of a file's pages without text when the file is read."""

    state: OcrState = OcrState.MISSING
    pages: Mapping[int, RecognisedPage] = field(default_factory=dict)
