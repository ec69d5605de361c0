"""``search``: find passages."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.arguments import (
    add_filter,
    add_mode,
    add_question,
    add_rerank,
    add_scope,
    positive,
    question,
    scope,
)
from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import place, quoted


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_question(parser)
    parser.add_argument("-k", type=positive, default=10, help="how many passages (10)")
    add_mode(parser)
    add_filter(parser)
    add_scope(parser)
    add_rerank(parser, default=False)


def _arguments(options: Options) -> dict[str, object]:
    return {
        "question": question(options),
        "k": options.k,
        "mode": options.mode,
        "filter": options.filter,
        "rerank": options.rerank,
        **scope(options),
    }


def _show(result: Mapping[str, Any], console: Console) -> None:
    if not result["results"]:
        console.print("Nothing found.")
    for found in result["results"]:
        heading = f" · {found['heading']}" if found["heading"] else ""
        console.print(f"{found['rank']}. {place(found)}{heading}  ({found['score']:.3f})")
        console.print(quoted(found["text"]))
        for other in found["paths"]:
            if other != found["path"]:
                console.print(f"    also in {other}")
        console.print()
    for note in result.get("extra", {}).get("notes", ()):
        console.print(note)


SEARCH = RequestCommand("search", "find passages", _add_arguments, _arguments, _show)
