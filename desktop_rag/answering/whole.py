"""Summaries of whole documents, longer than a model's context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol

from desktop_rag.answering.checking.marks import with_own_marks, without_marks
from desktop_rag.answering.citations import PassagePlace, cite
from desktop_rag.answering.generative import Writing
from desktop_rag.answering.streaming import Streamed, stream
from desktop_rag.answering.wording import quoted, written_note
from desktop_rag.chat_models.protocols import ChatModel, ChatOptions
from desktop_rag.domain.answer import Answer, AnswerKind, Citation, Outcome
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.domain.segment import TextSegment
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.protocols import Augmentation
from desktop_rag.retrieval.scoring.read_passage import read_passage
from desktop_rag.store.records import StoredSegment

SUMMARY = "summary"
_MOST_SECTIONS = 8


class DocumentPassages(Protocol):
    """Knows the passages of a document."""

    def segments_of_document(self, document_id: int) -> Sequence[StoredSegment]:
        """Return them in reading order."""
        ...


class SummaryAnswerer:
    """Summarises whole documents, part by part where they are longer than the context.

    Each part is summarised in reading order, then the summaries together, until they are
    one; the check finds a source for each sentence of it. ``Step.ANSWERING`` tells (parts
    done, parts in all). Without a model, or where it fails, the summary is the first sentence
    of each section, as quotes.

    Args:
        model: writes; None for quotes.
        writing: what written answers are made with.
        passages: gives the documents' passages.
        documents: their numbers, at least one.
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
        """Return the summary.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        contents = tuple(passages_of(self._passages, self._documents))
        found = replace(augmentation, contents=contents)
        if not contents:
            return self._with.extractive.answer(found, on_event, cancel)
        if self._model is None:
            return self._quotes(found, on_event, ())
        try:
            came = self._reduced(self._model, found, on_event, cancel)
        except KnownError as error:
            came = Streamed(broken=error)
        if came.broken is not None or not came.text.strip():
            return self._quotes(found, on_event, (self._why(found, came.broken),))
        return self._written(self._model, found, came, on_event, cancel)

    def _written(
        self,
        model: ChatModel,
        found: Augmentation,
        came: Streamed,
        on_event: OnEvent,
        cancel: CancelToken | None,
    ) -> Answer:
        """Return the summary with the sources that bear it out."""
        contents = found.contents
        places = self._with.places.of(contents)
        text = without_marks(with_own_marks(came.text, len(contents)))
        language = language_of(found.question.text)
        checked = self._with.check.check(text, contents, places, language, cancel)
        on_event(StatusEvent(Step.SOURCES, checked.citations))
        on_event(StatusEvent(Step.TEXT, checked.text))
        answer = answer_of(found, checked.text, checked.citations, AnswerKind.GENERATIVE)
        return replace(
            answer,
            sentences=checked.sentences,
            model=model.name,
            reasoning=came.reasoning,
            usage=came.usage,
        )

    def _why(self, found: Augmentation, error: KnownError | None) -> str:
        language = language_of(found.question.text)
        why = (
            written_note("blank", language) if error is None else f"{error.title}: {error.message}"
        )
        return written_note("instead", language, why)

    def _reduced(
        self,
        model: ChatModel,
        found: Augmentation,
        on_event: OnEvent,
        cancel: CancelToken | None,
    ) -> Streamed:
        """Summarise parts, then their summaries, until one is left."""
        contents = list(found.contents)
        whole = Streamed()
        while True:
            groups = _groups(model, contents)
            parts: list[str] = []
            for number, group in enumerate(groups):
                on_event(StatusEvent(Step.ANSWERING, (number, len(groups))))
                came = self._asked(model, found, group, cancel)
                if came.broken is not None or not came.text.strip():
                    return came
                whole.usage = whole.usage + came.usage
                whole.reasoning += came.reasoning
                parts.append(without_marks(with_own_marks(came.text, len(group))).strip())
            if len(parts) == 1 or len(parts) >= len(contents):
                whole.text = "\n\n".join(parts)
                return whole
            contents = [Content(TextSegment(part)) for part in parts]

    def _asked(
        self,
        model: ChatModel,
        found: Augmentation,
        group: Sequence[Content],
        cancel: CancelToken | None,
    ) -> Streamed:
        asked = self._with.messages.write(model, found.question, group, SUMMARY, len(group))
        options = ChatOptions(max_tokens=asked.reply_tokens)
        patience = self._with.patience
        return stream(model, asked.messages, options, lambda _text: None, cancel, patience)

    def _quotes(self, found: Augmentation, on_event: OnEvent, notes: tuple[str, ...]) -> Answer:
        """Return the first sentence of each section, under its heading."""
        places = self._with.places.of(found.contents)
        chosen = _first_of_sections(found.contents, places)
        lines = []
        citations = []
        for number, at in enumerate(chosen, start=1):
            citation = _first_sentence(found.contents[at], places[at], number)
            citations.append(citation)
            head = f"{citation.heading}\n" if citation.heading else ""
            lines.append(f"{head}{quoted(citation.quote, number)}")
        text = "\n\n".join(lines)
        on_event(StatusEvent(Step.SOURCES, tuple(citations)))
        on_event(StatusEvent(Step.TEXT, text))
        answer = answer_of(found, text, tuple(citations), AnswerKind.EXTRACTIVE)
        return replace(answer, notes=(*answer.notes, *notes))


def passages_of(passages: DocumentPassages, documents: Sequence[int]) -> list[Content]:
    """Return all passages of documents, in reading order."""
    every = (passages.segments_of_document(document) for document in documents)
    return [Content(one.segment) for one in chain.from_iterable(every)]


def _groups(model: ChatModel, contents: Sequence[Content]) -> list[list[Content]]:
    """Divide contents into runs of at most half of the model's context."""
    room = model.context_tokens // 2
    groups: list[list[Content]] = [[]]
    left = room
    for content in contents:
        tokens = model.count_tokens(content.segment.text) + 40
        if groups[-1] and tokens > left:
            groups.append([])
            left = room
        groups[-1].append(content)
        left -= tokens
    return groups


def _first_of_sections(contents: Sequence[Content], places: Sequence[PassagePlace]) -> list[int]:
    """Return the first passage of each section, evenly chosen where there are many."""
    firsts = [
        at
        for at, place in enumerate(places)
        if at == 0
        or (place.document_id, place.heading)
        != (places[at - 1].document_id, places[at - 1].heading)
    ]
    if len(firsts) < 3:
        firsts = list(range(len(contents)))
    step = max(1.0, len(firsts) / _MOST_SECTIONS)
    return [firsts[int(n * step)] for n in range(min(len(firsts), _MOST_SECTIONS))]


def _first_sentence(content: Content, place: PassagePlace, number: int) -> Citation:
    spans = read_passage(content.segment).spans
    return cite(content, place, number, spans[0] if spans else None)


def answer_of(
    found: Augmentation, text: str, citations: tuple[Citation, ...], kind: AnswerKind
) -> Answer:
    """Return an answer that needs no confidence: it was asked of these documents."""
    return Answer(
        text=text,
        outcome=Outcome.ANSWER if citations else Outcome.MAYBE,
        confidence=1.0 if citations else 0.0,
        kind=kind,
        citations=citations,
        contents=found.contents,
        queries=tuple(query.text for query in found.queries),
        notes=found.notes,
    )
