"""From a map of text to the rectangles of lines."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.worker.ocr_boxes import Map, line_rectangles


def empty() -> Map:
    return np.zeros((200, 300), dtype=np.float32)


def test_a_line_is_found_larger_than_it_is_seen() -> None:
    likely = empty()
    likely[50:60, 40:240] = 0.9
    (found,) = line_rectangles(likely)
    assert (found.x, found.y) == pytest.approx((140.5, 55.5))
    # 10 × 200 pixels and one more of each by closing gaps: out by 1.6 × area / perimeter
    out = 1.6 * 11 * 201 / (2 * (11 + 201))
    assert (found.width, found.height) == pytest.approx((201 + 2 * out, 11 + 2 * out))
    assert found.angle == pytest.approx(0.0)
    corners = found.corners()
    assert corners[0].tolist() == pytest.approx([40 - out, 50 - out])
    assert corners[2].tolist() == pytest.approx([241 + out, 61 + out])


def test_a_line_askew_keeps_its_direction() -> None:
    likely = empty()
    y, x = np.mgrid[0:200, 0:300]
    angle = np.radians(10)
    along = (x - 150) * np.cos(angle) + (y - 100) * np.sin(angle)
    across = (y - 100) * np.cos(angle) - (x - 150) * np.sin(angle)
    likely[(np.abs(along) < 100) & (np.abs(across) < 6)] = 0.9
    (found,) = line_rectangles(likely)
    assert np.degrees(found.angle) == pytest.approx(10, abs=1)
    assert found.width > 5 * found.height


def test_lines_apart_are_two_and_touching_at_a_corner_are_one() -> None:
    likely = empty()
    likely[20:30, 20:100] = 0.9
    likely[60:70, 20:100] = 0.9
    assert len(line_rectangles(likely)) == 2
    joined = empty()
    joined[20:30, 20:100] = 0.9
    joined[30:40, 100:180] = 0.9
    assert len(line_rectangles(joined)) == 1


def test_a_region_whose_parts_meet_below_is_one() -> None:
    likely = empty()
    likely[20:60, 20:40] = 0.9
    likely[20:60, 80:100] = 0.9
    likely[50:60, 20:100] = 0.9
    assert len(line_rectangles(likely)) == 1


def test_faint_and_tiny_regions_are_none() -> None:
    likely = empty()
    likely[20:30, 20:100] = 0.35
    likely[60, 20] = 0.9
    assert line_rectangles(likely) == []
    assert line_rectangles(empty()) == []


def test_the_number_of_lines_is_bounded() -> None:
    likely = np.zeros((400, 400), dtype=np.float32)
    for y in range(0, 396, 8):
        for x in range(0, 396, 8):
            likely[y : y + 4, x : x + 5] = 0.9
    assert len(line_rectangles(likely)) == 1000
