"""Killed in the middle of reading, again and again: what was called ready can be found.

``make soak ARGS='-k kills --soak-kills 10'`` kills ten times.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_services
from desktop_rag.foundation.errors import KnownError
from desktop_rag.services.client import OwnerGone, RequestClient
from desktop_rag.services.services import Services
from tests.helpers.program import DesktopRag

Words = dict[Path, list[str]]
"""The words that a file is known by, the present one last: another is in it after a change."""


def test_kills_lose_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--soak-seed") or 0)
    docs, data = tmp_path / "docs", tmp_path / "data"
    docs.mkdir()
    words: Words = {}
    kills = request.config.getoption("--soak-kills")
    for number in range(1, kills + 1):
        _grow(docs, words, number, chance)
        ready = _kill_in_the_middle(DesktopRag(data), docs, chance.uniform(0.0, 3.0))
        _hold(data, docs, words, ready, whole=number % 10 == 0 or number == kills)
        print(f"kill {number}: {len(ready)} of {len(words)} files were ready", flush=True)


def _grow(docs: Path, words: Words, number: int, chance: random.Random) -> None:
    """Add files, each with a word of its own, and change some that are there."""
    changed = chance.sample(sorted(words), min(3, len(words)))
    for at, path in enumerate([*changed, *(docs / f"{number}-{n}.txt" for n in range(8))]):
        word = f"word{number}x{at}x"
        words[path] = [*words.get(path, [])[-1:], word]
        sentence = f"The register of valves calls it {word} since then. "
        books = (chance.randrange(10**6) for _ in range(chance.randint(0, 200)))
        path.write_text(sentence + " ".join(f"It was copied from book {book}." for book in books))


def _kill_in_the_middle(program: DesktopRag, docs: Path, seconds: float) -> set[str]:
    """Let the program read and kill it; return the files that it had called ready."""
    ready: set[str] = set()
    with program.running("watch", docs) as running:
        while (client := RequestClient.connect(program.data_dir)) is None:
            time.sleep(0.02)
        client.close()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            ready = _ready(program.data_dir) or ready
            time.sleep(0.1)
        running.process.kill()
    return ready


def _ready(data: Path) -> set[str]:
    client = RequestClient.connect(data)
    if client is None:
        return set()
    with client:
        try:
            listed = client.request("files", {})["files"]
        except (OwnerGone, KnownError):
            return set()
    assert isinstance(listed, list)
    return {file["path"] for file in listed if file["status"] == "ready"}


def _hold(data: Path, docs: Path, words: Words, ready: set[str], whole: bool) -> None:
    """Open the library as it was left: what was ready is found, and no damage is done."""
    services = open_services(data)
    try:
        for path in sorted(ready):
            assert any(_finds(services, word, path) for word in words[Path(path)]), path
        report = services.store.verify()
        assert report.ok, report.problems
        if whole:
            services.library.index([docs])
            files = services.library.files()
            assert sorted(file.path for file in files) == sorted(map(str, words))
            assert {file.status.value for file in files} == {"ready"}
            assert all(_finds(services, known[-1], str(path)) for path, known in words.items())
    finally:
        services.close()


def _finds(services: Services, word: str, path: str) -> bool:
    return [one.path for one in services.assistant.search(word, 1, "keyword").results] == [path]
