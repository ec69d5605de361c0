"""Sentences of other files that say the same as a quote, but for a number or a "not"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from desktop_rag.text.statements import Statement

Sentence = TypeVar("Sentence")

LEAST_LIKENESS = 0.7
"""Share of words in common, numbers and negations apart. "The notice period is three months"
and "The notice period was six months" have .67 with the verb, 1 without a changed one."""

MOST = 2
"""More versions than three in all tell no more than that there are several."""


def rivals(
    chosen: Sequence[Sentence],
    others: Sequence[Sentence],
    text_of: Callable[[Sentence], str],
    document_of: Callable[[Sentence], int],
) -> list[Sentence]:
    """Return those of ``others`` that disagree with a chosen one, in their order.

    Sentences of the same document never disagree: it lists what differs on purpose.
    """
    quoted = [(Statement(text_of(one)), document_of(one)) for one in chosen]
    found = []
    for one in others:
        own = Statement(text_of(one))
        if any(
            document != document_of(one) and own.disagrees_with(statement, LEAST_LIKENESS)
            for statement, document in quoted
        ):
            found.append(one)
    return found[:MOST]
