"""A passage as the models read it, with the places of its sentences."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.segment import TextSegment
from desktop_rag.foundation.language import language_of
from desktop_rag.text.folding import fold_for_model
from desktop_rag.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """``text`` is the context line, a line break, and the folded sentences.

    ``spans`` are the sentences' (start, end) in the segment's own text; ``folded`` are
    the same sentences as they stand in ``text``, separated by a space.
    """

    text: str
    context: str
    language: str
    spans: tuple[tuple[int, int], ...]
    folded: tuple[str, ...]


def read_passage(segment: TextSegment) -> ReadPassage:
    """Return a segment as the models read it."""
    language = segment.place.language if segment.place else language_of(segment.text)
    spans = []
    folded = []
    for start, end in sentences(segment.text, language):
        sentence = fold_for_model(segment.text[start:end], language)
        if sentence:
            spans.append((start, end))
            folded.append(sentence)
    context = fold_for_model(context_line(segment), language)
    body = " ".join(folded) or fold_for_model(segment.text, language)
    text = f"{context}\n{body}" if context else body
    return ReadPassage(text, context, language, tuple(spans), tuple(folded))


def context_line(segment: TextSegment) -> str:
    """Return "document title › nearest heading", as far as there are such."""
    title = str(segment.metadata.get("title", ""))
    headings = segment.place.heading_path if segment.place else ()
    nearest = headings[-1] if headings else ""
    return " › ".join(dict.fromkeys(part for part in (title, nearest) if part))
