"""``ask``: an answer in quotes from the files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from typing import Any

from desktop_rag.cli.arguments import (
    add_filter,
    add_question,
    add_rerank,
    add_scope,
    question,
    scope,
)
from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import place, quoted
from desktop_rag.services.dispatch import run_command


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_question(parser)
    parser.add_argument(
        "--chat", metavar="NAME", help="ask in this conversation, which is started when new"
    )
    add_filter(parser)
    add_scope(parser)
    add_rerank(parser, default=True)


def _arguments(options: Options) -> dict[str, object]:
    return {
        "question": question(options),
        "chat": options.chat,
        "filter": options.filter,
        "rerank": options.rerank,
        **scope(options),
    }


def _show(result: Mapping[str, Any], console: Console) -> None:
    """Print what an answer rests on."""
    _show_doubts(result.get("sentences", ()), console)
    _show_quotes("Sources", result["citations"], console, said=result["answer"])
    extra = result.get("extra", {})
    _show_quotes("These may help", extra.get("nearest", ()), console)
    notes = list(extra.get("notes", ()))
    if notes:
        console.print()
    for note in notes:
        console.print(note)


def _show_doubts(sentences: Iterable[Mapping[str, Any]], console: Console) -> None:
    """Print the sentences that are not borne out, each with the reason."""
    doubtful = [one for one in sentences if one["support"] != "supported"]
    for position, one in enumerate(doubtful):
        if position == 0:
            console.print("\nNot borne out, or hardly")
        console.print(f"{_SIGNS[one['support']]} {one['text']}")
        console.print(quoted(one["reason"]))


_SIGNS = {"weak": "?", "unsupported": "✗"}


def _show_quotes(
    title: str, citations: Iterable[Mapping[str, Any]], console: Console, said: str = ""
) -> None:
    """Print numbered places with their words, but for those that the answer says already."""
    for position, citation in enumerate(citations):
        if position == 0:
            console.print(f"\n{title}")
        console.print(f"[{citation['number']}] {place(citation)}")
        if citation["quote"] not in said:
            console.print(quoted(f"“{citation['quote']}”"))


class _AskCommand(RequestCommand):
    """Prints an answer as it is written, on a terminal; elsewhere when it is whole."""

    def run(self, options: Options, session: Session) -> int:
        """Ask and print the answer."""
        streamed = _Streamed(session.console)
        result = run_command(
            session.data_dir,
            self.name,
            self.arguments(options),
            session.program.open_services,
            streamed.update,
            session.cancel,
        )
        if session.console.json:
            session.console.print_json(result)
            return 0
        answer = str(result["answer"])
        if not streamed.has_said(answer):
            session.console.print(answer)
        _show(result, session.console)
        return 0


class _Streamed:
    """The answer's text as it comes."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = not console.json and console.out.isatty()
        self._text = ""

    def update(self, message: Mapping[str, object]) -> None:
        """Print a piece of the text."""
        piece = message.get("text")
        if self._live and isinstance(piece, str):
            self._text += piece
            self._console.write(piece)

    def has_said(self, answer: str) -> bool:
        """End the line; tell whether it was this answer, whatever its marks."""
        if self._text:
            self._console.print()
        return bool(self._text) and _bare(self._text) == _bare(answer)


_MARKS = re.compile(r"[\[【]\s*[\d,，、\s-]+[\]】]|\s")


def _bare(text: str) -> str:
    return _MARKS.sub("", text)


ASK = _AskCommand("ask", "answer a question with quotes", _add_arguments, _arguments, _show)
