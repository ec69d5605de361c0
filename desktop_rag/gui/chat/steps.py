"""The quiet line under a question: what is happening, or what has happened."""

from __future__ import annotations

from collections.abc import Sized

from desktop_rag.domain.answer import Answer, AnswerKind, LibraryCoverage
from desktop_rag.domain.events import StatusEvent, Step
from desktop_rag.gui.strings import tr


def step_line(event: StatusEvent) -> str:
    """Return the words for a step that has begun."""
    if event.step in (Step.SOURCES, Step.TEXT, Step.DONE):
        return tr("step.answering")
    return tr(f"step.{event.step.value}")


def answered_line(answer: Answer) -> str:
    """Return what was done for an answer: "Searched 3,210 of 9,800 files · … · 0.2 s"."""
    parts = [_searched(answer.coverage)]
    if _count(answer.contents) and answer.kind is not AnswerKind.CATALOG:
        parts.append(tr("step.compared", n=_count(answer.contents)))
    if answer.seconds:
        parts.append(tr("step.seconds", seconds=f"{answer.seconds:.1f}"))
    return " · ".join(parts)


def _searched(coverage: LibraryCoverage) -> str:
    if coverage.ready == coverage.files:
        return tr("step.searched_all", n=coverage.files)
    return tr("step.searched", ready=coverage.ready, n=coverage.files)


def _count(contents: Sized) -> int:
    return len(contents)
