"""Collections as they lie on the disk."""

from __future__ import annotations

import json

import pytest

from desktop_rag.domain.messages import AiMessage, UserMessage
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
    assert dataset.unanswerable == (Unanswerable("u0", "1", "0"),)
    assert list(dataset.queries) == ["q1"]


def test_answers_that_are_no_words_of_the_documents_are_none(collection):
    written = [{"_id": "q1", "answers": ["Somebody wrote this."]}, {"_id": "q3", "answers": ["X"]}]
    write(collection, "answers.jsonl", written)
    assert load_dataset(collection).answers == {}
    written[1]["answers"] = ["X", "No title!"]
    write(collection, "answers.jsonl", [*written, {"_id": "q2", "answers": ["not judged"]}])
    assert load_dataset(collection).answers == {}
    write(collection, "answers.jsonl", written[1:])
    assert load_dataset(collection).answers == {"q3": ("X", "No title!")}


def test_conversations_go_along_as_far_as_in_a_chat(collection):
    turns = [{"role": ("user", "assistant")[n % 2], "text": str(n)} for n in range(30)]
    rows = [{"_id": "q1", "history": turns}, {"_id": "q3", "history": []}]
    write(collection, "conversations.jsonl", rows)
    histories = load_dataset(collection).histories
    assert list(histories) == ["q1"]
    assert histories["q1"][0] == UserMessage("10")
    assert histories["q1"][-1] == AiMessage("29")
    write(
        collection, "conversations.jsonl", [{"_id": "q1", "history": [{"role": "x", "text": ""}]}]
    )
    with pytest.raises(KnownError, match="“x” is none of user, agent"):
        load_dataset(collection)


def test_a_missing_or_damaged_file_is_told(collection, tmp_path):
    with pytest.raises(KnownError, match=r"corpus\.jsonl"):
        load_dataset(tmp_path / "nowhere")
    (collection / "queries.jsonl").write_text('{"_id": "q1"}')
    with pytest.raises(KnownError, match="row"):
        load_dataset(collection)
    with pytest.raises(ValueError, match="limit"):
        load_dataset(collection, limit=0)
