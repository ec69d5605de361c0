"""``evaluate``: measure the whole pipeline on a data set with known answers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.cli.arguments import add_mode, add_rerank, positive
from desktop_rag.cli.console import Console
from desktop_rag.cli.program import Options, Session
from desktop_rag.cli.progress import ReadingProgress
from desktop_rag.cli.words import absolute
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.dispatch import run_command

if TYPE_CHECKING:
    from desktop_rag.evaluation import Choices


class EvaluateCommand:
    """Measures data sets in a library of its own, and the user's own library by questions."""

    name = "evaluate"
    summary = "measure search and answers on a data set"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "dataset", metavar="DATASET_DIR", nargs="?", help="the folder of the data set"
        )
        what.add_argument(
            "--own",
            metavar="FILE.csv",
            help="measure your own library: a table of question, files and (if you like) answer",
        )
        add_mode(parser)
        parser.add_argument("--limit", type=positive, help="ask only the first questions")
        add_rerank(parser, default=True)
        _add_choices(parser)

    def run(self, options: Options, session: Session) -> int:
        """Measure and print the figures."""
        _check(options)
        with ReadingProgress(session.console) as progress:
            measure = _own if options.own is not None else _data_set
            figures = measure(options, session, progress)
        if session.console.json:
            session.console.print_json(figures)
        else:
            _show(figures, session.console)
        return 0


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--history",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="ask follow-ups with the conversation before them (default: yes)",
    )
    parser.add_argument(
        "--off-topic",
        metavar="OTHER_DIR",
        help="ask the questions of another data set too, which should not be answered",
    )
    parser.add_argument(
        "--ablate",
        action="store_true",
        help="ask all again with each part of the default left out, one at a time",
    )
    parser.add_argument(
        "--answers",
        action="store_true",
        help="make whole answers too, with your language model if there is one, and judge them",
    )
    parser.add_argument("--report", metavar="FILE.csv", help="write a table, a row a question")


def _check(options: Options) -> None:
    """Refuse what doesn't go together; parts can't be left out while others ask as well."""
    if options.ablate and options.own is not None:
        raise _not_together("--ablate measures data sets, not your own library")
    if options.answers and options.own is not None:
        raise _not_together("--answers measures data sets, not your own library")
    if options.ablate and options.mode != "hybrid":
        raise _not_together("--ablate leaves parts of the default out, so leave out --mode")


def _not_together(reason: str) -> KnownError:
    return KnownError("These options don't go together", f"{reason}.")


def _data_set(options: Options, session: Session, progress: ReadingProgress) -> dict[str, object]:
    from desktop_rag.evaluation import evaluate

    return evaluate(
        _path(options.dataset),
        session.program.open_services,
        replace(_choices(options), models_of=session.data_dir),
        progress.update,
        session.cancel,
    )


def _own(options: Options, session: Session, progress: ReadingProgress) -> dict[str, object]:
    from desktop_rag.evaluation.own import evaluate_own

    def request(command: str, arguments: Mapping[str, object]) -> dict[str, object]:
        return run_command(
            session.data_dir,
            command,
            arguments,
            session.program.open_services,
            progress.update,
            session.cancel,
        )

    return evaluate_own(_path(options.own), request, _choices(options))


def _choices(options: Options) -> Choices:
    from desktop_rag.evaluation import Choices

    return Choices(
        mode=options.mode,
        limit=options.limit,
        rerank=options.rerank,
        history=options.history,
        off_topic=None if options.off_topic is None else _path(options.off_topic),
        ablate=options.ablate,
        answers=options.answers,
        report=None if options.report is None else _path(options.report),
    )


def _path(text: str) -> Path:
    return Path(absolute([text])[0])


def _show(figures: Mapping[str, Any], console: Console) -> None:
    rows = figures.get("ablation", ())
    single = {name: value for name, value in figures.items() if name != "ablation"}
    width = max(map(len, single), default=0)
    for name, value in single.items():
        console.print(f"{name:<{width}}  {_shown(value)}")
    if rows:
        console.print()
        _show_table([{"part": "nothing", **_same(rows[0], single)}, *rows], console)


def _same(row: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures with all parts in the columns of a row."""
    return {name: figures.get(name, "") for name in row if name != "part"}


def _show_table(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print rows under the names of their columns; differences show their sign."""
    columns = list(rows[-1])
    cells = [columns, *([_cell(name, row[name]) for name in columns] for row in rows)]
    cells[0] = ["without", *("change" if _is_change(name) else name for name in columns[1:])]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        numbers = (one.rjust(width) for one, width in zip(others, widths[1:], strict=True))
        console.print("  ".join((first.ljust(widths[0]), *numbers)))


def _is_change(name: str) -> bool:
    return name.endswith("_difference")


def _cell(name: str, value: object) -> str:
    if _is_change(name) and isinstance(value, float):
        return f"{value:+.4f}"
    return _shown(value)


def _shown(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


EVALUATE = EvaluateCommand()
