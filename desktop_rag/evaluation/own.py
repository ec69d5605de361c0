"""Measures the user's own library with the user's own questions."""

from __future__ import annotations

import fnmatch
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.files import FileStatus
from desktop_rag.evaluation.asking import (
    DOCUMENTS,
    QUOTES,
    RESULTS,
    Asked,
    Question,
    off_topic_of,
    questions_of,
)
from desktop_rag.evaluation.datasets import Dataset, Unanswerable
from desktop_rag.evaluation.figures import figures_of
from desktop_rag.evaluation.measuring import Choices
from desktop_rag.evaluation.own_questions import OwnQuestion, check, read_own
from desktop_rag.evaluation.report import check_report, write_report
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.trying import TRIALS

Request = Callable[[str, Mapping[str, object]], Mapping[str, Any]]
"""Has a command run where the library is open, and returns its result."""

_READY = FileStatus.READY.value
_WILD = re.compile(r"[*?\[]")


def evaluate_own(path: Path, request: Request, choices: Choices) -> dict[str, object]:
    """Ask the questions of a file in the user's library, and count.

    Nothing of the library is changed. All copies of a right file are right.

    Args:
        path: the questions (see ``read_own``); files by name, path, end of a path, or
            with ``*`` and ``?``, which stand for folders as well.
        request: asks the library.
        choices: how they are asked; its ablation and history are of data sets alone.

    Raises:
        KnownError: the questions have mistakes, or the library is empty.
        Cancelled: the request was.
    """
    rows = read_own(path)[: choices.limit]
    files = request("files", {})["files"]
    if not files:
        raise KnownError("The library is empty", "Add files or folders, then measure.")
    dataset = _dataset(path, rows, [str(one["path"]) for one in files])
    strangers = off_topic_of(choices.off_topic, dataset, path)
    check_report(choices.report)
    asked = _ask(questions_of(dataset, False, strangers), dataset, request, choices)
    if choices.report is not None:
        write_report(choices.report, dataset, asked)
    right = {one for judged in dataset.judgements.values() for one in judged}
    unread = [one for one in files if one["path"] in right and one["status"] != _READY]
    return {
        "dataset": path.name,
        "mode": choices.mode,
        "rerank": int(choices.rerank),
        "documents": sum(one["status"] == _READY for one in files),
        "right_files_not_ready": len(unread),
        **figures_of(dataset, asked),
    }


def _dataset(path: Path, rows: Sequence[OwnQuestion], files: Sequence[str]) -> Dataset:
    names = _Names(files, path.parent)
    found = {row.line: {one: names.like(one) for one in row.files} for row in rows}
    check(
        path,
        [
            f"line {line}: the library has no file “{one}”"
            for line, by_name in found.items()
            for one, matches in by_name.items()
            if not matches
        ],
    )
    answerable = [row for row in rows if row.files]
    return Dataset(
        name=path.name,
        documents={},
        blank=0,
        queries={str(row.line): row.question for row in answerable},
        judgements={
            str(row.line): {file: 1 for matches in found[row.line].values() for file in matches}
            for row in answerable
        },
        answers={str(row.line): (row.answer,) for row in answerable if row.answer},
        unanswerable=tuple(
            Unanswerable(row.question, row=str(row.line)) for row in rows if not row.files
        ),
    )


def _ask(
    questions: Sequence[Question], dataset: Dataset, request: Request, choices: Choices
) -> list[Asked]:
    result = request(
        TRIALS,
        {
            "questions": [one.text for one in questions],
            "k": RESULTS,
            "mode": choices.mode,
            "rerank": choices.rerank,
            "quotes": QUOTES,
        },
    )
    return [
        Asked(
            question=question,
            ranked=tuple(_ranked(trial["paths"], dataset.judgements.get(question.row, {}))),
            quotes=tuple(trial["quotes"]),
            confidence=trial["confidence"],
            outcome=Outcome(trial["outcome"]),
            seconds=trial["seconds"],
            about_library=trial["about_library"],
        )
        for question, trial in zip(questions, result["trials"], strict=True)
    ]


def _ranked(results: Iterable[Sequence[str]], right: Mapping[str, int]) -> list[str]:
    """Return files, best first; of the copies that share a passage, the right ones."""
    found = (path for paths in results for path in ([p for p in paths if p in right] or paths[:1]))
    return list(dict.fromkeys(found))[:DOCUMENTS]


@dataclass(frozen=True, slots=True)
class _Names:
    """Finds files of the library by what a user calls them."""

    files: Sequence[str]
    folder: Path

    def like(self, name: str) -> list[str]:
        """Return the files of a name: in its very spelling, else in any case of letters."""
        for fold in (_composed, _folded):
            matches = [one for one in self.files if self._is(fold(name), fold(one))]
            if matches:
                return matches
        here = os.path.normpath(self.folder / os.path.expanduser(name))
        return [one for one in self.files if one == here]

    def _is(self, name: str, file: str) -> bool:
        end = f"/{name.removeprefix('./')}"
        if file == name or f"/{file}".endswith(end):
            return True
        if not _WILD.search(name) and not name.endswith("/"):
            return False
        pattern = f"{end}*" if name.endswith("/") else end
        return fnmatch.fnmatchcase(f"/{file}", f"*{pattern}")


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace(os.sep, "/")


def _folded(text: str) -> str:
    return _composed(text).casefold()
