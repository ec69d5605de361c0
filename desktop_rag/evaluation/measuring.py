"""Measures what users get: the real pipeline on a collection, in a library of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from statistics import fmean

import numpy as np

from desktop_rag.domain.files import FileStatus
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.datasets import Dataset, load_dataset
from desktop_rag.evaluation.spans import Passage, score_passages
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.assistant import Assistant, SearchMode, Trial
from desktop_rag.services.json_results import progress_json
from desktop_rag.services.reports import Progress
from desktop_rag.services.services import OpenServices, Services

OnProgress = Callable[[Mapping[str, object]], None]
"""Gets ``{"reading": …}`` as ``index`` tells it, first of files and then of questions."""

Figures = dict[str, float | int | str]

_RESULTS = 200
"""Passages asked for, so that 100 documents are among them."""

_DOCUMENTS = 100
_QUOTES = 3
_PASSAGES = 5
"""Results whose characters are compared with those that the answer needs."""

_DIGITS = 7


def evaluate(
    dataset_dir: str | Path,
    open_services: OpenServices,
    mode: SearchMode = "hybrid",
    limit: int | None = None,
    rerank: bool = True,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    keep: Path | None = None,
) -> Figures:
    """Read a collection's documents as files, ask its questions, and count.

    Each row is a file with a name that says nothing, so that no question finds it by
    name. A document's score is its best passage's. Times are of questions asked for the
    first time: the search and, in collections with answers, the quotes.

    Args:
        dataset_dir: the collection (see ``load_dataset``).
        open_services: builds the services of a data folder.
        mode: how to search.
        limit: ask only the first so many questions; None asks all.
        rerank: whether the best passages are judged again.
        on_progress: told how far it is.
        cancel: ends it early.
        keep: a folder whose library is used again when it has this collection; None
            for a temporary one.

    Raises:
        KnownError: the collection can't be read, or its documents can't.
        ValueError: ``limit`` is not positive or ``mode`` is unknown.
        Cancelled: ``cancel`` was set.
    """
    dataset = load_dataset(Path(dataset_dir), limit)
    tell = on_progress or (lambda _message: None)
    token = cancel or CancelToken()
    with _folder(keep) as folder, opened(open_services, folder / "library") as services:
        read = _read_documents(services, dataset, folder / "documents", tell, token)
        asker = _Asker(services.assistant, dataset, mode, rerank, tell, token)
        return {
            "dataset": dataset.name,
            "mode": mode,
            "rerank": int(rerank),
            **read,
            **_figures(dataset, asker),
        }


@dataclass(slots=True)
class _Asker:
    """Asks questions one after the other and keeps the time of each."""

    assistant: Assistant
    dataset: Dataset
    mode: SearchMode
    rerank: bool
    tell: OnProgress
    cancel: CancelToken
    seconds: list[float] = field(default_factory=list)

    def ask(self, questions: Sequence[str]) -> Iterator[Trial]:
        """Give each question's trial."""
        quotes = _QUOTES if self.dataset.answers else 0
        for number, question in enumerate(questions):
            self.cancel.check()
            self.tell(_asking(number, len(questions)))
            trial = self.assistant.trial(
                question, _RESULTS, self.mode, self.rerank, quotes, self.cancel
            )
            self.seconds.append(trial.seconds)
            yield trial


def _figures(dataset: Dataset, asker: _Asker) -> Figures:
    ranked: dict[str, list[str]] = {}
    quotes: dict[str, tuple[str, ...]] = {}
    passages: dict[str, list[Passage]] = {}
    confidence: list[float] = []
    rows = list(dataset.documents)
    for query, trial in zip(
        dataset.queries, asker.ask(list(dataset.queries.values())), strict=True
    ):
        ranked[query] = _documents(trial, rows)
        quotes[query] = trial.quotes
        passages[query] = _passages(trial, rows)
        confidence.append(trial.confidence)
    figures = {**_of_search(dataset, ranked), **_of_times(asker.seconds)}
    if dataset.spans:
        figures |= _of_passages(dataset, passages)
    if dataset.answers:
        figures |= _of_answers(dataset, quotes)
    if dataset.answers and dataset.unanswerable and confidence:
        others = [
            trial.confidence for trial in asker.ask([one.text for one in dataset.unanswerable])
        ]
        figures["answerable_auc"] = metrics.area_under_curve(confidence, others)
    return figures


