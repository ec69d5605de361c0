"""What a language model adds to a question's way, as far as there is one and it is wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from desktop_rag.chat_models.protocols import ChatModel
from desktop_rag.chat_models.step_runner import StepRunner
from desktop_rag.domain.events import OnEvent, ignore_event
from desktop_rag.domain.intent import Intent
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.injectors.prompts import Prompts
from desktop_rag.retrieval.model_steps import ModelSteps
from desktop_rag.retrieval.postprocessors.compression import ModelCompressionPostProcessor
from desktop_rag.retrieval.protocols import (
    Augmentation,
    ContentPostProcessor,
    QueryTransformer,
    RetrievalAugmentor,
    ScoringModel,
)
from desktop_rag.retrieval.scoring.by_model import ModelScoringModel
from desktop_rag.retrieval.transformers.self_query import SelfQueryTransformer
from desktop_rag.retrieval.transformers.written import (
    BesideQueryTransformer,
    ExpandingQueryTransformer,
    HypotheticalAnswerTransformer,
    ModelTranslatingQueryTransformer,
    RewritingQueryTransformer,
    StepBackQueryTransformer,
)

CurrentModel = Callable[[], ChatModel | None]


class StepParts:
    """Makes the steps of a question; ``runner`` guards and counts those of all questions.

    Args:
        prompts: the templates.
    """

    def __init__(self, prompts: Prompts) -> None:
        self.runner = StepRunner()
        self._prompts = prompts
        self._current: CurrentModel = lambda: None
        self._wanted: frozenset[str] = frozenset({"rewriting", "translation"})

    def follow(self, current: CurrentModel) -> None:
        """Ask the model that this gives, from now on."""
        self._current = current

    def use(self, wanted: Collection[str]) -> None:
        """Do these steps from now on, by the names of their settings, and no others."""
        self._wanted = frozenset(wanted)

    def begin(self, cancel: CancelToken | None) -> ModelSteps | None:
        """Return the steps of one question, None without a model or without any step."""
        model = self._current() if self._wanted else None
        return None if model is None else ModelSteps(self.runner, model, self._prompts, cancel)

    def intent(self, steps: ModelSteps | None) -> Callable[[str], Intent | None] | None:
        """Return how the model is asked what a question wants, None where it is not."""
        if steps is None or "intent" not in self._wanted:
            return None
        return lambda question: steps.ask("intent", question, {}, _intent)

    def conversation(
        self, steps: ModelSteps | None, plain: Sequence[QueryTransformer]
    ) -> list[QueryTransformer]:
        """Return the first transformers: what the model writes is searched beside the plain."""
        if steps is None:
            return list(plain)
        written: dict[str, QueryTransformer] = {
            "rewriting": RewritingQueryTransformer(steps),
            "expanding": ExpandingQueryTransformer(steps),
            "hyde": HypotheticalAnswerTransformer(steps),
            "step_back": StepBackQueryTransformer(steps),
        }
        chosen = [one for name, one in written.items() if name in self._wanted]
        beside = [BesideQueryTransformer([*plain, *chosen])] if chosen else list(plain)
        first = [SelfQueryTransformer(steps)] if "filtering" in self._wanted else []
        return [*first, *beside]

    def translating(
        self,
        steps: ModelSteps | None,
        languages: Callable[[], Collection[str]],
        plain: QueryTransformer | None,
    ) -> QueryTransformer | None:
        """Return what translates: the model, and where it is no help, ``plain``."""
        if steps is None or "translation" not in self._wanted:
            return plain
        return ModelTranslatingQueryTransformer(steps, languages, plain)

    def scoring(self, steps: ModelSteps | None, plain: ScoringModel) -> ScoringModel:
        """Return what re-ranks."""
        wanted = steps is not None and "ranking" in self._wanted
        return ModelScoringModel(steps, plain) if steps is not None and wanted else plain

    def shortening(self, steps: ModelSteps | None) -> list[ContentPostProcessor]:
        """Return what shortens passages for the model that writes."""
        if steps is None or "compression" not in self._wanted:
            return []
        return [ModelCompressionPostProcessor(steps)]


class NotingAugmentor:
    """Adds to what an augmentor found the notes that came up on the way.

    Args:
        augmentor: finds.
        notes: gives the notes, once it has.
    """

    def __init__(self, augmentor: RetrievalAugmentor, notes: Callable[[], Sequence[str]]) -> None:
        self._augmentor = augmentor
        self._notes = notes

    def augment(
        self,
        message: UserMessage,
        context: QueryContext,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Augmentation:
        """Find what answers ``message``: see ``RetrievalAugmentor``."""
        found = self._augmentor.augment(message, context, on_event, cancel)
        notes = tuple(dict.fromkeys((*found.notes, *self._notes())))
        return replace(found, notes=notes)


def _intent(reply: str) -> Intent | None:
    words = {word.strip(".,:;!\"'*“”") for word in reply.lower().split()}
    found = [intent for intent in Intent if intent.value in words]
    return found[0] if len(found) == 1 else None
