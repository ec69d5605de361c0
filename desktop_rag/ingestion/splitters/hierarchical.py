"""What LangChain4j's splitters have in common: parts joined up to a size, with overlap."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from desktop_rag.domain.document import Document
from desktop_rag.domain.segment import TextSegment
from desktop_rag.embedding.model import TokenCounter
from desktop_rag.foundation.language import language_of
from desktop_rag.ingestion.splitters.segment_builder import BLANKS, SegmentBuilder, TextSize
from desktop_rag.ingestion.splitters.splitter import INDEX, DocumentSplitter
from desktop_rag.text.sentences import sentences


class HierarchicalDocumentSplitter(ABC):
    """Cuts a text into parts and joins neighbours into segments as long as they fit.

    A part that is too long for a segment goes to the sub-splitter, together with the
    overlap before it. A segment begins with those last sentences of the one before
    that fit into ``overlap``; there is no overlap where not one does.

    Sizes, joining and order are LangChain4j's. Different on purpose:

    - Characters are code points, not UTF-16 units, so that none is torn apart.
    - ``overlap`` is smaller than ``max_size``, and every segment says something new:
      where the overlap leaves no room, its first sentences give way. LangChain4j fails,
      repeats the overlap as a segment of its own, or chops words that would fit.
    - The overlap is the end of the segment before as it stands. LangChain4j joins its
      sentences with the splitter's delimiter, which makes paragraphs of sentences.
    - What is blank in Unicode (a page of no-break spaces) becomes no segment.
    - Sentences are those of ``desktop_rag.text.sentences``, in English and in Chinese.

    Args:
        max_size: the most that a segment has, in tokens or characters.
        overlap: the most that neighbouring segments share; 0 for nothing.
        counter: counts tokens; None counts characters.
        sub_splitter: for parts that are too long; None for what the class says.

    Raises:
        ValueError: ``max_size`` is not positive, or ``overlap`` is negative or not
            smaller than ``max_size``.
    """

    def __init__(
        self,
        max_size: int,
        overlap: int,
        counter: TokenCounter | None = None,
        sub_splitter: DocumentSplitter | None = None,
    ) -> None:
        if max_size <= 0:
            raise ValueError(f"max_size must be greater than 0, not {max_size}")
        if not 0 <= overlap < max_size:
            raise ValueError(
                f"overlap must be at least 0 and less than max_size ({max_size}), not {overlap}"
            )
        self._max_size = max_size
        self._overlap = overlap
        self._sizes = TextSize(counter)
        self._sub_splitter = sub_splitter or self._default_sub_splitter(counter)

    @property
    @abstractmethod
    def delimiter(self) -> str:
        """What joins neighbouring parts in a segment."""

    @abstractmethod
    def parts(self, text: str) -> list[str]:
        """Return the parts of a text in order."""

    def _default_sub_splitter(self, counter: TokenCounter | None) -> DocumentSplitter | None:
        """Return what splits a part that is too long, None if nothing does."""
        del counter
        return None

    @property
    def _overlap_gives_way(self) -> bool:
        """Whether a part that fits alone is kept whole, rather than the overlap before it."""
        return self._sub_splitter is None

    def split(self, document: Document) -> list[TextSegment]:
        """Split a document; see ``DocumentSplitter``. An ``index`` of its own is replaced.

        Raises:
            RuntimeError: a part is too long and there is no sub-splitter, or that gave
                nothing.
        """
        texts = [text for text in self.split_text(document.text) if text.strip()]
        return [
            TextSegment(text, document.metadata.with_value(INDEX, str(index)))
            for index, text in enumerate(texts)
        ]

    def split_text(self, text: str, overlaps: Sequence[str] = ()) -> list[str]:
        """Return the texts of the segments; some may be blank.

        Args:
            text: what to split.
            overlaps: what the first segment begins with, then ever shorter ones in its place.

        Raises:
            RuntimeError: as ``split``.
        """
        found: list[str] = []
        builder = SegmentBuilder(self._max_size, self._sizes, self.delimiter)
        builder.start(overlaps)
        for part in self.parts(text):
            if not builder.has_room(part):
                overlaps = builder.tails
                if builder.has_news:
                    found.append(builder.text)
                    overlaps = self._tails(builder.text)
                builder.start(overlaps)
                if self._overlap_gives_way:
                    builder.shorten_for(part)
            if builder.has_room(part):
                builder.append(part)
            elif part.strip(BLANKS):
                found += self._split_further(part, builder.tails)
                builder.start(self._tails(found[-1]))
        if builder.has_news:
            found.append(builder.text)
        return found

    def _split_further(self, part: str, overlaps: Sequence[str]) -> list[str]:
        """Return the segments of a part that is too long, of which there is at least one."""
        sub_splitter = self._sub_splitter
        if sub_splitter is None:
            raise RuntimeError(
                f"a part has {self._sizes.of(part)} {self._sizes.unit}, a segment takes "
                f"{self._max_size}, and {type(self).__name__} has no sub-splitter"
            )
        part = part.strip(BLANKS)
        if isinstance(sub_splitter, HierarchicalDocumentSplitter):
            if not sub_splitter.delimiter:
                overlaps = [overlap + self.delimiter for overlap in overlaps]
            texts = sub_splitter.split_text(part, overlaps)
        else:
            whole = Document(self.delimiter.join([*overlaps[:1], part]))
            texts = [segment.text for segment in sub_splitter.split(whole)]
        if not texts:
            raise RuntimeError(f"{type(sub_splitter).__name__} returned no segments")
        return texts

    def _tails(self, text: str) -> list[str]:
        """Return the ends of ``text`` in whole sentences that fit as overlap, longest first."""
        tails: list[str] = []
        if self._overlap:
            for start, _ in reversed(sentences(text, language_of(text))):
                if self._sizes.of(text[start:]) > self._overlap:
                    break
                tails.append(text[start:])
        tails.reverse()
        return tails
