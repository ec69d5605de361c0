"""Questions asked to be measured: all that is found, quotes whatever the confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop_rag.answering.extractive import quote_of
from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import ignore_event
from desktop_rag.domain.messages import UserMessage
from desktop_rag.domain.query import QueryContext
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.retrieval.filter_expression import split_question
from desktop_rag.services.assistant_parts import AssistantParts
from desktop_rag.services.client import OnProgress
from desktop_rag.services.json_results import progress_json
from desktop_rag.services.reports import Progress
from desktop_rag.services.search_report import SearchMode, Trial
from desktop_rag.services.services import Services

TRIALS = "trials"
"""The request that asks many questions one after the other."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What was found for a question, and what the answer would be made of."""

    contents: tuple[Content, ...]
    quotes: tuple[str, ...] = ()
    confidence: float = 0.0
    outcome: Outcome = Outcome.NOT_FOUND
    about_library: bool = False


@dataclass(frozen=True, slots=True)
class Trying:
    """How questions are asked: see ``Assistant.trial``."""

    depth: int
    mode: SearchMode
    rerank: bool
    quotes: int
    cancel: CancelToken | None = None

    def question(self, parts: AssistantParts, text: str, context: QueryContext) -> Tried:
        """Ask one question; what is typed as a condition in it is one.

        Raises:
            ValueError: ``text`` is blank, or the mode is unknown.
            KnownError: a condition can't be understood.
            Cancelled: ``cancel`` was set.
        """
        words, condition = split_question(text)
        message = UserMessage(words if words.strip() else text)
        context = QueryContext(UserMessage(text), context.history, condition)
        of_library = parts.of_library(text) if self.mode == "hybrid" else None
        if of_library is not None:
            augmentor, answerer = of_library
            listed = augmentor.augment(message, context, ignore_event, self.cancel)
            answer = answerer.answer(listed, ignore_event, self.cancel)
            return Tried(listed.contents, (), answer.confidence, answer.outcome, True)
        search = parts.augmentor(self.mode, self.rerank, self.depth, self.cancel)
        found = search.augment(message, context, ignore_event, self.cancel)
        if not self.quotes:
            return Tried(found.contents)
        ranking = parts.answerer.rank(found, self.cancel)
        best = tuple(quote_of(found.contents, one) for one in ranking.sentences[: self.quotes])
        return Tried(found.contents, best, ranking.confidence, ranking.outcome)


def try_questions(
    services: Services,
    arguments: Mapping[str, Any],
    on_progress: OnProgress,
    cancel: CancelToken,
) -> dict[str, object]:
    """Ask all ``questions``: ``k``, ``mode``, ``rerank``, ``quotes``; one trial each, in order."""
    questions = [str(text) for text in arguments["questions"]]
    trials = []
    for number, text in enumerate(questions):
        cancel.check()
        on_progress(asking_progress(number, len(questions)))
        trial = services.assistant.trial(
            text,
            int(arguments.get("k", 10)),
            arguments.get("mode", "hybrid"),
            bool(arguments.get("rerank", True)),
            int(arguments.get("quotes", 0)),
            cancel,
        )
        trials.append(_trial_json(trial))
    return {"trials": trials}


def asking_progress(done: int, of: int) -> dict[str, object]:
    """Return the progress message that so many questions of all have been asked."""
    counted = Progress(state="reading", files_done=done, files_total=of)
    return {"reading": {**progress_json(counted), "state": "asking"}}


def _trial_json(trial: Trial) -> dict[str, object]:
    """Return a trial; of the passages found, only in which files they are."""
    return {
        "paths": [list(result.paths) for result in trial.results],
        "quotes": list(trial.quotes),
        "confidence": trial.confidence,
        "outcome": trial.outcome.value,
        "about_library": trial.about_library,
        "seconds": trial.seconds,
    }