def _of_search(dataset: Dataset, ranked: Mapping[str, Sequence[str]]) -> Figures:
    measures: dict[str, tuple[Callable[..., float], int]] = {
        "ndcg@10": (metrics.ndcg, 10),
        "mrr@10": (metrics.reciprocal_rank, 10),
        "recall@10": (metrics.recall, 10),
        "recall@100": (metrics.recall, 100),
    }
    figures: Figures = {"queries": len(ranked)}
    for name, (measure, k) in measures.items():
        values = [measure(found, dataset.judgements[query], k) for query, found in ranked.items()]
        figures[name] = fmean(values) if values else 0.0
    return figures


def _of_answers(dataset: Dataset, quotes: Mapping[str, tuple[str, ...]]) -> Figures:
    asked = {query: found for query, found in quotes.items() if query in dataset.answers}
    lengths = [len(quote) for found in asked.values() for quote in found]
    figures: Figures = {
        f"answer_hit@{k}": fmean(
            metrics.answer_hit(found[:k], dataset.answers[query]) for query, found in asked.items()
        )
        for k in (1, _QUOTES)
        if asked
    }
    figures["mean_quote_length"] = fmean(lengths) if lengths else 0.0
    return figures


def _of_passages(dataset: Dataset, passages: Mapping[str, Sequence[Passage]]) -> Figures:
    """Return the means of ``SpanScore``, and how many characters were found."""
    if not passages:
        return {}
    scores = [score_passages(found, dataset.spans[query]) for query, found in passages.items()]
    lengths = [sum(one.end - one.start for one in found) for found in passages.values()]
    return {
        f"character_recall@{_PASSAGES}": fmean(score.recall for score in scores),
        f"character_precision@{_PASSAGES}": fmean(score.precision for score in scores),
        f"character_iou@{_PASSAGES}": fmean(score.iou for score in scores),
        f"mean_characters@{_PASSAGES}": fmean(lengths),
    }


def _of_times(seconds: Sequence[float]) -> Figures:
    if not seconds:
        return {}
    middle, slow = np.percentile(np.asarray(seconds) * 1000.0, (50, 95))
    return {"query_p50_ms": float(middle), "query_p95_ms": float(slow)}


def _documents(trial: Trial, rows: Sequence[str]) -> list[str]:
    """Return document ids by their best passage, copies right behind one another."""
    found = dict.fromkeys(path for result in trial.results for path in result.paths)
    return [rows[row_of(path)] for path in found][:_DOCUMENTS]


def _passages(trial: Trial, rows: Sequence[str]) -> list[Passage]:
    return [
        Passage(rows[row_of(result.path)], result.start, result.end)
        for result in trial.results[:_PASSAGES]
    ]


def name_of(row: int, suffix: str = ".txt") -> str:
    """Return the name of the file that a row of the corpus is written to."""
    return f"{row:0{_DIGITS}d}{suffix}"


def row_of(path: str) -> int:
    """Return which row of the corpus a file was written from."""
    return int(PurePath(path).stem)


def _read_documents(
    services: Services,
    dataset: Dataset,
    folder: Path,
    tell: OnProgress,
    cancel: CancelToken,
) -> Figures:
    write_documents(dataset, folder)
    started = time.perf_counter()
    report = services.library.index(
        (str(folder),),
        on_progress=lambda progress: tell({"reading": progress_json(progress)}),
        cancel=cancel,
    )
    seconds = time.perf_counter() - started
    counts = services.store.count_files()
    return {
        "documents": counts.get(FileStatus.READY, 0),
        "documents_blank": dataset.blank,
        "documents_failed": counts.get(FileStatus.FAILED, 0),
        "segments": report.segments,
        "ingest_seconds": seconds,
    }


def write_documents(dataset: Dataset, folder: Path) -> None:
    """Write one file a row; files that are there already keep their time."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(dataset.documents.values()):
        path = folder / name_of(number, dataset.suffix)
        data = text.encode("utf-8", "replace")
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def _asking(number: int, questions: int) -> Mapping[str, object]:
    progress = Progress(state="reading", files_done=number, files_total=questions)
    return {"reading": progress_json(progress)}


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
        yield Path(folder)


@contextmanager
def opened(open_services: OpenServices, data_dir: Path) -> Iterator[Services]:
    """Open the services of a data folder, made if need be, and close them in the end."""
    data_dir.mkdir(parents=True, exist_ok=True)
    services = open_services(data_dir)
    try:
        yield services
    finally:
        services.close()
