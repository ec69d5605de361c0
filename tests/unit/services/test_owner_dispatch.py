from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services import dispatch
from desktop_rag.services.client import RequestClient
from desktop_rag.services.dispatch import claim_for_window, run_command
from desktop_rag.services.owner import OwnerLock
from desktop_rag.services.server import RequestServer
from tests.helpers.fake_services import FakeProgram

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets")


class Command:
    """A command that runs in a thread, as another process would run it."""

    def __init__(self, data_dir: Path, program: FakeProgram, command: str, **arguments: object):
        self.cancel = CancelToken()
        self.program = program
        self.told: list = []
        self.result: dict | None = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(data_dir, command, arguments))
        self._thread.start()

    def _run(self, data_dir: Path, command: str, arguments: dict) -> None:
        try:
            self.result = run_command(
                data_dir,
                command,
                arguments,
                self.program.open_services,
                self.told.append,
                self.cancel,
            )
        except BaseException as error:
            self.error = error

    def join(self) -> None:
        self._thread.join(timeout=20)
        assert not self._thread.is_alive()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


def ask(data_dir: Path, program: FakeProgram) -> dict:
    return run_command(
        data_dir,
        "ask",
        {"question": "how large?"},
        program.open_services,
        lambda _message: None,
        CancelToken(),
    )


def test_without_an_owner_the_command_becomes_one_for_its_duration(data_dir):
    program = FakeProgram()

    assert ask(data_dir, program)["answerable"] is True

    assert (program.opened, program.closed) == (1, 1)
    lock = OwnerLock(data_dir)
    assert lock.acquire()
    lock.release()


def test_with_an_owner_the_command_opens_nothing_and_gives_the_same(data_dir):
    owner, guest = FakeProgram(), FakeProgram()
    owner.library.hold.clear()
    index = Command(data_dir, owner, "index", paths=[])
    wait_until(lambda: bool(owner.library.indexed))

    answer = ask(data_dir, guest)

    owner.library.hold.set()
    index.join()
    assert guest.opened == 0
    assert answer == ask(data_dir, guest)


def test_when_the_owner_is_done_a_lasting_guest_becomes_the_owner(data_dir):
    first, second = FakeProgram(), FakeProgram()
    first.library.hold.clear()
    index = Command(data_dir, first, "index", paths=[])
    wait_until(lambda: bool(first.library.indexed))
    watch = Command(data_dir, second, "watch", paths=[])
    wait_until(lambda: bool(first.library.listeners))

    first.library.hold.set()
    index.join()
    wait_until(lambda: bool(second.library.listeners))

    watch.cancel.cancel()
    watch.join()
    assert isinstance(watch.error, Cancelled)
    assert (second.opened, second.closed) == (1, 1)


def test_an_interrupt_ends_the_owner_and_gives_the_folder_back(data_dir):
    program = FakeProgram()
    program.library.hold.clear()
    index = Command(data_dir, program, "index", paths=[])
    wait_until(lambda: bool(program.library.indexed))

    index.cancel.cancel()
    index.join()

    assert isinstance(index.error, Cancelled)
    assert program.closed == 1
    lock = OwnerLock(data_dir)
    assert lock.acquire()
    lock.release()


@pytest.mark.parametrize("question", ["damaged", "bug"])
def test_everything_is_closed_when_the_command_fails(data_dir, question):
    program = FakeProgram()

    failing = Command(data_dir, program, "ask", question=question)
    failing.join()

    assert isinstance(failing.error, (KnownError, LookupError))
    assert program.closed == 1
    assert RequestClient.connect(data_dir) is None


def test_a_bug_is_in_the_log(data_dir):
    failing = Command(data_dir, FakeProgram(), "ask", question="bug")
    failing.join()

    log = (data_dir / "logs" / "desktop-rag.log").read_text(encoding="utf-8")
    assert "ask failed" in log
    assert "LookupError" in log


def test_a_lasting_command_makes_way_for_a_window_and_goes_on_as_its_guest(data_dir):
    terminal, window = FakeProgram(), FakeProgram()
    terminal.library.hold.clear()
    index = Command(data_dir, terminal, "index", paths=[])
    wait_until(lambda: bool(terminal.library.indexed))

    lock = claim_for_window(data_dir)

    assert lock is not None
    assert terminal.closed == 1
    server = RequestServer(window.open_services(data_dir), data_dir, on_show=lambda _paths: True)
    server.start()
    index.join()
    assert index.result is not None
    assert window.library.indexed == [[]]
    server.close()
    lock.release()


def test_a_window_that_is_open_is_shown_instead(data_dir):
    shown: list = []
    lock = claim_for_window(data_dir)
    assert lock is not None

    def show(paths: tuple[str, ...]) -> bool:
        shown.append(paths)
        return True

    server = RequestServer(FakeProgram().open_services(data_dir), data_dir, on_show=show)
    server.start()

    assert claim_for_window(data_dir, ("/papers",)) is None

    assert shown == [("/papers",)]
    server.close()
    lock.release()


def test_a_folder_that_stays_locked_is_in_use(data_dir, monkeypatch):
    monkeypatch.setattr(dispatch, "_PATIENCE_SECONDS", 0.2)
    lock = OwnerLock(data_dir)
    assert lock.acquire()

    with pytest.raises(KnownError, match="in use"):
        ask(data_dir, FakeProgram())
    with pytest.raises(KnownError, match="in use"):
        claim_for_window(data_dir, wait_seconds=0.2)
    lock.release()


def test_a_set_token_stops_before_anything_is_opened(data_dir):
    program, cancel = FakeProgram(), CancelToken()
    cancel.cancel()

    with pytest.raises(Cancelled):
        run_command(data_dir, "status", {}, program.open_services, lambda _: None, cancel)
    assert program.opened == 0
