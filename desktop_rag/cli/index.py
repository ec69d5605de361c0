"""``index``: add files and folders, and bring everything up to date."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute, count, page_numbers, problem, size, time_left

_CHANGES = ("added", "updated", "moved", "removed", "unchanged", "failed", "skipped")

_KINDS_NAMED = 5


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="a file or folder to add; without any, look for changes in what was added before",
    )
    parser.add_argument(
        "--new-model",
        action="store_true",
        help="have a language model that became another one read all passages again; "
        "status says how long that takes",
    )
    parser.add_argument(
        "--again", action="store_true", help="try files and pages again that could not be read"
    )
    parser.add_argument(
        "--yes", action="store_true", help="add a great number of files without asking first"
    )


def _arguments(options: Options) -> dict[str, object]:
    return {
        "paths": absolute(options.paths),
        "again": options.again,
        "new_model": options.new_model,
    }


def _show(result: Mapping[str, Any], console: Console) -> None:
    files = result["files"]
    changes = [f"{files[name]:,} {name}" for name in _CHANGES if files[name]]
    console.print(f"Files: {', '.join(changes) or 'none'}")
    kept = f", {result['reused']:,} known before" if result["reused"] else ""
    read = count(result["embedded"], "new passage")
    console.print(f"Read {read}{kept} · {result['seconds']:.1f} s")
    if result["problems"]:
        console.print(f"\n{count(len(result['problems']), 'problem')}:")
    pages: dict[tuple[str, str], list[int]] = {}
    for item in result["problems"]:
        alike = pages.setdefault((item["path"], problem(item["title"], item["message"])), [])
        if item["page"] is not None:
            alike.append(item["page"])
    for (path, what), numbers in pages.items():
        console.print(f"  {path}{', ' + page_numbers(numbers) if numbers else ''}")
        console.print(f"    {what}")


class IndexCommand(RequestCommand):
    """Asks about a great number of files first, where somebody can answer; tells of it else."""

    def run(self, options: Options, session: Session) -> int:
        """Have it done, after asking where it is much."""
        arguments, console = self.arguments(options), session.console
        result = self.request({**arguments, "ask": True}, session)
        counted = result.get("survey")
        if isinstance(counted, Mapping):
            console.tell(_cost(counted))
            if not (options.yes or console.json or console.agrees("Add them?")):
                console.print("Nothing was added.")
                return 0
            result = self.request(arguments, session)
        return self.report(result, console)


def _cost(counted: Mapping[str, Any]) -> str:
    most = counted["kinds"][:_KINDS_NAMED]
    kinds = ", ".join(f"{kind['files']:,} {kind['name'] or 'without a suffix'}" for kind in most)
    more = f" {count(counted['known'], 'more file')} known already." if counted["known"] else ""
    return (
        f"{count(counted['files'], 'file')}, {size(counted['bytes'])}: reading them takes "
        f"{time_left(counted['seconds'])} and {size(counted['library_bytes'])} of disk space, of "
        f"{size(counted['free_bytes'])} that are free.{more}\nMost of them: {kinds}"
    )


INDEX = IndexCommand(
    "index", "add files and folders and read what is new", _add_arguments, _arguments, _show
)
