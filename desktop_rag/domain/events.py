"""What a question goes through, told while it happens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum


class Step(StrEnum):
    """The steps of an answer in their fixed order; those that don't happen are left out."""

    UNDERSTANDING = "understanding"
    REWRITING = "rewriting"
    ROUTING = "routing"
    SEARCHING = "searching"
    RANKING = "ranking"
    ANSWERING = "answering"
    SOURCES = "sources"
    TEXT = "text"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StatusEvent:
    """One step has begun (or, for SOURCES, TEXT and DONE, has brought its result).

    ``detail`` is data for the step: counts, the sources, a piece of text.
    ``seconds`` is the time since the question was asked.
    """

    step: Step
    detail: object = None
    seconds: float = 0.0


OnEvent = Callable[[StatusEvent], None]


def ignore_event(_event: StatusEvent) -> None:
    """A listener for callers that don't want to be told."""


def with_seconds(on_event: OnEvent, started: float) -> OnEvent:
    """Let every event tell the time since ``started``, of ``time.perf_counter``."""

    def tell(event: StatusEvent) -> None:
        on_event(replace(event, seconds=time.perf_counter() - started))

    return tell
