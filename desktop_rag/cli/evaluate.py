"""``evaluate``: measure the whole pipeline on a data set with known answers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop_rag.cli.arguments import add_mode, add_rerank, positive
from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.progress import ReadingProgress
from desktop_rag.cli.words import absolute


class EvaluateCommand:
    """Measures in a library of its own, so that it never touches the user's."""

    name = "evaluate"
    summary = "measure search and answers on a data set"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("dataset", metavar="DATASET_DIR", help="the folder of the data set")
        add_mode(parser)
        parser.add_argument("--limit", type=positive, help="ask only the first questions")
        add_rerank(parser, default=True)

    def run(self, options: Options, session: Session) -> int:
        """Measure and print the figures."""
        from desktop_rag.evaluation import evaluate

        with ReadingProgress(session.console) as progress:
            figures = evaluate(
                Path(absolute([options.dataset])[0]),
                session.program.open_services,
                mode=options.mode,
                limit=options.limit,
                rerank=options.rerank,
                on_progress=progress.update,
                cancel=session.cancel,
            )
        if session.console.json:
            session.console.print_json(figures)
        else:
            _show(figures, session.console)
        return 0


def _show(figures: Mapping[str, Any], console: Console) -> None:
    width = max(map(len, figures), default=0)
    for name, value in figures.items():
        shown = f"{value:.4f}" if isinstance(value, float) else str(value)
        console.print(f"{name:<{width}}  {shown}")


EVALUATE = EvaluateCommand()
