"""Whole answers to a collection's questions, written by the user's model if there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop_rag.domain.content import Content
from desktop_rag.evaluation.answers import Judged, answers_figures
from desktop_rag.evaluation.asking import Asked
from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.evaluation.libraries import Figures, OnProgress, row_of
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.settings import Settings
from desktop_rag.services.language_models import LanguageModels
from desktop_rag.services.services import Services
from desktop_rag.services.trying import asking_progress

PASSAGES = 6
"""Of an answer's passages, so many are compared with the right documents."""


def measure_answers(
    services: Services,
    dataset: Dataset,
    asked: Sequence[Asked],
    models_of: Path | None,
    tell: OnProgress,
    cancel: CancelToken,
) -> Figures:
    """Ask the questions again for whole answers, and return their figures.

    Raises:
        KnownError: a language model is chosen but can't be used at all.
        Cancelled: ``cancel`` was set.
    """
    rows = list(dataset.documents)
    writers = services.assistant.parts.writers
    with _models(models_of) as models:
        if models is not None:
            writers.follow(models.current)
        judged = []
        for number, one in enumerate(asked):
            cancel.check()
            tell(asking_progress(number, len(asked)))
            answer = services.assistant.ask(one.question.text, cancel=cancel)
            found = [rows[row_of(_path(content))] for content in answer.contents[:PASSAGES]]
            right = dataset.judgements[one.question.row]
            documents = tuple(dict.fromkeys(found))
            judged.append(Judged(one.question.text, answer, documents, right))
        judge = None if models is None else models.current()
        return answers_figures(judged, writers.relevance, judge, cancel)


@contextmanager
def _models(data_dir: Path | None) -> Iterator[LanguageModels | None]:
    if data_dir is None:
        yield None
        return
    models = LanguageModels(Settings(data_dir))
    try:
        yield models
    finally:
        models.close()


def _path(content: Content) -> str:
    return str(content.segment.metadata["path"])
