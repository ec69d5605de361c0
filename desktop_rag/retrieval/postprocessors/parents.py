"""Small to find, large to read: passages are widened to what they were cut from."""

from __future__ import annotations

from typing import Protocol

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.domain.segment import Place, TextSegment
from desktop_rag.store.records import StoredParent


class ParentStore(Protocol):
    """Knows the larger passages."""

    def parent(self, parent_id: int) -> StoredParent | None:
        """Return where a parent stands."""
        ...

    def parent_text(self, parent_id: int) -> str | None:
        """Return a parent's text."""
        ...


class ParentPostProcessor:
    """Puts the parent in the place of the best of its passages and drops the others.

    It has the notes of that best passage, its score among them, and where it stands
    (``FOUND_START``, ``FOUND_END``), which is what a citation of it quotes. What has no parent
    in the store stays as it is. For what a language model reads; Spring AI and LangChain4j
    have nothing of the kind (langchain4j-facts 12).
    """

    def __init__(self, store: ParentStore) -> None:
        self._store = store

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return each parent once, in the order of their best passages."""
        seen: set[int] = set()
        widened: list[Content] = []
        for content in contents:
            parent_id = content.segment.metadata.get_integer("parent_id")
            if parent_id is None:
                widened.append(content)
            elif parent_id not in seen:
                seen.add(parent_id)
                widened.append(self._widened(content, parent_id))
        return widened

    def _widened(self, content: Content, parent_id: int) -> Content:
        parent = self._store.parent(parent_id)
        text = self._store.parent_text(parent_id)
        if parent is None or not text:
            return content
        segment, found = content.segment, content.segment.place
        place = Place(
            start=parent.start,
            end=parent.end,
            page=parent.page,
            heading_path=parent.heading_path,
            language=found.language if found else "en",
            lines=found.lines if found else (),
        )
        widened = Content(TextSegment(text, segment.metadata, place), content.metadata)
        if found is None:
            return widened
        return widened.noted(ContentKey.FOUND_START, found.start).noted(
            ContentKey.FOUND_END, found.end
        )
