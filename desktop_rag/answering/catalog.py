"""Answers questions about the library itself: the count, and every file."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.answering.catalog_wording import LISTED, date_note, heading, line, more, unknown
from desktop_rag.answering.citations import cut_lines
from desktop_rag.domain.answer import Answer, AnswerKind, Citation, Outcome
from desktop_rag.domain.catalog import CatalogQuery
from desktop_rag.domain.content import Content
from desktop_rag.domain.events import OnEvent, StatusEvent, Step, ignore_event
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.language import CHINESE, language_of
from desktop_rag.retrieval.catalog.parser import CatalogQuestions
from desktop_rag.retrieval.protocols import Augmentation
from desktop_rag.retrieval.retrievers.catalog import DATED, STATUS

_CERTAIN = 1.0
"""It is counted, not guessed; whether the question was understood is asked before."""


class CatalogAnswerer:
    """Tells the files that a ``CatalogContentRetriever`` has found, none included.

    That nothing was found is an answer too, unless the notes say that looking failed.

    A citation is of the file as a whole: it quotes the passage that says what was looked
    for in the text, and nothing for a file that was found by what is known of it.

    Args:
        questions: understands the question.
    """

    def __init__(self, questions: CatalogQuestions) -> None:
        self._questions = questions

    def answer(
        self,
        augmentation: Augmentation,
        on_event: OnEvent = ignore_event,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Return how many files there are, and all of them as citations.

        Raises:
            ValueError: the question is not about the library.
            Cancelled: ``cancel`` was set.
        """
        question = augmentation.question.text
        asked = self._questions.parse(question)
        if asked is None:
            raise ValueError("the question is not about the library")
        on_event(StatusEvent(Step.ANSWERING))
        if cancel is not None:
            cancel.check()
        contents = augmentation.contents
        failed = not contents and bool(augmentation.notes)
        citations = tuple(_cited(content, n) for n, content in enumerate(contents, start=1))
        text = _text(asked, augmentation, citations)
        on_event(StatusEvent(Step.SOURCES, citations))
        on_event(StatusEvent(Step.TEXT, text))
        return Answer(
            text=text,
            outcome=Outcome.NOT_FOUND if failed else Outcome.ANSWER,
            confidence=0.0 if failed else _CERTAIN,
            kind=AnswerKind.CATALOG,
            citations=citations,
            contents=contents,
            queries=tuple(query.text for query in augmentation.queries),
            notes=(*augmentation.notes, *_date_notes(asked, augmentation)),
        )


def _text(asked: CatalogQuery, augmentation: Augmentation, citations: Sequence[Citation]) -> str:
    chinese, contents = _is_chinese(augmentation), augmentation.contents
    if not contents and augmentation.notes:
        return unknown(chinese)
    in_text = any(content.segment.place is not None for content in contents)
    limited = augmentation.question.context.filter is not None
    lines = [heading(asked, len(contents), in_text, limited, chinese)]
    for content, citation in list(zip(contents, citations, strict=True))[:LISTED]:
        metadata = content.segment.metadata
        name = str(metadata["file_name"]).encode("utf-8", "surrogateescape")
        iso = str(metadata.get(DATED, "")) if _is_dated(asked) else ""
        shown = name.decode("utf-8", "replace")
        lines.append(line(shown, iso, str(metadata[STATUS]), citation.number, chinese))
    if len(contents) > LISTED:
        lines.append(more(len(contents) - LISTED, chinese))
    return "\n".join(lines)


def _date_notes(asked: CatalogQuery, augmentation: Augmentation) -> list[str]:
    if not augmentation.contents or not _is_dated(asked):
        return []
    return [date_note(asked, _is_chinese(augmentation))]


def _is_dated(asked: CatalogQuery) -> bool:
    return asked.dates is not None or asked.is_ordered


def _is_chinese(augmentation: Augmentation) -> bool:
    return language_of(augmentation.question.text) == CHINESE


def _cited(content: Content, number: int) -> Citation:
    segment = content.segment
    place = segment.place
    path = str(segment.metadata["path"])
    return Citation(
        number=number,
        path=path,
        page=place.page if place else None,
        start=place.start if place else 0,
        end=place.end if place else 0,
        quote=segment.text if place else "",
        heading=" › ".join(place.heading_path) if place else "",
        paths=(path,),
        metadata=segment.metadata,
        lines=cut_lines(place.lines, place.start, place.end) if place else (),
        document_id=segment.metadata.get_integer("document_id"),
    )
