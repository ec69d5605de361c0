from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag.store.vector_files import GraphFiles, GraphHeader

HEADER = GraphHeader(library="l", space="en", dimension=4, count=2, deleted=(7,), change=5)
REPOSITORY = Path(__file__).resolve().parents[3]

SAVER = """
import sys
from pathlib import Path
from desktop_rag.store.vector_files import GraphFiles, GraphHeader

def write(path):
    Path(path).write_bytes(b"half of the new graph")
    print("writing", flush=True)
    sys.stdin.read()

header = GraphHeader(library="l", space="en", dimension=4, count=3, deleted=(), change=6)
GraphFiles(Path(sys.argv[1])).save(header, write)
"""


def saved(folder: Path, content: bytes = b"graph") -> GraphFiles:
    files = GraphFiles(folder)
    files.save(HEADER, lambda path: Path(path).write_bytes(content) and None)
    return files


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    header, path = saved(tmp_path / "en").load()
    assert path.read_bytes() == b"graph"
    assert (header.change, header.deleted) == (5, [7])
    assert header.bytes == 5


def test_nothing_saved_is_nothing(tmp_path: Path) -> None:
    files = GraphFiles(tmp_path / "en")
    assert files.load() is None
    files.remove()


def test_saving_again_leaves_one_graph(tmp_path: Path) -> None:
    saved(tmp_path / "en")
    files = saved(tmp_path / "en", b"newer")
    assert files.load()[1].read_bytes() == b"newer"
    assert len(list((tmp_path / "en").iterdir())) == 2
    files.remove()
    assert list((tmp_path / "en").iterdir()) == []


def test_a_save_that_fails_leaves_the_former_graph_in_force(tmp_path: Path) -> None:
    files = saved(tmp_path / "en")

    def full(path: str) -> None:
        Path(path).write_bytes(b"ha")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        files.save(HEADER, full)
    assert files.load()[1].read_bytes() == b"graph"
    assert len(list((tmp_path / "en").iterdir())) == 2


def test_c4_a_graph_is_on_the_disk_before_it_is_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (order.append("sync"), sync(fd))[1])
    monkeypatch.setattr(
        Path, "replace", lambda path, to: (order.append(Path(to).suffix), replace(path, to))[1]
    )
    saved(tmp_path / "en")
    assert order[:4] == ["sync", ".hnsw", "sync", ".json"]


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_c4_a_kill_in_the_middle_of_a_save_leaves_the_former_graph(tmp_path: Path) -> None:
    files = saved(tmp_path / "en")
    process = subprocess.Popen(
        [sys.executable, "-c", SAVER, str(tmp_path / "en")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    with process:
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(signal.SIGKILL)
    assert len(list((tmp_path / "en").iterdir())) == 3
    header, path = files.load()
    assert (header.change, path.read_bytes()) == (5, b"graph")
    assert len(list((tmp_path / "en").iterdir())) == 2
