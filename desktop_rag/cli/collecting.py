"""``collections``: named groups of folders, for questions about them alone."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a collection, which is made when new"
    )
    parser.add_argument("--describe", metavar="TEXT", help="say what is in it")
    parser.add_argument("--rename", metavar="NEW", help="give it another name")
    for option, words in (
        ("--add", "put this folder or file, which was added, in it; may be repeated"),
        ("--drop", "take it out; may be repeated"),
    ):
        parser.add_argument(option, metavar="SOURCE", action="append", default=[], help=words)
    parser.add_argument(
        "--delete", action="store_true", help="forget the collection; what is in it stays"
    )


def _arguments(options: Options) -> dict[str, object]:
    return {
        "name": options.name,
        "description": options.describe,
        "rename": options.rename,
        "add": absolute(options.add),
        "drop": absolute(options.drop),
        "delete": options.delete,
    }


def _show(result: Mapping[str, Any], console: Console) -> None:
    if not result["collections"]:
        console.print("There are no collections.")
    for one in result["collections"]:
        console.print(f"{one['name']}: {one['description']}" if one["description"] else one["name"])
        for path in one["sources"]:
            console.print(f"    {path}")


COLLECTIONS = RequestCommand(
    "collections", "group folders and files under names", _add_arguments, _arguments, _show
)
