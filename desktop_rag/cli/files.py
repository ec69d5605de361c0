"""``files``: every file with its state."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import page_numbers, problem


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--problems", action="store_true", help="only files of which something was not read"
    )
    parser.add_argument(
        "--ignored", action="store_true", help="what is left out instead, and the rule that does so"
    )


def _arguments(options: Options) -> dict[str, object]:
    return {"problems": options.problems, "ignored": options.ignored}


def _show(result: Mapping[str, Any], console: Console) -> None:
    if "ignored" in result:
        _show_ignored(result["ignored"], console)
        return
    if not result["files"]:
        console.print("No files.")
    for file in result["files"]:
        console.print(f"{file['status']:<12} {file['path']}")
        if file["problem"] is not None:
            text = problem(file["problem"]["title"], file["problem"]["message"])
            console.print(f"{'':<12}   {text}")
        reasons: dict[str, list[int]] = {}
        for unit in file["coverage"]["unreadable"]:
            reasons.setdefault(unit["reason"], []).append(unit["page"])
        for reason, pages in reasons.items():
            console.print(f"{'':<12}   {page_numbers(pages)}: {reason}")


def _show_ignored(ignored: Sequence[Mapping[str, Any]], console: Console) -> None:
    if not ignored:
        console.print("Nothing is left out.")
    for one in ignored:
        rule = f"your rule {one['rule']}" if one["own_rule"] else one["rule"]
        console.print(f"{one['path']}{os.sep if one['folder'] else ''}   ({rule})")


FILES = RequestCommand("files", "list the files and their state", _add_arguments, _arguments, _show)
