"""``chats``: the conversations that are kept."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute, count, quoted


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a conversation by its title, or #number"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--search", metavar="WORDS", help="list those that have these words in them")
    what.add_argument("--export", metavar="FILE", help="write it as Markdown, with its sources")
    what.add_argument("--rename", metavar="TITLE", help="give it another title")
    what.add_argument("--delete", action="store_true", help="delete it with all its answers")
    what.add_argument(
        "--restore", action="store_true", help="bring back one that was deleted minutes ago"
    )
    parser.set_defaults(check=_check(parser))


def _check(parser: argparse.ArgumentParser) -> Callable[[Options], None]:
    def check(options: Options) -> None:
        wanted = options.export or options.rename or options.delete or options.restore
        if wanted and options.name is None:
            parser.error("say which conversation, by its title")
        if options.search and options.name is not None:
            parser.error("--search looks in all conversations")

    return check


def _arguments(options: Options) -> dict[str, object]:
    options.check(options)
    return {
        "name": options.name,
        "search": options.search,
        "export": absolute([options.export])[0] if options.export else None,
        "rename": options.rename,
        "delete": options.delete,
        "restore": options.restore,
    }


def _show(result: Mapping[str, Any], console: Console) -> None:
    if "exported" in result:
        asked = count(result["questions"], "question")
        console.print(f"{asked} written to {result['exported']}")
    elif "deleted" in result:
        minutes = round(result["seconds_to_restore"] / 60)
        console.print(f"“{result['deleted']}” is deleted.")
        console.print(f"For {minutes} minutes --restore brings it back.")
    elif not result["chats"]:
        console.print("No conversations.")
    for one in result.get("chats", ()):
        day = datetime.fromtimestamp(one["changed"]).strftime("%Y-%m-%d %H:%M")
        console.print(f"#{one['id']}  {one['title']}  ({day}, {count(one['messages'], 'message')})")
        if one["text"]:
            console.print(quoted(one["text"]))


CHATS = RequestCommand(
    "chats", "list, search, export, rename or delete conversations", _add_arguments, _arguments,
    _show,
)  # fmt: skip
