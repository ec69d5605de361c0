"""What writes answers: the language model of the moment, and all that checks it."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.answering.checking.check import EvidenceCheck
from desktop_rag.answering.checking.features import ClaimReader
from desktop_rag.answering.checking.verdict import load_verdicts
from desktop_rag.answering.citations import PassagePlaces
from desktop_rag.answering.comparison import ComparisonAnswerer
from desktop_rag.answering.extractive import ExtractiveAnswerer
from desktop_rag.answering.general import CurrentModel, ModelKnowledge, no_model
from desktop_rag.answering.generative import LOOKUP, PASSAGES, GenerativeAnswerer, Writing
from desktop_rag.answering.messages import MessageWriter
from desktop_rag.answering.protocols import Answerer
from desktop_rag.answering.whole import SummaryAnswerer
from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.conversation.intents import load_plans
from desktop_rag.domain.intent import Intent, Understood
from desktop_rag.foundation.language import language_of
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.scoring.late_interaction import best_match
from desktop_rag.retrieval.scoring.token_vectors import TokenVectors
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.folding import fold_for_model


class Writers:
    """Builds answerers for the model of the moment.

    ``check`` holds written texts against sources; ``general`` is the model asked without any.

    Args:
        store: the library's store.
        vectors: token vectors, shared with ranking.
        places: tells where passages stand.
        extractive: answers where no model does.
        prompts: the templates.
        fixed: a model that writes whatever is chosen; None for the one that is.

    Raises:
        KnownError: a file of the program is damaged.
    """

    def __init__(
        self,
        store: KnowledgeStore,
        vectors: TokenVectors,
        places: PassagePlaces,
        extractive: ExtractiveAnswerer,
        prompts: Prompts,
        fixed: ChatModel | None = None,
    ) -> None:
        self._fixed = fixed
        self._store = store
        self._vectors = vectors
        self._current: CurrentModel = no_model
        self._extractive = extractive
        self.check = EvidenceCheck(ClaimReader(store, vectors), load_verdicts())
        messages = MessageWriter(prompts, PASSAGES)
        self.writing = Writing(extractive, self.check, places, messages)
        self.general = ModelKnowledge(self.current, prompts)

    def follow(self, current: CurrentModel) -> None:
        """Ask the model that this gives, from now on."""
        self._current = current

    def current(self) -> ChatModel | None:
        """Return the model of the moment, None where there is none."""
        return self._fixed or self._current()

    def answerer(self, template: str = LOOKUP, judged: bool = True) -> Answerer:
        """Return what answers now: quotes without a model; see ``GenerativeAnswerer``."""
        model = self.current()
        if model is None:
            return self._extractive
        return GenerativeAnswerer(model, self.writing, template, judged)

    def for_intent(self, understood: Understood) -> Answerer:
        """Return what answers a question of this intent; quotes alone without a model."""
        intent, documents = understood.intent, understood.documents
        if intent is Intent.SUMMARY and documents:
            return self.summary(documents[:1])
        if intent is Intent.COMPARISON and len(documents) > 1:
            return self.comparison(documents[:2])
        template = load_plans()[intent].template if intent is not Intent.GENERAL else LOOKUP
        return self.answerer(template)

    def summary(self, documents: Sequence[int]) -> SummaryAnswerer:
        """Return what summarises whole documents, with or without a model."""
        return SummaryAnswerer(self.current(), self.writing, self._store, documents)

    def comparison(self, documents: Sequence[int]) -> ComparisonAnswerer:
        """Return what compares documents, with or without a model."""
        return ComparisonAnswerer(self.current(), self.writing, self._store, documents)

    def relevance(self, question: str, answer: str) -> float:
        """Return how much of a question an answer is about, 0..1: their late interaction."""
        language = language_of(answer)
        asked, said = (fold_for_model(text, language) for text in (question, answer))
        if not asked or not said:
            return 0.0
        return max(0.0, best_match(*self._vectors.of([(language, asked), (language, said)])))
