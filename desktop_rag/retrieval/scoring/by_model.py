"""Re-ranking by a language model that gives marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.protocols import ScoringModel

MOST, CHARACTERS = 8, 600
"""What fits into a small context: so many passages, of each so many characters."""

_MARK = re.compile(r"^\W*(\d{1,3})\W*[:：]\s*(\d{1,2}(?:\.\d+)?)(?:\s*/\s*10)?\W*$")


class ModelScoringModel:
    """Lets a model change the order of the best passages of another scoring model.

    The passages that got a mark share out, best mark first, the scores that they had among
    themselves; what got none keeps its own. So a reply that cannot be read, whole or in part,
    counts as not scored, never as a number.

    Args:
        steps: asks the model.
        first: scores everything.
        most: so many of the best are marked, > 0.

    Raises:
        ValueError: ``most`` is not positive.
    """

    def __init__(self, steps: ModelSteps, first: ScoringModel, most: int = MOST) -> None:
        if most <= 0:
            raise ValueError(f"most must be greater than 0, not {most}")
        self._steps = steps
        self._first = first
        self._most = most

    def score_all(self, texts: Sequence[str], query: str) -> list[float]:
        """Return one score a text, in order, on the scale of the first model."""
        scores = list(self._first.score_all(texts, query))
        best = sorted(range(len(texts)), key=lambda at: -scores[at])[: self._most]
        if len(best) < 2:
            return scores
        passages = "\n\n".join(
            f"{number}. {' '.join(texts[at].split())[:CHARACTERS]}"
            for number, at in enumerate(best, start=1)
        )
        marks = self._steps.ask("ranking", query, {"passages": passages}, _marks) or {}
        marked = [at for number, at in enumerate(best, start=1) if number in marks]
        by_mark = sorted(marked, key=lambda at: -marks[best.index(at) + 1])
        shared = sorted((scores[at] for at in marked), reverse=True)
        for at, score in zip(by_mark, shared, strict=True):
            scores[at] = score
        return scores


def _marks(reply: str) -> dict[int, float] | None:
    found = (_MARK.match(line) for line in reply.splitlines())
    marks: dict[int, float] = {}
    for one in found:
        if one is not None and float(one[2]) <= 10:
            marks.setdefault(int(one[1]), float(one[2]))
    return marks or None
