"""``status``: the library in numbers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import count, size, time_left

_OCR = {
    "on": "waiting to be recognised",
    "off": "recognising them is switched off",
    "missing": "recognising them is not installed",
}
_STATES = {"available": "", "unavailable": " (not connected)"}


def _add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Nothing but the common ones."""


def _arguments(_options: Options) -> dict[str, object]:
    return {}


def _show(result: Mapping[str, Any], console: Console) -> None:
    console.print(f"{count(len(result['sources']), 'source')}")
    for source in result["sources"]:
        console.print(f"  {source['path']}{_STATES.get(source['state'], '')}")
    parts = [f"{result[name]:,} {name}" for name in ("ready", "waiting", "failed", "ignored")]
    console.print(f"{count(result['files'], 'file')}: {', '.join(parts)}")
    console.print(f"{count(result['segments'], 'passage')} · {size(result['bytes'])} on disk")
    waiting = result.get("extra", {}).get("files_for_ocr", 0)
    if waiting:
        words = _OCR[result["extra"]["ocr"]]
        console.print(f"{count(waiting, 'file')} with scanned pages: {words}")
    change = result.get("extra", {}).get("model_change")
    if change is not None:
        console.print(
            f"{count(change['passages'], 'passage')} to be read by the new language model, "
            f"{time_left(change['seconds'])}: desktop-rag index --new-model"
        )
    for note in result.get("extra", {}).get("notes", ()):
        console.print(note)


STATUS = RequestCommand("status", "show the library in numbers", _add_arguments, _arguments, _show)
