from __future__ import annotations

import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.client import OwnerFailure, OwnerGone, RequestClient
from desktop_rag.services.owner import new_key, read_owner
from desktop_rag.services.server import RequestServer
from tests.helpers.fake_services import FakeProgram

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets")


@pytest.fixture
def program() -> FakeProgram:
    return FakeProgram()


@pytest.fixture
def shown() -> list[tuple[str, ...]]:
    return []


@pytest.fixture
def server(program, data_dir, shown) -> Iterator[RequestServer]:
    def show(paths: tuple[str, ...]) -> bool:
        shown.append(paths)
        return True

    running = RequestServer(program.open_services(data_dir), data_dir, on_show=show)
    running.start()
    yield running
    program.library.hold.set()
    running.close(grace=2.0)


def connect(data_dir: Path) -> RequestClient:
    client = RequestClient.connect(data_dir)
    assert client is not None
    return client


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


@pytest.mark.usefixtures("server")
def test_a_guest_gets_the_result_of_the_command(data_dir):
    with connect(data_dir) as client:
        result = client.request("ask", {"question": "how large?"})

    assert result["answer"] == "A trace takes 64 KB [1]."
    assert result["queries"] == ["how large?"]


@pytest.mark.usefixtures("server")
def test_names_that_are_not_utf8_pass_both_ways(data_dir, program):
    with connect(data_dir) as client:
        result = client.request("remove", {"paths": ["/caf\udce9.txt"]})

    assert program.library.removed == ["/caf\udce9.txt"]
    assert result == {"removed": [{"path": "/caf\udce9.txt", "kind": "source"}]}


@pytest.mark.usefixtures("server")
def test_progress_arrives_before_the_result(data_dir):
    told: list = []
    with connect(data_dir) as client:
        client.request("index", {"paths": []}, told.append)

    assert [message["reading"]["files_done"] for message in told] == [1, 2]


@pytest.mark.usefixtures("server")
def test_known_errors_arrive_as_they_are(data_dir):
    with connect(data_dir) as client, pytest.raises(KnownError) as caught:
        client.request("ask", {"question": "damaged"})

    error = caught.value
    assert (error.title, error.message, error.path) == (
        "A model file is damaged",
        "Install the program again.",
        "/m.onnx",
    )


@pytest.mark.usefixtures("server")
def test_a_bug_is_told_and_the_owner_goes_on(data_dir):
    with connect(data_dir) as client, pytest.raises(OwnerFailure, match="LookupError in ask"):
        client.request("ask", {"question": "bug"})
    with connect(data_dir) as client, pytest.raises(OwnerFailure, match="ValueError in fly"):
        client.request("fly", {})
    with connect(data_dir) as client:
        assert client.request("verify", {}) == {"ok": True, "problems": []}


@pytest.mark.usefixtures("server")
def test_a_question_is_answered_while_another_request_takes_long(data_dir, program):
    program.library.hold.clear()
    results: list = []

    def index() -> None:
        with connect(data_dir) as client:
            results.append(client.request("index", {"paths": []}))

    waiting = threading.Thread(target=index)
    waiting.start()
    wait_until(lambda: bool(program.library.indexed))
    with connect(data_dir) as client:
        assert client.request("ask", {"question": "how large?"})["answerable"] is True

    assert results == []
    program.library.hold.set()
    waiting.join()
    assert results[0]["files"]["added"] == 2


@pytest.mark.usefixtures("server")
def test_a_request_ends_when_its_client_goes_away(data_dir, server, program):
    program.library.hold.clear()
    cancel = CancelToken()
    client = connect(data_dir)

    def cancel_soon(_message: object) -> None:
        cancel.cancel()

    with pytest.raises(Cancelled):
        client.request("index", {"paths": []}, cancel_soon, cancel)
    client.close()

    wait_until(lambda: not server._guests)


