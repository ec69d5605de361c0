"""``desktop-rag-worker parse|view|ocr|write``: the child processes of Desktop RAG."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from desktop_rag.ingestion.parsers.limits import ParseLimits
from desktop_rag.ingestion.splitters.sizes import SegmentSizes
from desktop_rag.worker.process import (
    limit_memory,
    lower_priority,
    protected_stdout,
    stop_with_owner,
)
from desktop_rag.worker.session import Session

PARSE = "parse"
VIEW = "view"
OCR = "ocr"
WRITE = "write"


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Serve requests on stdin; the process ends when it closes."""
    options = _options(arguments)
    stop_with_owner()
    output = protected_stdout()
    session = Session(sys.stdin.buffer, output)
    if options.mode == OCR:
        _serve_ocr(session, options)
    session.start()
    if options.mode == PARSE:
        lower_priority()
        from desktop_rag.worker.parse import ParseService  # loads the parsers

        session.serve(ParseService(options, session.send), limit_memory(options.memory_mb))
    elif options.mode == WRITE:
        lower_priority()
        from desktop_rag.worker.write import WriteService  # loads llama.cpp

        session.serve(WriteService(options, session), memory_mb=0)
    else:
        from desktop_rag.worker.view import ViewService  # loads the renderer

        session.serve(ViewService(), limit_memory(options.memory_mb))


def _serve_ocr(session: Session, options: argparse.Namespace) -> NoReturn:
    """Load the models, then say hello: none that are damaged may count as pages that fail."""
    lower_priority(lowest=True)
    from desktop_rag.worker.ocr import OcrService  # loads the renderer and Pillow

    service = OcrService(options.seconds)
    session.start()
    session.serve(service, limit_memory(options.memory_mb))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    sizes, limits = SegmentSizes(), ParseLimits()
    parser = argparse.ArgumentParser(prog="desktop-rag-worker", description=__doc__)
    parser.add_argument("mode", choices=(PARSE, VIEW, OCR, WRITE))
    parser.add_argument("--memory-mb", type=int, default=1500)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--pages", type=int, default=limits.pages)
    parser.add_argument("--text-bytes", type=int, default=limits.text)
    parser.add_argument("--unpacked-bytes", type=int, default=limits.unpacked)
    parser.add_argument("--depth", type=int, default=limits.depth)
    parser.add_argument("--segment-tokens", type=int, default=sizes.target)
    parser.add_argument("--parent-tokens", type=int, default=sizes.parent)
    parser.add_argument("--model", help="write: the GGUF file")
    parser.add_argument("--context", type=int, default=4096, help="write: tokens")
    parser.add_argument("--threads", type=int, default=1, help="write")
    parser.add_argument("--folder", help="write: a folder of its own, for a socket")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
