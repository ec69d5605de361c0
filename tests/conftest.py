"""What holds for every test: no network, no window, nothing left running, no one's own data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.leaks import Running, wait_for_leaks

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SHARED_VARIABLE = "DESKTOP_RAG_SHARED"
REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread or a child process behind.

    Fixtures of a wider scope come first, so what they start is theirs; what they start
    late, at a first use inside a test, is told apart by starting it in the fixture.
    """
    before = Running.now()
    yield
    left = wait_for_leaks(before)
    if left:
        pytest.fail("left running:\n  " + "\n  ".join(left), pytrace=False)


@pytest.fixture(autouse=True)
def own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests away from the settings and data of whoever runs them."""
    monkeypatch.delenv("DESKTOP_RAG_DATA_DIR", raising=False)
    home = tmp_path_factory.getbasetemp() / "home"
    home.mkdir(exist_ok=True)
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(home))
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(home / variable.lower()))


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """An empty data folder of a library."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder with real documents and data sets, where there is one; skips elsewhere."""
    chosen = os.environ.get(SHARED_VARIABLE)
    folder = Path(chosen) if chosen else REPOSITORY.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"no shared data: {SHARED_VARIABLE} is not set and ../shared is absent")
    return folder
