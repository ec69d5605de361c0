"""``models``: which language model writes answers, if any."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options
from desktop_rag.cli.request_command import RequestCommand
from desktop_rag.cli.words import absolute, size
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.addresses import is_address

_ACTIONS = ("list", "look", "choose", "test", "unload", "none")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        default="list",
        choices=_ACTIONS,
        help="list (what is chosen), look (for a server on this computer), choose, test, "
        "unload (give its memory back), none (quotes only)",
    )
    parser.add_argument(
        "target",
        metavar="FILE|ADDRESS",
        nargs="?",
        help="choose: a GGUF file, or the address of a server on this computer",
    )
    parser.add_argument("--model", metavar="NAME", help="choose: which one of the server's models")


def _arguments(options: Options) -> dict[str, object]:
    target = options.target
    if options.action == "choose" and not target:
        raise KnownError("Nothing chosen", "Name a model file, or the address of a server.")
    if target and not is_address(target):
        [target] = absolute([target])
    return {"action": options.action, "target": target, "model": options.model}


def _show(result: Mapping[str, Any], console: Console) -> None:
    _show_state(result["state"], console)
    if "servers" in result and not result["servers"]:
        console.print("No server was found at the usual ports of this computer.")
    for server in result.get("servers", ()):
        console.print(f"{server['program']}: {server['address']}")
        for model in server["models"]:
            console.print(f"    {model}")
    if "test" in result:
        _show_test(result["test"], console)


def _show_state(state: Mapping[str, Any], console: Console) -> None:
    if not state["name"]:
        console.print("No language model: answers are quotes only.")
        return
    memory = f", {size(state['memory_bytes'])} of memory" if state["memory_bytes"] else ""
    console.print(f"Answers written by {state['name']}: {state['phase']}{memory}")
    if state["problem"]:
        console.print(f"    {state['problem']}")


def _show_test(test: Mapping[str, Any], console: Console) -> None:
    console.print(f"“{test['text']}”")
    if test["load_seconds"] is not None:
        console.print(f"Loaded in {test['load_seconds']:.1f} s")
    speed = test["tokens_per_second"]
    words = "" if speed is None else f", then {speed:.1f} pieces of words a second"
    console.print(f"First word after {test['first_seconds']:.1f} s{words}")
    console.print(f"Reads {test['context_tokens']:,} pieces of words at once")


MODELS = RequestCommand(
    "models", "choose a language model that writes answers", _add_arguments, _arguments, _show
)
