"""What a chat is called after its first question."""

from __future__ import annotations

import re

LONGEST = 60
"""Columns of a title; a Chinese character takes two."""

_POLITE = re.compile(
    r"^(?:(?:hi|hello|hey|dear \w+)\b[,.! ]*)?(?:(?:please|kindly)[, ]+)?"
    r"(?:(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to )?"
    r"(?:tell|show|explain to) (?:me|us) (?:please )?(?:about )?)?(?:please[, ]+)?",
    re.IGNORECASE,
)
_POLITE_CHINESE = re.compile(
    r"^(?:您好|你好)?[，,！!。 ]*(?:请问(?:一下)?|麻烦|劳驾|请)?[，, ]*"
    r"(?:帮我|帮忙|告诉我|给我)?(?:查一下|找一下|看一下|说一下)?[，, ]*"
)
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])")
_WIDE = re.compile(r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60]")


def title_of(question: str) -> str:
    """Return a short title: the first sentence without its courtesies, cut at a word."""
    words = " ".join(question.split())
    title = words
    for courtesy in (_POLITE, _POLITE_CHINESE):
        title = courtesy.sub("", title, count=1).lstrip("，,。.!！:： ")
    sentences = [one for one in _SENTENCE_END.split(title or words) if one.strip()]
    title = sentences[0].strip() if sentences else words
    return _cut(title[:1].upper() + title[1:])


def _cut(title: str) -> str:
    if _columns(title) <= LONGEST:
        return title
    kept = title
    while _columns(kept) > LONGEST - 1:
        kept = kept[:-1]
    at = kept.rfind(" ")
    if at > len(kept) // 2 and not _WIDE.match(title[len(kept)]):
        kept = kept[:at]
    return kept.rstrip(" ,;:，、；：") + "…"


def _columns(text: str) -> int:
    return len(text) + len(_WIDE.findall(text))
