"""How facts are put into the user's words: states, places, times, names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, Outcome
from desktop_rag.domain.files import FileRecord, FileStatus
from desktop_rag.gui.strings import current_language, note_patterns, reasons, tr

if TYPE_CHECKING:
    from desktop_rag.ingestion.progress import Progress

HEADING_SEPARATOR = " › "
"""Between the headings that a passage stands under, outermost first."""

KINDS_WITH_WORDS = frozenset(
    (
        "pdf",
        "docx",
        "xlsx",
        "pptx",
        "html",
        "eml",
        "markdown",
        "text",
        "image",
        "csv",
        "epub",
        "code",
    )
)
"""Kinds of files that people have a word for."""

HIGH_CONFIDENCE = 0.75
MEDIUM_CONFIDENCE = 0.45


@dataclass(frozen=True, slots=True)
class State:
    """A word for a state and the colour token that goes with it."""

    word: str
    token: str


def readable(name: str) -> str:
    """Return a file name for showing: bytes that are no UTF-8 become U+FFFD."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def file_name(path: str) -> str:
    """Return the last part of a path for showing."""
    return readable(PurePath(path).name or path)


def file_state(record: FileRecord) -> State:
    """Return where a file stands, in one or a few words."""
    if record.recognising is not None:
        return _recognising(*record.recognising)
    if record.status is FileStatus.READY:
        missing = len(record.missing)
        if missing:
            return State(tr("state.pages_missing", n=missing), "warn")
        return State(tr("state.ready"), "good")
    if record.status is FileStatus.FAILED:
        return State(problem_title(record), "bad")
    if record.status is FileStatus.UNAVAILABLE and record.problem is not None:
        return State(problem_title(record), "warn")
    token = {FileStatus.READING: "accent", FileStatus.UNAVAILABLE: "warn"}
    return State(tr(f"state.{record.status.value}"), token.get(record.status, "soft"))


def _recognising(page: int, pages: int) -> State:
    """Return how far the recognition of a file's pages is; page 0: it waits."""
    if page == 0:
        return State(tr("state.waiting_for_ocr", n=pages), "soft")
    return State(tr("state.recognising", page=page, pages=pages), "accent")


def problem_title(record: FileRecord) -> str:
    """Return in a few words why a file was not read, or cannot be reached."""
    if record.problem is None:
        return tr("state.failed")
    title = translated_problem(record.problem.title, "title", record.path)
    return title or record.problem.title[:1].lower() + record.problem.title[1:]


def problem_message(record: FileRecord) -> str:
    """Return why a file was not read, and what to do about it."""
    if record.problem is None:
        return tr("problem.unknown")
    message = translated_problem(record.problem.title, "message", record.path)
    return message or readable(record.problem.message)


def translated_problem(title: str, part: str, path: str) -> str | None:
    """Return a known reason in the window's language; None if it is best left as it is.

    The library states its reasons in English. ``part`` is "title" or "message".
    """
    reason = reasons(current_language()).get(title)
    return reason[part].format(name=file_name(path)) if reason is not None else None


def page_reason(reason: str) -> str:
    """Return why a page was not read, in the window's language."""
    return translated_problem(reason, "title", "") or readable(reason)


def place(page: int | None, heading: str) -> str:
    """Return where a passage stands, by its page and nearest heading: "page 4 · § 7 Notice"."""
    parts = [tr("place.page", page=page)] if page else []
    if heading:
        parts.append(heading.rpartition(HEADING_SEPARATOR)[2])
    return " · ".join(parts)


def citation_place(citation: Citation) -> str:
    """Return where a quote stands."""
    return place(citation.page, citation.heading)


def kind_word(kind: str) -> str:
    """Return what a kind of file is called; its own name where there is no other."""
    return tr(f"type.{kind}") if kind in KINDS_WITH_WORDS else kind


def size(number: float) -> str:
    """Return a number of bytes: "12.3 MB"."""
    locale = QLocale(QLocale.Language.English)
    return locale.formattedDataSize(int(number), 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def duration(seconds: float) -> str:
    """Return a rough time: "about 4 min"."""
    if seconds < 60:
        return tr("time.under_minute")
    minutes = round(seconds / 60)
    if minutes < 60:
        return tr("time.minutes", minutes=minutes)
    return tr("time.hours", hours=f"{seconds / 3600:.1f}")


def progress_line(progress: Progress) -> str:
    """Return one line on the reading: "Reading 3,210 of 9,800 files · about 4 min"."""
    done, total = progress.files_done, progress.files_total
    if progress.state == "scanning":
        return tr("progress.scanning")
    if progress.state == "paused":
        return tr("progress.paused", done=done, total=total)
    if progress.state == "recognising":
        name = file_name(progress.current or "")
        return tr("progress.recognising", page=progress.page, pages=progress.pages, name=name)
    if progress.state == "relearning":
        line = tr("progress.relearning", done=progress.page, total=progress.pages)
    else:
        line = tr("progress.reading", done=done, total=total)
    if progress.seconds_left is None:
        return line
    return f"{line} · {duration(progress.seconds_left)}"


def note(text: str) -> str:
    """Return a sentence about the library in the window's language, where it is known."""
    for pattern, translation in note_patterns(current_language()):
        found = pattern.fullmatch(text)
        if found is not None:
            return readable(translation.format(*found.groups()))
    title, _, _ = text.partition(": ")
    return translated_problem(title, "message", "") or readable(text)


def changed_on(mtime_ns: int) -> str:
    """Return a date as the user's language writes it."""
    return day(datetime.fromtimestamp(mtime_ns / 1e9))


def day(moment: datetime) -> str:
    """Return a day as the user's language writes it."""
    chinese = current_language() == "zh"
    locale = QLocale(QLocale.Language.Chinese if chinese else QLocale.Language.English)
    return locale.toString(
        QDate(moment.year, moment.month, moment.day),
        "yyyy年M月d日" if chinese else "d MMM yyyy",
    )


def how_made(answer: Answer) -> str:
    """Return how an answer was made, for its chip."""
    if answer.kind is AnswerKind.GENERAL:
        return tr("made.general")
    if answer.outcome is Outcome.NOT_FOUND:
        return tr("made.not_found")
    if answer.kind is AnswerKind.GENERATIVE and answer.model:
        return tr("made.written", model=answer.model)
    return tr(f"made.{answer.kind}")


def confidence(answer: Answer) -> str:
    """Return how sure the program is, in a word."""
    if answer.confidence >= HIGH_CONFIDENCE and answer.outcome is Outcome.ANSWER:
        return tr("confidence.high")
    if answer.confidence >= MEDIUM_CONFIDENCE:
        return tr("confidence.medium")
    return tr("confidence.low")
