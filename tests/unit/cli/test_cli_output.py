from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from desktop_rag.cli.console import Console, printable
from desktop_rag.cli.main import run
from desktop_rag.cli.program import Program
from desktop_rag.cli.words import count, page_numbers, size
from desktop_rag.domain.answer import Outcome
from desktop_rag.domain.document import Coverage, UnreadableUnit
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services import surveying
from tests.helpers.fake_services import ANSWER, FAILED, FakeProgram, file_record


class Terminal:
    """Runs commands on fakes and keeps what they print."""

    def __init__(self, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.fake = FakeProgram()
        self._data_dir = data_dir
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        program = Program(self.fake.open_services, lambda _dir, _paths: 0)
        code = run(["--data-dir", str(self._data_dir), *arguments], program)
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def terminal(data_dir, capsys) -> Terminal:
    return Terminal(data_dir, capsys)


def test_json_is_one_object_on_one_line_with_the_promised_keys_alone(terminal):
    code, out, err = terminal("ask", "how large?", "--json")

    assert (code, err, out.count("\n")) == (0, "", 1)
    assert "extra" not in json.loads(out)
    assert json.loads(out)["answer"] == ANSWER.text


def test_an_answer_names_file_page_and_words(terminal):
    code, out, _ = terminal("ask", "how", "large?")

    assert code == 0
    assert out.startswith("A trace takes 64 KB [1].\n")
    assert "[1] /papers/trace.pdf, page 3\n    “A trace takes 64 KB.”\n" in out
    assert "2 files have not been read yet." in out
    assert terminal.fake.assistant.asked[0][0] == "how large?"


def test_what_was_not_found_offers_the_nearest(terminal):
    terminal.fake.assistant.answer = replace(
        ANSWER,
        text="Not found in your documents.",
        outcome=Outcome.NOT_FOUND,
        citations=(),
        nearest=ANSWER.citations,
    )

    _, out, _ = terminal("ask", "what is a prime number?")

    assert "Not found in your documents.\n\nThese may help\n[1] /papers/trace.pdf" in out
    assert "Sources" not in out


def test_search_lists_places_and_copies(terminal):
    _, out, _ = terminal("search", "traces")

    assert out.startswith("1. /papers/trace.pdf, page 3 · Memory  (0.800)\n")
    assert "    also in /copies/trace.pdf\n" in out


def test_search_without_results_says_so(terminal):
    code, out, _ = terminal("search", "")

    assert (code, out.splitlines()[0]) == (0, "Nothing found.")


def test_index_lists_problems_and_exits_with_0(terminal, tmp_path):
    code, out, _ = terminal("index", str(tmp_path))

    assert code == 0
    assert "Files: 2 added, 1 failed\n" in out
    assert "1 problem:\n  /papers/old.pdf\n    Needs a password: Save it without one.\n" in out


def test_relative_paths_are_those_of_the_caller(terminal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()

    terminal("index", "papers", "--json")
    terminal("remove", "papers", "--json")

    assert terminal.fake.library.indexed == [[str(tmp_path / "papers")]]
    assert terminal.fake.library.removed == [str(tmp_path / "papers")]


def test_status_files_remove_and_verify_speak_plainly(terminal):
    terminal.fake.library.records = [
        FAILED,
        file_record(
            1, "/papers/a.pdf", coverage=Coverage(read=1, unreadable=(UnreadableUnit(2, "empty"),))
        ),
    ]

    assert "5 files: 3 ready, 2 waiting, 0 failed, 0 ignored" in terminal("status")[1]
    files = terminal("files")[1]
    assert "failed       /papers/old.pdf\n" in files
    assert "Needs a password: Save a copy without one." in files
    assert "page 2: empty" in files
    assert "stay where they are" in terminal("remove", "/papers")[1]
    assert terminal("verify", "--repair")[1] == "Everything is in order.\n"
    for command in ("status", "files", "verify"):
        words = terminal(command)[1].lower()
        assert not any(word in words for word in ("segment", "chunk", "embedding", "token"))


def test_a_known_error_is_one_line_and_with_json_an_object(terminal):
    code, out, err = terminal("ask", "damaged")
    assert (code, out) == (1, "")
    assert err == ("desktop-rag: A model file is damaged: Install the program again. [/m.onnx]\n")

    code, out, err = terminal("ask", "damaged", "--json")
    assert (code, err.count("\n")) == (1, 1)
    assert json.loads(out) == {
        "error": {
            "title": "A model file is damaged",
            "message": "Install the program again.",
            "path": "/m.onnx",
        }
    }


def test_a_missing_path_is_a_known_error(terminal, tmp_path):
    missing = tmp_path / "missing"

    code, out, err = terminal("index", str(missing), "--json")

    assert code == 1
    assert json.loads(out)["error"]["path"] == str(missing)
    assert err.count("\n") == 1


def test_a_data_folder_that_cannot_be_made_is_a_known_error(terminal, tmp_path):
    (tmp_path / "file").write_text("")

    code, out, _ = terminal("status", "--data-dir", str(tmp_path / "file"), "--json")

    assert code == 1
    assert json.loads(out)["error"]["path"] == str(tmp_path / "file")


def test_a_bug_is_not_hidden(terminal):
    with pytest.raises(LookupError):
        terminal("ask", "bug")


def console(json_wanted: bool = False, **options: str) -> tuple[Console, io.BytesIO]:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", write_through=True)
    return Console(json_wanted, out, out), raw


def test_names_that_are_not_utf8_are_printed_byte_by_byte():
    shown, raw = console()

    shown.print(os.fsdecode(b"caf\xe9.txt"))

    assert raw.getvalue() == b"caf\xe9.txt\n"


def test_json_is_valid_utf8_whatever_the_name():
    shown, raw = console(json_wanted=True)

    shown.print_json({"path": os.fsdecode(b"caf\xe9.txt"), "text": "付款\ud800"})

    assert json.loads(raw.getvalue().decode("utf-8")) == {
        "path": os.fsdecode(b"caf\xe9.txt"),
        "text": "付款\ud800",
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07red \x1b[31m", " ]0;title red  [31m"),
        ("a\rb\x9bc\x00", "a b c "),
        ("left \u202eright", "left  right"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("half \ud800 of a pair", "half \ufffd of a pair"),
        ("付款期限", "付款期限"),
    ],
)
def test_text_of_documents_does_nothing_to_a_terminal(text, shown):
    assert printable(text) == shown


def test_an_error_of_several_lines_stays_on_one():
    shown, raw = console()

    shown.fail(KnownError("Not there", "Line one.\nLine two.", "/a\nb"))

    assert raw.getvalue() == b"desktop-rag: Not there: Line one. Line two. [/a b]\n"


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 B"), (999, "999 B"), (12_345, "12.3 kB"), (3e9, "3.0 GB")]
)
def test_sizes(number, words):
    assert size(number) == words


@pytest.mark.parametrize(
    ("pages", "words"),
    [([3], "page 3"), ([2, 3, 4, 9], "pages 2–4, 9"), ([9, 1, 1], "pages 1, 9")],
)
def test_pages(pages, words):
    assert page_numbers(pages) == words


def test_counts():
    numbers: Sequence[int] = (0, 1, 3210)
    assert [count(n, "file") for n in numbers] == ["0 files", "1 file", "3,210 files"]


def test_a_great_number_of_files_is_asked_about_on_a_terminal(terminal, tmp_path, monkeypatch):
    monkeypatch.setattr(surveying, "_BIG_FILES", 0)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("words")
    (docs / "noname").write_text("words")

    code, out, err = terminal("index", str(docs))
    assert out.startswith("Files: ")
    assert err.startswith("2 files, 10 B: reading them takes about 1 s and ")
    assert err.endswith(" that are free.\nMost of them: 1 without a suffix, 1 txt\n")
    code, out, err = terminal("index", str(docs), "--json")
    assert (code, out.count("\n"), err[:7]) == (0, 1, "2 files")
    answers = iter(["n\n", "y\n"])
    monkeypatch.setattr(Console, "_asks", lambda _self: True)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=lambda: next(answers)))
    indexed = len(terminal.fake.library.indexed)
    assert terminal("index", str(docs))[1] == "Nothing was added.\n"
    assert len(terminal.fake.library.indexed) == indexed
    assert terminal("index", str(docs))[1].startswith("Files: ")
    assert terminal("index", "--yes", str(docs))[1].startswith("Files: ")


def test_too_little_room_is_an_error_before_anything_is_read(terminal, tmp_path, monkeypatch):
    monkeypatch.setattr(surveying, "_RESERVE", 10**18)
    (tmp_path / "a.txt").write_text("words")

    code, out, err = terminal("index", str(tmp_path))
    assert (code, out) == (1, "")
    assert "Not enough room" in err
    assert terminal.fake.library.indexed == []
