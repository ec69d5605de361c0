"""Citation marks in a written text: `[1]`, `[1, 2]`, `【1】`, before or after the full stop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.text.sentences import sentences

_LIST = r"\d{1,3}(?:\s*(?:[,，、;；]|[-–—~])\s*\d{1,3})*"
_MARK = re.compile(
    rf"\s?[\[【［]\s*(?:(?:sources?|来源|资料)\s*)?(?P<list>{_LIST})\s*[\]】］]", re.IGNORECASE
)
_RANGE = re.compile(r"(\d+)\s*[-–—~]\s*(\d+)")
_BEHIND_STOP = re.compile(r"(?P<stop>[.!?。！？…]+[\"”’」』)）]*)(?P<marks>(?:\s*\[\d+\])+)")
_OWN = re.compile(r"\[(\d+)\]")
_LINE = re.compile(r"[^\n]+")
_NOTHING_TO_CHECK = re.compile(r"\s*(?:#+\s.*|[-|:\s*_=]+|.*[:：]\s*)$")
_LIST_SIGN = re.compile(r"\s*(?:[-*•–]\s+|\d{1,2}[.)、]\s+)?")


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """``text[start:end]`` is a sentence with its marks; ``bare`` is without them."""

    start: int
    end: int
    bare: str
    numbers: tuple[int, ...]


def with_own_marks(text: str, count: int) -> str:
    """Return the text with marks as ``[1][2]`` before the full stop, those beyond dropped.

    Args:
        text: what a model wrote.
        count: how many sources there are, numbered from 1.
    """

    def rewritten(found: re.Match[str]) -> str:
        numbers = [n for n in _numbers(found["list"]) if 1 <= n <= count]
        return "".join([" " * bool(numbers), *(f"[{n}]" for n in numbers)])

    marked = _MARK.sub(rewritten, text)
    return _BEHIND_STOP.sub(_before_stop, marked)


def _numbers(written: str) -> list[int]:
    for first, last in _RANGE.findall(written):
        between = range(int(first), min(int(last), int(first) + 20) + 1)
        written = written.replace(first, ",".join(map(str, between)), 1)
    return list(dict.fromkeys(map(int, re.findall(r"\d+", written))))


def _before_stop(found: re.Match[str]) -> str:
    return f" {''.join(found['marks'].split())}{found['stop']}"


def marked_sentences(text: str, language: str) -> Iterator[MarkedSentence]:
    """Yield what of a text with own marks states something, line by line, in order.

    Headings, rules and what only introduces a list ("…:") state nothing.
    """
    for line in _LINE.finditer(text):
        if _NOTHING_TO_CHECK.fullmatch(line.group()):
            continue
        sign = _LIST_SIGN.match(line.group())
        offset = line.start() + (sign.end() if sign else 0)
        for start, end in sentences(text[offset : line.end()], language):
            sentence = text[offset + start : offset + end]
            bare = " ".join(_OWN.sub("", sentence).split())
            if any(map(str.isalnum, bare)):
                numbers = tuple(dict.fromkeys(map(int, _OWN.findall(sentence))))
                yield MarkedSentence(offset + start, offset + end, bare, numbers)


def with_mark(sentence: str, number: int) -> str:
    """Return a sentence with a mark put before its full stop."""
    bare = sentence.rstrip(".!?。！？…")
    return f"{bare} [{number}]{sentence[len(bare) :]}"


def without_marks(text: str) -> str:
    """Return a text without own marks."""
    return _OWN.sub("", text)
