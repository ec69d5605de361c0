"""Passages that say nearly the same in several documents: drafts, versions, forwarded texts."""

from __future__ import annotations

import re
from collections import Counter

from desktop_rag.domain.content import Content
from desktop_rag.domain.query import Query
from desktop_rag.retrieval.postprocessors.copies import document_of, joined
from desktop_rag.text.folding import fold_for_keywords

_SHINGLE, _SHINGLE_CHINESE = 5, 2
"""Characters: a Chinese one says as much as two or three of another script."""

LEAST_LIKENESS = 0.85
"""Share of shingles that two passages have in common (Jaccard). An edited word in a passage of
75 tokens leaves .93, one in a sentence by itself .7 to .9."""

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_TELLING_WORDS = (
    "no not never none nor without unless except zero one two three four five six seven eight nine "
    "ten eleven twelve hundred thousand million half twice first second third last "
    "不 没 未 无 非 勿 否 除 零 一 二 两 三 四 五 六 七 八 九 十 百 千 万 亿 半"
)
_TELLING = frozenset(_TELLING_WORDS.split())
"""Words that turn a statement into another one."""


class NearCopiesPostProcessor:
    """Keeps one of passages that differ by a few letters, and notes where the others are.

    Of versions the one whose file changed last is kept, at the place of the best of them.
    Passages that differ in a number, a name or a negation say something else, however alike
    they are, and are both kept: the difference may be the answer. So are all of one document.

    Args:
        least_likeness: share of shingles in common from which passages are near copies, 0..1.

    Raises:
        ValueError: the share is out of its range.
    """

    def __init__(self, least_likeness: float = LEAST_LIKENESS) -> None:
        if not 0.0 < least_likeness <= 1.0:
            raise ValueError(f"likeness must be above 0 and at most 1, not {least_likeness}")
        self._least = least_likeness

    def process(self, query: Query, contents: list[Content]) -> list[Content]:
        """Return the contents that are kept, in their order, with ``ALSO_IN`` noted."""
        kept: list[Content] = []
        shingles: list[frozenset[str]] = []
        for content in contents:
            own = _shingles(content.segment.text)
            at = self._like(content, own, kept, shingles)
            if at is None:
                kept.append(content)
                shingles.append(own)
            else:
                kept[at] = _newer(kept[at], content)
        return kept

    def _like(
        self,
        content: Content,
        own: frozenset[str],
        kept: list[Content],
        shingles: list[frozenset[str]],
    ) -> int | None:
        for at, (other, theirs) in enumerate(zip(kept, shingles, strict=True)):
            if document_of(other) == document_of(content):
                continue
            common = len(own & theirs)
            alike = common >= self._least * (len(own) + len(theirs) - common)
            if alike and not _says_another_thing(content, other):
                return at
        return None


def _shingles(text: str) -> frozenset[str]:
    words = " ".join(fold_for_keywords(text).split())
    size = _SHINGLE_CHINESE if len(_HAN.findall(words)) * 2 > len(words) else _SHINGLE
    return frozenset(words[at : at + size] for at in range(max(1, len(words) - size + 1)))


def _says_another_thing(content: Content, other: Content) -> bool:
    one, two = (Counter(_WORD.findall(each.segment.text)) for each in (content, other))
    return any(_is_telling(word) for word in ((one - two) + (two - one)))


def _is_telling(word: str) -> bool:
    return word[0].isupper() or word.lower() in _TELLING or any(map(str.isdigit, word))


def _newer(kept: Content, other: Content) -> Content:
    """Return the version of the two that is shown, with the scores of the better one."""
    changed = [str(one.segment.metadata.get("modified", "")) for one in (kept, other)]
    if changed[1] <= changed[0]:
        return joined(kept, other)
    shown = Content(other.segment, {**other.metadata, **kept.metadata})
    return joined(shown, kept)
