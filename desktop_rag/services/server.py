"""The owner's side of its local socket: several requests at once, as JSON."""

from __future__ import annotations

import logging
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import (
    Client,
    Connection,
    Listener,
    answer_challenge,
    deliver_challenge,
)
from pathlib import Path

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.json_text import JsonObject, decode, encode
from desktop_rag.services.owner import (
    LASTING_COMMANDS,
    forget_owner,
    new_key,
    socket_addresses,
    write_owner,
)
from desktop_rag.services.requests import run_request
from desktop_rag.services.services import Services

_log = logging.getLogger(__name__)

OnShow = Callable[[tuple[str, ...]], bool]
"""Brings the window to the front and adds these paths; False where there is no window."""

_MOST_REQUESTS = 32
"""At the same time. Threads are made as they are needed, and guests are few."""


class RequestServer:
    """Answers the requests of other processes of this user until it is closed.

    Every connection carries one request. A client that goes away cancels its own.

    Args:
        services: what the requests work with.
        data_dir: the data folder, which this process owns.
        on_show: called, from a thread of the server, when a second window is started.
    """

    def __init__(self, services: Services, data_dir: Path, on_show: OnShow | None = None) -> None:
        self._services = services
        self._data_dir = data_dir
        self._on_show = on_show
        self._closing = False
        self._guard = threading.Lock()
        self._guests: set[_Guest] = set()
        self._pool = ThreadPoolExecutor(_MOST_REQUESTS, thread_name_prefix="request")
        self._acceptor = threading.Thread(target=self._accept, name="accept", daemon=True)

    def start(self) -> None:
        """Listen, and say in the data folder where.

        Raises:
            KnownError: nowhere on this computer can a local socket be made.
        """
        forget_owner(self._data_dir)
        self._key = new_key(self._data_dir)
        self._listener, self._address = _listen(self._data_dir)
        write_owner(self._data_dir, self._address)
        self._acceptor.start()

    def close(self, grace: float = 10.0) -> None:
        """Take no more requests and end those that run.

        Lasting ones (``index``, ``watch``) are told at once that the owner is gone, so
        that their clients carry on elsewhere; short ones get ``grace`` seconds to finish.
        """
        with self._guard:
            if self._closing:
                return
            self._closing = True
            guests = tuple(self._guests)
        self._stop_accepting()
        forget_owner(self._data_dir)
        for guest in guests:
            if guest.lasting:
                guest.cancel.cancel()
        requests = [guest.future for guest in guests if guest.future is not None]
        wait(requests, timeout=grace)
        for guest in guests:
            guest.cancel.cancel()
        wait(requests, timeout=1.0)
        for guest in guests:
            guest.hang_up()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _stop_accepting(self) -> None:
        with suppress(OSError, EOFError):
            Client(self._address, _family()).close()
            self._acceptor.join(timeout=2.0)
        self._listener.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection = self._listener.accept()
            except OSError:
                if self._closing:
                    return
                _log.warning("could not accept a connection", exc_info=True)
                time.sleep(0.5)
                continue
            guest = _Guest(connection)
            with self._guard:
                welcome = not self._closing
                if welcome:
                    self._guests.add(guest)
            if not welcome:
                connection.close()
                return
            threading.Thread(target=self._serve, args=(guest,), name="guest", daemon=True).start()

    def _serve(self, guest: _Guest) -> None:
        """Greet, start the request, and stay to notice that the client goes away."""
        try:
            deliver_challenge(guest.connection, self._key)
            answer_challenge(guest.connection, self._key)
            request = decode(guest.connection.recv_bytes())
            guest.command = str(request.get("command"))
            if self._begin(guest, request):
                guest.connection.recv_bytes()
            else:
                guest.send(encode({"gone": True}))
        except (OSError, EOFError, AuthenticationError, ValueError):
            _log.debug("a guest left", exc_info=True)
        finally:
            guest.cancel.cancel()
            if guest.future is not None:
                wait([guest.future])
            with self._guard:
                self._guests.discard(guest)
            guest.close()

    def _begin(self, guest: _Guest, request: JsonObject) -> bool:
        """Give the request to a thread; False when the server is closing meanwhile."""
        with self._guard:
            if not self._closing:
                guest.future = self._pool.submit(self._answer, guest, request)
            return not self._closing

    def _answer(self, guest: _Guest, request: JsonObject) -> None:
        try:
            reply = encode({"result": self._run(guest, request)})
        except KnownError as error:
            reply = encode({"error": error_fields(error)})
        except Cancelled:
            reply = encode({"gone": True} if self._closing else {"cancelled": True})
        except Exception as error:
            _log.exception("the request %r failed", guest.command)
            reply = encode({"failure": f"{type(error).__name__} in {guest.command}"})
        guest.send(reply)

    def _run(self, guest: _Guest, request: JsonObject) -> dict[str, object]:
        arguments = request.get("arguments")
        if not isinstance(arguments, dict):
            raise ValueError("a request's arguments must be an object")
        if guest.command == "show":
            paths = tuple(str(path) for path in arguments.get("paths", ()))
            return {"shown": self._on_show is not None and self._on_show(paths)}
        return run_request(
            self._services, guest.command, arguments, guest.tell_progress, guest.cancel
        )


class _Guest:
    """A client's connection and its one request."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.command = ""
        self.cancel = CancelToken()
        self.future: Future[None] | None = None
        self._sending = threading.Lock()
        self._ending = threading.Lock()

    @property
    def lasting(self) -> bool:
        """Whether the request goes on until its work is done, however long."""
        return self.command in LASTING_COMMANDS

    def send(self, message: bytes) -> None:
        """Send; a client that is gone has cancelled its request by that."""
        with self._sending, suppress(OSError):
            self.connection.send_bytes(message)

    def tell_progress(self, progress: Mapping[str, object]) -> None:
        """Send progress; a number is left out while the client doesn't read.

        The work of the library never waits for a terminal that was suspended. Settled
        changes come from a queue of the request's own, and text is of the request's own
        answer, so they may wait.
        """
        if "change" in progress or "text" in progress or _takes_more(self.connection):
            self.send(encode({"progress": progress}))

    def hang_up(self) -> None:
        """Wake the thread that reads from the client, as if the client had left."""
        with self._ending, suppress(OSError):
            if sys.platform == "win32":
                self.connection.close()
            else:
                same = os.dup(self.connection.fileno())
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=same) as end:
                    end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Give the connection back to the system."""
        with self._ending:
            self.connection.close()


def error_fields(error: KnownError) -> dict[str, object]:
    """Return a known error as it stands in JSON."""
    return {"title": error.title, "message": error.message, "path": error.path}


def _family() -> str:
    return "AF_PIPE" if sys.platform == "win32" else "AF_UNIX"


def _takes_more(connection: Connection) -> bool:
    if sys.platform == "win32":
        return True
    poller = select.poll()
    try:
        poller.register(connection, select.POLLOUT)
        return bool(poller.poll(0))
    except OSError:
        return False


def _listen(data_dir: Path) -> tuple[Listener, str]:
    reason = ""
    for address in socket_addresses(data_dir):
        try:
            listener = Listener(address, _family(), backlog=16)
            if sys.platform != "win32":
                os.chmod(address, 0o600)
        except OSError as error:
            reason = str(error)
            continue
        return listener, address
    raise KnownError(
        "Other commands cannot reach this one",
        f"A local socket could not be made, neither in the data folder nor for temporary "
        f"files ({reason}). Free some space, or choose another folder with --data-dir.",
        str(data_dir),
    )
