"""What the store costs: committing many small files, and searching at 20,000 passages.

Run it as a program; it prints what it measures and asserts nothing:
``python -m tests.benchmarks.bench_store [files]``.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.files import FileStat, FileStatus
from desktop_rag.domain.filter import And, ContainsString, IsEqualTo
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.prepared import PreparedDocument, PreparedParent, PreparedSegment
from desktop_rag.store.knowledge_store import KnowledgeStore

FILES = 5183
"""As many as the texts of SciFact, one file each."""

PASSAGES = 4
WORDS = 80
DIMENSION = 384
STAT = FileStat(2000, 1_700_000_000_000_000_000, 1_700_000_000_000_000_000, 1)


def document(number: int, rng: np.random.Generator) -> PreparedDocument:
    """A document of random words, common ones often."""
    passages = []
    for _ in range(PASSAGES):
        ranks = np.minimum(rng.zipf(1.3, WORDS), 50_000)
        passages.append(" ".join(f"w{rank}" for rank in ranks))
    segments = []
    at = 0
    for part, passage in enumerate(passages):
        end = at + len(passage)
        segments.append(
            PreparedSegment(
                start=at,
                end=end,
                parent=0,
                text=passage,
                text_hash=f"{number:028x}{part:04x}",
                space="en",
                terms=passage,
                tokens=WORDS,
                page=part + 1,
                heading_path=("Top", f"Section {part}"),
            )
        )
        at = end + 2
    text = "\n\n".join(passages)
    return PreparedDocument(
        kind="text",
        text=text,
        title=f"Title {number}",
        language="en",
        metadata=Metadata({"author": f"author {number % 20}"}),
        coverage=Coverage(read=1),
        parents=(PreparedParent(0, len(text)),),
        segments=tuple(segments),
    )


def unit_rows(count: int, rng: np.random.Generator) -> np.ndarray:
    """Random vectors of length 1."""
    rows = rng.normal(size=(count, DIMENSION)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def timed(name: str, work: Callable[[int], object], turns: int = 20) -> None:
    """Print the median of ``work`` in milliseconds."""
    work(0)
    took = []
    for turn in range(turns):
        began = time.perf_counter()
        work(turn)
        took.append((time.perf_counter() - began) * 1000)
    print(f"{name:32} p50 {np.median(took):8.2f} ms   max {max(took):8.2f} ms")


def fill(store: KnowledgeStore, files: int, rng: np.random.Generator) -> np.ndarray:
    """Commit the files as an indexing run would; print what it took."""
    source = store.add_source("/docs", True)
    found = [(f"d{n % 50}/f{n}.txt", STAT, FileStatus.WAITING) for n in range(files)]
    ids = store.put_files(source.id, found)
    documents = [document(number, rng) for number in range(files)]
    rows = unit_rows(files * PASSAGES, rng)
    began, cpu = time.perf_counter(), time.process_time()
    for number, (file_id, prepared) in enumerate(zip(ids, documents, strict=True)):
        hashes = [segment.text_hash for segment in prepared.segments]
        store.known_hashes(hashes)
        vectors = dict(zip(hashes, rows[number * PASSAGES :], strict=False))
        store.commit_document(file_id, STAT, f"h{number}", f"h{number}", prepared, vectors)
    store.flush()
    print(
        f"{files} files, {files * PASSAGES} passages: "
        f"{time.perf_counter() - began:.1f} s, {time.process_time() - cpu:.1f} s of CPU"
    )
    return rows


def search(store: KnowledgeStore, rows: np.ndarray) -> None:
    """Print what searches and reads take."""
    rng = np.random.default_rng(2)
    queries = unit_rows(32, rng)
    words = [[f"w{rank}" for rank in np.minimum(rng.zipf(1.3, 6), 50_000)] for _ in range(32)]
    texts = [[text_id for text_id, _ in store.vector_search("en", query, 100)] for query in queries]
    own = IsEqualTo("author", "author 3")
    placed = And(ContainsString("folder", "d1"), IsEqualTo("page", 2))
    timed("vector, 100", lambda n: store.vector_search("en", queries[n], 100))
    timed("keywords, 100", lambda n: store.keyword_search(words[n], 100))
    timed("names, 10", lambda n: store.name_search([f"f{n}"], 10))
    timed("passages of 100 texts", lambda n: store.segments_of_texts(texts[n]))
    timed("filter on metadata", lambda _: store.allowed_texts(own))
    timed("filter on folder and page", lambda _: store.allowed_texts(placed))
    timed("vector, filtered", lambda n: store.vector_search("en", queries[n], 100, own))
    timed("keywords, filtered", lambda n: store.keyword_search(words[n], 100, own))
    timed("counting files", lambda _: store.count_files())
    timed("listing files", lambda _: store.files(), turns=5)
    timed("vectors of 100 texts", lambda n: store.vector_of(texts[n]))


def main(files: int) -> None:
    """Fill a library, search it, reopen it, remove from it."""
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "library"
        store = KnowledgeStore.open(place, {"en": DIMENSION}, exact_limit=100_000)
        rows = fill(store, files, rng)
        timed("settling", lambda _: store.settle(), turns=1)
        search(store, rows)
        print(f"folder {store.stats().bytes / 1e6:.0f} MB")
        timed("verifying", lambda _: store.verify(), turns=1)
        gone = [file.id for file in store.files()[:2]]

        def remove(turn: int) -> None:
            store.remove_files([gone[turn]])
            store.settle()

        timed("removing a file, settled", remove, turns=1)
        store.close()

        def reopen(_: int) -> None:
            KnowledgeStore.open(place, {"en": DIMENSION}, exact_limit=100_000).close()

        timed("opening and closing", reopen, turns=3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB, the bench's own documents and vectors included")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else FILES)
