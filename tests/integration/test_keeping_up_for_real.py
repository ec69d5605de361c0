"""The library with its real reader and models: what happens when a process dies."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.services.services import Services

_SECONDS = 60.0

_OWNER = """
import sys
from pathlib import Path
from desktop_rag.bootstrap import open_services
services = open_services(Path(sys.argv[1]))
services.library.add([sys.argv[2]])
print("begun", flush=True)
services.library.wait_settled()
"""


@pytest.fixture
def services(data_dir: Path) -> Iterator[Services]:
    opened = open_services(data_dir)
    yield opened
    opened.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.md").write_text(
            f"# Report {number}\n\n"
            + "\n\n".join(
                f"The pump number {number} of hall {hall} was tested." for hall in range(4)
            )
        )
    return folder


def until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def test_an_edit_is_found_by_the_assistant(services: Services, docs: Path) -> None:
    services.library.start(watch=True)
    report = services.library.index([docs])
    assert (report.added, report.failed) == (12, 0)
    assert report.tokens > 0
    (docs / "new.txt").write_text("The warranty of the compressor lasts seven years.")

    def found() -> bool:
        results = services.assistant.search("warranty of the compressor", k=1).results
        return bool(results) and results[0].path == str(docs / "new.txt")

    assert until(found)


def test_a_reading_process_that_is_killed_costs_one_file_at_most(
    services: Services, docs: Path
) -> None:
    services.library.index([docs / "0.md"])
    (child,) = psutil.Process().children()
    services.library.add([docs])
    child.kill()
    assert services.library.wait_settled(_SECONDS)
    failed = services.library.files(problems_only=True)
    assert len(failed) <= 1
    services.library.retry([file.id for file in failed])
    assert services.library.wait_settled(_SECONDS)
    assert {file.status.value for file in services.library.files()} == {"ready"}


def test_a_killed_owner_leaves_no_process_and_is_resumed(
    data_dir: Path, docs: Path, tmp_path: Path
) -> None:
    for number in range(60):
        (docs / f"more{number}.txt").write_text(f"Sentence {number} about valves. " * 20)
    with subprocess.Popen(
        [sys.executable, "-c", _OWNER, str(data_dir), str(docs)], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "begun\n"
        watched = psutil.Process(owner.pid)
        assert until(lambda: bool(watched.children()))
        children = watched.children(recursive=True)
        time.sleep(0.5)
        owner.kill()
    assert until(lambda: not any(child.is_running() for child in children))
    services = open_services(data_dir)
    try:
        services.library.start(watch=False)
        assert services.library.wait_settled(_SECONDS)
        assert {file.status.value for file in services.library.files()} == {"ready"}
        assert len(services.library.files()) == 72
        assert services.store.verify().ok
    finally:
        services.close()
