"""Whether two texts say the same, or alike but another thing: a number, a name, a "not"."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from desktop_rag.text.folding import fold_for_keywords

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_TELLING_WORDS = (
    "no not never none nor without unless except zero one two three four five six seven eight nine "
    "ten eleven twelve hundred thousand million half twice first second third last "
    "不 没 未 无 非 勿 否 除 零 一 二 两 三 四 五 六 七 八 九 十 百 千 万 亿 半"
)
_TELLING = frozenset(_TELLING_WORDS.split())
"""Words that turn a statement into another one."""


class Statement:
    """A text as a bag of words; Chinese characters count as words."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def words(self) -> frozenset[str]:
        """The words, folded."""
        return frozenset(_WORD.findall(fold_for_keywords(self._text)))

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word is there, as it is written."""
        return Counter(_WORD.findall(self._text))

    def says_another_thing(self, other: Statement) -> bool:
        """Whether a word that only one of them has changes the meaning."""
        return any(_is_telling(word) or word[0].isupper() for word in self._differing(other))

    def disagrees_with(self, other: Statement, least_likeness: float) -> bool:
        """Whether both say the same but for a number or a negation.

        ``least_likeness`` is the share of their other words that they have in common.
        """
        if not any(_is_telling(word) for word in self._differing(other)):
            return False
        own, theirs = self._plain, other._plain
        return len(own & theirs) >= least_likeness * max(1, len(own | theirs))

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(word for word in self.words if not _is_telling(word))

    def _differing(self, other: Statement) -> Counter[str]:
        return (self.counts - other.counts) + (other.counts - self.counts)


def _is_telling(word: str) -> bool:
    return word.lower() in _TELLING or any(map(str.isdigit, word))
