"""A table with a row a question, to look at what went wrong."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.asking import Asked
from desktop_rag.evaluation.datasets import Dataset
from desktop_rag.evaluation.figures import hit
from desktop_rag.foundation.errors import KnownError, explain_os_error

COLUMNS = (
    "id",
    "kind",
    "question",
    "rank",
    "ndcg@10",
    "confidence",
    "outcome",
    "first_quote_right",
    "document_1",
    "document_2",
    "document_3",
    "quote",
)

_SHOWN = 3
_FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet takes for a formula where a cell begins with it."""


def check_report(path: Path | None) -> None:
    """See that a report can be written, before hours of asking.

    Raises:
        KnownError: it can't.
    """
    if path is not None:
        with _explained(path), path.open("a"):
            pass


def write_report(path: Path, dataset: Dataset, asked: Sequence[Asked]) -> None:
    """Write the table, over an older one; blank cells are what a question doesn't have.

    It is UTF-8 with a mark at its beginning, which spreadsheets need to see that.

    Raises:
        KnownError: the file can't be written.
    """
    # Names of files need not be UTF-8; their bytes go through as they are.
    with (
        _explained(path),
        path.open("w", encoding="utf-8-sig", errors="surrogateescape", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(_row(dataset, one) for one in asked)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        known = explain_os_error(error)
        reason = known.title if known else error.strerror or str(error)
        raise KnownError(
            "The report can't be written", f"“{path}”: {reason}.", str(path)
        ) from error


def _row(dataset: Dataset, asked: Asked) -> list[str]:
    question = asked.question
    right = dataset.judgements.get(question.row, {})
    ranks = [n for n, one in enumerate(asked.ranked, start=1) if right.get(one, 0) > 0]
    answers = dataset.answers.get(question.row)
    return [
        _cell(question.row),
        question.kind.value,
        _cell(question.text),
        str(ranks[0]) if ranks else "",
        f"{metrics.ndcg(asked.ranked, right, 10):.4f}" if right else "",
        "" if asked.confidence is None else f"{asked.confidence:.4f}",
        "" if asked.confidence is None else asked.outcome.value,
        "" if not answers else ("yes" if hit(dataset, asked, 1) else "no"),
        *(_cell(one) for one in (*asked.ranked, "", "", "")[:_SHOWN]),
        _cell(asked.quotes[0] if asked.quotes else ""),
    ]


def _cell(text: str) -> str:
    """Return text on one line, which no spreadsheet runs."""
    flat = " ".join(text.split())
    return f"'{flat}" if flat.startswith(_FORMULA) else flat
