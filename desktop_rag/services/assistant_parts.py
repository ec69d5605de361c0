"""Puts the assistant's parts together: which retrievers, how they are fused and ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from desktop_rag.answering.catalog import CatalogAnswerer
from desktop_rag.answering.citations import PassagePlaces
from desktop_rag.answering.evidence import EvidenceReader
from desktop_rag.answering.extractive import PASSAGES, QUOTES, ExtractiveAnswerer
from desktop_rag.answering.judgement import load_judgements
from desktop_rag.answering.protocols import Answerer
from desktop_rag.domain.query import Query
from desktop_rag.embedding.spaces import EmbeddingSpaces
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import CHINESE, ENGLISH, language_of
from desktop_rag.retrieval.aggregators.neighbours import NeighbourAggregator
from desktop_rag.retrieval.aggregators.relative import (
    DEPTH,
    NO_SUPPORT,
    RelativeScoreFusionAggregator,
    Support,
)
from desktop_rag.retrieval.aggregators.reranking import ReRankingContentAggregator
from desktop_rag.retrieval.augmentor import RETRIEVER_SECONDS, DefaultRetrievalAugmentor
from desktop_rag.retrieval.bulkhead import Bulkhead
from desktop_rag.retrieval.catalog.parser import CatalogQuestions
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.postprocessors.copies import CopiesPostProcessor
from desktop_rag.retrieval.postprocessors.near_copies import NearCopiesPostProcessor
from desktop_rag.retrieval.protocols import (
    ContentAggregator,
    ContentPostProcessor,
    ContentRetriever,
    QueryTransformer,
    RetrievalAugmentor,
    ScoringModel,
)
from desktop_rag.retrieval.retrievers.catalog import CatalogContentRetriever
from desktop_rag.retrieval.retrievers.keyword import KEYWORD, KeywordContentRetriever
from desktop_rag.retrieval.retrievers.names import MENTION, NAME, FileNameContentRetriever
from desktop_rag.retrieval.retrievers.vector import VECTOR, VectorContentRetriever
from desktop_rag.retrieval.routers.default import DefaultQueryRouter
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.retrieval.transformers.acronyms import AcronymQueryTransformer
from desktop_rag.retrieval.transformers.chain import QueryTransformerChain
from desktop_rag.retrieval.transformers.conversational import ConversationalQueryTransformer
from desktop_rag.retrieval.transformers.default import DefaultQueryTransformer
from desktop_rag.retrieval.transformers.english_words import EnglishWords
from desktop_rag.retrieval.transformers.spelling import SpellingQueryTransformer
from desktop_rag.retrieval.transformers.translating import TranslatingQueryTransformer
from desktop_rag.services.ranking import Reranker, asked_of, read_text
from desktop_rag.services.search_report import SEARCH_MODES, SearchMode
from desktop_rag.services.slots import NO_SLOTS, Slots
from desktop_rag.services.step_parts import NotingAugmentor, StepParts
from desktop_rag.services.switches import Part
from desktop_rag.services.writers import Writers
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.dictionary import BilingualDictionary

_WEIGHTS = {VECTOR: 0.6, KEYWORD: 0.4, NAME: 1.0, MENTION: 0.3}
_CHINESE_WEIGHTS = {**_WEIGHTS, VECTOR: 0.4, KEYWORD: 0.6}
"""Measured (docs/measurements.md): in English 0.6 loses to neither part by more than .003 on
cran, med, cisi, squad2_dev_half and xquad_en; Chinese (cmrc2018, xquad_zh) favours keywords.
A question that is nothing but a file's name wants that file before all else; one that
mentions it, a nudge."""


SEARCH_THREADS = 4
"""A question asks three retrievers at once; one more lets a slow one not hold up the next."""


@dataclass(frozen=True, slots=True)
class AssistantSettings:
    """How much is searched, judged and quoted.

    ``depth`` passages are taken from each retriever; the best ``rerank_candidates`` are
    judged again where re-ranking is on, with ``rerank_weight`` of the final score
    (0.5 against 0.3: med +.02, cisi, squad2_dev_half, xquad_en and xquad_zh +.001 to +.004,
    cran -.001). The answer reads ``passages`` and quotes
    at most ``quotes`` sentences. One retriever may take ``retriever_seconds``, and
    ``calls_of_a_retriever`` threads: one less than there are, so that the others go on.
    The parts in ``without`` are left out.
    """

    depth: int = DEPTH
    rerank_candidates: int = 30
    rerank_weight: float = 0.5
    passages: int = PASSAGES
    quotes: int = QUOTES
    retriever_seconds: float = RETRIEVER_SECONDS
    calls_of_a_retriever: int = SEARCH_THREADS - 1
    without: frozenset[Part] = frozenset()


class AssistantParts:
    """Builds what a question goes through; made once, the pipelines a question each.

    Raises:
        KnownError: a file of the program is damaged.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        spaces: EmbeddingSpaces,
        executor: Executor,
        settings: AssistantSettings,
        slots: Slots = NO_SLOTS,
        dictionary: BilingualDictionary | None = None,
        prompts: Prompts | None = None,
    ) -> None:
        self._slots = slots
        self._dictionary = dictionary
        self._store = store
        self._spaces = spaces
        self._executor = executor
        self._settings = settings
        self._bulkhead = Bulkhead(settings.calls_of_a_retriever)
        self._vectors = TokenVectors(spaces, executor)
        self.reranker = Reranker(self._vectors, executor)
        self.steps = StepParts(prompts or Prompts())
        self.places = PassagePlaces(store)
        self.evidence = EvidenceReader(store, self._vectors)
        self.answerer = self._quoting()
        self.writers = self._writers(prompts or Prompts())
        self._questions = CatalogQuestions()
        self._english = EnglishWords(spaces.for_language(ENGLISH).counter)

    def _quoting(self) -> ExtractiveAnswerer:
        return ExtractiveAnswerer(
            self.evidence,
            self.places,
            load_judgements(),
            self._settings.passages,
            self._settings.quotes,
        )

    def _writers(self, prompts: Prompts) -> Writers:
        model = self._slots.chat_model
        return Writers(self._store, self._vectors, self.places, self.answerer, prompts, model)

    def for_question(
        self,
        text: str,
        rerank: bool,
        cancel: CancelToken | None,
        steps: ModelSteps | None = None,
    ) -> tuple[RetrievalAugmentor, Answerer]:
        """Return what finds and what answers: of the library for a question about it.

        ``steps`` are what a language model does before the answer.

        Raises:
            KnownError: a condition typed in ``text`` can't be understood.
        """
        of_library = self.of_library(text)
        if of_library is not None:
            return of_library
        answerer = self._slots.answerer or self.writers.answerer()
        return self.augmentor("hybrid", rerank, self._settings.depth, cancel, steps), answerer

    @property
    def has_own_answerer(self) -> bool:
        """Whether a part of one's own answers."""
        return self._slots.answerer is not None

    def of_library(self, text: str) -> tuple[RetrievalAugmentor, CatalogAnswerer] | None:
        """Return what answers a question about the library itself, None for any other."""
        if not self._has(Part.CATALOG) or self._questions.parse(text) is None:
            return None
        retriever = CatalogContentRetriever(self._store, self._questions)
        augmentor = DefaultRetrievalAugmentor(
            router=DefaultQueryRouter([retriever]),
            executor=self._executor,
            retriever_seconds=self._settings.retriever_seconds,
            bulkhead=self._bulkhead,
        )
        return augmentor, CatalogAnswerer(self._questions)

    def augmentor(
        self,
        mode: SearchMode,
        rerank: bool,
        depth: int,
        cancel: CancelToken | None,
        steps: ModelSteps | None = None,
    ) -> RetrievalAugmentor:
        """Return the pipeline of one question.

        Raises:
            ValueError: ``mode`` is unknown.
        """
        slots = self._slots
        told: list[str] = []
        augmentor = DefaultRetrievalAugmentor(
            router=slots.router([*self._retrievers(mode, depth), *slots.retrievers]),
            executor=self._executor,
            transformer=slots.transformer or self._transformer(steps),
            aggregator=slots.aggregator
            or self._aggregator(mode, rerank, depth, self._scoring(cancel, steps, told.append)),
            post_processors=(
                *self._post_processors(),
                *self.steps.shortening(steps),
                *slots.post_processors,
            ),
            injector=slots.injector,
            retriever_seconds=self._settings.retriever_seconds,
            bulkhead=self._bulkhead,
        )
        return NotingAugmentor(augmentor, lambda: (*told, *(steps.notes if steps else ())))

    def _transformer(self, steps: ModelSteps | None) -> QueryTransformer:
        talk = [ConversationalQueryTransformer()] if self._has(Part.CONVERSATION) else []
        chosen = self.steps.conversation(steps, talk)
        if self._has(Part.SPELLING):
            chosen.append(SpellingQueryTransformer(self._store, self._english.has))
        if self._has(Part.ACRONYMS):
            chosen.append(AcronymQueryTransformer(self._store))
        translating = self._translating(steps) if self._has(Part.TRANSLATION) else None
        if translating is not None:
            chosen.append(translating)
        return QueryTransformerChain(chosen or [DefaultQueryTransformer()])

    def _translating(self, steps: ModelSteps | None) -> QueryTransformer | None:
        there, words = self._languages_there, self._dictionary
        plain = None if words is None else TranslatingQueryTransformer(words, self._store, there)
        return self.steps.translating(steps, there, plain)

    def _languages_there(self) -> set[str]:
        """Return the languages that there are passages in."""
        return {
            language
            for space, language in self._spaces.languages.items()
            if self._store.vector_count(space)
        }

    def _post_processors(self) -> list[ContentPostProcessor]:
        every: dict[Part, ContentPostProcessor] = {
            Part.COPIES: CopiesPostProcessor(),
            Part.NEAR_COPIES: NearCopiesPostProcessor(),
        }
        return [one for part, one in every.items() if self._has(part)]

    def _retrievers(self, mode: SearchMode, depth: int) -> list[ContentRetriever]:
        if mode not in SEARCH_MODES:
            raise ValueError(f"mode must be one of {', '.join(SEARCH_MODES)}, not {mode!r}")
        retrievers: list[ContentRetriever] = []
        if mode != "keyword" and self._has(Part.VECTORS):
            languages = self._spaces.languages
            vector = VectorContentRetriever(self._store, self._spaces, depth, None, languages)
            retrievers.append(vector)
        if mode != "vector" and self._has(Part.KEYWORDS):
            retrievers.append(KeywordContentRetriever(self._store, depth))
        if mode == "hybrid" and self._has(Part.FILE_NAMES):
            retrievers.append(FileNameContentRetriever(self._store))
        return retrievers

    def leave_out(self, *parts: Part) -> None:
        """Ask without these parts from now on; without naming any, with all of them."""
        self._settings = replace(self._settings, without=frozenset(parts))

    def _has(self, part: Part) -> bool:
        return part not in self._settings.without

    def _scoring(
        self, cancel: CancelToken | None, steps: ModelSteps | None, tell: Callable[[str], None]
    ) -> ScoringModel:
        own = self._slots.scoring_model or self.reranker.scoring_model(cancel, tell)
        return self.steps.scoring(steps, own)

    def _aggregator(
        self, mode: SearchMode, rerank: bool, depth: int, scoring: ScoringModel
    ) -> ContentAggregator:
        support = _SUPPORT if mode == "hybrid" and self._has(Part.SUPPORT) else NO_SUPPORT
        fusion = RelativeScoreFusionAggregator(_weights, min(depth, DEPTH), support)
        if not rerank or not self._has(Part.RERANKING):
            return fusion
        with_neighbours = mode == "hybrid" and self._has(Part.NEIGHBOURS)
        return ReRankingContentAggregator(
            scoring,
            query_selector=lambda queries: queries[0],
            fusion=NeighbourAggregator(fusion, self._store) if with_neighbours else fusion,
            candidates=self._settings.rerank_candidates,
            weight=self._settings.rerank_weight,
            text_of=read_text,
            question_of=asked_of,
        )


_SUPPORT = Support(share=0.3, curve=0.8)


def _weights(query: Query) -> Mapping[str, float]:
    return _CHINESE_WEIGHTS if language_of(query.text) == CHINESE else _WEIGHTS
