"""A chat as Markdown, and an answer with its sources as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath

from desktop_rag.domain.answer import Answer, AnswerKind, Citation, Support
from desktop_rag.foundation.atomic import atomic_path
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.language import CHINESE, ENGLISH
from desktop_rag.store.records import StoredMessage

_ENGLISH = {
    "page": "page {page}",
    "between": ", ",
    "sources": "Sources",
    "may_help": "These may help",
    "unanswered": "Stopped before an answer came.",
    "written": "Written by {model}, checked against the sources.",
    "general": "From general knowledge, not from your documents.",
    "weak": "Not borne out in full by the sources: “{sentence}”",
    "unsupported": "Not in the sources: “{sentence}”",
}
_CHINESE = {
    "page": "第 {page} 页",
    "between": "，",
    "sources": "来源",
    "may_help": "这些内容也许有帮助",
    "unanswered": "尚未得到回答就已停止。",
    "written": "由 {model} 撰写，已对照来源核查。",
    "general": "来自常识，并非您的文档。",
    "weak": "来源只部分支持：“{sentence}”",
    "unsupported": "来源中没有：“{sentence}”",
}
_WORDS: Mapping[str, Mapping[str, str]] = {ENGLISH: _ENGLISH, CHINESE: _CHINESE}
_HEADINGS = " › "

Turn = tuple[str, Answer | None]
"""A question and its answer, None where none came."""


def turns_of(messages: Iterable[StoredMessage]) -> tuple[Turn, ...]:
    """Return the questions of a chat, each with its answer."""
    turns: list[Turn] = []
    for message in messages:
        if message.answer is None:
            turns.append((message.text, None))
        elif turns:
            turns[-1] = (turns[-1][0], message.answer)
    return tuple(turns)


def chat_markdown(title: str, turns: Iterable[Turn], language: str) -> str:
    """Return a whole chat with the sources of its answers; ``language`` is of our words."""
    parts = [f"# {_flat(title)}"]
    for question, answer in turns:
        parts.append(f"## {_flat(question)}")
        parts += [_WORDS[language]["unanswered"]] if answer is None else _answer(answer, language)
    return "\n\n".join(parts) + "\n"


def with_sources(answer: Answer, language: str) -> str:
    """Return an answer and its sources as plain text."""
    cited = answer.citations or answer.nearest
    if not cited:
        return answer.text
    lines = [source_line(citation, language) for citation in cited]
    return "\n".join([answer.text, "", _heading(answer, language), *lines])


def source_line(citation: Citation, language: str) -> str:
    """Return a citation as one line of text: "[1] Lease.pdf, page 4 · § 7: “…”".

    A whole file has no quote.
    """
    words = _WORDS[language]
    page = [words["page"].format(page=citation.page)] if citation.page else []
    heading = [citation.heading.rpartition(_HEADINGS)[2]] if citation.heading else []
    place = " · ".join([*page, *heading])
    name = _readable(PurePath(citation.path).name or citation.path)
    where = words["between"].join(filter(None, [name, place]))
    quote = _flat(citation.quote)
    return f"[{citation.number}] {where}: “{quote}”" if quote else f"[{citation.number}] {where}"


def write_chat(file: Path, text: str) -> None:
    """Write an exported chat, whole or not at all.

    Raises:
        KnownError: the file cannot be written.
    """
    try:
        with atomic_path(file) as part:
            part.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise KnownError("Could not save", f"“{file}”: {reason}.", str(file)) from error


def _answer(answer: Answer, language: str) -> list[str]:
    cited = answer.citations or answer.nearest
    sources = [f"- {source_line(one, language)} ({_readable(one.path)})" for one in cited]
    parts = [answer.text, *_how_made(answer, language)]
    if sources:
        parts += [f"**{_heading(answer, language)}**", "\n".join(sources)]
    return parts


def _how_made(answer: Answer, language: str) -> Sequence[str]:
    """Return what a reader must know of an answer that is not made of quotes."""
    words = _WORDS[language]
    if answer.kind is AnswerKind.GENERAL:
        return [f"*{words['general']}*"]
    if answer.kind is not AnswerKind.GENERATIVE:
        return []
    lines = [f"*{words['written'].format(model=answer.model)}*"]
    for one in answer.sentences:
        if one.support is not Support.SUPPORTED:
            sentence = _flat(answer.text[one.start : one.end])
            lines.append(f"- {words[one.support].format(sentence=sentence)}")
    return ["\n".join([lines[0], "", *lines[1:]]) if len(lines) > 1 else lines[0]]


def _heading(answer: Answer, language: str) -> str:
    return _WORDS[language]["sources" if answer.citations else "may_help"]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _readable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
