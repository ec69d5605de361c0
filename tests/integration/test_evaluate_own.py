"""One's own questions about one's own library, alone and while another process has it open."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.program import DesktopRag


def test_ones_own_library_is_measured_by_ones_own_questions(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "lease.txt").write_text("The tenant pays a rent of 900 dollars each month.")
    (papers / "pumps.txt").write_text("The bearings of the pump are greased twice a year.")
    questions = tmp_path / "mine.csv"
    questions.write_text(
        "question,files,answer\nHow much is the rent?,lease.txt,900 dollars\n"
        "How often are bearings greased?,papers/p*.txt,\nWho won the cup?,-,\n"
    )
    program = DesktopRag(tmp_path / "data")
    program("index", papers)
    report = tmp_path / "report.csv"
    figures = program.json("evaluate", "--own", questions, "--report", report)
    assert (figures["queries"], figures["documents"], figures["ndcg@10"]) == (2, 2, 1.0)
    assert figures["answer_hit@1"] == 1.0
    assert figures["answerable_auc"] == 1.0
    assert len(report.read_text(encoding="utf-8-sig").splitlines()) == 4
    with program.running("watch", "--json") as watching:
        watching.wait_until_owner(program.data_dir)
        guest = program.json("evaluate", "--own", questions)
    assert (guest["ndcg@10"], guest["answer_hit@1"]) == (1.0, 1.0)
    questions.write_text("question,files\nWho?,gone.txt\n")
    wrong = program.json("evaluate", "--own", questions, code=1)
    assert "line 2: the library has no file “gone.txt”" in wrong["error"]["message"]
