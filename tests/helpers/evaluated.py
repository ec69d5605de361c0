"""A tiny collection, and a library that answers its questions from a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.services.reports import IndexReport, Progress
from desktop_rag.services.search_report import SearchResult, Trial
from desktop_rag.services.switches import Part

CORPUS = [
    {"_id": "a", "title": "Alpha", "text": "first: yes"},
    {"_id": "blank", "title": "", "text": ""},
    {"_id": "b", "title": "Beta", "text": "second"},
    {"_id": "c", "title": "Gamma", "text": "third, yes"},
]
QUERIES = [
    {"_id": "1", "text": "one"},
    {"_id": "2", "text": "two"},
    {"_id": "3", "text": "not judged"},
]
ANSWERS = [{"_id": "1", "answers": ["yes"]}, {"_id": "2", "answers": ["Yes"]}]


def write(folder: Path, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    (folder / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def write_collection(folder: Path) -> Path:
    folder.mkdir()
    write(folder, "corpus.jsonl", CORPUS)
    write(folder, "queries.jsonl", QUERIES)
    rows = ["query-id\tcorpus-id\tscore", "1\ta\t1", "2\tc\t1"]
    (folder / "qrels.tsv").write_text("\n".join(rows))
    return folder


def result(paths: list[str]) -> SearchResult:
    return SearchResult(1, 1.0, "x", paths[0], tuple(paths), None, "", 0, 1, 1, Metadata(), 1)


Found = tuple[list[list[str]], tuple[str, ...], float, Outcome]

TRIALS: Mapping[str, Found] = {
    "one": (
        [["/d/0000001.txt"], ["/d/0000000.txt", "/d/0000002.txt"]],
        ("No.", "Yes!"),
        0.9,
        Outcome.ANSWER,
    ),
    "two": ([["/d/0000002.txt"]], ("the yes", "x"), 0.8, Outcome.ANSWER),
    "never": ([], ("x",), 0.85, Outcome.MAYBE),
    "elsewhere": ([], (), 0.1, Outcome.NOT_FOUND),
}


@dataclass
class Table:
    """A library, store, assistant and its parts in one, with a row of answers a question."""

    folder: Path
    files: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[Any, ...]] = field(default_factory=list)
    histories: list[Any] = field(default_factory=list)
    left_out: list[tuple[Part, ...]] = field(default_factory=list)
    closed: bool = False

    @property
    def library(self) -> Table:
        return self

    store = assistant = parts = library

    def index(self, paths, on_progress=None, cancel=None) -> IndexReport:
        [folder] = paths
        self.files = {p.name: p.read_text(encoding="utf-8") for p in sorted(Path(folder).iterdir())}
        on_progress(Progress("reading", 1, 3))
        return IndexReport(added=len(self.files), segments=5)

    def count_files(self) -> dict[FileStatus, int]:
        return {FileStatus.READY: len(self.files) - 1, FileStatus.FAILED: 1}

    def leave_out(self, *parts: Part) -> None:
        self.left_out.append(parts)

    def trial(self, *arguments: Any, history: tuple[Any, ...] = ()) -> Trial:
        self.asked.append(arguments)
        self.histories.append(history)
        found, quotes, confidence, outcome = TRIALS[arguments[0]]
        if self.left_out and Part.KEYWORDS in self.left_out[-1]:
            found, quotes = found[:1], quotes[:1]
        return Trial(tuple(map(result, found)), quotes, confidence, 0.002, outcome)

    def close(self) -> None:
        self.closed = True


class Opener:
    """Opens tables and remembers them."""

    def __init__(self) -> None:
        self.tables: list[Table] = []

    def __call__(self, folder: Path) -> Any:
        assert folder.is_dir()
        self.tables.append(Table(folder))
        return self.tables[-1]
