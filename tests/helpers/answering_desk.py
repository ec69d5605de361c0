"""A store with small texts, a search by words, and what answers from it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from desktop_rag.answering.checking.check import EvidenceCheck
from desktop_rag.answering.checking.features import ClaimReader
from desktop_rag.answering.checking.verdict import load_verdicts
from desktop_rag.answering.citations import PassagePlaces
from desktop_rag.answering.evidence import SENTENCE_FEATURES, EvidenceReader
from desktop_rag.answering.extractive import ExtractiveAnswerer
from desktop_rag.answering.generative import PASSAGES, GenerativeAnswerer, Writing
from desktop_rag.answering.judgement import CONFIDENCE_FEATURES, Judgement, LogisticModel
from desktop_rag.answering.messages import MessageWriter
from desktop_rag.answering.streaming import Patience
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.retrieval.augmentor import DefaultRetrievalAugmentor
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.postprocessors.copies import CopiesPostProcessor
from desktop_rag.retrieval.retrievers.keyword import KeywordContentRetriever
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.retrieval.transformers.conversational import ConversationalQueryTransformer
from tests.helpers.small_library import WordSpaces, fill, open_store

LEASE = (
    "# Lease\n\nThis lease is made between two parties. The rent is 900 dollars a month. "
    "The rent is due on the first day. Pets are not allowed.\n\n"
    "# Deposit\n\nThe deposit is two months of rent. It is returned within 30 days.\n"
)
TEXTS = {
    "lease.md": LEASE,
    "copy of lease.md": LEASE,
    "合同.txt": "合同编号为一百二十。付款期限为三十天。逾期须支付利息。",
}


def judgement(answer_from: float = 0.6, maybe_from: float = 0.3) -> Judgement:
    """Sentences by the question's words they hold; the same decides about the confidence."""
    sentence = dict.fromkeys(SENTENCE_FEATURES, 0.0) | {"bias": 0.0, "coverage": 5.0}
    confidence = dict.fromkeys(CONFIDENCE_FEATURES, 0.0) | {"bias": -2.0, "best_coverage": 4.0}
    return Judgement(
        LogisticModel.of(sentence, SENTENCE_FEATURES),
        LogisticModel.of(confidence, CONFIDENCE_FEATURES),
        answer_from,
        maybe_from,
    )


class Desk:
    """A store, a search by words, and the answerer."""

    def __init__(self, folder, texts=TEXTS, **settings) -> None:
        self.spaces = WordSpaces()
        self.store = open_store(folder, self.spaces)
        fill(self.store, self.spaces, texts)
        self.pool = ThreadPoolExecutor(1)
        self.augmentor = DefaultRetrievalAugmentor(
            DefaultQueryRouter([KeywordContentRetriever(self.store, 20)]),
            self.pool,
            ConversationalQueryTransformer(),
            post_processors=[CopiesPostProcessor()],
        )
        self.answerer = self.with_judgement(judgement(), **settings)

    def with_judgement(self, judged: Judgement, **settings) -> ExtractiveAnswerer:
        evidence = EvidenceReader(self.store, TokenVectors(self.spaces, self.pool))
        places = PassagePlaces(self.store)
        return ExtractiveAnswerer(evidence, places, {"en": judged, "zh": judged}, **settings)

    def found(self, text: str, *history):
        return self.augmentor.augment(UserMessage(text), QueryContext(history=history))

    def answer(self, text: str, *history, **more):
        return self.answerer.answer(self.found(text, *history), **more)

    def writing(self, answerer=None, first=5.0, between=5.0, own_prompts=None) -> Writing:
        """What written answers are made with; a model may be silent for so many seconds."""
        reader = ClaimReader(self.store, TokenVectors(self.spaces, self.pool))
        return Writing(
            answerer or self.answerer,
            EvidenceCheck(reader, load_verdicts()),
            PassagePlaces(self.store),
            MessageWriter(Prompts(own_prompts), PASSAGES),
            Patience(first, between),
        )

    def written(self, model, question: str, *history, on_event=None, cancel=None, **settings):
        """The answer that a model writes."""
        answerer = GenerativeAnswerer(model, self.writing(**settings))
        found = self.found(question, *history)
        return answerer.answer(found, on_event or (lambda _event: None), cancel)

    def close(self) -> None:
        self.pool.shutdown()
        self.store.close()
