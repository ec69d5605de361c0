"""The command line: which command, with which options, and what went wrong."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from desktop_rag.cli.ask import ASK
from desktop_rag.cli.chats import CHATS
from desktop_rag.cli.collecting import COLLECTIONS
from desktop_rag.cli.console import Console, use_utf8
from desktop_rag.cli.doctor import DOCTOR
from desktop_rag.cli.evaluate import EVALUATE
from desktop_rag.cli.files import FILES
from desktop_rag.cli.index import INDEX
from desktop_rag.cli.interrupts import Interrupts, noticed_interrupts, run_interruptibly
from desktop_rag.cli.models import MODELS
from desktop_rag.cli.program import Command, Options, Program, Session
from desktop_rag.cli.remove import REMOVE
from desktop_rag.cli.rules import RULES
from desktop_rag.cli.search import SEARCH
from desktop_rag.cli.status import STATUS
from desktop_rag.cli.transfer import EXPORT, IMPORT
from desktop_rag.cli.verify import VERIFY
from desktop_rag.cli.watch import WATCH
from desktop_rag.cli.window import open_window
from desktop_rag.foundation.errors import Cancelled, KnownError, explain_os_error
from desktop_rag.foundation.paths import DATA_DIR_VARIABLE, default_data_dir
from desktop_rag.foundation.version import VERSION
from desktop_rag.services.client import OwnerFailure

COMMANDS: tuple[Command, ...] = (
    INDEX,
    SEARCH,
    ASK,
    STATUS,
    FILES,
    WATCH,
    REMOVE,
    RULES,
    COLLECTIONS,
    CHATS,
    VERIFY,
    EXPORT,
    IMPORT,
    MODELS,
    EVALUATE,
    DOCTOR,
)
_BY_NAME = {command.name: command for command in COMMANDS}

EXIT_DONE, EXIT_KNOWN_ERROR, EXIT_USAGE = 0, 1, 2

_HIDDEN_HELP = "open the window in the system's tray, as when it is started at login"

_OPTIONS_WITH_VALUE = frozenset({"--data-dir"})
"""Those that may come before the command."""


def run(arguments: Sequence[str], program: Program) -> int:
    """Run the program with these arguments and return its exit code.

    Raises:
        SystemExit: for ``--help`` and ``--version`` (0) and for wrong usage (2).
    """
    use_utf8()
    options = parse(arguments)
    console = Console(json=bool(getattr(options, "json", False)))
    try:
        return _run(options, console, program)
    except KnownError as error:
        console.fail(error)
    except OwnerFailure as error:
        console.fail(_unexpected(str(error)))
    except BrokenPipeError:
        _forget_output()
    except OSError as error:
        known = explain_os_error(error)
        if known is None:
            raise
        console.fail(known)
    return EXIT_KNOWN_ERROR


def _run(options: Options, console: Console, program: Program) -> int:
    data_dir = _data_dir(options)
    if options.command is None:
        hidden = bool(getattr(options, "hidden", False))
        return open_window(data_dir, options.paths, program.run_window, hidden)
    command = _BY_NAME[options.command]
    with noticed_interrupts() as interrupts:
        try:
            return run_interruptibly(
                lambda cancel: command.run(options, Session(program, console, data_dir, cancel)),
                interrupts,
            )
        except Cancelled:
            return _stopped(console, interrupts)


def _stopped(console: Console, interrupts: Interrupts) -> int:
    console.tell("Stopped. What is done is kept; the rest goes on next time.")
    return interrupts.exit_code


def _data_dir(options: Options) -> Path:
    chosen = getattr(options, "data_dir", None)
    folder = default_data_dir() if chosen is None else Path(chosen)
    return Path(os.path.abspath(folder.expanduser()))


def _unexpected(details: str) -> KnownError:
    return KnownError(
        "Something went wrong in the running Desktop RAG",
        f"{details}. Its log in the data folder says more.",
    )


def _forget_output() -> None:
    """Leave quietly when the reader of the output has gone (``| head``)."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())


def parse(arguments: Sequence[str]) -> Options:
    """Return the options; ``command`` is None for the window, which gets ``paths``.

    Raises:
        SystemExit: for ``--help``, ``--version`` and wrong usage.
    """
    first = _first_word(arguments)
    if first is None or first in _BY_NAME:
        options = command_parser().parse_args(arguments)
        if options.command is None:
            options.paths = ()
        return options
    return _window_options(arguments)


def _first_word(arguments: Sequence[str]) -> str | None:
    """Return the first argument that is neither an option nor the value of one."""
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--":
            return next(remaining, None)
        if argument in _OPTIONS_WITH_VALUE:
            next(remaining, None)
        elif not argument.startswith("-"):
            return argument
    return None


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of everything but ``desktop-rag PATH…``."""
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description="A private knowledge base of your own files. Without a command it opens "
        "its window; with existing files or folders in place of a command, with these added.",
        parents=[_common()],
    )
    parser.add_argument("--hidden", action="store_true", help=_HIDDEN_HELP)
    parser.add_argument("--version", action="version", version=f"desktop-rag {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        command.configure(
            commands.add_parser(
                command.name,
                help=command.summary,
                description=command.summary[0].upper() + command.summary[1:] + ".",
                parents=[_common()],
            )
        )
    return parser


def _common() -> argparse.ArgumentParser:
    """Return the options that may stand before and after the command."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument(
        "--data-dir",
        metavar="DIR",
        help=f"where the library is kept (or set {DATA_DIR_VARIABLE})",
    )
    common.add_argument("--json", action="store_true", help="print the result as JSON")
    return common


def _window_options(arguments: Sequence[str]) -> Options:
    parser = argparse.ArgumentParser(prog="desktop-rag", parents=[_common()])
    parser.add_argument("--hidden", action="store_true", help=_HIDDEN_HELP)
    parser.add_argument("paths", metavar="PATH", nargs="+")
    options = parser.parse_args(arguments)
    for path in options.paths:
        if not os.path.lexists(path):
            _no_command(parser, path)
    options.command = None
    return options


def _no_command(parser: argparse.ArgumentParser, word: str) -> NoReturn:
    names = ", ".join(_BY_NAME)
    parser.error(f"{word!r} is neither a command ({names}) nor an existing file or folder")
