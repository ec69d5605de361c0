"""What two documents say on the same, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from desktop_rag.answering.citations import PassagePlace, cite
from desktop_rag.answering.generative import GenerativeAnswerer, Writing
from desktop_rag.answering.whole import DocumentPassages, answer_of, passages_of
from desktop_rag.answering.wording import quoted
from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.domain.answer import Answer, AnswerKind, Citation
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.protocols import Augmentation

COMPARISON = "comparison"
_OF_EACH = 4
"""Passages of each document."""


class ComparisonAnswerer:
    """Compares documents by what both say on what is asked.

    The passages found in each stand in turn, so that a model reads both sides; without a
    model the best quotes of each are put in pairs.

    Args:
        model: writes; None for quotes.
        writing: what written answers are made with.
        passages: gives a document's first passages where none of it was found.
        documents: their numbers, in the order of the question.
    """

    def __init__(
        self,
        model: ChatModel | None,
        writing: Writing,
        passages: DocumentPassages,
        documents: Sequence[int],
    ) -> None:
        self._model = model
        self._with = writing
        self._passages = passages
        self._documents = tuple(documents)

    def answer(
        self,
        augmentation: Augmentation,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Return the comparison.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        sides = [self._side(augmentation, document) for document in self._documents]
        contents = tuple(one for pair in zip_longest(*sides) for one in pair if one is not None)
        found = replace(augmentation, contents=contents)
        if self._model is not None and contents:
            writer = GenerativeAnswerer(self._model, self._with, COMPARISON, judged=False)
            return writer.answer(found, on_event, cancel)
        on_event(StatusEvent(Step.ANSWERING))
        places = self._with.places.of(contents)
        citations = tuple(self._best(found, places, cancel))
        lines = [
            f"{one.path.rpartition('/')[2]}: {quoted(one.quote, one.number)}" for one in citations
        ]
        text = "\n\n".join(lines)
        on_event(StatusEvent(Step.SOURCES, citations))
        on_event(StatusEvent(Step.TEXT, text))
        return answer_of(found, text, citations, AnswerKind.EXTRACTIVE)

    def _side(self, augmentation: Augmentation, document: int) -> list[Content]:
        own = [
            one
            for one in augmentation.contents
            if one.segment.metadata.get_integer("document_id") == document
        ]
        return (own or passages_of(self._passages, (document,)))[:_OF_EACH]

    def _best(
        self, found: Augmentation, places: Sequence[PassagePlace], cancel: CancelToken | None
    ) -> list[Citation]:
        """Return the best sentence of the first passages of each side, in pairs."""
        citations = []
        for number, (content, place) in enumerate(
            zip(found.contents, places, strict=True), start=1
        ):
            alone = replace(found, contents=(content,))
            ranked = self._with.extractive.rank(alone, cancel).sentences
            span = ranked[0].span if ranked else None
            citations.append(cite(content, place, number, span))
        return citations
