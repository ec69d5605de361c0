"""``remove``: take files and folders out of the library."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute

_DONE = {
    "source": "Removed {path} from the library; the files themselves stay where they are.",
    "ignored": "{path} lies inside a source: from now on it is left out.",
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a source, which is dropped, or something inside one, which is then left out",
    )


def _arguments(options: Options) -> dict[str, object]:
    return {"paths": absolute(options.paths)}


def _show(result: Mapping[str, Any], console: Console) -> None:
    for removal in result["removed"]:
        console.print(_DONE[removal["kind"]].format(path=removal["path"]))


REMOVE = RequestCommand(
    "remove", "take files or folders out of the library", _add_arguments, _arguments, _show
)
