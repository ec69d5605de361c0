"""Where sentences begin and end, in code points of the text as it stands.

The rules for the languages are sentencex's. Around it: its time grows with the square of
a Chinese paragraph's length, so it is given a bounded stretch at a time; it cuts after
some abbreviations, so these are joined again; and it knows nothing of lone surrogates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sentencex

_STRETCH = 2048
"""Characters looked at together: some twenty sentences, and 1 ms even for Chinese."""

_LONGEST = 16_384
"""What has no end within so many characters is cut, after a space if there is one."""

_NEWLINE = "(?:\r\n|[\n\r\f\x85\u2028\u2029])"
_PARAGRAPH_END = re.compile(f"{_NEWLINE}(?:[^\\S\n\r\f\x85\u2028\u2029]*{_NEWLINE})+|\f|\u2029")
_TEXT = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_UNREADABLE = re.compile("[\x00\n\r\f\x85\u2028\ud800-\udfff]")
"""A wrapped line does not end a sentence: its end counts as a space."""

_CLOSING = re.compile("[”’」』）】》〕〉\u2026)\\]]+")
_ENDS = tuple(".!?。！？…．｡؟।;；:：\"'”’」』")
_OWN_ENDS = re.compile("；[”’」』）]*|[。！？](?=[a-z0-9])")
"""Ends that sentencex does not see: it takes a small letter or a digit after a full stop
for the same sentence, which full-width stops do not allow."""

_WORDLESS_MARK = 8
"""A piece of so few characters without a letter ("2.", "(3)") belongs to what follows."""

_BEFORE_ANYTHING = frozenset(("approx", "cf", "e.g", "i.e", "v", "viz", "vs"))
"""Abbreviations that no sentence ends with."""

_BEFORE_NUMBERS = frozenset(
    """
    abs app art arts ch chap chaps cl col ed eds eq eqs ex fig figs lit no nos p para paras pp
    pt ref refs reg sec secs sect tab trans vol vols
    """.split()  # noqa: SIM905  - a list of words is easier to read as text
)
"""Abbreviations that go on when a number, a bracket or a small letter follows."""

_LAST_WORD = re.compile(r"(?:^|[\s(\[])([^\s(\[]{1,6})\.$")


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return the (start, end) of each sentence, in order and without white space around.

    Every character that is not white space is in exactly one sentence. Blank lines
    end a sentence, wrapped lines do not; a full-width semicolon does. The time taken is
    linear in the length of the text.

    Args:
        text: any text; nothing in it is changed or counted differently.
        language: a code such as "en" or "zh"; unknown ones follow English rules.
    """
    found: list[tuple[int, int]] = []
    for start, end in _paragraphs(text):
        found += _joined(text, _divided(text, _cut(text, start, end, language)))
    return found


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _PARAGRAPH_END.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _cut(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    """Yield the pieces that sentencex finds, one stretch of the paragraph at a time."""
    size = _STRETCH
    while start < end:
        stop = min(start + size, end)
        stretch = _UNREADABLE.sub(" ", text[start:stop])
        bounds = [
            item["end_index"] for item in sentencex.get_sentence_boundaries(language, stretch)
        ]
        if stop < end:
            bounds = bounds[:-1]  # the last one may go on beyond the stretch
            if not bounds and size < _LONGEST:
                size *= 2
                continue
            bounds = bounds or [stretch.rfind(" ") + 1 or len(stretch)]
        begin = start
        for bound in bounds:
            yield begin, start + bound
            begin = start + bound
        if stop == end and begin < end:
            yield begin, end
            begin = end
        start, size = begin, _STRETCH


def _bounds(language: str, stretch: str) -> list[int]:
    return [found["end_index"] for found in sentencex.get_sentence_boundaries(language, stretch)]


def _divided(text: str, pieces: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the pieces trimmed, and cut once more at our own ends."""
    for start, end in pieces:
        begin = start
        for mark in _OWN_ENDS.finditer(text, start, end):
            yield from _trimmed(text, begin, mark.end())
            begin = mark.end()
        yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    kept = piece.strip()
    if kept:
        begin = start + len(piece) - len(piece.lstrip())
        yield begin, begin + len(kept)


def _joined(text: str, pieces: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Undo the cuts that were none, and give closing marks to what they close."""
    result: list[tuple[int, int]] = []
    for start, end in pieces:
        if not result:
            result.append((start, end))
            continue
        before = result[-1]
        closing = _CLOSING.match(text, start, end)
        if closing is not None:
            result[-1] = (before[0], closing.end())
            result += _trimmed(text, closing.end(), end)
        elif _belongs(text, before, start, end):
            result[-1] = (before[0], end)
        else:
            result.append((start, end))
    return result


def _belongs(text: str, before: tuple[int, int], start: int, end: int) -> bool:
    """Whether text[start:end] goes on with the sentence before it."""
    if end - before[0] > _LONGEST:
        return False
    if end - start <= _WORDLESS_MARK and not any(map(str.isalnum, text[start:end])):
        return True
    length = before[1] - before[0]
    if length <= _WORDLESS_MARK and not any(map(str.isalpha, text[before[0] : before[1]])):
        return True
    following = text[start]
    if following.islower() and not text.endswith(_ENDS, before[0], before[1]):
        return True
    return _after_abbreviation(text[max(before[0], before[1] - 8) : before[1]], following)


def _after_abbreviation(tail: str, following: str) -> bool:
    match = _LAST_WORD.search(tail)
    if match is None:
        return False
    word = match.group(1)
    if word.lower() in _BEFORE_ANYTHING:
        return True
    goes_on = following.isdigit() or following.islower() or following in "(["
    return goes_on and word.lower() in _BEFORE_NUMBERS
