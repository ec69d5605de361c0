"""Only the sentences of a passage that have to do with the question."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import TextSegment
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.protocols import ScoringModel
from desktop_rag.text.sentences import sentences


class CompressionPostProcessor:
    """Leaves out sentences that score far below the best one of their passage.

    For language models, whose context is dear; quotes are made from whole passages. A
    sentence stays with the words around it left out as " … ", a passage never loses all.

    Args:
        scoring_model: judges sentences by the question.
        least_share: of the best sentence's score in its passage, 0..1; below, one goes.

    Raises:
        ValueError: the share is out of its range.
    """

    def __init__(self, scoring_model: ScoringModel, least_share: float = 0.7) -> None:
        if not 0.0 <= least_share <= 1.0:
            raise ValueError(f"least_share must be between 0 and 1, not {least_share}")
        self._model = scoring_model
        self._least = least_share

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the contents with shorter texts, in their order."""
        return [self._compressed(query, content) for content in contents]

    def _compressed(self, query: Query, content: Content) -> Content:
        text = content.segment.text
        parts = [text[start:end] for start, end in sentences(text, language_of(text))]
        if len(parts) < 2:
            return content
        scores = self._model.score_all(parts, query.text)
        best = max(scores)
        kept = [score >= self._least * best for score in scores]
        if all(kept) or not any(kept):
            return content
        return _shorter(content, parts, kept)


class ModelCompressionPostProcessor:
    """Leaves the sentences that a language model copies out of a passage.

    Of its reply only sentences count that are in the passage; where none is, the passage stays
    whole. For language models, as ``CompressionPostProcessor``.

    Args:
        steps: asks the model, once a passage.
        most: so many passages, the first ones, > 0.

    Raises:
        ValueError: ``most`` is not positive.
    """

    def __init__(self, steps: ModelSteps, most: int = 4) -> None:
        if most <= 0:
            raise ValueError(f"most must be greater than 0, not {most}")
        self._steps = steps
        self._most = most

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the contents, the first ones with shorter texts, in their order."""
        first = [self._compressed(query, content) for content in contents[: self._most]]
        return [*first, *contents[self._most :]]

    def _compressed(self, query: Query, content: Content) -> Content:
        text = content.segment.text
        parts = [text[start:end] for start, end in sentences(text, language_of(text))]
        if len(parts) < 2:
            return content

        def read(reply: str) -> list[bool] | None:
            said = " ".join(reply.split())
            kept = [" ".join(part.split()) in said for part in parts]
            return kept if any(kept) else None

        kept = self._steps.ask("compression", query.text, {"passage": text}, read)
        if kept is None or all(kept):
            return content
        return _shorter(content, parts, kept)


def _shorter(content: Content, parts: Sequence[str], kept: Sequence[bool]) -> Content:
    segment = content.segment
    shorter = TextSegment(_written(parts, kept), segment.metadata, segment.place)
    return Content(shorter, content.metadata)


def _written(parts: Sequence[str], kept: Sequence[bool]) -> str:
    written: list[str] = []
    for part, keeps in zip(parts, kept, strict=True):
        if keeps:
            written.append(part)
        elif not written or written[-1] != "…":
            written.append("…")
    return " ".join(written)
