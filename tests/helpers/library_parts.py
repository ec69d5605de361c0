"""Small stand-ins for the reader and the models, for tests of what lies between them."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from desktop_rag.domain.document import Coverage
from desktop_rag.domain.files import Problem
from desktop_rag.domain.metadata import Metadata
from desktop_rag.domain.ocr import Recognition
from desktop_rag.domain.prepared import (
    Member,
    PreparedDocument,
    PreparedParent,
    PreparedSegment,
)
from desktop_rag.embedding.model import Vector
from desktop_rag.embedding.pool import EmbeddingPool
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.paths import file_at
from desktop_rag.ingestion.content import hash_content
from desktop_rag.ingestion.reading import OnMember
from desktop_rag.services.library import Library, LibraryLimits
from desktop_rag.store.knowledge_store import KnowledgeStore
from desktop_rag.text.hashing import text_hash

SPACE = "toy"
DIMENSION = 16
_SETTLED_SECONDS = 20.0


class ToyModel:
    """Gives each text a vector of its own; notes what it was asked for."""

    name = SPACE
    dimension = DIMENSION

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.seconds = 0.0
        self.error: Exception | None = None
        self._lock = threading.Lock()

    def embed_text(self, text: str) -> Vector:
        with self._lock:
            self.texts.append(text)
        if self.seconds:
            time.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        vector = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
        return vector / np.linalg.norm(vector)


class ToySpaces:
    """One space with a toy model and a real pool."""

    names = (SPACE,)

    def __init__(self, threads: int = 2) -> None:
        self.model = ToyModel()
        self.pool = EmbeddingPool(threads)

    def get(self, name: str) -> ToyModel:
        assert name == SPACE
        return self.model

    def close(self) -> None:
        self.pool.close()


class ToyReader:
    """Reads text files in this process: a segment a paragraph.

    One that begins with "BOX" holds a file a line, "name: words". ``before_read`` is called
    with each path and may raise or change the file.
    """

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.before_read: Callable[[Path, CancelToken], None] | None = None
        self.closed = threading.Event()

    def read(
        self,
        path: Path,
        cancel: CancelToken | None = None,
        recognition: Recognition | None = None,
        on_member: OnMember | None = None,
    ) -> PreparedDocument:
        self.paths.append(str(path))
        if self.before_read is not None:
            self.before_read(path, cancel or CancelToken())
        text = _words_at(path)
        if text.startswith("DAMAGED"):
            raise KnownError("Damaged", f"“{path.name}” is damaged.", str(path))
        if not text.strip():
            raise KnownError("No text", f"“{path.name}” holds no text.", str(path))
        if text.startswith("BOX") and on_member is not None:
            for line in text.splitlines()[1:]:
                on_member(member(*line.split(": ", 1)))
            return replace(prepared(text), kind="zip", text=text, segments=(), parents=())
        return prepared(text)

    def close(self) -> None:
        self.closed.set()


def _words_at(path: Path) -> str:
    """Return what a file says, or one that lies in a box."""
    on_disk = file_at(path)
    text = on_disk.read_bytes().decode(errors="replace")
    if on_disk == path:
        return text
    name = path.relative_to(on_disk).as_posix()
    return dict(line.split(": ", 1) for line in text.splitlines()[1:])[name]


def member(name: str, words: str) -> Member:
    """Return a file inside a box."""
    known = Member(name, len(words), hash_content(words.encode()))
    if words == "DAMAGED":
        return replace(known, problem=Problem("Damaged", f"“{name}” is damaged."))
    return replace(known, prepared=prepared(words))


class NoRenderer:
    """A renderer that is never asked."""

    def close(self) -> None:
        return


def prepared(text: str) -> PreparedDocument:
    """Return a document with one segment a paragraph."""
    segments = []
    start = 0
    for part in text.split("\n\n"):
        words = part.strip()
        if words:
            at = text.index(words, start)
            segments.append(
                PreparedSegment(
                    start=at,
                    end=at + len(words),
                    parent=0,
                    text=words,
                    text_hash=text_hash(SPACE, words),
                    space=SPACE,
                    terms=" ".join(words.lower().split()),
                    tokens=len(words.split()),
                )
            )
        start += len(part)
    return PreparedDocument(
        kind="text",
        text=text,
        title="",
        language="en",
        metadata=Metadata(),
        coverage=Coverage(read=1),
        parents=(PreparedParent(0, len(text)),),
        segments=tuple(segments),
    )


class Workshop:
    """A library with toy parts over a real store; reopens as a restart of the program does."""

    def __init__(self, data_dir: Path, limits: LibraryLimits | None = None) -> None:
        self.data_dir = data_dir
        self._limits = limits
        self.open()

    def open(self) -> None:
        self.spaces = ToySpaces()
        self.reader = ToyReader()
        self.store = KnowledgeStore.open(self.data_dir, {SPACE: DIMENSION})
        self.library = Library(
            self.store, self.spaces, self.reader, NoRenderer(), self.data_dir, self._limits
        )

    def close(self) -> None:
        self.library.close()
        self.spaces.close()
        self.store.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    @property
    def embedded(self) -> list[str]:
        """The texts that the model was asked for since it was opened."""
        return self.spaces.model.texts

    def paths(self) -> dict[str, str]:
        """File names with their states."""
        return {Path(file.path).name: file.status.value for file in self.library.files()}

    def found(self, word: str) -> list[str]:
        """The names of the files in which a word is found."""
        hits = self.store.keyword_search([word.lower()], 100)
        found = self.store.segments_of_texts([text_id for text_id, _ in hits])
        documents = {segment.document_id for segments in found.values() for segment in segments}
        paths = self.store.paths_of(documents)
        return sorted(Path(path).name for those in paths.values() for path in those)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def settled(shop: Workshop) -> None:
    assert shop.library.wait_settled(_SETTLED_SECONDS)
