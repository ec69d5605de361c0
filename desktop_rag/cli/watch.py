"""``watch``: follow the folders and print each change of the library."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.words import absolute
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.services.dispatch import run_command


class WatchCommand:
    """Prints one JSON line per settled change until it is interrupted."""

    name = "watch"
    summary = "follow the folders and print each change as a line of JSON"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument(
            "paths", metavar="PATH", nargs="*", help="a file or folder to add first"
        )

    def run(self, options: Options, session: Session) -> int:
        """Print changes; an interrupt is the usual end, so it is no failure."""

        def show(message: Mapping[str, object]) -> None:
            change = message.get("change")
            if isinstance(change, Mapping):
                session.console.print_json(change)

        try:
            run_command(
                session.data_dir,
                self.name,
                {"paths": absolute(options.paths)},
                session.program.open_services,
                show,
                session.cancel,
            )
        except Cancelled:
            session.console.tell("Stopped.")
        return 0


WATCH = WatchCommand()
