"""An answer's text as rich text, with its citation marks as links."""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape

from desktop_rag.domain.answer import Answer, Citation
from desktop_rag.gui.strings import tr
from desktop_rag.gui.theme import Tokens
from desktop_rag.gui.words import citation_place, file_name, readable

_MARK = re.compile(r"\s*\[(\d{1,3})\]")


def answer_html(text: str, numbers: Collection[int], active: int | None, tokens: Tokens) -> str:
    """Return the text with every ``[n]`` of ``numbers`` as a link ``cite:n``.

    ``active`` is the number to stress. Other brackets stay as they are.
    """

    def badge(found: re.Match[str]) -> str:
        number = int(found[1])
        if number not in numbers:
            return found[0]
        ground, ink = tokens.accent, tokens.on_accent
        if number == active:
            ground, ink = tokens.mark, tokens.text
        style = f"background-color:{ground};color:{ink};text-decoration:none;font-weight:600"
        return f'&nbsp;<a href="cite:{number}" style="{style}">&nbsp;{number}&nbsp;</a>'

    lines = _MARK.sub(badge, escape(text, quote=False)).split("\n")
    return f'<div style="line-height:125%">{"<br>".join(lines)}</div>'


def source_line(citation: Citation) -> str:
    """Return a citation as one line of text: "[1] Lease.pdf, page 4 · § 7: “…”".

    A whole file has no quote.
    """
    place = citation_place(citation)
    where = f"{file_name(citation.path)}, {place}" if place else file_name(citation.path)
    quote = " ".join(citation.quote.split())
    return f"[{citation.number}] {where}: “{quote}”" if quote else f"[{citation.number}] {where}"


def with_sources(answer: Answer) -> str:
    """Return an answer and its sources as plain text, for the clipboard."""
    cited = answer.citations or answer.nearest
    if not cited:
        return answer.text
    heading = tr("chat.sources") if answer.citations else tr("chat.may_help")
    lines = [source_line(citation) for citation in cited]
    return "\n".join([answer.text, "", heading, *lines])


def chat_markdown(title: str, turns: list[tuple[str, Answer | None]]) -> str:
    """Return a whole chat as Markdown, for an export."""
    parts = [f"# {title}"]
    for question, answer in turns:
        parts.append(f"## {' '.join(question.split())}")
        if answer is None:
            parts.append(tr("chat.unanswered"))
            continue
        parts.append(answer.text)
        cited = answer.citations or answer.nearest
        lines = [f"- {source_line(citation)} ({readable(citation.path)})" for citation in cited]
        if lines:
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
