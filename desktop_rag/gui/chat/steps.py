"""The quiet line under a question: what is happening, or what has happened."""

from __future__ import annotations

from collections.abc import Sequence, Sized

from desktop_rag.domain.answer import Answer, AnswerKind, CheckedSentence, LibraryCoverage, Support
from desktop_rag.domain.events import StatusEvent, Step
from desktop_rag.gui.strings import tr
from desktop_rag.gui.words import file_name


def step_line(event: StatusEvent) -> str:
    """Return the words for a step that has begun."""
    if event.step is Step.SOURCES and isinstance(event.detail, tuple) and event.detail:
        names = dict.fromkeys(file_name(one.path) for one in event.detail)
        return tr("step.sources", n=len(event.detail), names=", ".join(names))
    if event.step in (Step.SOURCES, Step.TEXT, Step.DONE):
        return tr("step.answering")
    return tr(f"step.{event.step.value}")


def answered_line(answer: Answer) -> str:
    """Return what was done for an answer: "Searched 3,210 of 9,800 files · … · 0.2 s"."""
    parts = [_searched(answer.coverage)]
    if _count(answer.contents) and answer.kind is not AnswerKind.CATALOG:
        parts.append(tr("step.compared", n=_count(answer.contents)))
    if answer.model:
        parts.append(tr("step.written", model=answer.model))
    if answer.seconds:
        parts.append(tr("step.seconds", seconds=f"{answer.seconds:.1f}"))
    return " · ".join(parts)


def checks_line(sentences: Sequence[CheckedSentence]) -> str:
    """Return how many sentences of a written answer lack support, "" where none does."""
    weak, unsupported = (
        sum(one.support is support for one in sentences)
        for support in (Support.WEAK, Support.UNSUPPORTED)
    )
    parts = [tr("check.count_unsupported", n=unsupported)] if unsupported else []
    parts += [tr("check.count_weak", n=weak)] if weak else []
    return " · ".join(parts)


def _searched(coverage: LibraryCoverage) -> str:
    if coverage.ready == coverage.files:
        return tr("step.searched_all", n=coverage.files)
    return tr("step.searched", ready=coverage.ready, n=coverage.files)


def _count(contents: Sized) -> int:
    return len(contents)
