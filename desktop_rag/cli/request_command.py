"""A command that the owner of the data folder runs, whichever process that is."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.progress import ReadingProgress
from desktop_rag.services.dispatch import run_command


@dataclass(frozen=True, slots=True)
class RequestCommand:
    """A command described by what goes in and how the result is shown.

    ``arguments`` makes the request's arguments from the options; ``show`` prints the
    result for people, from the very JSON that a program would get.
    """

    name: str
    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    arguments: Callable[[Options], dict[str, object]]
    show: Callable[[Mapping[str, Any], Console], None]

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        self.add_arguments(parser)

    def run(self, options: Options, session: Session) -> int:
        """Have it done and print the result."""
        return self.report(self.request(self.arguments(options), session), session.console)

    def request(self, arguments: Mapping[str, object], session: Session) -> dict[str, object]:
        """Have it done and return the result."""
        with ReadingProgress(session.console) as progress:
            return run_command(
                session.data_dir,
                self.name,
                arguments,
                session.program.open_services,
                progress.update,
                session.cancel,
            )

    def report(self, result: Mapping[str, object], console: Console) -> int:
        """Print the result and return the exit code."""
        if console.json:
            console.print_json(result)
        else:
            self.show(result, console)
        return 0
