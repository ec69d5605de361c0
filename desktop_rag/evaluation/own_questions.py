"""A user's own questions: a CSV file with what is asked and which files have the answer."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.foundation.errors import KnownError
from desktop_rag.ingestion.parsers.encodings import decode

QUESTION, FILES, ANSWER = "question", "files", "answer"
NO_FILE = "-"
"""In place of files: no file has the answer."""

_NAMES = {"问题": QUESTION, "文件": FILES, "答案": ANSWER}
_DELIMITERS = ",;\t"
_MOST_MISTAKES = 10


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """One row; ``line`` is where it begins, from 1. No ``files``: there is no answer."""

    line: int
    question: str
    files: tuple[str, ...]
    answer: str = ""


def read_own(path: Path) -> list[OwnQuestion]:
    """Read a file of questions, in any usual encoding, cut by commas, semicolons or tabs.

    Raises:
        KnownError: it can't be read, or rows are not what they should be; all are named.
    """
    try:
        text = decode(path.read_bytes()).text
    except OSError as error:
        reason = error.strerror or str(error)
        raise KnownError("No questions", f"“{path}” can't be read: {reason}.", str(path)) from error
    mistakes: list[str] = []
    rows = []
    for line, cells in _rows(text, mistakes):
        try:
            rows.append(_question(line, cells))
        except ValueError as error:
            mistakes.append(f"line {line}: {error}")
    check(path, mistakes)
    if not rows:
        raise KnownError("No questions", f"“{path}” has no rows.", str(path))
    return rows


def check(path: Path, mistakes: Sequence[str]) -> None:
    """Raise KnownError that tells mistakes, each of which names its line, if there are any."""
    if mistakes:
        more = len(mistakes) - _MOST_MISTAKES
        told = [*mistakes[:_MOST_MISTAKES], *([f"and {more} more"] if more > 0 else [])]
        raise KnownError(
            "The questions have mistakes", f"“{path.name}”: {'; '.join(told)}.", str(path)
        )


def _rows(text: str, mistakes: list[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the line and the named cells of each row that is not blank."""
    first = text.split("\n", 1)[0]
    heads = {one: _heads(first, one) for one in _DELIMITERS}
    delimiter = max(heads, key=lambda one: len({QUESTION, FILES, ANSWER} & set(heads[one])))
    names = heads[delimiter]
    if not {QUESTION, FILES} <= set(names):
        mistakes.append(f"line 1: needs the names of the columns {QUESTION}, {FILES} and {ANSWER}")
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if line > 1 and any(cell.strip() for cell in cells):
                if any(cell.strip() for cell in cells[len(names) :]):
                    mistakes.append(f"line {line}: more cells than columns; put “…” around commas")
                else:
                    yield line, dict(zip(names, cells, strict=False))
            line = reader.line_num + 1
    except csv.Error as error:
        mistakes.append(f"line {line}: {error}")


def _heads(line: str, delimiter: str) -> list[str]:
    names = (cell.strip().strip('"').strip().casefold() for cell in line.split(delimiter))
    return [_NAMES.get(name, name) for name in names]


def _question(line: int, cells: Mapping[str, str]) -> OwnQuestion:
    question = cells.get(QUESTION, "").strip()
    files = tuple(name for part in cells.get(FILES, "").split(";") if (name := part.strip()))
    answer = cells.get(ANSWER, "").strip()
    if not question:
        raise ValueError("there is no question")
    if not files:
        raise ValueError(f"there is no file; write {NO_FILE} where none has the answer")
    if files == (NO_FILE,):
        files = ()
        if answer:
            raise ValueError("an answer needs a file that has it")
    return OwnQuestion(line, question, files, answer)
