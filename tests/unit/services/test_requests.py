from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_rag.domain.document import Coverage, UnreadableUnit
from desktop_rag.domain.files import FileStatus
from desktop_rag.domain.scope import Scope
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services import surveying
from desktop_rag.services.reports import ModelChange, Removal
from desktop_rag.services.requests import run_request
from tests.helpers.fake_services import FAILED, FakeProgram, file_record


@pytest.fixture
def program() -> FakeProgram:
    return FakeProgram()


def request(program: FakeProgram, command: str, **arguments: Any) -> tuple[dict, list]:
    told: list = []
    services = program.open_services(Path("/data"))
    result = run_request(services, command, arguments, told.append, CancelToken())
    return result, told


def test_index_has_the_promised_keys_and_tells_progress(program, tmp_path):
    result, told = request(program, "index", paths=[str(tmp_path)])

    assert set(result) == {
        "files",
        "segments",
        "embedded",
        "reused",
        "tokens",
        "seconds",
        "problems",
    }
    assert result["files"] == {
        "added": 2,
        "updated": 0,
        "moved": 0,
        "removed": 0,
        "unchanged": 0,
        "failed": 1,
        "skipped": 0,
    }
    assert result["problems"] == [
        {
            "path": "/papers/old.pdf",
            "page": None,
            "title": "Needs a password",
            "message": "Save it without one.",
        }
    ]
    assert [message["reading"]["files_done"] for message in told] == [1, 2]
    assert program.library.indexed == [[str(tmp_path)]]


def test_index_says_instead_how_much_it_is_when_told_to_ask(program, tmp_path, monkeypatch):
    monkeypatch.setattr(surveying, "_BIG_FILES", 1)
    monkeypatch.setattr(surveying, "_TELL_EVERY", 1)
    for name in ("a.txt", "b.pdf"):
        (tmp_path / name).write_text("words")
    result, told = request(program, "index", paths=[str(tmp_path)], ask=True)

    assert set(result) == {"survey"}
    assert set(result["survey"]) == {
        "files", "bytes", "known", "kinds", "seconds", "library_bytes", "free_bytes",
    }  # fmt: skip
    assert result["survey"]["kinds"][0] == {"name": "pdf", "files": 1, "bytes": 5}
    assert (told, program.library.indexed) == ([{"counted": 1}, {"counted": 2}], [])
    assert "files" in request(program, "index", paths=[str(tmp_path)])[0]


@pytest.mark.parametrize("command", ["index", "watch"])
def test_what_does_not_fit_is_refused_before_it_is_read(program, tmp_path, monkeypatch, command):
    monkeypatch.setattr(surveying, "_RESERVE", 10**18)
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(KnownError, match="GB left"):
        request(program, command, paths=[str(tmp_path)])
    assert (program.library.indexed, program.library.added) == ([], [])


def test_search_has_the_promised_keys(program):
    result, _ = request(program, "search", question="traces", k=3, mode="keyword", rerank=True)

    assert {key for key in result if key != "extra"} == {"results", "seconds"}
    assert set(result["results"][0]) == {
        "rank",
        "score",
        "text",
        "path",
        "paths",
        "page",
        "heading",
        "start",
        "end",
        "segment",
        "metadata",
    }
    assert program.assistant.searched == [("traces", 3, "keyword", "", True)]


def test_search_does_not_rerank_unless_told_and_ask_does(program):
    request(program, "search", question="traces")
    request(program, "ask", question="traces?")

    assert program.assistant.searched == [("traces", 10, "hybrid", "", False)]
    assert program.assistant.asked == [("traces?", None, "", True)]


def test_a_question_is_limited_to_places_and_collections(program):
    for command in ("search", "ask"):
        request(program, command, question="q?", **{"in": ["/a"], "collections": ["Work"]})
        request(program, command, question="q?")

    limited = Scope(collections=("Work",), folders=("/a",), files=("/a",))
    assert program.assistant.scopes == [limited, None] * 2


def test_ask_has_the_promised_keys_and_each_step_once(program):
    result, told = request(program, "ask", question="how large?", filter="type:pdf")

    assert {key for key in result if key != "extra"} == {
        "answer",
        "outcome",
        "answerable",
        "confidence",
        "kind",
        "coverage",
        "citations",
        "queries",
        "events",
        "times",
        "seconds",
        "model",
        "usage",
        "sentences",
    }
    assert result["outcome"] == "answer"
    assert result["answerable"] is True
    assert result["kind"] == "extractive"
    assert result["coverage"] == {"ready": 3, "files": 5}
    assert result["events"] == ["understanding", "searching", "text", "done"]
    assert result["times"] == dict.fromkeys(result["events"], 0.01)
    assert (result["model"], result["usage"]) == ("", {"read": None, "written": None})
    assert result["citations"] == [
        {
            "number": 1,
            "path": "/papers/trace.pdf",
            "page": 3,
            "start": 10,
            "end": 30,
            "quote": "A trace takes 64 KB.",
            "metadata": {"title": "Traces"},
        }
    ]
    steps = [message["event"]["step"] for message in told if "event" in message]
    assert steps == ["understanding", "searching", "text"]


