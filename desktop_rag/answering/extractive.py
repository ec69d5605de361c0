"""Answers by quoting: the best one to three sentences, or an honest "not found"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from desktop_rag.answering.citations import PassagePlace, PassagePlaces, cite
from desktop_rag.answering.disagreement import LEAST_LIKENESS
from desktop_rag.answering.empty_context import EmptyContextReplies, Reply
from desktop_rag.answering.evidence import Evidence, EvidenceReader, Sentence
from desktop_rag.answering.judgement import Judgement
from desktop_rag.answering.quoting import RankedSentence, choose
from desktop_rag.answering.wording import differing_note, quoted
from desktop_rag.domain.answer import Answer, Citation, Outcome
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.domain.query import Query
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import ENGLISH, language_of
from desktop_rag.retrieval.protocols import Augmentation
from desktop_rag.text.statements import Statement

PASSAGES = 6
QUOTES = 3
NEAREST = 3


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

        Passages of each language are read apart, and a follow-up that is not answered by
        itself together with the question before it: the most confident reading counts.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        contents = augmentation.contents[: self.passages]
        best = Ranking((), 0.0, Outcome.NOT_FOUND)
        for question in _questions(augmentation):
            for evidence in self._evidence.read(question, contents, cancel):
                ranking = self._ranking(evidence)
                if not best.sentences or ranking.confidence > best.confidence:
                    best = ranking
            if best.outcome is Outcome.ANSWER:
                break
        return best

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
        question = augmentation.question.text
        citations = self._citations(question, ranking, contents, places) if found else ()
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
            notes=(*augmentation.notes, *_differing(question, citations), *said.notes),
        )

    def _said(
        self, augmentation: Augmentation, cited: Sequence[Citation], cancel: CancelToken | None
    ) -> Reply:
        if not cited:
            return self.empty_context.reply(augmentation.question.text, cancel)
        return Reply("\n\n".join(quoted(one.quote, one.number) for one in cited))

    def _citations(
        self,
        question: str,
        ranking: Ranking,
        contents: tuple[Content, ...],
        places: list[PassagePlace],
    ) -> tuple[Citation, ...]:
        chosen = choose(ranking.sentences, contents, question, ranking.outcome, self._quotes)
        chosen.sort(key=lambda one: _reading_order(one, places))
        return tuple(
            cite(contents[one.content], places[one.content], number, one.span)
            for number, one in enumerate(chosen, start=1)
        )


def quote_of(contents: Sequence[Content], sentence: RankedSentence) -> str:
    """Return a ranked sentence's words."""
    first, last = sentence.span
    return contents[sentence.content].segment.text[first:last]


def _differing(question: str, citations: Sequence[Citation]) -> tuple[str, ...]:
    """Return what is told where files say a thing differently: which, and how old they are."""
    statements = [Statement(one.quote) for one in citations]
    documents = [one.document_id for one in citations]
    against = {
        at
        for first, second in combinations(range(len(citations)), 2)
        if documents[first] != documents[second]
        and statements[first].disagrees_with(statements[second], LEAST_LIKENESS)
        for at in (first, second)
    }
    different = [one for at, one in enumerate(citations) if at in against]
    return (differing_note(language_of(question), different),) if different else ()


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
