"""``evaluate`` over a library that answers from a table: what is written, asked and counted."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.metadata import Metadata
from desktop_rag.evaluation import evaluate
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled
from desktop_rag.services.reports import IndexReport, Progress
from desktop_rag.services.search_report import SearchResult, Trial

CORPUS = [
    {"_id": "a", "title": "Alpha", "text": "first"},
    {"_id": "blank", "title": "", "text": ""},
    {"_id": "b", "title": "Beta", "text": "second"},
    {"_id": "c", "title": "Gamma", "text": "third"},
]
QUERIES = [
    {"_id": "1", "text": "one"},
    {"_id": "2", "text": "two"},
    {"_id": "3", "text": "not judged"},
]


def result(paths: list[str]) -> SearchResult:
    return SearchResult(1, 1.0, "x", paths[0], tuple(paths), None, "", 0, 1, 1, Metadata(), 1)


@dataclass
class Table:
    """A library, store and assistant in one, with a row of answers a question."""

    folder: Path
    files: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[Any, ...]] = field(default_factory=list)
    closed: bool = False

    @property
    def library(self) -> Table:
        return self

    store = assistant = library

    def index(self, paths, on_progress=None, cancel=None) -> IndexReport:
        [folder] = paths
        self.files = {p.name: p.read_text(encoding="utf-8") for p in sorted(Path(folder).iterdir())}
        on_progress(Progress("reading", 1, 3))
        return IndexReport(added=len(self.files), segments=5)

    def count_files(self) -> dict[FileStatus, int]:
        return {FileStatus.READY: len(self.files) - 1, FileStatus.FAILED: 1}

    def trial(self, *arguments: Any) -> Trial:
        self.asked.append(arguments)
        found, quotes, confidence = {
            "one": (
                [["/d/0000001.txt"], ["/d/0000000.txt", "/d/0000002.txt"]],
                ("No.", "Yes!"),
                0.9,
            ),
            "two": ([["/d/0000002.txt"]], ("the yes", "x"), 0.8),
            "never": ([], ("x",), 0.85),
        }[arguments[0]]
        return Trial(tuple(map(result, found)), quotes, confidence, 0.002)

    def close(self) -> None:
        self.closed = True


def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    (folder / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    write(folder, "corpus.jsonl", CORPUS)
    write(folder, "queries.jsonl", QUERIES)
    rows = ["query-id\tcorpus-id\tscore", "1\ta\t1", "2\tc\t1"]
    (folder / "qrels.tsv").write_text("\n".join(rows))
    return folder


class Opener:
    """Opens tables and remembers them."""

    def __init__(self) -> None:
        self.tables: list[Table] = []

    def __call__(self, folder: Path) -> Any:
        assert folder.is_dir()
        self.tables.append(Table(folder))
        return self.tables[-1]


def test_documents_are_files_with_names_that_say_nothing(collection):
    opener = Opener()
    figures = evaluate(collection, opener)
    [table] = opener.tables
    assert table.files == {
        "0000000.txt": "Alpha\nfirst",
        "0000001.txt": "Beta\nsecond",
        "0000002.txt": "Gamma\nthird",
    }
    assert (figures["documents"], figures["documents_failed"], figures["documents_blank"]) == (
        2,
        1,
        1,
    )
    assert (figures["dataset"], figures["segments"], figures["queries"]) == ("tiny", 5, 2)
    assert table.closed
    assert not table.folder.exists()


def test_a_collection_without_answers_is_searched_alone(collection):
    opener = Opener()
    figures = evaluate(collection, opener, mode="vector", rerank=False)
    assert [arguments[0] for arguments in opener.tables[0].asked] == ["one", "two"]
    assert opener.tables[0].asked[0][2:5] == ("vector", False, 0)
    assert figures["ndcg@10"] == pytest.approx((0.6309 + 1.0) / 2, abs=1e-4)
    assert figures["mrr@10"] == 0.75
    assert figures["recall@10"] == figures["recall@100"] == 1.0
    assert figures["query_p50_ms"] == pytest.approx(2.0)
    assert "answer_hit@1" not in figures


def test_answers_and_unanswerable_questions_are_counted(collection):
    write(
        collection,
        "answers.jsonl",
        [{"_id": "1", "answers": ["yes"]}, {"_id": "2", "answers": ["Yes"]}],
    )
    write(collection, "unanswerable.jsonl", [{"_id": "9", "text": "never"}])
    opener = Opener()
    figures = evaluate(collection, opener)
    assert figures["answer_hit@1"] == 0.5
    assert figures["answer_hit@3"] == 1.0
    assert figures["mean_quote_length"] == (3 + 4 + 7 + 1) / 4
    assert figures["answerable_auc"] == 0.5
    assert opener.tables[0].asked[0][4] == 3


def test_progress_is_told_and_a_cancel_is_heard(collection):
    told: list[Any] = []
    evaluate(collection, Opener(), on_progress=told.append)
    assert [one["reading"]["files_total"] for one in told] == [3, 2, 2]
    cancel = CancelToken()
    opener = Opener()
    with pytest.raises(Cancelled):
        evaluate(collection, opener, on_progress=lambda _: cancel.cancel(), cancel=cancel)
    assert opener.tables[0].closed


def test_a_library_can_be_kept(collection, tmp_path):
    opener = Opener()
    for _ in range(2):
        evaluate(collection, opener, limit=1, keep=tmp_path / "kept")
    assert opener.tables[0].folder == opener.tables[1].folder
    assert (tmp_path / "kept" / "documents" / "0000000.txt").exists()


def test_characters_are_counted_where_it_is_known_which_are_needed(tmp_path):
    folder = tmp_path / "spans"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.md").write_text(f"{name}123456789")
    needed = {"start": 0, "end": 4, "content": "a123"}
    rows = [{"_id": "1", "text": "one", "doc": "a", "refs": [needed]}]
    write(folder, "gold_spans.jsonl", rows)
    opener = Opener()
    figures = evaluate(folder, opener)
    assert list(opener.tables[0].files) == ["0000000.md", "0000001.md", "0000002.md"]
    assert figures["character_recall@5"] == 0.25
    assert figures["character_precision@5"] == 0.5
    assert figures["character_iou@5"] == 0.2
    assert figures["mean_characters@5"] == 2
    assert figures["mrr@10"] == 0.5
