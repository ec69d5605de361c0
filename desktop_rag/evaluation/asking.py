"""Questions as they are asked for measuring, and what came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.messages import ChatMessage
from desktop_rag.evaluation.datasets import Dataset, load_dataset
from desktop_rag.evaluation.libraries import OnProgress, row_of
from desktop_rag.evaluation.spans import Passage
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.assistant import Assistant, SearchMode, Trial
from desktop_rag.services.trying import asking_progress

RESULTS = 200
"""Passages asked for, so that 100 documents are among them."""

DOCUMENTS = 100
QUOTES = 3
PASSAGES = 5
"""Results whose characters are compared with those that the answer needs."""


class Kind(StrEnum):
    """Whether the collection answers a question: yes, no, or it is another collection's."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True)
class Question:
    """One question; ``history`` is the conversation before it, oldest first."""

    row: str
    text: str
    kind: Kind = Kind.ANSWERABLE
    history: tuple[ChatMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what came back.

    ``ranked`` are the documents, best first, at most ``DOCUMENTS``. ``quotes`` are single
    sentences, the most probable first. ``confidence`` (0..1) is None where no sentence
    was looked for.
    """

    question: Question
    ranked: tuple[str, ...]
    quotes: tuple[str, ...]
    confidence: float | None
    outcome: Outcome
    seconds: float
    about_library: bool = False
    passages: tuple[Passage, ...] = ()


Ask = Callable[[Sequence[Question]], list[Asked]]
"""Asks questions one after the other."""


def questions_of(dataset: Dataset, history: bool, off_topic: Sequence[Question]) -> list[Question]:
    """Return all that is asked of a collection: its own questions first, others behind."""
    histories = dataset.histories if history else {}
    own = [
        Question(row, text, history=histories.get(row, ())) for row, text in dataset.queries.items()
    ]
    without = [Question(one.row, one.text, Kind.UNANSWERABLE) for one in dataset.unanswerable]
    return [*own, *without, *off_topic]


def off_topic_of(folder: Path | None, dataset: Dataset, dataset_dir: Path) -> list[Question]:
    """Return another collection's questions, no more than this one has of its own.

    Raises:
        KnownError: it can't be read, or it is the very same collection.
    """
    if folder is None:
        return []
    if folder.resolve() == dataset_dir.resolve():
        raise KnownError(
            "The same data set",
            f"The questions of “{folder}” are no off-topic ones. Choose another data set.",
            str(folder),
        )
    other = load_dataset(folder, len(dataset.queries) or None)
    return [Question(row, text, Kind.OFF_TOPIC) for row, text in other.queries.items()]


@dataclass(frozen=True, slots=True)
class LibraryAsker:
    """Asks the library that a collection was read into."""

    assistant: Assistant
    dataset: Dataset
    mode: SearchMode
    rerank: bool
    quotes: int
    tell: OnProgress
    cancel: CancelToken

    def __call__(self, questions: Sequence[Question]) -> list[Asked]:
        """Ask one question after the other.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        rows = list(self.dataset.documents)
        return [
            self._asked(question, self._trial(question, number, len(questions)), rows)
            for number, question in enumerate(questions)
        ]

    def _trial(self, question: Question, number: int, of: int) -> Trial:
        self.cancel.check()
        self.tell(asking_progress(number, of))
        more = {"history": question.history} if question.history else {}
        return self.assistant.trial(
            question.text, RESULTS, self.mode, self.rerank, self.quotes, self.cancel, **more
        )

    def _asked(self, question: Question, trial: Trial, rows: Sequence[str]) -> Asked:
        """Return document ids by their best passage, copies right behind one another."""
        found = dict.fromkeys(path for result in trial.results for path in result.paths)
        return Asked(
            question=question,
            ranked=tuple(rows[row_of(path)] for path in found)[:DOCUMENTS],
            quotes=trial.quotes,
            confidence=trial.confidence if self.quotes else None,
            outcome=trial.outcome,
            seconds=trial.seconds,
            about_library=trial.about_library,
            passages=tuple(
                Passage(rows[row_of(result.path)], result.start, result.end)
                for result in trial.results[:PASSAGES]
            ),
        )
