"""What reading costs: PDF pages, 10,000 small files, and how long the model waits for work.

    python -m tests.benchmarks.reading [--files 10000] [--pages 600]

``pdf_speed`` is PyMuPDF's time for ``get_text("dict")`` over the time for parsing the same
pages, turn by turn in one run. The seconds of small files are those of each step alone;
``product_seconds`` are those of the whole product with a model that takes no time, and
``unchanged_seconds`` those of looking at them again. ``idle_share`` is the part of the wall
time in which no text was with the model while the shared documents were read.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pymupdf

from desktop_rag.bootstrap import open_library
from desktop_rag.domain.files import FileStat, FileStatus, Source
from desktop_rag.domain.prepared import PreparedDocument
from desktop_rag.embedding.model import Vector
from desktop_rag.embedding.pool import EmbeddingPool, _Task
from desktop_rag.foundation.paths import prepare_data_dir
from desktop_rag.foundation.settings import OCR, Settings
from desktop_rag.ingestion.content import hash_file
from desktop_rag.ingestion.parsers.registry import parse_file
from desktop_rag.ingestion.reading import WorkerReader
from desktop_rag.ingestion.scan import SourceScanner
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.benchmarks.corpus import load, shared_dir
from tests.helpers.preparing import paragraphs

DIMENSIONS = {"bge-small-en-v1.5": 384, "bge-small-zh-v1.5": 512}
_TURNS = 3


def made_pdf(path: Path, pages: int) -> Path:
    """Write a PDF of pages of running text."""
    document = pymupdf.open()
    for text in paragraphs(1, pages, 40):
        page = document.new_page(width=595, height=842)
        page.insert_textbox((72, 72, 523, 770), text, fontsize=10, align=3)
    document.save(path)
    document.close()
    return path


def pdf_speed(path: Path) -> float:
    """Return PyMuPDF's time over the parser's, the best of each of a few turns."""
    alone = [_seconds(_extract, path) for _ in range(_TURNS)]
    parsed = [_seconds(parse_file, path) for _ in range(_TURNS)]
    return min(alone) / min(parsed)


def _extract(path: Path) -> None:
    document = pymupdf.open(path)
    for page in document:
        page.get_text("dict")
    document.close()


def _seconds(work: Callable[[Path], object], path: Path) -> float:
    start = time.perf_counter()
    work(path)
    return time.perf_counter() - start


def small_files(folder: Path, count: int) -> None:
    """Write so many small texts into folders of a hundred."""
    texts = load(count)[0]
    for number in range(count):
        place = folder / f"{number // 100:03}"
        place.mkdir(parents=True, exist_ok=True)
        text = f"{texts[number % len(texts)]}\n\nNote {number}."
        (place / f"{number:05}.txt").write_text(text, "utf-8")


def steps(files: Path, library: Path) -> dict[str, float]:
    """Return the seconds of finding, hashing, parsing and committing, each alone."""
    clock = [time.perf_counter()]
    listing = SourceScanner(Source(1, str(files), True)).scan()
    paths = [files / name for name in listing.files]
    clock.append(time.perf_counter())
    hashes = [hash_file(str(path)) for path in paths]
    clock.append(time.perf_counter())
    reader = WorkerReader()
    try:
        documents = [reader.read(path) for path in paths]
    finally:
        reader.close()
    clock.append(time.perf_counter())
    _commit(library, files, listing.files, hashes, documents)
    clock.append(time.perf_counter())
    names = ("find", "hash", "parse", "commit")
    return {
        f"{name}_seconds": round(end - start, 2)
        for name, start, end in zip(names, clock, clock[1:], strict=False)
    }


def _commit(
    library: Path,
    root: Path,
    found: dict[str, FileStat],
    hashes: list[str],
    documents: list[PreparedDocument],
) -> None:
    store = KnowledgeStore.open(library, DIMENSIONS)
    source = store.add_source(str(root), True)
    ids = store.put_files(source.id, [(n, stat, FileStatus.WAITING) for n, stat in found.items()])
    for file_id, stat, digest, document in zip(ids, found.values(), hashes, documents, strict=True):
        vectors = {s.text_hash: _vector(DIMENSIONS[s.space]) for s in document.segments}
        store.commit_document(file_id, stat, digest, digest, document, vectors)
    store.flush()
    store.close()


def _vector(dimension: int) -> Vector:
    return np.full(dimension, dimension**-0.5, dtype=np.float32)


@contextmanager
def free_model() -> Iterator[None]:
    """Let every text have the same vector, at once."""

    def submit(_: EmbeddingPool, model: Any, __: str) -> Future[Vector]:
        future: Future[Vector] = Future()
        future.set_result(_vector(model.dimension))
        return future

    with patch.object(EmbeddingPool, "submit", submit):
        yield


def whole_product(files: Path, library: Path) -> dict[str, float]:
    """Return the seconds of reading all, and of looking again, when the model is free."""
    with free_model(), open_library(library) as base:
        start = time.perf_counter()
        base.add(files)
        read = time.perf_counter()
        base.refresh()
        again = time.perf_counter()
    return {
        "product_seconds": round(read - start, 2),
        "unchanged_seconds": round(again - read, 2),
    }


def idle_share(documents: Path, library: Path) -> dict[str, float]:
    """Return how much of the time the model had nothing to do while documents were read."""
    spans: list[tuple[float, float]] = []
    run = _Task.run

    def timed(task: _Task) -> None:
        start = time.perf_counter()
        run(task)
        spans.append((start, time.perf_counter()))

    Settings(prepare_data_dir(library)).set(OCR, False)
    with patch.object(_Task, "run", timed), open_library(library) as base:
        start = time.perf_counter()
        base.add(documents)
        wall = time.perf_counter() - start
    busy, end = 0.0, 0.0
    for low, high in sorted(spans):
        busy += max(0.0, high - max(low, end))
        end = max(end, high)
    return {"documents_seconds": round(wall, 2), "idle_share": round(1 - busy / wall, 4)}


def figures(files: int, pages: int) -> dict[str, Any]:
    """Measure everything once."""
    found: dict[str, Any] = {"files": files, "pages": pages}
    shared = shared_dir()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Path(folder)
        found["pdf_speed"] = round(pdf_speed(made_pdf(place / "made.pdf", pages)), 3)
        if shared is not None:
            largest = max((shared / "documents").glob("*.pdf"), key=lambda p: p.stat().st_size)
            found["shared_pdf_speed"] = round(pdf_speed(largest), 3)
            found |= idle_share(shared / "documents", place / "documents")
        small_files(place / "files", files)
        found |= steps(place / "files", prepare_data_dir(place / "steps"))
        found |= whole_product(place / "files", place / "product")
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=600)
    options = parser.parse_args()
    print(json.dumps(figures(options.files, options.pages), indent=2))


if __name__ == "__main__":
    main()
