"""How long the steps that a language model does took, and how often it was no help."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class StepProblem(StrEnum):
    """Why a step went on without the model."""

    FAILED = "failed"
    TOO_SLOW = "too_slow"
    BLANK = "blank"
    GARBAGE = "garbage"
    BUSY = "busy"
    RESTING = "resting"


@dataclass(frozen=True, slots=True)
class StepFigure:
    """One step since the program began: calls, their seconds, fallbacks by their reason."""

    step: str
    calls: int
    seconds: float
    longest: float
    fallbacks: dict[str, int]


class StepFigures:
    """Counts the steps; thread-safe, kept in memory alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seconds: dict[str, list[float]] = {}
        self._problems: dict[str, Counter[str]] = {}

    def add(self, step: str, seconds: float, problem: StepProblem | None) -> None:
        """Note one call of a step."""
        with self._lock:
            calls, total, longest = self._seconds.get(step, [0.0, 0.0, 0.0])
            self._seconds[step] = [calls + 1, total + seconds, max(longest, seconds)]
            problems = self._problems.setdefault(step, Counter())
            if problem is not None:
                problems[problem.value] += 1

    def all(self) -> list[StepFigure]:
        """Return the figures of each step, in the order of their first calls."""
        with self._lock:
            return [
                StepFigure(step, int(calls), total, longest, dict(self._problems[step]))
                for step, (calls, total, longest) in self._seconds.items()
            ]
