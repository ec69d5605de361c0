"""``files``: every file with its state."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import page_numbers, problem


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--problems", action="store_true", help="only files of which something was not read"
    )


def _arguments(options: Options) -> dict[str, object]:
    return {"problems": options.problems}


def _show(result: Mapping[str, Any], console: Console) -> None:
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


FILES = RequestCommand("files", "list the files and their state", _add_arguments, _arguments, _show)