def test_closing_lets_a_short_request_finish_and_sends_lasting_ones_away(data_dir, server, program):
    program.library.hold.clear()
    outcomes: list = []

    def index() -> None:
        with connect(data_dir) as client:
            try:
                client.request("index", {"paths": []})
            except OwnerGone as gone:
                outcomes.append(str(gone))

    guest = threading.Thread(target=index)
    guest.start()
    wait_until(lambda: bool(program.library.indexed))
    server.close()
    guest.join()

    assert outcomes == ["the owner is closing"]
    assert RequestClient.connect(data_dir) is None
    assert sorted(path.name for path in data_dir.iterdir()) == ["owner.key"]
    server.close()


@pytest.mark.usefixtures("server")
def test_the_socket_is_for_this_user_alone(data_dir):
    owner = read_owner(data_dir)

    assert owner is not None
    assert stat.S_IMODE(Path(owner.address).stat().st_mode) == 0o600


@pytest.mark.usefixtures("server")
def test_who_does_not_know_the_key_is_not_served(data_dir, program):
    new_key(data_dir)

    assert RequestClient.connect(data_dir) is None
    assert program.assistant.asked == []


@pytest.mark.usefixtures("server")
def test_a_guest_that_says_nothing_holds_up_nobody(data_dir):
    owner = read_owner(data_dir)
    assert owner is not None
    silent = [Client(owner.address, "AF_UNIX") for _ in range(40)]

    with connect(data_dir) as client:
        assert client.request("status", {})["files"] == 5

    for connection in silent:
        connection.close()


@pytest.mark.usefixtures("server")
def test_a_second_window_shows_the_first(data_dir, shown):
    assert RequestClient.show(data_dir, ("/papers",))
    assert shown == [("/papers",)]


def test_without_a_window_there_is_nothing_to_show(data_dir, program):
    server = RequestServer(program.open_services(data_dir), data_dir)
    server.start()
    try:
        assert not RequestClient.show(data_dir, ())
    finally:
        server.close()


def test_a_client_that_does_not_read_never_holds_up_the_work(data_dir, server, program):
    client = connect(data_dir)
    many = 20_000

    def index(paths, on_progress, cancel):
        from desktop_rag.services.reports import Progress

        for done in range(many):
            on_progress(Progress("reading", done, many))
        raise KnownError("Done", "All progress was told.")

    program.library.index = index
    client._connection.send_bytes(b'{"command": "index", "arguments": {"paths": []}}')
    wait_until(lambda: any(g.future is not None and g.future.done() for g in server._guests))
    client.close()


def test_what_a_killed_owner_left_is_replaced(data_dir, program):
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(str(data_dir / "owner.sock"))
    stale.close()
    (data_dir / "owner.json").write_text(
        '{"pid": 999999, "address": "' + str(data_dir / "owner.sock") + '"}'
    )
    (data_dir / "owner.key").write_bytes(b"old")

    assert RequestClient.connect(data_dir) is None
    server = RequestServer(program.open_services(data_dir), data_dir)
    server.start()
    try:
        with connect(data_dir) as client:
            assert client.request("status", {})["ready"] == 3
    finally:
        server.close()


def test_a_folder_with_a_long_path_is_served_too(tmp_path, program):
    folder = tmp_path / ("合同" * 30)
    folder.mkdir()
    server = RequestServer(program.open_services(folder), folder)
    server.start()
    try:
        with connect(folder) as client:
            assert client.request("status", {})["ready"] == 3
        owner = read_owner(folder)
        assert owner is not None
    finally:
        server.close()
    assert not Path(owner.address).parent.exists()


def test_an_owner_that_does_not_answer_is_named(data_dir, monkeypatch):
    monkeypatch.setattr("desktop_rag.services.client._ANSWER_SECONDS", 0.05)
    deaf = socket.socket(socket.AF_UNIX)
    deaf.bind(str(data_dir / "owner.sock"))
    deaf.listen()
    new_key(data_dir)
    (data_dir / "owner.json").write_text(
        '{"pid": 4242, "address": "' + str(data_dir / "owner.sock") + '"}'
    )

    with pytest.raises(KnownError, match="process 4242"):
        RequestClient.connect(data_dir)
    deaf.close()
