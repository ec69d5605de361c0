"""What the command line is given by the program around it, and what a command is."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from desktop_rag.cli.console import Console
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.services.services import OpenServices

Options = argparse.Namespace

RunWindow = Callable[[Path, tuple[str, ...], bool], int]
"""Opens the window on a data folder, adds these paths, and returns its exit code; the last
argument is whether it stays in the tray at first."""


@dataclass(frozen=True, slots=True)
class Program:
    """The parts above the command line, which it may call but not know."""

    open_services: OpenServices
    run_window: RunWindow


@dataclass(frozen=True, slots=True)
class Session:
    """One run of one command.

    ``cancel`` is set by an interrupt; ``data_dir`` is absolute.
    """

    program: Program
    console: Console
    data_dir: Path
    cancel: CancelToken


class Command(Protocol):
    """One word after ``desktop-rag``."""

    @property
    def name(self) -> str:
        """The word."""
        ...

    @property
    def summary(self) -> str:
        """What it does, for ``--help``."""
        ...

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        ...

    def run(self, options: Options, session: Session) -> int:
        """Do it and return the exit code."""
        ...
