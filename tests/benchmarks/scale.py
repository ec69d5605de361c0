"""A library of 100,000 passages: searching, memory, start, and what is found.

    python -m tests.benchmarks.scale [--passages 100000] [--real] [--library DIR]

Texts are sentences of the shared collection put together anew (made-up ones where it is
absent), each passage with a number of its own; 2,000 passages are one and the same.
Vectors are the model's own, or made up with structure: topics within a cone, as a model's
are, and few free dimensions within a topic. Questions go through the whole program, the model
included, without re-ranking; recall compares the best ten with an exact scan. Prints one JSON
object.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from desktop_rag.domain.files import FileStat, FileStatus
from desktop_rag.embedding.manifest import load_manifest
from desktop_rag.foundation.paths import models_dir
from desktop_rag.store.knowledge_store import KnowledgeStore
from tests.benchmarks.made_up import (
    SPACE,
    MadeUp,
    Real,
    Vectors,
    document,
    passages,
    sentences,
)

PER_FILE = 20
QUESTIONS = 200
SAMPLE = 200
STAT = FileStat(2000, 1_700_000_000_000_000_000, 1_700_000_000_000_000_000, 1)


class Filling:
    """Fills a library, takes a part out and puts it in again."""

    def __init__(self, library: Path, count: int, real: bool) -> None:
        specs = {spec.name: spec.dimension for spec in load_manifest(models_dir())}
        self.store = KnowledgeStore.open(library, specs)
        self._texts = list(passages(count))
        self.vectors: Vectors = Real(self._texts) if real else MadeUp(specs[SPACE])
        self._source = self.store.add_source("/made-up", True).id
        self.number_of = {text: number for number, text in enumerate(self._texts)}

    def add(self, files: list[int]) -> None:
        """Commit files as an indexing run would."""
        rows = [(f"folder {n % 40}/report {n}.txt", STAT, FileStatus.WAITING) for n in files]
        for number, file_id in zip(files, self.store.put_files(self._source, rows), strict=True):
            prepared = document(number, self._texts[number * PER_FILE : (number + 1) * PER_FILE])
            hashes = {segment.text_hash: segment.text for segment in prepared.segments}
            known = self.store.known_hashes(hashes)
            new = {key: self.number_of[text] for key, text in hashes.items() if key not in known}
            vectors = (
                {}
                if not new
                else dict(zip(new, self.vectors.rows(list(new.values())), strict=True))
            )
            name = f"content {number}"
            self.store.commit_document(file_id, STAT, name, name, prepared, vectors)
        self.store.flush()

    def remove(self, files: list[int]) -> None:
        """Take files out."""
        wanted = {f"folder {n % 40}/report {n}.txt" for n in files}
        self.store.remove_files([f.id for f in self.store.files() if f.relpath in wanted])
        self.store.flush()
        self.store.settle()

    def build(self) -> float:
        """Wait until what is built in the background is there; return the seconds."""
        began = time.perf_counter()
        index = self.store._derived.vectors[SPACE]
        index.maintain()
        index.wait_built()
        return time.perf_counter() - began

    def recall(self) -> float:
        """Return the share of the ten nearest that a search finds."""
        index = self.store._derived.vectors[SPACE]
        ids = sorted(index.ids())
        matrix = np.concatenate(
            [self.store.vector_of(ids[at : at + 10_000]) for at in range(0, len(ids), 10_000)]
        )
        numbers = random.Random(5).sample(range(len(self._texts)), SAMPLE)
        shares = []
        for query in self.vectors.questions(numbers):
            nearest = np.argsort(-(matrix @ query), kind="stable")[:10]
            found = {text_id for text_id, _ in self.store.vector_search(SPACE, query, 10)}
            shares.append(len(found & {ids[row] for row in nearest}) / 10)
        return statistics.fmean(shares)


def make(library: Path, count: int, real: bool) -> dict[str, Any]:
    """Fill a library and return what that took and what is found in it."""
    filling = Filling(library, count, real)
    *files, _, _, _, _, _ = every = range(count // PER_FILE)
    more = every[-5:]
    began = time.perf_counter()
    filling.add(files)
    figures: dict[str, Any] = {"fill_seconds": round(time.perf_counter() - began, 1)}
    figures["build_seconds"] = round(filling.build(), 1)
    figures["recall_at_10"] = round(filling.recall(), 4)
    gone = random.Random(9).sample(files, len(files) * 3 // 10)
    filling.remove(gone)
    figures["recall_at_10_without_30_percent"] = round(filling.recall(), 4)
    filling.add(gone)
    filling.build()
    figures["recall_at_10_added_again"] = round(filling.recall(), 4)
    times = []
    for number in more:
        began = time.perf_counter()
        filling.add([number])
        times.append(1000 * (time.perf_counter() - began))
    figures["one_more_file_ms"] = round(statistics.median(times), 1)
    filling.store.settle()
    stats = filling.store.stats()
    figures |= {"passages": stats.segments, "vectors": stats.vectors[SPACE], "bytes": stats.bytes}
    filling.store.close()
    if isinstance(filling.vectors, Real):
        filling.vectors.close()
    return figures


def ask(library: Path) -> dict[str, Any]:
    """Open a library as its owner does; return times and memory. For a process of its own."""
    pool, chance = sentences(), random.Random(11)
    began = time.perf_counter()
    from desktop_rag.bootstrap import open_services

    services = open_services(library)
    opened = time.perf_counter() - began
    questions = [" ".join(chance.choice(pool).split()[:8]) + "?" for _ in range(QUESTIONS + 5)]
    began = time.perf_counter()
    services.assistant.ask(questions[0], chat=None, rerank=False)
    first = time.perf_counter() - began
    times = []
    for question in questions[1:]:
        began = time.perf_counter()
        services.assistant.search(question, k=10)
        times.append(1000 * (time.perf_counter() - began))
    memory = psutil.Process().memory_info().rss / 2**20
    services.close()
    times = times[4:]
    return {
        "open_seconds": round(opened, 2),
        "start_to_first_answer_seconds": round(opened + first, 2),
        "search_p50_ms": round(statistics.median(times), 1),
        "search_p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
        "owner_mb": round(memory),
    }


def measure(library: Path, count: int, real: bool) -> dict[str, Any]:
    """Make a library where there is none, then ask it from another process."""
    figures = {} if (library / "library.db").exists() else make(library, count, real)
    module = [sys.executable, "-m", "tests.benchmarks.scale", "--ask", "--library", str(library)]
    asked = subprocess.run(module, check=True, capture_output=True, text=True, encoding="utf-8")
    return figures | json.loads(asked.stdout)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scale", description=__doc__)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument(
        "--library", type=Path, help="keep it here; one that is there is asked only"
    )
    parser.add_argument(
        "--real", action="store_true", help="vectors of the real model; takes some minutes"
    )
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        library = options.library or Path(folder) / "library"
        figures = ask(library) if options.ask else measure(library, options.passages, options.real)
    json.dump(figures, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
