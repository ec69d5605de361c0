"""Passages that say nearly the same in several documents: drafts, versions, forwarded texts."""

from __future__ import annotations

import re
from functools import cached_property

from desktop_rag.domain.content import Content, ContentKey
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.postprocessors.copies import document_of, joined
from desktop_rag.text.folding import fold_for_keywords
from desktop_rag.text.statements import Statement

_SHINGLE, _SHINGLE_CHINESE = 5, 2
"""Characters: a Chinese one says as much as two or three of another script."""

LEAST_LIKENESS = 0.85
"""Share of shingles that two passages have in common (Jaccard). An edited word in a passage of
75 tokens leaves .93, one in a sentence by itself .7 to .9."""

MOST = 30
"""More than are shown or read for an answer. Comparing them takes 2 ms, where all are
alike but for a number 20 ms."""

_HAN = re.compile(r"[\u3400-\u9fff]")


class NearCopiesPostProcessor:
    """Keeps one of passages that differ by a few letters, and notes where the others are.

    Of versions the one whose file changed last is kept, at the place of the best of them.
    Passages that differ in a number, a name or a negation say something else, however alike
    they are, and are both kept: the difference may be the answer. So are all of one document.

    Args:
        least_likeness: share of shingles in common from which passages are near copies, 0..1.
        most: only the first so many are compared, > 0; the rest stay behind them.

    Raises:
        ValueError: a number is out of its range.
    """

    def __init__(self, least_likeness: float = LEAST_LIKENESS, most: int = MOST) -> None:
        if not 0.0 < least_likeness <= 1.0:
            raise ValueError(f"likeness must be above 0 and at most 1, not {least_likeness}")
        if most <= 0:
            raise ValueError(f"most must be greater than 0, not {most}")
        self._least = least_likeness
        self._most = most

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the contents that are kept, in their order, with ``ALSO_IN`` noted."""
        kept: list[Content] = []
        texts: list[_Text] = []
        for content in contents[: self._most]:
            own = _Text(content.segment.text)
            at = self._like(content, own, kept, texts)
            if at is None:
                kept.append(content)
                texts.append(own)
            else:
                kept[at] = _newer(kept[at], content)
        return kept + contents[self._most :]

    def _like(
        self, content: Content, own: _Text, kept: list[Content], texts: list[_Text]
    ) -> int | None:
        for at, (other, theirs) in enumerate(zip(kept, texts, strict=True)):
            if document_of(other) == document_of(content) or not own.may_be_like(theirs):
                continue
            common = len(own.shingles & theirs.shingles)
            alike = common >= self._least * (len(own.shingles) + len(theirs.shingles) - common)
            if alike and not own.says_another_thing(theirs):
                return at
        return None


class _Text(Statement):
    """A passage's words, and its shingles once they are needed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._folded = " ".join(fold_for_keywords(text).split())

    def may_be_like(self, other: _Text) -> bool:
        """Whether half of the words are the same; near copies have nearly all in common."""
        most = max(len(self.words), len(other.words))
        return 2 * len(self.words & other.words) >= most

    @cached_property
    def shingles(self) -> frozenset[str]:
        """All pieces of a few characters."""
        text = self._folded
        size = _SHINGLE_CHINESE if len(_HAN.findall(text)) * 2 > len(text) else _SHINGLE
        return frozenset(text[at : at + size] for at in range(max(1, len(text) - size + 1)))


def _newer(kept: Content, other: Content) -> Content:
    """Return the version of the two that is shown, with the scores of the better one."""
    changed = [str(one.segment.metadata.get("modified", "")) for one in (kept, other)]
    if changed[1] <= changed[0]:
        return joined(kept, other)
    notes = {**other.metadata, **kept.metadata}
    notes.pop(ContentKey.ALSO_IN, None)
    return joined(joined(Content(other.segment, notes), other), kept)
