"""A user's own questions: what the table may look like, which files are meant, what is counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.evaluation import Choices
from desktop_rag.evaluation.own import evaluate_own
from desktop_rag.evaluation.own_questions import OwnQuestion, read_own
from desktop_rag.foundation.errors import KnownError
from tests.helpers.evaluated import write_collection

FILES = [
    "/home/me/work/lease.pdf",
    "/home/me/work/old/Lease.pdf",
    "/home/me/work/notes [1].txt",
    "/home/me/mail.eml/offer.docx",
]


class Library:
    """Answers every question with the same results."""

    def __init__(self, results: list[list[str]], files: list[str] | None = None) -> None:
        self.results = results
        self.files = FILES if files is None else files
        self.asked: list[Mapping[str, Any]] = []

    def __call__(self, command: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if command == "files":
            waiting = {FILES[3]: "queued"}
            return {"files": [{"path": p, "status": waiting.get(p, "ready")} for p in self.files]}
        assert command == "trials"
        self.asked.append(arguments)
        trial = {
            "paths": self.results,
            "quotes": ["The rent is 900 dollars.", "Pay it."],
            "confidence": 0.8,
            "outcome": "answer",
            "about_library": False,
            "seconds": 0.01,
        }
        return {"trials": [dict(trial) for _ in arguments["questions"]]}


@pytest.fixture
def table(tmp_path: Path):
    def write(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "mine.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("question,files,answer\nrent?,a.pdf;b/*.txt,900\n", "utf-8"),
        ('\ufeffQuestion;Files;Answer\r\nrent?;"a.pdf; b/*.txt";900\r\n', "utf-8"),
        ("answer\tfiles\tquestion\n900\ta.pdf;b/*.txt\trent?\n", "utf-16"),
        ("问题,文件,答案\nrent?,a.pdf;b/*.txt,900\n", "gb18030"),
    ],
)
def test_a_table_may_look_as_spreadsheets_write_it(table, text, encoding):
    assert read_own(table(text, encoding)) == [OwnQuestion(2, "rent?", ("a.pdf", "b/*.txt"), "900")]


def test_lines_are_those_of_the_file(table):
    text = 'question,files\n\n"two\nlines",a\n,\nlast,-\n'
    assert [(row.line, row.files) for row in read_own(table(text))] == [(3, ("a",)), (6, ())]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what,files\na,b\n", "line 1: needs"),
        ("question,files\n", "has no rows"),
        ("", "line 1: needs"),
        ("question,files\n ,b\n", "line 2: there is no question"),
        ("question,files\na,\n", "line 2: there is no file"),
        ("question,files,answer\na,-,b\n", "line 2: an answer needs a file"),
        ("question,files\nto be, or not,b.txt\n", "line 2: more cells"),
        ('question,files\na,b\n"a,b\n', "line 3: unexpected end"),
    ],
)
def test_mistakes_are_told_with_their_line(table, text, told):
    with pytest.raises(KnownError, match=told):
        read_own(table(text))


def test_only_the_first_mistakes_are_told_one_by_one(table):
    with pytest.raises(KnownError, match=r"line 11: .*; and 2 more") as caught:
        read_own(table("question,files\n" + "a,\n" * 12))
    assert "line 12" not in caught.value.message


def test_a_missing_table_is_told(tmp_path):
    with pytest.raises(KnownError, match=r"mine\.csv"):
        read_own(tmp_path / "mine.csv")


@pytest.mark.parametrize(
    ("name", "right"),
    [
        (FILES[0], {0}),
        ("lease.pdf", {0}),
        ("LEASE.pdf", {0, 1}),
        ("old/lease.pdf", {1}),
        ("*.pdf", {0, 1}),
        ("work/*.pdf", {0, 1}),
        ("work/", {0, 1, 2}),
        ("/home/me/work/old/*", {1}),
        ("notes [1].txt", {2}),
        ("./offer.docx", {3}),
        ("mail.eml/*", {3}),
        ("notes*", {2}),
    ],
)
def test_files_are_meant_by_name_path_or_pattern(table, name, right):
    path = table(f"question,files\nrent?,{name}\n")
    found = evaluate_own(path, Library([[one] for one in FILES]), Choices())
    expected = sum(1 for n in range(len(FILES)) if n in right)
    first = min(right)
    assert found["mrr@10"] == pytest.approx(1 / (first + 1))
    assert found["recall@10"] == 1.0
    single = evaluate_own(path, Library([[FILES[first]]]), Choices())
    assert single["recall@10"] == pytest.approx(1 / expected)


def test_a_path_may_begin_at_the_folder_of_the_table(table, tmp_path):
    file = str(tmp_path / "papers" / "x.txt")
    library = Library([[file]], [file, "/elsewhere/y.txt"])
    path = table("question,files\nrent?,../" + tmp_path.name + "/papers/x.txt\n")
    assert evaluate_own(path, library, Choices())["ndcg@10"] == 1.0


def test_files_that_are_not_in_the_library_are_told_with_their_line(table):
    path = table("question,files\na,lease.pdf\nb,lease.pdf;gone.pdf\nc,x*.txt\n")
    with pytest.raises(KnownError, match=r"line 3: .*“gone\.pdf”; line 4: .*“x"):
        evaluate_own(path, Library([]), Choices())
    with pytest.raises(KnownError, match="empty"):
        evaluate_own(path, Library([], files=[]), Choices())


def test_all_is_counted_as_for_a_data_set(table, tmp_path):
    text = "question,files,answer\nrent?,lease.pdf,900 dollars\nwho?,offer.docx,\nmoon?,-,\n"
    library = Library([[FILES[1], FILES[0]], [FILES[2]]])
    report = tmp_path / "report.csv"
    found = evaluate_own(table(text), library, Choices(report=report, rerank=False))
    [asked] = library.asked
    assert asked["questions"] == ["rent?", "who?", "moon?"]
    assert (asked["rerank"], asked["mode"], asked["quotes"]) == (False, "hybrid", 3)
    assert (found["dataset"], found["queries"], found["documents"]) == ("mine.csv", 2, 3)
    assert found["right_files_not_ready"] == 1
    assert found["ndcg@10"] == 0.5
    assert (found["answer_hit@1"], found["quote_chars_mean"]) == (1.0, (24 + 7) / 2)
    assert found["answerable_auc"] == 0.5
    rows = report.read_text(encoding="utf-8-sig").splitlines()
    assert rows[1].startswith("2,answerable,rent?,1,1.0000,0.8000,answer,yes,/home/me/work/lease")


def test_copies_of_a_right_file_are_one_result(table):
    path = table("question,files\nrent?,lease.pdf\n")
    copies = Library([[FILES[2]], [FILES[1], FILES[3], FILES[0]]])
    assert evaluate_own(path, copies, Choices())["mrr@10"] == 0.5


def test_a_limit_and_questions_of_another_collection(table, tmp_path):
    library = Library([[FILES[0]]])
    other = write_collection(tmp_path / "other")
    path = table("question,files\nrent?,lease.pdf\nwho?,lease.pdf\n")
    found = evaluate_own(path, library, Choices(limit=1, off_topic=other))
    assert library.asked[0]["questions"] == ["rent?", "one"]
    assert found["off_topic_auc"] == 0.5


def test_a_report_keeps_spreadsheets_from_running_what_is_in_it(table, tmp_path):
    path = table('question,files\n"=1+1",lease.pdf\n')
    evaluate_own(path, Library([["/x/\udcff.pdf"]]), Choices(report=tmp_path / "r.csv"))
    line = (tmp_path / "r.csv").read_bytes().splitlines()[1]
    assert b",'=1+1," in line
    assert b"/x/\xff.pdf" in line
