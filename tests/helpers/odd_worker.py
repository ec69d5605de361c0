"""The worker program with a parser that does to it what the worst of files may do.

A file that begins with "!" says what happens; all others are parsed as ever.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from desktop_rag.domain.document import ParsedDocument
from desktop_rag.domain.ocr import Recognition
from desktop_rag.ingestion.parsers.registry import parse_file
from desktop_rag.ingestion.parsers.text import parse_text
from desktop_rag.worker import parse
from desktop_rag.worker.__main__ import main

_WORDS = "words of the document"


def _hang() -> ParsedDocument:
    while True:
        time.sleep(0.05)


def _spin() -> ParsedDocument:
    """Hang in C code that never lets another thread run."""
    re.match(r"(a+)+$", "a" * 60 + "b")
    return parse_text("done")


def _crash() -> ParsedDocument:
    os.abort()


def _memory() -> ParsedDocument:
    return parse_text("x" * 4_000_000_000)


def _print() -> ParsedDocument:
    print("a line of a chatty library")
    os.write(1, b"another one, from C\n" * 100)
    return parse_text("It printed and went on.")


def _bug() -> ParsedDocument:
    raise RuntimeError(_WORDS)


def _environment() -> ParsedDocument:
    names = " ".join(name for name in os.environ if name.startswith(("QT_", "TOKENIZERS_")))
    return parse_text(f"names {names} niceness {os.nice(0)} process {os.getpid()}")


_DEEDS = {
    "!hang": _hang,
    "!spin": _spin,
    "!crash": _crash,
    "!memory": _memory,
    "!print": _print,
    "!bug": _bug,
    "!environment": _environment,
}


def _odd_parse_file(path: Path, recognition: Recognition | None = None) -> ParsedDocument:
    deed = _DEEDS.get(path.read_bytes()[:20].decode("utf-8", "replace").strip())
    return parse_file(path, recognition) if deed is None else deed()


if __name__ == "__main__":
    parse.parse_file = _odd_parse_file
    main()
