"""Answers by quoting: the best one to three sentences, or an honest "not found"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from desktop_rag.answering.citations import PassagePlace, PassagePlaces, cite
from desktop_rag.answering.empty_context import EmptyContextReplies, Reply
from desktop_rag.answering.evidence import Evidence, EvidenceReader, Sentence
from desktop_rag.answering.judgement import Judgement
from desktop_rag.answering.wording import quoted
from desktop_rag.domain.answer import Answer, Citation, Outcome
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.domain.query import Query
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import ENGLISH
from desktop_rag.retrieval.protocols import Augmentation

PASSAGES = 6
QUOTES = 3
NEAREST = 3

_QUOTE_MARGIN = 2.0
"""A further sentence is quoted while its log odds are at most so far below the best's.
On the judged half of squad2_dev_half that makes 1.7 quotes, one of which holds the answer of
91.5 % of the questions; all three would make it 93.2 %."""


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence with its passage's position and the log odds that it holds the answer."""

    content: int
    span: tuple[int, int]
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Sentences, best first, and the confidence (0..1) that the first of them answers."""

    sentences: tuple[RankedSentence, ...]
    confidence: float
    outcome: Outcome


class ExtractiveAnswerer:
    """Quotes the sentences that most probably hold the answer.

    Args:
        evidence: reads the passages sentence by sentence.
        places: tells where passages stand.
        judgements: the fitted models by language; "en" is needed.
        passages: how many of the best passages are read, > 0.
        quotes: at most so many sentences are quoted, > 0.

    ``empty_context`` says what is told where nothing was found; it may be replaced at any
    time.

    Raises:
        ValueError: a number is not positive, or there is no "en".
    """

    def __init__(
        self,
        evidence: EvidenceReader,
        places: PassagePlaces,
        judgements: Mapping[str, Judgement],
        passages: int = PASSAGES,
        quotes: int = QUOTES,
    ) -> None:
        if passages <= 0 or quotes <= 0:
            raise ValueError("passages and quotes must be greater than 0")
        if ENGLISH not in judgements:
            raise ValueError("judgements need an entry for English")
        self._evidence = evidence
        self._places = places
        self._judgements = judgements
        self.passages = passages
        self._quotes = quotes
        self.empty_context = EmptyContextReplies()

    def rank(self, augmentation: Augmentation, cancel: CancelToken | None = None) -> Ranking:
        """Return the sentences of the best passages, best first, ties in reading order.

        A follow-up is read by itself and together with the question before it, and
        passages of each language apart: the most confident reading counts.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        contents = augmentation.contents[: self.passages]
        rankings = [
            self._ranking(evidence)
            for question in _questions(augmentation)
            for evidence in self._evidence.read(question, contents, cancel)
        ]
        nothing = Ranking((), 0.0, Outcome.NOT_FOUND)
        return max(rankings, key=lambda ranking: ranking.confidence, default=nothing)

    def _ranking(self, evidence: Evidence) -> Ranking:
        judgement = self._judgements.get(evidence.language) or self._judgements[ENGLISH]
        scores = judgement.scores(evidence)
        confidence = judgement.confidence_in(evidence, scores)
        order = np.argsort(-scores, kind="stable")
        ranked = [_ranked(evidence.sentences[i], float(scores[i])) for i in order]
        return Ranking(tuple(ranked), confidence, judgement.outcome(confidence))

    def answer(
        self,
        augmentation: Augmentation,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Return one to three quotes in reading order, or "not found" with what is nearest.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        on_event(StatusEvent(Step.ANSWERING))
        ranking = self.rank(augmentation, cancel)
        contents = augmentation.contents[: self.passages]
        places = self._places.of(contents)
        found = ranking.outcome is not Outcome.NOT_FOUND
        citations = self._citations(ranking, contents, places) if found else ()
        nearest = () if found else _nearest(contents, places)
        if cancel is not None:
            cancel.check()
        said = self._said(augmentation, citations, cancel)
        on_event(StatusEvent(Step.SOURCES, citations))
        on_event(StatusEvent(Step.TEXT, said.text))
        return Answer(
            text=said.text,
            outcome=ranking.outcome,
            confidence=ranking.confidence,
            kind=said.kind,
            citations=citations,
            nearest=nearest,
            contents=contents,
            queries=tuple(query.text for query in augmentation.queries),
            notes=(*augmentation.notes, *said.notes),
        )

    def _said(
        self, augmentation: Augmentation, cited: Sequence[Citation], cancel: CancelToken | None
    ) -> Reply:
        if not cited:
            return self.empty_context.reply(augmentation.question.text, cancel)
        return Reply("\n\n".join(quoted(one.quote, one.number) for one in cited))

    def _citations(
        self, ranking: Ranking, contents: tuple[Content, ...], places: list[PassagePlace]
    ) -> tuple[Citation, ...]:
        best = ranking.sentences[0].score
        chosen = [
            one for one in ranking.sentences[: self._quotes] if best - one.score <= _QUOTE_MARGIN
        ]
        chosen.sort(key=lambda one: _reading_order(one, places))
        return tuple(
            cite(contents[one.content], places[one.content], number, one.span)
            for number, one in enumerate(chosen, start=1)
        )


def quote_of(contents: Sequence[Content], sentence: RankedSentence) -> str:
    """Return a ranked sentence's words."""
    first, last = sentence.span
    return contents[sentence.content].segment.text[first:last]


def _questions(augmentation: Augmentation) -> list[Query]:
    """Return what sentences are compared with: the question; after another, both together."""
    return [augmentation.question, *augmentation.queries[1:2]]


def _ranked(sentence: Sentence, score: float) -> RankedSentence:
    return RankedSentence(sentence.content, sentence.span, score)


def _reading_order(sentence: RankedSentence, places: list[PassagePlace]) -> tuple[int, int]:
    """Documents in the order of their best passage, sentences as they stand in them."""
    place = places[sentence.content]
    document = next(i for i, one in enumerate(places) if one.document_id == place.document_id)
    return document, place.start + sentence.span[0]


def _nearest(contents: tuple[Content, ...], places: list[PassagePlace]) -> tuple[Citation, ...]:
    pairs = zip(contents[:NEAREST], places, strict=False)
    return tuple(cite(content, place, n) for n, (content, place) in enumerate(pairs, start=1))
