"""Recognising the lines of a picture of a page: where they stand, and what they say.

Two models of PP-OCR: one gives a map of where lines are, the other reads one line, in Chinese
and in Latin script alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt
from PIL import Image

from desktop_rag.embedding.sessions import create_session
from desktop_rag.ingestion.ocr_models import OcrModels
from desktop_rag.worker.ocr_boxes import Rectangle, line_rectangles

Pixels = npt.NDArray[np.float32]
"""Shape (1, 3, height, width): blue, green, red, each -1..1, as PP-OCR's models take them."""

_SHORTEST = 736
_LONGEST = 1600
"""Pixels of the picture's sides that lines are looked for in: 137 dots to the inch of an A4
page. Finding them there takes 0.7 s of one processor, twice that at 2300."""

_STEP = 32
"""Sides of what the finding model takes are multiples of this."""

_LINE_HEIGHT = 48
_LINE_LEAST = 320
_LINE_MOST = 3200
"""Pixels of a line as the reading model takes it; 400 characters at most come of it."""

_UPWARDS = 1.5
"""Times as high as wide: the line is read with its head turned to the left."""

_BLANK = 0
"""The class between two equal characters."""

_DOUBTFUL = 0.5
"""Lines below this confidence are left out, as PP-OCR does: stains, pictures, handwriting."""

_PROBES = 4
_UNDOUBTED = 0.8
"""Of so many of the longest lines: when they are read with less confidence than this on the
average, the page may have been scanned upside down."""


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line: left, top, right, bottom in pixels of the picture; ``confidence`` is 0..1."""

    text: str
    box: tuple[float, float, float, float]
    confidence: float


class Engine:
    """Both models, loaded at once; for one thread."""

    def __init__(self, models: OcrModels) -> None:
        self._finder = create_session(models.detection)
        self._reader = create_session(models.recognition)
        listed = self._reader.get_modelmeta().custom_metadata_map["character"]
        self._characters = ("", *listed.split("\n"), " ")

    def lines(self, picture: Image.Image) -> list[FoundLine]:
        """Return the lines of an RGB picture from top to bottom, the doubtful ones left out."""
        rectangles = self._find(picture)
        turned = self._stands_on_its_head(picture, rectangles)
        lines = []
        for rectangle in rectangles:
            text, confidence = self._read(picture, rectangle, turned=turned)
            if text.strip() and confidence >= _DOUBTFUL:
                corners = rectangle.corners()
                box = (*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())
                lines.append(FoundLine(text.strip(), box, confidence))
        return sorted(lines, key=lambda line: (line.box[1], line.box[0]))

    def _find(self, picture: Image.Image) -> list[Rectangle]:
        width, height = picture.size
        scale = max(1.0, _SHORTEST / min(width, height))
        scale = min(scale, _LONGEST / max(width, height))
        size = (_multiple(width * scale), _multiple(height * scale))
        likely = self._finder.run(None, {"x": _pixels(_resized(picture, size))})[0][0, 0]
        across, down = width / size[0], height / size[1]
        return [
            Rectangle(r.x * across, r.y * down, r.width * across, r.height * down, r.angle)
            for r in line_rectangles(likely)
        ]

    def _stands_on_its_head(self, picture: Image.Image, rectangles: Sequence[Rectangle]) -> bool:
        longest = sorted(rectangles, key=lambda r: max(r.width, r.height), reverse=True)
        probes = list(islice(longest, _PROBES))
        if not probes:
            return False
        upright = sum(self._read(picture, probe)[1] for probe in probes)
        if upright >= _UNDOUBTED * len(probes):
            return False
        return sum(self._read(picture, probe, turned=True)[1] for probe in probes) > upright

    def _read(
        self, picture: Image.Image, rectangle: Rectangle, *, turned: bool = False
    ) -> tuple[str, float]:
        """Return what a line says and with what confidence, "" and 0 for nothing."""
        line = _cut_out(picture, rectangle)
        if turned:
            line = line.transpose(Image.Transpose.ROTATE_180)
        width = math.ceil(_LINE_HEIGHT * line.width / line.height)
        width = min(_LINE_MOST, max(_LINE_HEIGHT // 4, width))
        pixels = _pixels(_resized(line, (width, _LINE_HEIGHT)))
        if width < _LINE_LEAST:
            pixels = np.pad(pixels, ((0, 0), (0, 0), (0, 0), (0, _LINE_LEAST - width)))
        return self._decoded(self._reader.run(None, {"x": pixels})[0][0])

    def _decoded(self, chances: npt.NDArray[np.float32]) -> tuple[str, float]:
        """Return the text of shape (steps, characters): the likeliest of each step (CTC)."""
        best = chances.argmax(axis=1)
        kept = best != _BLANK
        kept[1:] &= best[1:] != best[:-1]
        if not kept.any():
            return "", 0.0
        text = "".join(self._characters[number] for number in best[kept])
        return text, float(chances.max(axis=1)[kept].mean())


def _cut_out(picture: Image.Image, rectangle: Rectangle) -> Image.Image:
    """Return a line set straight."""
    size = max(1, round(rectangle.width)), max(1, round(rectangle.height))
    top_left, top_right, bottom_right, bottom_left = rectangle.corners()
    corners = (*top_left, *bottom_left, *bottom_right, *top_right)
    line = picture.transform(size, Image.Transform.QUAD, corners, Image.Resampling.BICUBIC)
    if line.height >= _UPWARDS * line.width:
        return line.transpose(Image.Transpose.ROTATE_90)
    return line


def _resized(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    return picture.resize(size, Image.Resampling.BILINEAR)


def _multiple(side: float) -> int:
    return max(_STEP, round(side / _STEP) * _STEP)


def _pixels(picture: Image.Image) -> Pixels:
    colours = np.asarray(picture, dtype=np.float32)[..., ::-1]
    scaled = colours / np.float32(127.5) - np.float32(1)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1))[np.newaxis]