def test_a_chat_is_made_when_new_and_found_again(program):
    request(program, "ask", question="one?", chat="Pumps")
    request(program, "ask", question="two?", chat="Pumps")
    request(program, "ask", question="three?", chat="Valves")

    assert [asked[1] for asked in program.assistant.asked] == [1, 1, 2]


@pytest.mark.parametrize("arguments", [{"question": " "}, {"question": "why?", "chat": " "}])
def test_blank_questions_and_chats_are_refused_in_words(program, arguments):
    with pytest.raises(KnownError):
        request(program, "ask", **arguments)
    assert program.assistant.asked == []


def test_status_counts_what_is_being_read_as_waiting(program):
    result, _ = request(program, "status")

    assert {key for key in result if key != "extra"} == {
        "sources",
        "files",
        "ready",
        "waiting",
        "failed",
        "ignored",
        "segments",
        "vectors",
        "indexes",
        "bytes",
    }
    assert (result["files"], result["ready"], result["waiting"]) == (5, 3, 2)
    assert result["indexes"] == {"words": {"reached": 7, "count": 19, "state": "ready"}}


def test_files_tell_state_problem_and_what_was_read(program):
    partly = Coverage(read=8, empty=1, unreadable=(UnreadableUnit(3, "garbled text"),))
    program.library.records = [
        file_record(1, "/papers/a.pdf", kind="pdf", pages=10, coverage=partly),
        FAILED,
    ]

    result, _ = request(program, "files")

    assert result["files"][0] == {
        "path": "/papers/a.pdf",
        "status": "ready",
        "problem": None,
        "kind": "pdf",
        "pages": 10,
        "coverage": {
            "read": 8,
            "ocr": 0,
            "empty": 1,
            "unreadable": [{"page": 3, "reason": "garbled text"}],
        },
        "segments": 2,
        "extra": {"recognising": None, "encoding": None},
    }
    problems, _ = request(program, "files", problems=True)
    assert [file["problem"] for file in problems["files"]] == [
        {"title": "Needs a password", "message": "Save a copy without one."}
    ]


def test_remove_says_what_was_done(program):
    result, _ = request(program, "remove", paths=["/papers"])

    assert result == {"removed": [{"path": "/papers", "kind": "source"}]}
    assert program.library.removed == ["/papers"]


def test_remove_waits_until_what_is_left_out_is_ignored(program):
    waiting = file_record(1, "/papers/drop/a.txt")
    beside = file_record(2, "/papers/drop.txt")
    looks = iter([[waiting, beside], [waiting, beside]])
    ignored = file_record(1, "/papers/drop/a.txt", FileStatus.IGNORED)
    program.library.remove = lambda paths: [Removal(path, "ignored") for path in paths]
    program.library.files = lambda: next(looks, [ignored, beside])

    result, _ = request(program, "remove", paths=["/papers/drop"])

    assert result == {"removed": [{"path": "/papers/drop", "kind": "ignored"}]}
    assert next(looks, None) is None


def test_verify_repairs_only_when_told(program):
    request(program, "verify")
    result, _ = request(program, "verify", repair=True)

    assert result == {"ok": True, "problems": []}
    assert program.store.repairs == [False, True]


def test_an_unknown_command_is_a_wrong_argument(program):
    with pytest.raises(ValueError, match="no command 'fly'"):
        request(program, "fly")


def test_a_cancelled_index_stops(program, tmp_path):
    program.library.hold.clear()
    cancel = CancelToken()
    cancel.cancel()

    with pytest.raises(Cancelled):
        run_request(program.open_services(tmp_path), "index", {"paths": []}, lambda _: None, cancel)


def test_a_changed_model_is_told_with_its_cost_and_accepted_when_asked_for(program):
    program.library.change = ModelChange(1200, 95.04)

    told = request(program, "status")[0]["extra"]["model_change"]
    request(program, "index", paths=[])
    assert told == {"passages": 1200, "seconds": 95.0}
    assert program.library.change is not None
    request(program, "index", paths=[], new_model=True)
    assert program.library.change is None
    assert request(program, "status")[0]["extra"]["model_change"] is None
