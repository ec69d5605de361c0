"""Finds files by what the library knows of them: all that are asked for, not the best few."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.metadata import Metadata, MetadataValue
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import TextSegment
from desktop_rag.retrieval.catalog.parser import CatalogQuestions
from desktop_rag.retrieval.catalog.selecting import CatalogStore, Found, select

CATALOG = "catalog"
DATED = "dated"
"""Metadata: the file's date as it was meant, ISO 8601: a day, or only its month or year."""

STATUS = "status"


class CatalogContentRetriever:
    """Gives one content a file for a question about the library, none for any other.

    It is the first passage that has the words where they were looked for in the text;
    else the file's name stands in for its content, without a place. SCORE only keeps
    the order.

    Args:
        store: knows the files.
        questions: understands the question.
    """

    def __init__(self, store: CatalogStore, questions: CatalogQuestions) -> None:
        self._store = store
        self._questions = questions

    def retrieve(self, query: Query) -> list[Content]:
        """Return all files that are asked for, in the order in which they are told."""
        asked = self._questions.parse(query.text)
        if asked is None:
            return []
        found = select(self._store, asked, query.context.filter)
        return [
            Content(
                _segment(one),
                MappingProxyType(
                    {ContentKey.SCORE: float(len(found) - at), ContentKey.RETRIEVER: CATALOG}
                ),
            )
            for at, one in enumerate(found)
        ]


def _segment(found: Found) -> TextSegment:
    file = found.file
    values: dict[str, MetadataValue] = {
        "path": file.path,
        "file_name": file.name,
        STATUS: file.status.value,
    }
    optional = {
        "type": file.kind,
        "title": file.title,
        "document_id": file.document_id,
        DATED: found.days.whole if found.days else None,
    }
    values |= {key: value for key, value in optional.items() if value}
    if found.passage is None:
        return TextSegment(file.name, Metadata({**file.metadata, **values}))
    segment = found.passage.segment
    return replace(segment, metadata=Metadata({**segment.metadata, **values}))
