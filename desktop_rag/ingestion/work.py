"""A document between its reading and its commit."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from desktop_rag.domain.files import FileStat
from desktop_rag.domain.prepared import PreparedDocument, PreparedSegment
from desktop_rag.embedding.model import Vector
from desktop_rag.ingestion.jobs import Job


@dataclass(frozen=True, slots=True)
class Reading:
    """A file's job with what was found of it on the disk when it was read.

    ``mark``: what the store knew of its pages by OCR, see ``recognition_mark``.
    """

    job: Job
    stat: FileStat
    content_hash: str
    mark: str = ""


@dataclass(slots=True, eq=False)
class Work:
    """One document whose texts get their vectors.

    ``texts`` are its distinct texts by hash, ``unsent`` those that wait for the model,
    ``missing`` those without a vector yet. ``vectors`` are the ones made since it was
    read, ``unstored`` those of them that the store doesn't have yet. ``embedded`` and
    ``tokens`` count what this document cost the model. ``followers`` are files with
    the very same content.
    """

    reading: Reading
    key: str
    path: str
    prepared: PreparedDocument
    texts: Mapping[str, PreparedSegment]
    unsent: deque[str]
    missing: set[str]
    vectors: dict[str, Vector] = field(default_factory=dict)
    unstored: list[str] = field(default_factory=list)
    embedded: int = 0
    tokens: int = 0
    followers: list[Reading] = field(default_factory=list)

    @property
    def job(self) -> Job:
        """The file's job."""
        return self.reading.job

    @property
    def rank(self) -> tuple[int, int]:
        """The order in which documents get the model."""
        return self.reading.job.rank

    @property
    def share_done(self) -> float:
        """How much of it has its vectors, 0..1."""
        return 1.0 - len(self.missing) / len(self.texts) if self.texts else 1.0

    @property
    def tokens_missing(self) -> int:
        """Tokens of the texts that have no vector yet, as if all were equally long."""
        every = sum(segment.tokens for segment in self.texts.values())
        return round(every * (1.0 - self.share_done))

    def take(self, text_hash: str, vector: Vector) -> None:
        """One of its texts has its vector."""
        self.missing.discard(text_hash)
        self.vectors[text_hash] = vector
        self.unstored.append(text_hash)

    def unstored_by_space(self) -> dict[str, dict[str, tuple[str, int, Vector]]]:
        """Return (text, tokens, vector) by hash and space of what the store doesn't have yet."""
        found: defaultdict[str, dict[str, tuple[str, int, Vector]]] = defaultdict(dict)
        for text_hash in self.unstored:
            segment = self.texts[text_hash]
            found[segment.space][text_hash] = segment.text, segment.tokens, self.vectors[text_hash]
        return found

    def need(self, hashes: Iterable[str]) -> None:
        """Texts turned out to have no vector after all."""
        wanted = [text_hash for text_hash in hashes if text_hash not in self.missing]
        self.missing.update(wanted)
        self.unsent.extend(wanted)


def distinct_texts(prepared: PreparedDocument) -> dict[str, PreparedSegment]:
    """Return a document's texts by hash, in the order of their first segments."""
    texts: dict[str, PreparedSegment] = {}
    for segment in prepared.segments:
        texts.setdefault(segment.text_hash, segment)
    return texts
