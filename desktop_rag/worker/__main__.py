"""``desktop-rag-worker parse|view``: the child processes of Desktop RAG."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve requests on stdin until it closes.

    Returns:
        The exit code: 0 when stdin was closed.
    """
    options = _options(arguments)
    stop_with_owner()
    output = protected_stdout()
    session = Session(sys.stdin.buffer, output)
    session.start()
    if options.mode == PARSE:
        lower_priority()
        from desktop_rag.worker.parse import ParseService  # loads the parsers

        session.serve(ParseService(options), limit_memory(options.memory_mb))
    else:
        from desktop_rag.worker.view import ViewService  # loads the renderer

        session.serve(ViewService(), limit_memory(options.memory_mb))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    sizes = SegmentSizes()
    parser = argparse.ArgumentParser(prog="desktop-rag-worker", description=__doc__)
    parser.add_argument("mode", choices=(PARSE, VIEW))
    parser.add_argument("--memory-mb", type=int, default=1500)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--segment-tokens", type=int, default=sizes.target)
    parser.add_argument("--parent-tokens", type=int, default=sizes.parent)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
