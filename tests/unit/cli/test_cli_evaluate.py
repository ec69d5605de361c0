"""``evaluate``: its options, and how the figures are printed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from desktop_rag.cli.console import Console
from desktop_rag.cli.main import parse, run
from desktop_rag.cli.program import Program
from desktop_rag.cli.progress import ReadingProgress, progress_line
from desktop_rag.services.trying import asking_progress
from tests.helpers.evaluated import ANSWERS, Opener, write, write_collection


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "tiny")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def program(opener: Opener) -> Program:
    return Program(opener, lambda *_: 0)


def test_defaults():
    options = parse(["evaluate", "d"])
    assert (options.history, options.off_topic, options.ablate, options.report, options.own) == (
        True,
        None,
        False,
        None,
        None,
    )
    assert parse(["evaluate", "--own", "q.csv", "--no-history"]).dataset is None


@pytest.mark.parametrize("arguments", [["d", "--own", "q.csv"], []])
def test_a_data_set_or_ones_own_questions(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        parse(["evaluate", *arguments])
    assert ended.value.code == 2
    assert "--own" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--own", "q.csv", "--ablate"], ["d", "--ablate", "--mode", "vector"]]
)
def test_what_does_not_go_together_is_told(arguments, capsys):
    assert run(["evaluate", *arguments], program(Opener())) == 1
    assert "don't go together" in capsys.readouterr().err


def test_figures_and_the_table_of_parts_are_printed(collection, capsys):
    write(collection, "answers.jsonl", ANSWERS)
    assert run(["evaluate", str(collection), "--ablate"], program(Opener())) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "ndcg@10            0.8155" in lines
    head = lines.index("") + 1
    assert lines[head].split() == [
        "without",
        "ndcg@10",
        "change",
        "answer_hit@1",
        "change",
        "quote_chars_mean",
    ]
    assert lines[head + 1].split() == ["nothing", "0.8155", "0.5000", "3.7500"]
    keywords = next(line.split() for line in lines[head:] if line.startswith("keywords"))
    assert keywords == ["keywords", "0.5000", "-0.3155", "0.5000", "+0.0000", "5.0000"]
    assert len({len(line) for line in lines[head:]}) == 1


def test_questions_are_told_as_questions():
    screen = Screen()
    with ReadingProgress(Console(False, io.StringIO(), screen)) as shown:
        shown.update(asking_progress(3, 225))
    assert "Asking 3/225 questions" in screen.getvalue()
    assert progress_line(asking_progress(3, 1225)["reading"]) == "Asking 3 of 1,225 questions"


def test_all_options_reach_the_measuring(collection, tmp_path, capsys):
    other = write_collection(tmp_path / "other")
    report = tmp_path / "r.csv"
    opener = Opener()
    line = ["evaluate", str(collection), "--off-topic", str(other), "--report", str(report)]
    line += ["--limit", "1", "--no-rerank", "--ablate", "--no-history", "--json"]
    assert run(line, program(opener)) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["queries"], figures["off_topic_auc"], figures["rerank"]) == (1, 0.5, 0)
    assert {row["part"] for row in figures["ablation"]} >= {"vectors", "keywords", "support"}
    assert report.read_text(encoding="utf-8-sig").startswith("id,kind,question,")
    assert opener.tables[0].closed
