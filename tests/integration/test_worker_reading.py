from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.child import Child, ChildEnded, child_environment, worker_command
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.ingestion import reading
from desktop_rag.ingestion.reading import ReadLimits, WorkerReader
from desktop_rag.ingestion.splitters.sizes import SegmentSizes
from tests.helpers.preparing import paragraphs, prepared

ODD_WORKER = [sys.executable, str(Path(__file__).parent.parent / "helpers" / "odd_worker.py")]

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a text file."""

    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def reader() -> Iterator[WorkerReader]:
    """A reader whose files may misbehave."""
    reader = WorkerReader(ReadLimits(seconds=60, memory_mb=700), command=ODD_WORKER)
    yield reader
    reader.close()


def process_of(reader: WorkerReader, write: Write) -> int:
    text = reader.read(write("environment.txt", "!environment")).text
    return int(text.rsplit(" ", 1)[1])


def fails(reader: WorkerReader, path: Path) -> KnownError:
    with pytest.raises(KnownError) as caught:
        reader.read(path)
    assert caught.value.path == str(path)
    assert f"“{path.name}”" in caught.value.message
    return caught.value


def test_a_file_is_read_as_in_this_process(write: Write) -> None:
    text = "A title\n\n" + "\n\n".join(paragraphs(1, 2500, 6))
    sizes = SegmentSizes(target=64, parent=300)
    reader = WorkerReader(sizes=sizes)
    try:
        document = reader.read(write("a.txt", text))
        markdown = reader.read(write("b.md", "# Head\n\n| A | B |\n|---|---|\n| 1 | 合同 |\n"))
    finally:
        reader.close()

    assert len(text) > 500_000
    assert document == prepared(text, sizes=sizes)
    assert markdown == prepared("# Head\n\n| A | B |\n|---|---|\n| 1 | 合同 |\n", "b.md", sizes)


def test_one_crash_costs_one_file(reader: WorkerReader, write: Write) -> None:
    before = process_of(reader, write)

    assert fails(reader, write("bad.txt", "!crash")).title == "Could not be read"
    assert reader.read(write("good.txt", "Fine words.")).text == "Fine words."
    assert process_of(reader, write) != before


@pytest.mark.parametrize("deed", ["!hang", "!spin"])
def test_a_hang_costs_one_file(write: Write, deed: str) -> None:
    reader = WorkerReader(ReadLimits(seconds=2), command=ODD_WORKER)
    try:
        assert reader.read(write("first.txt", "Warm now.")).text == "Warm now."
        assert fails(reader, write("bad.txt", deed)).title == "Took too long"
        assert reader.read(write("good.txt", "Fine words.")).text == "Fine words."
    finally:
        reader.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the owner watches the memory elsewhere")
def test_a_file_that_needs_too_much_memory_costs_itself(reader: WorkerReader, write: Write) -> None:
    assert fails(reader, write("bad.txt", "!memory")).title == "Needed too much memory"
    assert reader.read(write("good.txt", "Fine words.")).text == "Fine words."


def test_a_bug_is_logged_without_words_of_the_document(
    reader: WorkerReader, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    before = process_of(reader, write)

    assert fails(reader, write("bad.txt", "!bug")).title == "Could not be read"
    assert "RuntimeError" in caplog.text
    assert "odd_worker.py" in caplog.text
    assert "words of the document" not in caplog.text
    assert process_of(reader, write) == before


def test_known_errors_keep_the_process(reader: WorkerReader, write: Write) -> None:
    before = process_of(reader, write)

    assert fails(reader, write("x.mp3", "ID3")).title == "Not read yet"
    assert fails(reader, write("x.pdf", "no pdf")).title == "Damaged"
    with pytest.raises(KnownError, match="empty"):
        reader.read(write("blank.txt", " \n"))
    with pytest.raises(FileNotFoundError):
        reader.read(write("x.txt", "").with_name("gone.txt"))
    assert process_of(reader, write) == before


def test_prints_of_libraries_do_no_harm(reader: WorkerReader, write: Write) -> None:
    assert reader.read(write("a.txt", "!print")).text == "It printed and went on."


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_need_not_be_unicode(reader: WorkerReader, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("Words.", encoding="utf-8")

    assert reader.read(path).text == "Words."


def test_the_child_has_nothing_of_the_window(
    reader: WorkerReader, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_PLUGIN_PATH", "/somewhere")

    text = reader.read(write("a.txt", "!environment")).text

    assert "QT_" not in text
    assert "TOKENIZERS_PARALLELISM" in text
    if os.name == "posix":
        niceness = re.search(r"niceness (\d+)", text)
        assert niceness is not None
        assert int(niceness[1]) >= min(19, os.nice(0) + 10)


@pytest.mark.parametrize("deed", ["!hang", "!spin"])
def test_cancel_ends_a_read(reader: WorkerReader, write: Write, deed: str) -> None:
    reader.read(write("first.txt", "Warm now."))
    cancel = CancelToken()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()

    with pytest.raises(Cancelled):
        reader.read(write("a.txt", deed), cancel)

    timer.join()
    assert reader.read(write("good.txt", "Fine words.")).text == "Fine words."
    with pytest.raises(Cancelled):
        reader.read(write("b.txt", "Words."), cancel)


def test_close_ends_a_read_in_another_thread(write: Write) -> None:
    reader = WorkerReader(command=ODD_WORKER)
    raised: list[BaseException] = []

    def read() -> None:
        try:
            reader.read(write("a.txt", "!spin"))
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(1.0)
    reader.close()
    thread.join(5)

    assert not thread.is_alive()
    assert "closed" in str(raised[0])
    with pytest.raises(RuntimeError, match="closed"):
        reader.read(write("b.txt", "Words."))
    reader.close()


def test_a_child_may_be_closed_by_many_at_once() -> None:
    child = Child("parse", command=ODD_WORKER)

    with ThreadPoolExecutor(8) as pool:
        for closed in [pool.submit(child.close) for _ in range(8)]:
            closed.result(10)

    with pytest.raises(ChildEnded):
        child.receive(1.0)


def test_a_child_that_is_ahead_waits_for_its_owner(tmp_path: Path) -> None:
    program = tmp_path / "endless.py"
    program.write_text(_AHEAD, encoding="utf-8")
    told = tmp_path / "told"
    child = Child("parse", (str(told),), [sys.executable, str(program)])
    try:
        assert _number_at_rest(told) < 300
        numbers = []
        while len(numbers) < 400:
            frame = child.receive(5.0)
            if frame is not None:
                numbers.append(frame[1][0])
        assert numbers == list(range(400))
    finally:
        child.close()
    with pytest.raises(ChildEnded):
        child.receive(1.0)


def _number_at_rest(path: Path) -> int:
    """Wait until there is a number in a file that stays the same, and return it."""
    seen = [""]
    while not seen[-1] or seen[-1] not in seen[:-1]:
        time.sleep(1.0)
        seen = [seen[-1], path.read_text() if path.exists() else ""]
    return int(seen[-1])


_AHEAD = """
import sys
from pathlib import Path
from desktop_rag.foundation.frames import write_frame
told = Path(sys.argv[2])
for number in range(1000):
    write_frame(sys.stdout.buffer, "words", [number, "w" * 100_000])
    told.write_text(str(number))
