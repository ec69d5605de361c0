"""``ask``: an answer in quotes from the files."""

from __future__ import annotations

import argparse
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
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import place, quoted


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
    console.print(result["answer"])
    _show_quotes("Sources", result["citations"], console, said=result["answer"])
    extra = result.get("extra", {})
    _show_quotes("These may help", extra.get("nearest", ()), console)
    notes = list(extra.get("notes", ()))
    if notes:
        console.print()
    for note in notes:
        console.print(note)


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


ASK = RequestCommand("ask", "answer a question with quotes", _add_arguments, _arguments, _show)
