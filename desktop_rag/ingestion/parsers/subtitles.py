"""Subtitles (SubRip, WebVTT): what is said, in paragraphs that tell their time."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.document import BlockKind, ParsedDocument
from desktop_rag.ingestion.parsers.assembly import Assembly
from desktop_rag.ingestion.parsers.formats import Format
from desktop_rag.ingestion.parsers.parser import content_of
from desktop_rag.ingestion.parsers.problems import no_text
from desktop_rag.ingestion.parsers.text import read_text

_TIMES = re.compile(
    r"\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*"
    r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
)
_TAG = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>|</?[^<>]{0,200}>|\{\\[^{}]{0,100}\}")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？]['\"”’)）]*$")

_PAUSE_SECONDS = 3.0
_LONGEST_PARAGRAPH = 600
"""Code points after which a paragraph ends with the next sentence."""


@dataclass(frozen=True, slots=True)
class _Cue:
    start: float
    end: float
    text: str


class SubtitleParser:
    """Joins cues to paragraphs, each under a heading of the time at which it begins."""

    def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """Read subtitles; see ``Parser``."""
        text, encoding = read_text(content_of(source), name)
        assembly = Assembly()
        for start, words in _paragraphs(_cues(text)):
            assembly.add(BlockKind.HEADING, _clock(start), level=3)
            assembly.add(BlockKind.PARAGRAPH, words)
        if not len(assembly):
            raise no_text(name, "There are no subtitles in it.")
        return assembly.finish(Format.SUBTITLES.value, encoding=encoding)


def _cues(text: str) -> Iterator[_Cue]:
    times: tuple[float, float] | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        match = _TIMES.match(line)
        if match is not None:
            times, lines = (_seconds(match, 1), _seconds(match, 5)), []
        elif line.strip():
            lines.append(_plain(line))
        elif times is not None:
            words = " ".join(filter(None, lines))
            if words:
                yield _Cue(*times, words)
            times, lines = None, []


def _paragraphs(cues: Iterator[_Cue]) -> Iterator[tuple[float, str]]:
    """Yield (seconds, words) of cues that belong together; what rolls up is said once."""
    start, end, words, last = 0.0, 0.0, "", ""
    for cue in cues:
        if cue.text == last:
            end = cue.end
            continue
        full = len(words) > _LONGEST_PARAGRAPH and _ENDS_SENTENCE.search(words)
        if words and (full or cue.start - end > _PAUSE_SECONDS):
            yield start, words
            words = ""
        if not words:
            start = cue.start
        words = f"{words} {cue.text}".strip()
        end, last = cue.end, cue.text
    if words:
        yield start, words


def _plain(line: str) -> str:
    marked = _TAG.sub(lambda match: f"{match[1]}: " if match[1] else "", line)
    return html.unescape(marked).strip()


def _seconds(match: re.Match[str], first: int) -> float:
    hours, minutes, seconds, parts = (match[first + i] or "0" for i in range(4))
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{parts}")


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