"""


def test_the_child_is_replaced_after_many_files(
    reader: WorkerReader, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_RECYCLE_FILES", 2)

    processes = [process_of(reader, write) for _ in range(6)]

    assert len(set(processes)) == 3
    assert processes[0] == processes[1]


def test_a_child_that_died_while_idle_is_replaced(reader: WorkerReader, write: Write) -> None:
    first = process_of(reader, write)
    psutil.Process(first).kill()
    time.sleep(0.3)

    assert process_of(reader, write) != first


def test_a_program_that_does_not_start_is_a_bug(write: Write) -> None:
    path = write("a.txt", "Words.")
    for command in ([sys.executable, "-c", "import sys; sys.exit(3)"], ["/no/such/program"]):
        reader = WorkerReader(command=command)
        try:
            with pytest.raises(Exception, match=r"does not start|ended with"):
                reader.read(path)
        finally:
            reader.close()


def test_the_worker_ends_with_its_input() -> None:
    with subprocess.Popen(
        [*worker_command(), "parse"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=child_environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.read(4)
        process.stdin.close()
        assert process.wait(20) == 0


_OWNER = """
import sys
from pathlib import Path
from desktop_rag.ingestion.reading import WorkerReader
reader = WorkerReader(command=sys.argv[2:])
print(reader.read(Path(sys.argv[1] + "/environment.txt")).text.rsplit(" ", 1)[1], flush=True)
reader.read(Path(sys.argv[1] + "/spin.txt"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends when C code returns")
def test_a_killed_owner_leaves_no_worker_behind(write: Write, tmp_path: Path) -> None:
    write("environment.txt", "!environment")
    write("spin.txt", "!spin")
    with subprocess.Popen(
        [sys.executable, "-c", _OWNER, str(tmp_path), *ODD_WORKER],
        stdout=subprocess.PIPE,
        env=child_environment(),
    ) as owner:
        assert owner.stdout is not None
        worker = psutil.Process(int(owner.stdout.readline()))
        time.sleep(0.5)
        owner.send_signal(signal.SIGKILL)
        owner.wait()
        psutil.wait_procs([worker], timeout=10)

    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE


def test_limits_are_checked_when_they_are_made() -> None:
    with pytest.raises(ValueError, match="limits"):
        ReadLimits(seconds=0)
    with pytest.raises(ValueError, match="limits"):
        ReadLimits(memory_mb=-1)
