"""The commands as a user or a script runs them, on a small real library."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.program import DesktopRag
from tests.helpers.small_pdf import small_pdf

CONTRACT = """# Supply contract

## Payment

The buyer pays within thirty days after delivery. Late payments cost two percent a month.

## Warranty

The warranty of pump P-100 lasts twenty-four months. It does not cover worn seals.
"""

CHINESE = "合同付款期限为三十天。逾期付款按月收取百分之二的违约金。\n"

PAPER = [
    ["The tracing compiler records hot loops.", "A loop is hot after two iterations."],
    ["The trace cache has a size of sixteen megabytes.", "It is flushed when it is full."],
]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    (folder / "contract.md").write_text(CONTRACT, encoding="utf-8")
    (folder / "合同.txt").write_text(CHINESE, encoding="utf-8")
    (folder / "tracing.pdf").write_bytes(small_pdf(PAPER))
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (folder / "empty.txt").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def first_index(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[DesktopRag, dict]:
    program = DesktopRag(tmp_path_factory.mktemp("data") / "library")
    return program, program.json("index", papers)


@pytest.fixture(scope="module")
def program(first_index: tuple[DesktopRag, dict]) -> Iterator[DesktopRag]:
    """The program with an owner at work, so that each command is a quick guest."""
    program = first_index[0]
    with program.running("watch") as owner:
        owner.wait_until_owner(program.data_dir)
        program.json("index")  # once it has looked at everything it starts no more children
        yield program


def test_index_adds_and_lists_what_it_cannot_read(first_index, papers):
    report = first_index[1]

    assert report["files"]["added"] == 3
    assert report["segments"] >= report["embedded"] >= 4
    assert report["tokens"] > 0
    problems = {Path(p["path"]).name: p["title"] for p in report["problems"]}
    assert "picture.png" in problems
    assert all(problems.values())
    assert {p["path"] for p in report["problems"]} <= {str(path) for path in papers.iterdir()}


def test_a_second_index_embeds_nothing(program, papers):
    report = program.json("index", papers)

    assert report["files"]["unchanged"] >= 3
    assert (report["files"]["added"], report["files"]["updated"], report["embedded"]) == (0, 0, 0)


def test_an_answer_quotes_the_page(program, papers):
    result = program.json("ask", "What is the size of the trace cache?")

    citation = result["citations"][0]
    assert result["outcome"] == "answer"
    assert citation["path"] == str(papers / "tracing.pdf")
    assert citation["page"] == 2
    assert "sixteen megabytes" in citation["quote"]
    assert citation["end"] - citation["start"] == len(citation["quote"])
    assert result["coverage"]["ready"] >= 3
    assert result["events"][-1] == "done"


def test_a_chinese_question_finds_its_file(program, papers):
    printed = program("search", "付款期限是多久？", "--json")

    assert printed.json["results"][0]["path"] == str(papers / "合同.txt")
    assert "付款期限" in printed.out.decode("utf-8")


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_every_mode_finds_the_warranty(program, papers, mode):
    found = program.json("search", "warranty of pump P-100", "--mode", mode, "-k", "2")["results"]

    assert found[0]["path"] == str(papers / "contract.md")
    assert [result["rank"] for result in found] == list(range(1, len(found) + 1))
    assert len(found) <= 2


def test_a_filter_limits_the_files(program, papers):
    found = program.json("search", "payment", "--filter", "type:pdf")["results"]

    assert {result["path"] for result in found} <= {str(papers / "tracing.pdf")}


def test_status_and_files_agree(program):
    status, listed = program.json("status"), program.json("files")["files"]
    states = [file["status"] for file in listed]

    assert status["ready"] == states.count("ready") == 3
    assert status["failed"] == states.count("failed")
    assert status["files"] == len(listed) - status["ignored"]
    assert status["vectors"] > 0
    assert status["bytes"] > 0
    assert status["segments"] == sum(file["segments"] for file in listed)
    problems = program.json("files", "--problems")["files"]
    assert {Path(file["path"]).name for file in problems} >= {"picture.png"}


def test_a_conversation_goes_on_in_a_later_run(program):
    program.json("ask", "How long is the warranty of pump P-100?", "--chat", "Pumps")
    follow_up = program.json("ask", "What does it not cover?", "--chat", "Pumps")

    assert any("P-100" in query for query in follow_up["queries"])


def test_for_people_there_are_words_and_no_json(program):
    out = program("ask", "What is the size of the trace cache?").out.decode("utf-8")

    assert "sixteen megabytes" in out
    assert "tracing.pdf, page 2" in out
    assert not out.startswith("{")


def test_what_the_files_do_not_say_is_not_found(program):
    result = program.json("ask", "Who won the chess world championship in 1972?")

    assert result["outcome"] != "answer"
    assert result["answerable"] is False


@pytest.mark.parametrize("question", ["", "*", 'a"b', "C++", "(", "AND", "foo:bar"])
def test_no_search_text_is_an_error(program, question):
    assert "results" in program("search", "--json", "--", question).json


def test_the_library_verifies(program):
    assert program.json("verify") == {"ok": True, "problems": []}


def test_the_doctor_finds_everything_in_order(program):
    report = program.json("doctor")

    assert report["ok"] is True
    assert all(model["ok"] for model in report["models"])
    assert report["library"]["exists"] is True
    assert set(report["versions"]["libraries"]) >= {"onnxruntime", "tantivy", "hnswlib"}
    assert report["processor"]["simd"]
    assert report["data_folder"]["bytes"] > 0


def test_the_doctor_makes_no_data_folder(tmp_path):
    report = DesktopRag(tmp_path / "new").json("doctor")

    assert report["ok"] is True
    assert report["library"] == {"exists": False, "ok": True, "problems": [], "indexes": {}}
    assert not (tmp_path / "new").exists()


def test_errors_have_their_exit_codes(program, tmp_path):
    missing = tmp_path / "missing.txt"
    failed = program("index", missing, "--json", code=1)
    assert failed.json["error"]["path"] == str(missing)
    assert failed.err.count(b"\n") == 1

    assert program("ask", code=2).out == b""
    assert program("nonsense", code=2).out == b""


def test_removed_files_answer_no_more(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "keep.txt").write_text("The green box holds the keys of the cellar.")
    (folder / "drop.txt").write_text("The zanzibar password is quokkabird.")
    program = DesktopRag(tmp_path / "data")
    program.json("index", folder)

    removed = program.json("remove", folder / "drop.txt")["removed"]
    assert removed == [{"path": str(folder / "drop.txt"), "kind": "ignored"}]
    found = program.json("search", "zanzibar password", "--mode", "keyword")["results"]
    assert [result for result in found if "drop.txt" in result["path"]] == []

    assert program.json("remove", folder)["removed"] == [{"path": str(folder), "kind": "source"}]
    assert program.json("status")["files"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="names that are not UTF-8")
def test_a_name_that_is_not_utf8_is_indexed_and_printed(tmp_path):
    name = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(name, "w", encoding="utf-8") as file:
        file.write("The espresso machine needs descaling every month.")
    program = DesktopRag(tmp_path / "data")

    report = program.json("index", os.fsdecode(name))
    result = program("search", "descaling", "--json")

    assert report["files"]["added"] == 1
    assert os.fsencode(result.json["results"][0]["path"]) == name
    assert name in program("search", "descaling").out


def test_json_is_utf8_in_any_locale(program, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")

    out = program("search", "付款期限", "--json").out

    assert "合同" in json.loads(out.decode("utf-8"))["results"][0]["path"]
    assert re.search("付款期限".encode(), out)


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may all")
def test_a_read_only_data_folder_is_a_known_error(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o500)

    failed = DesktopRag(folder)("status", "--json", code=1)

    assert failed.json["error"]["path"] == str(folder)
