"""``rules``: what a source leaves out."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="SOURCE", help="a folder that was added")
    for option, words in (
        ("--add", "leave out what this rule matches, as in a .gitignore file; may be repeated"),
        ("--drop", "leave it out no longer; may be repeated"),
    ):
        parser.add_argument(option, metavar="RULE", action="append", default=[], help=words)


def _arguments(options: Options) -> dict[str, object]:
    return {"path": absolute([options.path])[0], "add": options.add, "drop": options.drop}


def _show(result: Mapping[str, Any], console: Console) -> None:
    if not result["rules"]:
        console.print(f"{result['path']} has no rules of its own.")
    for rule in result["rules"]:
        console.print(rule)


RULES = RequestCommand(
    "rules", "show and change what a source leaves out", _add_arguments, _arguments, _show
)
