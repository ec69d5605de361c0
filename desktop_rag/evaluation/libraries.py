"""Libraries made for measuring: a collection's documents as files, read by the real program."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath

from desktop_rag.domain.files import FileStatus
from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.json_results import progress_json
from desktop_rag.services.services import OpenServices, Services

OnProgress = Callable[[Mapping[str, object]], None]
"""Gets ``{"reading": …}`` as ``index`` tells it, first of files and then of questions."""

Figures = dict[str, float | int | str]

_DIGITS = 7


def name_of(row: int, suffix: str = ".txt") -> str:
    """Return the name of the file that a row of the corpus is written to."""
    return f"{row:0{_DIGITS}d}{suffix}"


def row_of(path: str) -> int:
    """Return which row of the corpus a file was written from."""
    return int(PurePath(path).stem)


def write_documents(dataset: Dataset, folder: Path) -> None:
    """Write one file a row; files that are there already keep their time."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(dataset.documents.values()):
        path = folder / name_of(number, dataset.suffix)
        data = text.encode("utf-8", "replace")
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def read_documents(
    services: Services,
    dataset: Dataset,
    folder: Path,
    tell: OnProgress,
    cancel: CancelToken,
) -> Figures:
    """Write a collection into a folder, have the library read it, and count.

    Raises:
        KnownError: the folder can't be read or written.
        Cancelled: ``cancel`` was set.
    """
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


@contextmanager
def library_folder(keep: Path | None) -> Iterator[Path]:
    """Give a folder for a library: ``keep``, made if need be, or one that is removed again."""
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
