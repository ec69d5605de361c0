"""Arguments that several commands take, and their checks."""

from __future__ import annotations

import argparse

from desktop_rag.cli.program import Options
from desktop_rag.cli.words import absolute

MODES = ("hybrid", "vector", "keyword")


def add_question(parser: argparse.ArgumentParser) -> None:
    """Add the question, which may be several words without quotation marks."""
    parser.add_argument("question", metavar="QUESTION", nargs="+", help="what to look for")


def question(options: Options) -> str:
    """Return the question as it was written."""
    return " ".join(options.question)


def add_mode(parser: argparse.ArgumentParser) -> None:
    """Add ``--mode``."""
    parser.add_argument(
        "--mode",
        type=mode,
        default="hybrid",
        metavar="MODE",
        help="hybrid (words and meaning), vector (meaning), keyword (words); default hybrid",
    )


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Add ``--filter``."""
    parser.add_argument(
        "--filter",
        default="",
        metavar="EXPR",
        help='limit the files: type:pdf folder:contracts after:2025-01 "exact phrase" -word',
    )


def add_scope(parser: argparse.ArgumentParser) -> None:
    """Add ``--in`` and ``--collection``."""
    parser.add_argument(
        "--in",
        dest="places",
        metavar="PATH",
        action="append",
        default=[],
        help="look in this folder or file alone; may be repeated",
    )
    parser.add_argument(
        "--collection",
        dest="collections",
        metavar="NAME",
        action="append",
        default=[],
        help="look in this collection alone; may be repeated",
    )


def scope(options: Options) -> dict[str, object]:
    """Return where to look, as arguments of a request; nothing for everywhere."""
    chosen = {"in": absolute(options.places), "collections": options.collections}
    return {name: value for name, value in chosen.items() if value}


def add_rerank(parser: argparse.ArgumentParser, default: bool) -> None:
    """Add ``--rerank`` and ``--no-rerank``."""
    parser.add_argument(
        "--rerank",
        action=argparse.BooleanOptionalAction,
        default=default,
        help=f"look closer at the best passages (default: {'yes' if default else 'no'})",
    )


def mode(text: str) -> str:
    """Return one way of searching; words and meaning together are the hybrid one."""
    wanted = {part.strip() for part in text.split(",")}
    if not wanted <= set(MODES):
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(MODES)}, not {text!r}")
    return wanted.pop() if len(wanted) == 1 else "hybrid"


def positive(text: str) -> int:
    """Return a whole number above zero."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number <= 0:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, not {text!r}")
    return number
