"""The parts of a question's way that can be left out, each by itself."""

from __future__ import annotations

from enum import StrEnum


class Part(StrEnum):
    """A part whose worth can be measured by leaving it out.

    Retrievers: ``VECTORS``, ``KEYWORDS``, ``FILE_NAMES``. What is searched beside the
    question: ``CONVERSATION`` (what a follow-up refers to), ``SPELLING``, ``ACRONYMS``,
    ``TRANSLATION`` (its words in the other language).
    Order: ``SUPPORT`` by a document's other passages, ``RERANKING``, and before it
    ``NEIGHBOURS``, by passages that say alike things. What is told once:
    ``COPIES``, ``NEAR_COPIES``. ``CATALOG``: questions about the library itself are
    answered from its list of files.
    """

    VECTORS = "vectors"
    KEYWORDS = "keywords"
    FILE_NAMES = "file_names"
    SUPPORT = "support"
    RERANKING = "reranking"
    NEIGHBOURS = "neighbours"
    CONVERSATION = "conversation"
    SPELLING = "spelling"
    ACRONYMS = "acronyms"
    TRANSLATION = "translation"
    COPIES = "copies"
    NEAR_COPIES = "near_copies"
    CATALOG = "catalog"
