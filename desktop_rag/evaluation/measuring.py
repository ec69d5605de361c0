"""Measures what users get: the real pipeline on a collection, in a library of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.evaluation.ablation import ablate, parts_in_use
from desktop_rag.evaluation.answering import measure_answers
from desktop_rag.evaluation.asking import (
    QUOTES,
    Asked,
    Kind,
    LibraryAsker,
    Question,
    off_topic_of,
    questions_of,
)
from desktop_rag.evaluation.datasets import Dataset, load_dataset
from desktop_rag.evaluation.figures import figures_of, of_kind
from desktop_rag.evaluation.libraries import (
    Figures,
    OnProgress,
    library_folder,
    opened,
    read_documents,
)
from desktop_rag.evaluation.report import check_report, write_report
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.assistant import SearchMode
from desktop_rag.services.services import OpenServices, Services


@dataclass(frozen=True, slots=True)
class Choices:
    """What is measured, and how.

    Args:
        mode: how to search.
        limit: ask only the first so many questions of each kind; None asks all.
        rerank: whether the best passages are judged again.
        history: whether follow-ups are asked with the conversation before them, in
            collections that have it.
        off_topic: another collection whose questions are asked as well.
        ablate: whether to ask all again with each part of the default left out.
        report: a file for a table with a row a question.
        answers: whether whole answers are made and judged as well.
        models_of: the data folder whose chosen language models write and judge them; None
            for quotes alone.
    """

    mode: SearchMode = "hybrid"
    limit: int | None = None
    rerank: bool = True
    history: bool = True
    off_topic: Path | None = None
    ablate: bool = False
    report: Path | None = None
    answers: bool = False
    models_of: Path | None = None


DEFAULT = Choices()


def evaluate(
    dataset_dir: str | Path,
    open_services: OpenServices,
    choices: Choices = DEFAULT,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    keep: Path | None = None,
) -> dict[str, object]:
    """Read a collection's documents as files, ask its questions, and count.

    Each row is a file with a name that says nothing, so that no question finds it by
    name. A document's score is its best passage's. Times are of questions asked for the
    first time: the search and, where quotes are needed, the quotes.

    Args:
        dataset_dir: the collection (see ``load_dataset``).
        open_services: builds the services of a data folder.
        choices: what is measured, and how.
        on_progress: told how far it is.
        cancel: ends it early.
        keep: a folder whose library is used again when it has this collection; None
            for a temporary one.

    Returns:
        The figures by name, and with ``choices.ablate`` its rows as ``ablation``.

    Raises:
        KnownError: a collection or its documents can't be read, or the report not written.
        ValueError: the limit is not positive, the mode is unknown, or an ablation is asked
            for of another mode than the default.
        Cancelled: ``cancel`` was set.
    """
    if choices.ablate and choices.mode != DEFAULT.mode:
        raise ValueError("an ablation leaves parts of the default out, which is hybrid")
    folder = Path(dataset_dir)
    dataset = load_dataset(folder, choices.limit)
    strangers = off_topic_of(choices.off_topic, dataset, folder)
    check_report(choices.report)
    measuring = _Measuring(
        dataset, choices, strangers, on_progress or (lambda _message: None), cancel or CancelToken()
    )
    with library_folder(keep) as place, opened(open_services, place / "library") as services:
        return measuring.run(services, place / "documents")


@dataclass(frozen=True, slots=True)
class _Measuring:
    """One collection, and how it is measured."""

    dataset: Dataset
    choices: Choices
    off_topic: Sequence[Question]
    tell: OnProgress
    cancel: CancelToken

    def run(self, services: Services, documents: Path) -> dict[str, object]:
        """Read, ask, count, and write the report."""
        read = read_documents(services, self.dataset, documents, self.tell, self.cancel)
        ask = LibraryAsker(
            services.assistant,
            self.dataset,
            self.choices.mode,
            self.choices.rerank,
            self._quotes(),
            self.tell,
            self.cancel,
        )
        questions = questions_of(self.dataset, self.choices.history, self.off_topic)
        asked = ask(questions)
        if self.choices.report is not None:
            write_report(self.choices.report, self.dataset, asked)
        result: dict[str, object] = {**self._named(), **read, **figures_of(self.dataset, asked)}
        if self.choices.answers:
            own = of_kind(asked, Kind.ANSWERABLE)
            result |= measure_answers(
                services, self.dataset, own, self.choices.models_of, self.tell, self.cancel
            )
        if self.choices.ablate:
            result["ablation"] = self._ablation(services, of_kind(asked, Kind.ANSWERABLE), ask)
        return result

    def _ablation(
        self, services: Services, whole: Sequence[Asked], ask: LibraryAsker
    ) -> list[Figures]:
        history = self.choices.history and bool(self.dataset.histories)
        chosen = parts_in_use(self.choices.rerank, history)
        questions = [one.question for one in whole]
        parts = services.assistant.parts
        return ablate(parts, chosen, self.dataset, questions, whole, ask)

    def _named(self) -> Figures:
        """Return what was measured."""
        named: Figures = {
            "dataset": self.dataset.name,
            "mode": self.choices.mode,
            "rerank": int(self.choices.rerank),
        }
        if self.dataset.histories:
            named["history"] = int(self.choices.history)
        return named

    def _quotes(self) -> int:
        """Return how many quotes a question needs: none where nothing is counted by them."""
        counted = (self.dataset.answers, self.dataset.unanswerable, self.off_topic)
        return QUOTES if any(counted) or self.choices.report is not None else 0
