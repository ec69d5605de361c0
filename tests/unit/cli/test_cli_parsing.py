from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.cli.ask import ASK
from desktop_rag.cli.chats import CHATS
from desktop_rag.cli.collecting import COLLECTIONS
from desktop_rag.cli.main import COMMANDS, parse, run
from desktop_rag.cli.program import Program
from desktop_rag.cli.search import SEARCH
from desktop_rag.foundation.version import VERSION
from tests.helpers.fake_services import FakeProgram


@pytest.mark.parametrize(
    "arguments",
    [
        ["--data-dir", "/d", "--json", "status"],
        ["status", "--data-dir", "/d", "--json"],
        ["--data-dir=/d", "status", "--json"],
        ["--json", "status", "--data-dir=/d"],
    ],
)
def test_common_options_stand_before_or_after_the_command(arguments):
    options = parse(arguments)

    assert (options.command, options.data_dir, options.json) == ("status", "/d", True)


def test_every_command_takes_json():
    extra = {"search": ["q"], "ask": ["q"], "remove": ["p"], "evaluate": ["d"]}
    extra |= {"export": ["f"], "import": ["f"], "rules": ["s"]}
    for command in COMMANDS:
        options = parse([command.name, *extra.get(command.name, []), "--json"])
        assert options.command == command.name
        assert options.json is True


def test_the_table_s_commands_are_there():
    assert {command.name for command in COMMANDS} == {
        "index",
        "search",
        "ask",
        "status",
        "files",
        "watch",
        "remove",
        "rules",
        "collections",
        "chats",
        "models",
        "verify",
        "export",
        "import",
        "evaluate",
        "doctor",
    }


@pytest.mark.parametrize("command", [ASK, SEARCH])
def test_a_question_may_be_limited_to_places(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limits = ["--in", "a", "--in", "/b/c.txt", "--collection", "Work"]
    request = command.arguments(parse([command.name, "q", *limits]))
    assert request["in"] == [str(tmp_path / "a"), os.path.abspath("/b/c.txt")]
    assert request["collections"] == ["Work"]
    everywhere = command.arguments(parse([command.name, "q"]))
    assert not {"in", "collections"} & everywhere.keys()


def test_a_collection_is_described_by_its_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = ["collections", "Work", "--add", "a", "--drop", "/b", "--describe", "what pays"]
    assert COLLECTIONS.arguments(parse(line)) == {
        "name": "Work",
        "description": "what pays",
        "rename": None,
        "add": [str(tmp_path / "a")],
        "drop": [os.path.abspath("/b")],
        "delete": False,
    }
    assert COLLECTIONS.arguments(parse(["collections"]))["name"] is None


def test_a_conversation_is_named_for_what_is_done_with_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert CHATS.arguments(parse(["chats", "Lease", "--export", "a.md"])) == {
        "name": "Lease",
        "search": None,
        "export": str(tmp_path / "a.md"),
        "rename": None,
        "delete": False,
        "restore": False,
    }
    for line in (["chats", "--delete"], ["chats", "Lease", "--search", "rent"]):
        with pytest.raises(SystemExit):
            CHATS.arguments(parse(line))
    with pytest.raises(SystemExit):
        parse(["chats", "Lease", "--delete", "--restore"])
    assert "say which conversation" in capsys.readouterr().err


def test_defaults_of_search_ask_and_evaluate():
    search, ask, evaluate = parse(["search", "q"]), parse(["ask", "q"]), parse(["evaluate", "d"])

    assert (search.k, search.mode, search.filter, search.rerank) == (10, "hybrid", "", False)
    assert (ask.chat, ask.filter, ask.rerank) == (None, "", True)
    assert (evaluate.mode, evaluate.limit, evaluate.rerank) == ("hybrid", None, True)


def test_rerank_can_be_turned_round():
    assert parse(["search", "q", "--rerank"]).rerank is True
    assert parse(["ask", "q", "--no-rerank"]).rerank is False


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ("vector", "vector"),
        ("keyword", "keyword"),
        ("vector,keyword", "hybrid"),
        ("hybrid,vector", "hybrid"),
        ("keyword, keyword", "keyword"),
    ],
)
def test_a_mode_is_one_or_a_list(given, mode):
    assert parse(["search", "q", "--mode", given]).mode == mode


@pytest.mark.parametrize(
    "arguments",
    [
        ["search"],
        ["ask"],
        ["remove"],
        ["evaluate"],
        ["search", "q", "-k", "0"],
        ["search", "q", "-k", "many"],
        ["search", "q", "--mode", "magic"],
        ["search", "q", "--mode", ""],
        ["evaluate", "d", "--limit", "-1"],
        ["files", "--unknown"],
        ["no-such-command-or-file"],
        ["--unknown"],
        ["--data-dir"],
    ],
)
def test_wrong_usage_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        parse(arguments)

    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err


def test_version_and_help(capsys):
    with pytest.raises(SystemExit) as caught:
        parse(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"desktop-rag {VERSION}\n"

    with pytest.raises(SystemExit) as caught:
        parse(["--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert all(command.name in text for command in COMMANDS)


def test_a_question_of_several_words_needs_no_quotation_marks():
    assert parse(["ask", "how", "large?"]).question == ["how", "large?"]


class Window:
    def __init__(self) -> None:
        self.opened: list[tuple[Path, tuple[str, ...]]] = []

    def run(self, data_dir: Path, paths: tuple[str, ...], hidden: bool) -> int:
        self.opened.append((data_dir, paths))
        self.hidden = hidden
        return 0


def run_window(arguments: list[str]) -> Window:
    window = Window()
    fake = FakeProgram()
    assert run(arguments, Program(fake.open_services, window.run)) == 0
    assert fake.opened == 0
    return window


def test_no_command_opens_the_window(tmp_path):
    window = run_window(["--data-dir", str(tmp_path)])

    assert window.opened == [(tmp_path, ())]


def test_existing_paths_open_the_window_with_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()
    (tmp_path / "-odd.txt").write_text("x")

    window = run_window(["papers", "--data-dir", "data"])
    odd = run_window(["--data-dir", "data", "--", "-odd.txt"])

    assert window.opened == [(tmp_path / "data", (str(tmp_path / "papers"),))]
    assert odd.opened == [(tmp_path / "data", (str(tmp_path / "-odd.txt"),))]


def test_the_window_may_stay_in_the_tray(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()

    assert run_window(["--data-dir", "data", "--hidden"]).hidden is True
    assert run_window(["--hidden", "papers", "--data-dir", "data"]).hidden is True
    assert run_window(["--data-dir", "data"]).hidden is False


def test_a_command_goes_before_a_file_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "status").mkdir()

    assert parse(["status"]).command == "status"
    assert parse(["./status"]).command is None


def test_the_environment_names_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DESKTOP_RAG_DATA_DIR", str(tmp_path / "there"))

    assert run_window([]).opened == [(tmp_path / "there", ())]
    assert run_window(["--data-dir", str(tmp_path / "here")]).opened == [(tmp_path / "here", ())]


def test_moved_folders_are_taken_as_pairs(capsys):
    options = parse(["import", "f", "--map", "/old=/new", "--map", "C:\\Docs=/docs=2024"])
    assert options.map == [("/old", "/new"), ("C:\\Docs", "/docs=2024")]
    with pytest.raises(SystemExit):
        parse(["import", "f", "--map", "/old"])
    assert "OLD=NEW" in capsys.readouterr().err
