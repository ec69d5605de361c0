"""``export`` and ``import``: take a library to another computer, or keep a copy of it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute, count, size


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file that does not exist yet")


def _export_arguments(options: Options) -> dict[str, object]:
    return {"file": absolute([options.file])[0]}


def _show_export(result: Mapping[str, Any], console: Console) -> None:
    console.print(f"Wrote {result['path']} ({size(result['bytes'])}): {_amounts(result)}.")
    console.print("It holds the text of your files: keep it where only you can read it.")


def _amounts(result: Mapping[str, Any]) -> str:
    parts = (("sources", "source"), ("files", "file"), ("passages", "passage"), ("chats", "chat"))
    return ", ".join(count(result[name], one) for name, one in parts)


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="what export has written")
    parser.add_argument(
        "--map",
        metavar="OLD=NEW",
        action="append",
        default=[],
        type=_move,
        help="a folder of the exported library that is elsewhere here; may be repeated",
    )


def _move(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not (old and equals and new):
        raise argparse.ArgumentTypeError(f"must be OLD=NEW, not {text!r}")
    return old, os.path.abspath(os.path.expanduser(new))


def _import_arguments(options: Options) -> dict[str, object]:
    return {"file": absolute([options.file])[0], "map": dict(options.map)}


def _show_import(result: Mapping[str, Any], console: Console) -> None:
    console.print(f"Took in {_amounts(result)}.")
    if result["skipped"]:
        console.print(f"{count(result['skipped'], 'file')} here already; left as it is here.")
    if result["waiting"]:
        console.print(f"{count(result['waiting'], 'file')} still to be read.")
    for path in result["missing"]:
        console.print(f"There is no “{path}” now. Connect its drive, or import with --map.")


EXPORT = RequestCommand(
    "export", "write the whole library into one file", _add_file, _export_arguments, _show_export
)
IMPORT = RequestCommand(
    "import", "take in a library from a file", _add_import, _import_arguments, _show_import
)
