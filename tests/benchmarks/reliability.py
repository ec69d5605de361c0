"""Draws how far a confidence can be believed: the share that was true, by confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from desktop_rag.evaluation.calibration import BINS

Points = Sequence[tuple[float, float]]
"""Mean confidence and share of what was true, a bin each."""

_SIZE = 320
_EDGE = 44
_COLOURS = ("#1F63D6", "#B3261E", "#1B7F4B")


def points(answerable: Sequence[float], others: Sequence[float]) -> list[tuple[float, float]]:
    """Return the points of ten bins of equal mass, both sides weighing a half."""
    confidence = np.array([*answerable, *others])
    truth = np.repeat([1.0, 0.0], [len(answerable), len(others)])
    weight = np.repeat([0.5 / len(answerable), 0.5 / len(others)], [len(answerable), len(others)])
    order = np.argsort(confidence, kind="stable")
    mass = np.cumsum(weight[order]) - weight[order] / 2
    bins = np.minimum((mass * BINS).astype(int), BINS - 1)
    found = []
    for number in range(BINS):
        at = order[bins == number]
        if len(at):
            shares = weight[at] / weight[at].sum()
            found.append((float(shares @ confidence[at]), float(shares @ truth[at])))
    return found


def drawing(lines: Mapping[str, Points]) -> str:
    """Return an SVG with a line for each name; on the diagonal it is right."""
    parts = [_line([(0.0, 0.0), (1.0, 1.0)], "#9AA6B5", "4 4"), _axes()]
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(_line(line, colour, ""))
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in _on(line)
        ]
        parts.append(_text(_EDGE + 12, _EDGE + 16 * (number + 1), name, colour))
    whole = _SIZE + 2 * _EDGE
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{whole}" '
        'font-family="sans-serif" font-size="12">'
    )
    ground = f'<rect width="{whole}" height="{whole}" fill="#FFFFFF"/>'
    return "\n".join([head, ground, *parts, "</svg>", ""])


def _on(line: Points) -> list[tuple[float, float]]:
    return [(_EDGE + x * _SIZE, _EDGE + (1.0 - y) * _SIZE) for x, y in line]


def _line(line: Points, colour: str, dashes: str) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in _on(line))
    return (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5" '
        f'stroke-dasharray="{dashes}"/>'
    )


def _axes() -> str:
    low, high = _EDGE, _EDGE + _SIZE
    frame = f'<path d="M{low} {low}V{high}H{high}" fill="none" stroke="#5A6675"/>'
    marks = [
        _text(low + share * _SIZE - 8, high + 18, f"{share:.1f}", "#5A6675")
        + _text(low - 28, high - share * _SIZE + 4, f"{share:.1f}", "#5A6675")
        for share in (0.0, 0.5, 1.0)
    ]
    names = _text(low + _SIZE / 2 - 30, high + 34, "confidence", "#1C2430")
    names += _text(6, low - 12, "share that has an answer", "#1C2430")
    return frame + "".join(marks) + names


def _text(x: float, y: float, words: str, colour: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}">{words}</text>'
