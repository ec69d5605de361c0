"""``verify``: check what the library keeps."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="mend what can be mended")


def _arguments(options: Options) -> dict[str, object]:
    return {"repair": options.repair}


def _show(result: Mapping[str, Any], console: Console) -> None:
    for found in result["problems"]:
        console.print(f"  {found}")
    now = " now" if result["problems"] else ""
    console.print(
        f"Everything is in order{now}." if result["ok"] else "Not everything is in order."
    )


VERIFY = RequestCommand("verify", "check the library", _add_arguments, _arguments, _show)
