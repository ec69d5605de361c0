"""``index``: add files and folders, and bring everything up to date."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute, count, page_numbers, problem, size, time_left
from desktop_rag.foundation.settings import MAX_FILE_MB, Settings
from desktop_rag.services.surveying import survey

_CHANGES = ("added", "updated", "moved", "removed", "unchanged", "failed", "skipped")


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
        "--yes", action="store_true", help="add a great number of files without asking first"
    )


def _arguments(options: Options) -> dict[str, object]:
    return {"paths": absolute(options.paths), "new_model": options.new_model}


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
    """Counts what is added first; a great number is asked about, or at least told."""

    def run(self, options: Options, session: Session) -> int:
        """Count, ask where somebody can answer, and have it done."""
        if options.paths and not self._may_begin(options, session):
            session.console.print("Nothing was added.")
            return 0
        return super().run(options, session)

    def _may_begin(self, options: Options, session: Session) -> bool:
        most = Settings(session.data_dir).get(MAX_FILE_MB)
        paths = absolute(options.paths)
        counted = survey(paths, session.data_dir, most, cancel=session.cancel)
        counted.check_room(session.data_dir)
        if not counted.big:
            return True
        console = session.console
        console.tell(
            f"{count(counted.files, 'file')}, {size(counted.bytes)}: reading them takes "
            f"{time_left(counted.seconds)} and {size(counted.library_bytes)} of disk space."
        )
        return options.yes or console.json or console.agrees("Add them?")


INDEX = IndexCommand(
    "index", "add files and folders and read what is new", _add_arguments, _arguments, _show
)
