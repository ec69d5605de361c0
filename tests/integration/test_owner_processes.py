"""Several processes on one data folder."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from desktop_rag.services.client import RequestClient
from tests.helpers.program import DesktopRag, Running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "pumps.txt").write_text("The warranty of pump P-100 lasts twenty-four months.")
    return papers


@pytest.fixture
def program(tmp_path: Path) -> DesktopRag:
    return DesktopRag(tmp_path / "data")


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def reachable(program: DesktopRag) -> bool:
    client = RequestClient.connect(program.data_dir)
    if client is not None:
        client.close()
    return client is not None


def children_of(running: Running) -> list[psutil.Process]:
    return psutil.Process(running.process.pid).children(recursive=True)


def test_guests_of_a_watching_owner_see_what_it_sees(program, folder):
    with program.running("watch", folder) as owner:
        first = owner.next_json()
        assert (first["change"], first["path"]) == ("added", str(folder / "pumps.txt"))

        as_guest = program.json("ask", "How long is the warranty of pump P-100?")
        assert as_guest["outcome"] == "answer"
        assert program.json("status")["ready"] == 1

        (folder / "valves.txt").write_text("The valve V-7 opens at nine bar.")
        second = owner.next_json()
        assert (second["change"], second["path"]) == ("added", str(folder / "valves.txt"))
        (folder / "valves.txt").unlink()
        third = owner.next_json()
        assert (third["change"], third["status"]) == ("removed", None)

        owner.signal(signal.SIGTERM)
        code, _ = owner.finish()
    assert code == 0
    alone = program.json("ask", "How long is the warranty of pump P-100?")
    for changing in ("seconds", "times", "confidence"):
        as_guest.pop(changing)
        alone.pop(changing)
    assert alone == as_guest


def test_when_the_owner_is_killed_a_waiting_guest_takes_over(program, folder):
    with program.running("watch", folder) as owner:
        owner.next_json()
        with program.running("watch") as guest:
            time.sleep(0.5)
            workers = children_of(owner)
            owner.signal(signal.SIGKILL)
            owner.finish()
            wait_until(lambda: reachable(program))
            (folder / "valves.txt").write_text("The valve V-7 opens at nine bar.")
            change = guest.next_json()
            assert Path(change["path"]).name == "valves.txt"
            psutil.wait_procs(workers, timeout=10)
            assert not [worker for worker in workers if worker.is_running()]
            guest.signal(signal.SIGINT)
            assert guest.finish()[0] == 0


def test_what_a_killed_owner_left_stops_nobody(program, folder):
    with program.running("watch", folder) as owner:
        owner.next_json()
        owner.signal(signal.SIGKILL)
        owner.finish()
        assert (program.data_dir / "owner.json").exists()

    assert program.json("status")["ready"] == 1
    assert not (program.data_dir / "owner.json").exists()


def test_an_interrupted_index_stops_and_goes_on_later(program, tmp_path):
    many = tmp_path / "many"
    many.mkdir()
    count = 400
    for number in range(count):
        words = " ".join(
            f"Pump {number} of line {line} has part {number * line}." for line in range(60)
        )
        (many / f"{number}.txt").write_text(words)

    with program.running("index", many, "--json") as index:
        wait_until(lambda: reachable(program) and children_of(index))
        index.signal(signal.SIGINT)
        code, err = index.finish()

    assert code == 130
    assert "goes on next time" in err
    status = program.json("status")
    assert status["files"] == 0 or status["ready"] < count
