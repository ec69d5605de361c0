"""Whether a sentence says yes where its source says no."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.answering.checking.reading import ReadText

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|neither|nobody|nothing|nowhere|without|cannot|hardly|barely|rarely|"
    r"fail(?:s|ed)?\s+to|refus(?:e|es|ed)\s+to|unable\s+to|lack(?:s|ed)?)\b|n['’]t\b|"
    r"不(?!过|仅|但|只|同|断|久|少|论|管|动产|锈|得不)|没有?|未(?!来)|無|无(?!论|线|锡)|非(?!常|洲)|并非|勿|禁止|从来不|从未|拒绝",
    re.IGNORECASE,
)
_NO_NEGATION = re.compile(
    r"\bnot only\b|\bno longer than\b|\bno\.\s*\d|\bno doubt\b|\bwhether or not\b", re.IGNORECASE
)
_OPPOSITES = (
    ("allow permit", "forbid prohibit ban"),
    ("increase rise grow", "decrease fall decline reduce drop shrink"),
    ("accept agree approve", "reject refuse deny decline"),
    ("include contain", "exclude"),
    ("before", "after"),
    ("above over", "below under"),
    (
        "more most higher highest larger largest greater greatest",
        "less least fewer lower lowest smaller smallest",
    ),
    ("first earliest", "last latest"),
    ("always", "never"),
    ("all every", "no none"),
    ("win won", "lose lost"),
    ("begin began start started", "end ended stop stopped"),
    ("true", "false"),
    ("legal", "illegal"),
    ("possible", "impossible"),
    ("open", "close closed"),
    ("buy bought", "sell sold"),
    ("minimum", "maximum"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("old older oldest", "new newer newest young younger youngest"),
    ("增加 上升 提高 增长", "减少 下降 降低 缩小"),
    ("允许 可以 准许", "禁止 不得 不准"),
    ("最大 最高 最多 最早", "最小 最低 最少 最晚"),
    ("之前 以前", "之后 以后"),
    ("高于 大于 多于 超过", "低于 小于 少于 不足"),
    ("开始", "结束"),
    ("胜利 获胜", "失败 落败"),
)
_SIDES = [tuple(frozenset(side.split()) for side in pair) for pair in _OPPOSITES]
_REACH = 6.0
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]", re.IGNORECASE)


def negations(text: ReadText) -> list[float]:
    """Return where negations stand, in the distances of the text's terms."""
    apart = [found.span() for found in _NO_NEGATION.finditer(text.text)]
    apart += [(one.start, one.end) for one in text.facts]
    return [
        _place(found.end(), text)
        for found in _NEGATION.finditer(text.text)
        if not any(start <= found.start() < end for start, end in apart)
    ]


def turned(claim: ReadText, source: ReadText) -> float:
    """Return how surely the two differ in a negation or an opposite, 0..1.

    A negation of one is matched by one of the other among the same words; what is left
    over on either side counts by how much of what it is about the other side has.
    """
    return max(
        _unmatched(claim, source, forward=True),
        0.7 * _unmatched(source, claim, forward=False),
        0.8 * _opposite(claim, source),
    )


def _unmatched(one: ReadText, other: ReadText, forward: bool) -> float:
    theirs = negations(other)
    worst = 0.0
    for at in negations(one):
        about = [term.term for term in one.terms if abs(term.at - at) <= _REACH]
        if not about:
            continue
        shared = [term.at for term in other.terms if term.term in about]
        share = len({term.term for term in other.terms} & set(about)) / len(set(about))
        matched = any(abs(place - near) <= _REACH for place in theirs for near in shared)
        if not matched:
            worst = max(worst, share if not forward else 0.5 + share / 2)
    return worst


def _opposite(claim: ReadText, source: ReadText) -> float:
    """Return 1 where the claim has one side of a pair, and the source the other alone."""
    said, there = _words(claim.text), _words(source.text)
    for first, second in _SIDES:
        for side, contrary in ((first, second), (second, first)):
            if side & said and not side & there and contrary & there and not contrary & said:
                return 1.0
    return 0.0


def _words(text: str) -> frozenset[str]:
    lowered = text.lower()
    latin = frozenset(re.findall(r"[a-z]+", lowered))
    return latin | frozenset(_chinese(lowered))


def _chinese(text: str) -> Sequence[str]:
    every = {word for pair in _SIDES for side in pair for word in side if not word.isascii()}
    return [word for word in every if word in text]


def _place(end: int, text: ReadText) -> float:
    behind = [one.at for one in text.terms if one.start >= end]
    if behind:
        return behind[0] - 1.0
    return text.terms[-1].at + 1.0 if text.terms else 0.0
