"""How far the reading of the library is, and how long the rest will take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from desktop_rag.domain.files import Problem

ProgressState = Literal["idle", "scanning", "reading", "recognising", "relearning", "paused"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the work stands.

    ``files_*`` and ``bytes_*`` count what was found since the program was last idle.
    ``current`` is the path that is being read, or (then ``page`` of ``pages`` tells which of
    its pages without text) that is being recognised; while a new model reads the passages
    of a former one, ``page`` of ``pages`` counts passages. ``seconds_left`` is None while nothing
    can be said. ``notes`` are sentences for the user: why the work paused by itself,
    or that changes are noticed by looking from time to time. ``new_model``: the language
    model became another one and waits for leave to read what the former one has read.
    ``problem``: why the work paused by itself.
    """

    state: ProgressState = "idle"
    files_done: int = 0
    files_total: int = 0
    bytes_done: int = 0
    bytes_total: int = 0
    current: str | None = None
    seconds_left: float | None = None
    notes: tuple[str, ...] = ()
    page: int | None = None
    pages: int | None = None
    new_model: bool = False
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class PageUnderWay:
    """The page that is being recognised: the ``page``-th of ``pages`` that a file has for OCR."""

    file_id: int
    path: str
    page: int
    pages: int
