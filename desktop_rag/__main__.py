"""``desktop-rag`` and ``python -m desktop_rag``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.cli.main import run
from desktop_rag.cli.program import Program

if TYPE_CHECKING:
    from desktop_rag.services.services import Services


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; ``arguments`` are the process's when None."""
    program = Program(open_services=_open_services, run_window=_run_window)
    try:
        return run(sys.argv[1:] if arguments is None else arguments, program)
    except KeyboardInterrupt:
        return 130


def _open_services(data_dir: Path) -> Services:
    """Imported when needed: a command that is the owner's guest needs none of it."""
    from desktop_rag.bootstrap import open_services

    return open_services(data_dir)


def _run_window(data_dir: Path, paths: tuple[str, ...], hidden: bool) -> int:
    from desktop_rag.gui.app import run as run_window

    return run_window(data_dir, paths, _open_services, hidden)


if __name__ == "__main__":
    sys.exit(main())
