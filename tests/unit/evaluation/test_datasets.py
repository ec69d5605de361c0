"""Collections as they lie on the disk."""

from __future__ import annotations

import json

import pytest

from desktop_rag.evaluation.datasets import Unanswerable, load_dataset
from desktop_rag.foundation.errors import KnownError


def write(folder, name, rows):
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n\n", encoding="utf-8")


@pytest.fixture
def collection(tmp_path):
    write(
        tmp_path,
        "corpus.jsonl",
        [
            {"_id": "1", "title": "标题", "text": "正文"},
            {"_id": "2", "title": "", "text": " "},
            {"_id": 3, "text": "no title"},
            {"_id": "4", "title": "only a title", "text": ""},
        ],
    )
    write(
        tmp_path,
        "queries.jsonl",
        [
            {"_id": "q1", "text": "one"},
            {"_id": "q2", "text": "two"},
            {"_id": "q3", "text": "three"},
        ],
    )
    rows = ["query-id\tcorpus-id\tscore", "q1\t1\t2", "q1\t3\t0", "q3\t3\t1", "q2\t3\t0"]
    (tmp_path / "qrels.tsv").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path


def test_a_collection_is_read(collection):
    dataset = load_dataset(collection)
    assert dataset.documents == {"1": "标题\n正文", "3": "no title", "4": "only a title\n"}
    assert dataset.blank == 1
    assert dataset.queries == {"q1": "one", "q3": "three"}
    assert dataset.judgements == {"q1": {"1": 2}, "q3": {"3": 1}}
    assert (dataset.answers, dataset.unanswerable) == ({}, ())


def test_answers_and_unanswerable_questions_are_read_where_there_are_such(collection):
    write(collection, "answers.jsonl", [{"_id": "q1", "answers": ["正文"]}])
    write(
        collection,
        "unanswerable.jsonl",
        [{"_id": n, "text": f"u{n}", "passage": "1"} for n in range(3)],
    )
    dataset = load_dataset(collection, limit=1)
    assert dataset.answers == {"q1": ("正文",)}
    assert dataset.unanswerable == (Unanswerable("u0", "1"),)
    assert list(dataset.queries) == ["q1"]


def test_a_missing_or_damaged_file_is_told(collection, tmp_path):
    with pytest.raises(KnownError, match=r"corpus\.jsonl"):
        load_dataset(tmp_path / "nowhere")
    (collection / "queries.jsonl").write_text('{"_id": "q1"}')
    with pytest.raises(KnownError, match="row"):
        load_dataset(collection)
    with pytest.raises(ValueError, match="limit"):
        load_dataset(collection, limit=0)
