"""A document ready to be embedded and committed, under the name ingestion knows it by."""

from desktop_rag.domain.prepared import PreparedDocument, PreparedParent, PreparedSegment

__all__ = ["PreparedDocument", "PreparedParent", "PreparedSegment"]
