"""Characters found against characters needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.evaluation.datasets import load_dataset
from desktop_rag.evaluation.libraries import write_documents
from desktop_rag.evaluation.spans import Passage, SpanScore, score_passages
from desktop_rag.foundation.errors import KnownError

TEXT = "# Fees\n\nLate fees are cut to $8.\n\nPrices are told up front.\n"


def passage(start: int, end: int, document: str = "a") -> Passage:
    return Passage(document, start, end)


@pytest.mark.parametrize(
    ("found", "needed", "score"),
    [
        ([passage(0, 10)], [passage(0, 10)], (1, 1, 1)),
        ([passage(0, 20)], [passage(5, 10)], (1, 1 / 4, 1 / 4)),
        ([passage(0, 10)], [passage(5, 15)], (1 / 2, 1 / 2, 1 / 3)),
        ([passage(0, 10, "b")], [passage(0, 10)], (0, 0, 0)),
        ([], [passage(0, 10)], (0, 0, 0)),
        ([passage(0, 5), passage(20, 25)], [passage(0, 10), passage(20, 30)], (1 / 2, 1, 1 / 2)),
        ([passage(5, 10), passage(0, 5)], [passage(0, 10)], (1, 1, 1)),
    ],
)
def test_shares_of_characters(
    found: list[Passage], needed: list[Passage], score: tuple[float, ...]
) -> None:
    assert score_passages(found, needed) == pytest.approx(SpanScore(*score))


def test_what_is_found_twice_is_read_twice() -> None:
    score = score_passages([passage(0, 10), passage(0, 10)], [passage(0, 10)])
    assert score == SpanScore(1, 0.5, 0.5)


def test_a_question_that_needs_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        score_passages([passage(0, 10)], [])


def row(name: str, *contents: str) -> dict[str, object]:
    places = [(TEXT.index(words), words) for words in contents]
    refs = [{"start": at, "end": at + len(words), "content": words} for at, words in places]
    return {"_id": name, "text": f"{name}?", "doc": "fees", "refs": refs}


def write(folder: Path, rows: list[dict[str, object]]) -> None:
    (folder / "fees.md").write_bytes(TEXT.encode())
    (folder / "other.md").write_bytes(b"Other.\r\n")
    lines = "\n".join(json.dumps(one) for one in rows)
    (folder / "gold_spans.jsonl").write_text(lines, encoding="utf-8")


def test_a_collection_of_markdown_files_is_read(tmp_path: Path) -> None:
    write(tmp_path, [row("fees", "$8"), row("both", "$8", "up front"), row("nothing")])
    dataset = load_dataset(tmp_path)
    assert dataset.documents == {"fees": TEXT, "other": "Other.\r\n"}
    assert dataset.queries == {"fees": "fees?", "both": "both?"}
    assert dataset.judgements == {"fees": {"fees": 1}, "both": {"fees": 1}}
    assert [TEXT[one.start : one.end] for one in dataset.spans["both"]] == ["$8", "up front"]
    assert load_dataset(tmp_path, limit=1).queries == {"fees": "fees?"}


def test_its_files_stay_markdown_to_the_byte(tmp_path: Path) -> None:
    write(tmp_path, [row("fees", "$8")])
    write_documents(load_dataset(tmp_path), tmp_path / "documents")
    assert (tmp_path / "documents" / "0000000.md").read_bytes() == TEXT.encode()
    assert (tmp_path / "documents" / "0000001.md").read_bytes() == b"Other.\r\n"


@pytest.mark.parametrize(
    "change",
    [
        {"doc": "missing"},
        {"refs": [{"start": 0, "end": 2, "content": "$8"}]},
        {"refs": [{"start": 3, "end": 3, "content": ""}]},
        {"refs": [{"start": 3, "content": ""}]},
    ],
)
def test_rows_that_are_wrong_are_told(tmp_path: Path, change: dict[str, object]) -> None:
    write(tmp_path, [row("fees", "$8") | change])
    with pytest.raises(KnownError, match="can't be measured"):
        load_dataset(tmp_path)
