"""From a parsed file to what the store keeps: transformed, split, hashed, analysed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.domain.prepared import PreparedDocument, PreparedSegment
from desktop_rag.domain.segment import TextSegment
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import ENGLISH
from desktop_rag.ingestion.model_text import ContextLines, Reading, TextSpace, fitting
from desktop_rag.ingestion.parsers.recognition import TextlessDocument
from desktop_rag.ingestion.parsers.text import parse_text
from desktop_rag.ingestion.plain import PlainText, plain_text_of, without_leaders
from desktop_rag.ingestion.splitters.sections import headings_of
from desktop_rag.ingestion.splitters.sizes import SegmentSizes, SizeCounter
from desktop_rag.ingestion.splitters.structural import SplitSegment, StructuralSplitter
from desktop_rag.ingestion.transformers.protocols import (
    DocumentTransformer,
    TextSegmentTransformer,
    transform_document,
    transform_segment,
)
from desktop_rag.text.analysis import analyse
from desktop_rag.text.folding import fold_for_model
from desktop_rag.text.hashing import text_hash

PREPARATION_VERSION = "4"
"""Part of every document's key. It changes whenever the result for the same bytes would:
parsers, splitter, context line, folding, analysis."""


class Preparation:
    """Everything between the parser and the embedding model.

    Args:
        spaces: the model's space of each language ("en", "zh").
        sizes: of segments and parents.
        document_transformers: applied in order before splitting. One that changes the
            text makes the result plain text: its structure was that of the old one.
        segment_transformers: applied in order to every segment; what they return is what
            the model reads, while the segment's place stays.

    Raises:
        ValueError: a language has no space.
    """

    def __init__(
        self,
        spaces: Mapping[str, TextSpace],
        sizes: SegmentSizes | None = None,
        document_transformers: Sequence[DocumentTransformer] = (),
        segment_transformers: Sequence[TextSegmentTransformer] = (),
    ) -> None:
        self._spaces = dict(spaces)
        counters = {language: SizeCounter(s.counter) for language, s in self._spaces.items()}
        self._counters = counters
        self._splitter = StructuralSplitter(counters, sizes)
        self._document_transformers = tuple(document_transformers)
        self._segment_transformers = tuple(segment_transformers)

    def prepare(self, parsed: ParsedDocument) -> PreparedDocument:
        """Return all that the store keeps of a document, but for the vectors.

        Raises:
            KnownError: a transformer dropped the document.
        """
        parsed = self._transformed(parsed)
        split = self._splitter.split_parsed(parsed)
        plain = plain_text_of(parsed.kind)
        text = parsed.document.text
        segments = tuple(self._segments(parsed, split.segments, plain))
        return PreparedDocument(
            kind=parsed.kind,
            text=text,
            title=parsed.title,
            language=_main_language(segments),
            metadata=parsed.document.metadata,
            coverage=parsed.coverage,
            parents=split.parents,
            segments=segments,
            pages=parsed.pages,
            encoding=parsed.encoding,
            headings=tuple(dict.fromkeys(headings_of(parsed, plain))),
        )

    def _transformed(self, parsed: ParsedDocument) -> ParsedDocument:
        document = transform_document(parsed.document, self._document_transformers)
        if document is None:
            raise KnownError("Left out", "A rule of this library leaves this file out.")
        if document.text == parsed.document.text:
            return replace(parsed, document=document)
        structure = parse_text(document.text)
        return replace(
            parsed, document=document, blocks=structure.blocks, kind=structure.kind, pages=None
        )

    def _segments(
        self, parsed: ParsedDocument, split: Sequence[SplitSegment], plain: PlainText
    ) -> list[PreparedSegment]:
        contexts = ContextLines(parsed.title, self._counters)
        readings: list[Reading] = []
        for segment in split:
            words = self._words(parsed, segment, plain)
            if words is not None:
                body = fold_for_model(words, segment.place.language)
                readings.append(Reading(segment.place, contexts.line(segment.place), body))
        limits = {language: space.max_tokens for language, space in self._spaces.items()}
        sized = fitting(readings, limits, self._counters)
        return [
            _prepared(reading, size, self._spaces[reading.place.language].name)
            for reading, size in sized
        ]

    def _words(self, parsed: ParsedDocument, segment: SplitSegment, plain: PlainText) -> str | None:
        """Return a segment's words without markup, None when it is dropped."""
        text = parsed.document.text
        pieces = [plain(text[start:end], kind) for start, end, kind in segment.parts]
        if segment.header is not None:
            pieces.insert(0, plain(text[slice(*segment.header)], BlockKind.TABLE))
        words = without_leaders("\n".join(pieces))
        if not any(map(str.isalnum, words)):
            return None
        if not self._segment_transformers:
            return words
        given = TextSegment(words, parsed.document.metadata, segment.place)
        changed = transform_segment(given, self._segment_transformers)
        return None if changed is None else changed.text


def without_text(document: TextlessDocument) -> PreparedDocument:
    """Return what the store keeps of a document that has no word, or none yet."""
    return PreparedDocument(
        kind=document.kind,
        text="",
        title=document.title,
        language=ENGLISH,
        metadata=document.metadata,
        coverage=document.coverage,
        parents=(),
        segments=(),
        pages=document.pages,
    )


def _prepared(reading: Reading, size: int, space: str) -> PreparedSegment:
    text = reading.text
    place = reading.place
    return PreparedSegment(
        start=place.start,
        end=place.end,
        parent=place.parent,
        text=text,
        text_hash=text_hash(space, text),
        space=space,
        terms=" ".join(analyse(text)),
        tokens=size,
        language=place.language,
        page=place.page,
        heading_path=place.heading_path,
        lines=place.lines,
    )


def _main_language(segments: Sequence[PreparedSegment]) -> str:
    amounts: Counter[str] = Counter()
    for segment in segments:
        amounts[segment.language] += segment.end - segment.start
    return amounts.most_common(1)[0][0] if amounts else ENGLISH
