"""What each part of the default is worth: the same questions with one part left out."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.evaluation.asking import Ask, Asked, Question
from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.evaluation.figures import answer_figures, search_figures
from desktop_rag.evaluation.libraries import Figures
from desktop_rag.services.assistant_parts import AssistantParts
from desktop_rag.services.switches import Part

_MEASURES = ("ndcg@10", "answer_hit@1", "quote_chars_mean")
"""Of these a row has what the collection allows, the first two with their difference."""


def parts_in_use(rerank: bool, history: bool) -> list[Part]:
    """Return the parts that leaving out can make a difference."""
    unused = {
        Part.RERANKING: not rerank,
        Part.NEIGHBOURS: not rerank,
        Part.CONVERSATION: not history,
    }
    return [part for part in Part if not unused.get(part, False)]


def ablate(
    parts: AssistantParts,
    chosen: Sequence[Part],
    dataset: Dataset,
    questions: Sequence[Question],
    whole: Sequence[Asked],
    ask: Ask,
) -> list[Figures]:
    """Ask all questions once for each part, without it, and compare.

    Args:
        parts: of the assistant that ``ask`` asks; they are all in use again afterwards.
        chosen: the parts to leave out, one at a time.
        dataset: the collection.
        questions: those of its questions that have an answer.
        whole: what came back to them with all parts.
        ask: asks them.

    Returns:
        One row a part; ``…_difference`` is the figure without the part minus the one with
        it, so that a part which helps has a negative one.

    Raises:
        Cancelled: the asking was cancelled.
    """
    with_all = _measured(dataset, whole)
    rows: list[Figures] = []
    try:
        for part in chosen:
            parts.leave_out(part)
            without = _measured(dataset, ask(questions))
            rows.append({"part": part.value, **_compared(without, with_all)})
    finally:
        parts.leave_out()
    return rows


def _measured(dataset: Dataset, asked: Sequence[Asked]) -> dict[str, float]:
    figures = search_figures(dataset, asked)
    if dataset.answers:
        figures |= answer_figures(dataset, asked)
    return {name: float(figures[name]) for name in _MEASURES if name in figures}


def _compared(without: dict[str, float], with_all: dict[str, float]) -> Figures:
    row: Figures = {}
    for name, value in without.items():
        row[name] = value
        if name != _MEASURES[-1]:
            row[f"{name}_difference"] = value - with_all[name]
    return row
