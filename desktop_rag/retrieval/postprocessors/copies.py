"""The same passage in several documents is one result."""

from __future__ import annotations

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query


class CopiesPostProcessor:
    """Keeps the best of contents with the same text and notes the others' documents.

    Copies of a whole file share a document already; this finds passages that stand
    word for word in different documents. Within one document both places are kept.
    """

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the contents with ``ALSO_IN`` noted, in their order."""
        kept: dict[str, Content] = {}
        result: list[str] = []
        for position, content in enumerate(contents):
            text = content.segment.text
            best = kept.get(text)
            if best is None:
                key = text
            elif document_of(best) == document_of(content):
                key = f"{position}\0{text}"
            else:
                kept[text] = joined(best, content)
                continue
            kept[key] = content
            result.append(key)
        return [kept[key] for key in result]


def document_of(content: Content) -> int | None:
    """Return the number of the document that the content was cut from, if it has one."""
    return content.segment.metadata.get_integer("document_id")


def other_documents(content: Content) -> tuple[int, ...]:
    """Return the numbers of further documents with the same passage."""
    return tuple(map(int, str(content.metadata.get(ContentKey.ALSO_IN, "")).split()))


def joined(best: Content, other: Content) -> Content:
    """Return a content with the documents of another one, which says the same, noted."""
    own = document_of(best)
    documents = [*other_documents(best), document_of(other), *other_documents(other)]
    others = dict.fromkeys(str(d) for d in documents if d is not None and d != own)
    return best.noted(ContentKey.ALSO_IN, " ".join(others)) if others else best
