"""``evaluate`` over a library that answers from a table: what is written, asked and counted."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.domain.messages import AiMessage, UserMessage
from desktop_rag.evaluation import Choices, evaluate
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.switches import Part
from tests.helpers.evaluated import ANSWERS, Opener, write, write_collection


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "tiny")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    folder = write_collection(tmp_path / "other")
    write(folder, "queries.jsonl", [{"_id": n, "text": "elsewhere"} for n in ("1", "2")])
    return folder


def test_documents_are_files_with_names_that_say_nothing(collection):
    opener = Opener()
    figures = evaluate(collection, opener)
    [table] = opener.tables
    assert table.files == {
        "0000000.txt": "Alpha\nfirst: yes",
        "0000001.txt": "Beta\nsecond",
        "0000002.txt": "Gamma\nthird, yes",
    }
    counted = ("documents", "documents_failed", "documents_blank", "segments", "queries")
    assert [figures[name] for name in counted] == [2, 1, 1, 5, 2]
    assert (figures["dataset"], figures["catalog_questions"]) == ("tiny", 0)
    assert "history" not in figures
    assert table.closed
    assert not table.folder.exists()


def test_a_collection_without_answers_is_searched_alone(collection):
    opener = Opener()
    figures = evaluate(collection, opener, Choices(mode="vector", rerank=False))
    assert [arguments[0] for arguments in opener.tables[0].asked] == ["one", "two"]
    assert opener.tables[0].asked[0][2:5] == ("vector", False, 0)
    assert figures["ndcg@10"] == pytest.approx((0.6309 + 1.0) / 2, abs=1e-4)
    assert figures["mrr@10"] == 0.75
    assert figures["recall@10"] == figures["recall@100"] == 1.0
    assert figures["query_p50_ms"] == pytest.approx(2.0)
    assert not {"answer_hit@1", "quote_chars_mean", "answerable_auc"} & figures.keys()


def test_answers_and_unanswerable_questions_are_counted(collection):
    write(collection, "answers.jsonl", ANSWERS)
    write(collection, "unanswerable.jsonl", [{"_id": "9", "text": "never"}])
    opener = Opener()
    figures = evaluate(collection, opener)
    assert figures["answer_hit@1"] == 0.5
    assert figures["answer_hit@3"] == 1.0
    assert figures["quote_chars_mean"] == (3 + 4 + 7 + 1) / 4
    assert figures["answerable_auc"] == 0.5
    assert figures["false_answers@90"] == 1.0
    assert figures["brier_constant"] == 0.25
    assert figures["brier"] == pytest.approx((0.1**2 + 0.2**2) / 4 + 0.85**2 / 2)
    assert figures["quoted_brier"] == figures["brier"]
    assert (figures["answerable_not_found"], figures["unanswerable_not_found"]) == (0.0, 0.0)
    assert opener.tables[0].asked[0][4] == 3
    assert not [name for name in figures if "off_topic" in name]


def test_questions_of_another_collection_should_not_be_answered(collection, other):
    opener = Opener()
    figures = evaluate(collection, opener, Choices(limit=1, off_topic=other))
    assert [arguments[0] for arguments in opener.tables[0].asked] == ["one", "elsewhere"]
    assert figures["off_topic_auc"] == 1.0
    assert figures["off_topic_false_answers@90"] == 0.0
    assert figures["off_topic_not_found"] == 1.0
    assert figures["queries"] == 1
    with pytest.raises(KnownError, match="no off-topic"):
        evaluate(collection, opener, Choices(off_topic=collection))


def test_follow_ups_are_asked_with_the_conversation_before_them(collection):
    said = [{"role": "user", "text": "who"}, {"role": "agent", "text": "Ada"}]
    write(collection, "conversations.jsonl", [{"_id": "2", "history": said}, _begins("1")])
    opener = Opener()
    assert evaluate(collection, opener)["history"] == 1
    assert opener.tables[0].histories == [(), (UserMessage("who"), AiMessage("Ada"))]
    assert evaluate(collection, opener, Choices(history=False))["history"] == 0
    assert opener.tables[1].histories == [(), ()]


def _begins(row: str) -> dict[str, Any]:
    return {"_id": row, "history": []}


def test_each_part_is_left_out_once_and_compared(collection):
    write(collection, "answers.jsonl", ANSWERS)
    opener = Opener()
    figures = evaluate(collection, opener, Choices(ablate=True))
    rows: Any = figures["ablation"]
    assert [row["part"] for row in rows] == [part for part in Part if part != "conversation"]
    by_part = {row["part"]: row for row in rows}
    without = by_part["keywords"]
    assert without["ndcg@10"] == 0.5
    assert without["ndcg@10_difference"] == pytest.approx(0.5 - figures["ndcg@10"])
    assert without["answer_hit@1_difference"] == 0.0
    assert without["quote_chars_mean"] == 5.0
    assert by_part["vectors"]["ndcg@10_difference"] == 0.0
    [table] = opener.tables
    assert table.left_out[-1] == ()
    assert len(table.asked) == 2 * (1 + len(rows))


def test_only_what_is_in_use_is_left_out(collection):
    said = [{"role": "user", "text": "who"}]
    write(collection, "conversations.jsonl", [{"_id": "2", "history": said}])
    chosen = Choices(ablate=True, rerank=False)
    rows: Any = evaluate(collection, Opener(), chosen)["ablation"]
    parts = [row["part"] for row in rows]
    assert Part.CONVERSATION in parts
    assert Part.RERANKING not in parts
    with pytest.raises(ValueError, match="hybrid"):
        evaluate(collection, Opener(), Choices(ablate=True, mode="vector"))


def test_all_parts_are_back_when_an_ablation_is_cancelled(collection):
    cancel, opener = CancelToken(), Opener()

    def stop(_message: object) -> None:
        if opener.tables[0].left_out:
            cancel.cancel()

    with pytest.raises(Cancelled):
        evaluate(collection, opener, Choices(ablate=True), stop, cancel)
    assert opener.tables[0].left_out == [(Part.VECTORS,), ()]
    assert opener.tables[0].closed


def test_a_report_has_a_row_a_question(collection, other, tmp_path):
    write(collection, "answers.jsonl", ANSWERS[:1])
    write(collection, "unanswerable.jsonl", [{"_id": "9", "text": "never"}])
    report = tmp_path / "report.csv"
    evaluate(collection, Opener(), Choices(report=report, off_topic=other))
    assert report.read_bytes().startswith(b"\xef\xbb\xbf")
    with report.open(encoding="utf-8-sig", newline="") as file:
        first, second, third, *others = csv.DictReader(file)
    assert (first["id"], first["kind"], first["question"]) == ("1", "answerable", "one")
    assert (first["rank"], first["ndcg@10"], first["confidence"]) == ("2", "0.6309", "0.9000")
    assert (first["outcome"], first["first_quote_right"], first["quote"]) == ("answer", "no", "No.")
    assert [first[f"document_{n}"] for n in (1, 2, 3)] == ["b", "a", "c"]
    assert (second["first_quote_right"], second["document_2"]) == ("", "")
    assert (third["id"], third["kind"], third["rank"]) == ("9", "unanswerable", "")
    assert [one["kind"] for one in others] == ["off_topic", "off_topic"]


def test_a_report_that_cannot_be_written_is_told_before_anything_is_read(collection, tmp_path):
    opener = Opener()
    with pytest.raises(KnownError, match="nowhere"):
        evaluate(collection, opener, Choices(report=tmp_path / "nowhere" / "r.csv"))
    assert not opener.tables


def test_progress_is_told_and_a_cancel_is_heard(collection):
    told: list[Any] = []
    evaluate(collection, Opener(), on_progress=told.append)
    assert [one["reading"]["files_total"] for one in told] == [3, 2, 2]
    assert [one["reading"]["state"] for one in told] == ["reading", "asking", "asking"]
    cancel = CancelToken()
    opener = Opener()
    with pytest.raises(Cancelled):
        evaluate(collection, opener, on_progress=lambda _: cancel.cancel(), cancel=cancel)
    assert opener.tables[0].closed


def test_a_library_can_be_kept(collection, tmp_path):
    opener = Opener()
    for _ in range(2):
        evaluate(collection, opener, Choices(limit=1), keep=tmp_path / "kept")
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
