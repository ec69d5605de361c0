"""Which of the ranked sentences are quoted, and how much around each of them.

As much as the question needs: one sentence for "when" and the like where the answer is
certain, the defining one for "what is", several for "which". A quote that can't be
understood alone takes the sentence before it along, and an item its list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.answering.answer_types import AnswerType, asked_for
from desktop_rag.answering.disagreement import rivals
from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.content import Content
from desktop_rag.retrieval.postprocessors.copies import document_of
from desktop_rag.retrieval.scoring.read_passage import read_passage
from desktop_rag.text.statements import Statement

QUOTE_MARGIN = 2.0
"""A further sentence is quoted while its log odds are at most so far below the best's.
On the judged half of squad2_dev_half that makes 1.7 quotes, one of which holds the answer of
91.5 % of the questions; all three would make it 93.2 %."""

_LONGEST = 600
"""Characters that a quote is widened to; a longer sentence stands alone."""

_REPEATED = 0.8
"""Share of words in common from which a second sentence says nothing more."""

_ONE_IS_ENOUGH = frozenset((AnswerType.DATE, AnswerType.MEASURE, AnswerType.NUMBER))

_SEVERAL = re.compile(
    r"\bwhich\b|\bwhat\s+(?:are|were|kinds?|types?)\b|\blist\b|\bname\s+(?:the|all)\b"
    r"|\bwhat\s+(?:\w+\s+)?\w+s\s+(?:are|were|do|did|have)\b|哪些|哪几|有哪|列出|列举",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
    r"^\s*what(?:\s+is|'s|\s+does)\s+(?:an?\s+|the\s+)?(?P<term>[^?]{2,60}?)(?:\s+mean)?\s*\??\s*$"
    r"|^\s*什么是(?P<before>[^？?]{1,30})[？?]?\s*$|^\s*(?P<after>[^？?]{1,30}?)是什么(?:意思)?[？?]?\s*$",
    re.IGNORECASE,
)
_DEFINES = (
    r"(?:s|es)?[\"”’'」》]*\s*(?:[（(][^）)]{1,40}[）)]\s*)?"
    r"(?:\b(?:is|are|means|refers to|denotes|stands for|shall mean)\b|是|指|即)"
)
"""Right behind the term: "trace trees, and how they are formed" defines nothing."""

_LEANS = re.compile(
    r"(?:he|she|it|they|this|these|those|his|her|its|their|such|both|the (?:former|latter))\b(?!\S)"
    r"|(?:他|她|它|该|此|这|其|上述|前者|后者|两者)",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"(?:[-•*–▪‣·]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|[（(]?[一二三四五六七八九十]+[）)、])\s*"
)
_ANNOUNCES = re.compile(r"[:：]\s*(?:\Z|\n)")
"""A list's first item is often one sentence with what announces it."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence with its passage's position and the log odds that it holds the answer."""

    content: int
    span: Span
    score: float


def choose(
    ranked: Sequence[RankedSentence],
    contents: Sequence[Content],
    question: str,
    outcome: Outcome,
    most: int,
) -> list[RankedSentence]:
    """Return what is quoted, best first: at most ``most``, and what disagrees with it.

    Args:
        ranked: sentences, best first, at least one.
        contents: their passages.
        question: as the user wrote it.
        outcome: how sure the answer is; several sentences are quoted where it isn't.
        most: sentences quoted for a question that wants several.
    """
    near = [one for one in ranked if ranked[0].score - one.score <= QUOTE_MARGIN]
    chosen = _without_repeats(_wanted(near, contents, question, outcome, most), contents)
    others = [one for one in ranked if one not in chosen]
    against = rivals(
        chosen,
        others,
        lambda one: _text(one, contents),
        lambda one: _document(one, contents),
    )
    several = _SEVERAL.search(question) is not None
    wide = [_widened(one, contents[one.content], several) for one in (*chosen, *against)]
    return _apart(wide)


def _wanted(
    near: Sequence[RankedSentence],
    contents: Sequence[Content],
    question: str,
    outcome: Outcome,
    most: int,
) -> list[RankedSentence]:
    defining = _defining(near, contents, question)
    if defining is not None:
        return [defining]
    certain = outcome is Outcome.ANSWER and asked_for(question) in _ONE_IS_ENOUGH
    if certain and not _SEVERAL.search(question):
        return [near[0]]
    return list(near[:most])


def _defining(
    near: Sequence[RankedSentence], contents: Sequence[Content], question: str
) -> RankedSentence | None:
    """Return the best sentence that says what the thing asked for is."""
    asked = _WHAT_IS.match(question)
    if asked is None:
        return None
    term = next(one for one in asked.groups() if one)
    says = re.compile(rf"{re.escape(term.strip())}{_DEFINES}", re.IGNORECASE)
    return next((one for one in near if says.search(_text(one, contents))), None)


def _without_repeats(
    chosen: Sequence[RankedSentence], contents: Sequence[Content]
) -> list[RankedSentence]:
    kept: list[tuple[RankedSentence, Statement]] = []
    for one in chosen:
        own = Statement(_text(one, contents))
        if not any(_same(own, other) for _, other in kept):
            kept.append((one, own))
    return [one for one, _ in kept]


def _same(one: Statement, other: Statement) -> bool:
    common = len(one.words & other.words)
    alike = common >= _REPEATED * max(1, len(one.words | other.words))
    return alike and not one.says_another_thing(other)


def _widened(one: RankedSentence, content: Content, several: bool) -> RankedSentence:
    """Return the sentence with what it can't be understood without."""
    text = content.segment.text
    spans = read_passage(content.segment).spans
    if one.span not in spans:
        return one
    first = last = spans.index(one.span)
    if first > 0 and _LEANS.match(text[slice(*spans[first])]):
        first -= 1
    items = [_ITEM.match(text[slice(*span)]) is not None for span in spans]
    if items[last]:
        first = _introduction(text, spans, items, first)
    if _ANNOUNCES.search(text[slice(*spans[last])]) or (several and items[last]):
        last = _last_item(items, last)
    start, end = spans[first][0], spans[last][1]
    return replace(one, span=(start, end)) if end - start <= _LONGEST else one


def _introduction(text: str, spans: Sequence[Span], items: Sequence[bool], at: int) -> int:
    """Return the sentence that announces an item's list; the item where none does."""
    before = at
    while before > 0 and items[before]:
        before -= 1
    return before if _ANNOUNCES.search(text[slice(*spans[before])]) else at


def _last_item(items: Sequence[bool], at: int) -> int:
    while at + 1 < len(items) and items[at + 1]:
        at += 1
    return at


def _apart(quotes: Sequence[RankedSentence]) -> list[RankedSentence]:
    """Return the quotes with those that overlap made one, at the place of the better."""
    kept: list[RankedSentence] = []
    for one in quotes:
        at = next((n for n, other in enumerate(kept) if _overlap(one, other)), None)
        if at is None:
            kept.append(one)
        else:
            start = min(one.span[0], kept[at].span[0])
            kept[at] = replace(kept[at], span=(start, max(one.span[1], kept[at].span[1])))
    return kept


def _overlap(one: RankedSentence, other: RankedSentence) -> bool:
    same = one.content == other.content
    return same and one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _text(one: RankedSentence, contents: Sequence[Content]) -> str:
    return contents[one.content].segment.text[slice(*one.span)]


def _document(one: RankedSentence, contents: Sequence[Content]) -> int:
    """Return the sentence's document, or a number of its passage's own."""
    document = document_of(contents[one.content])
    return -1 - one.content if document is None else document
