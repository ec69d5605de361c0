"""Requests to a language model's server on this computer.

With ``http.client`` of the standard library, not with httpx or requests: it connects to the
very address it is given, follows no redirect, knows no proxy, sends nothing of its own accord,
and its socket can be shut from another thread, which ends a wait at once.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from desktop_rag.chat_models.loopback import LoopbackAddress
from desktop_rag.chat_models.requests import model_error
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import KnownError

_LOOK_SECONDS = 0.02
_LONGEST_BODY = 16 << 20
_LONGEST_LINE = 4 << 20
"""Bytes: no reply of a model is near it; a server that sends more sends something else."""

_MOST_WAITING = 256
"""Lines that wait to be taken."""

_DONE = b"[DONE]"
_DATA = b"data:"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, and without a single byte from the server.

    A server may first load its model, which takes as long as reading it from the disk.
    """

    connect: float = 3.0
    silence: float = 180.0


DEFAULT_TIMEOUTS = Timeouts()


class _BrokenError(Exception):
    """The server's side of the conversation ended or made no sense; says how, in words."""


class ServerClient:
    """Talks to one server; every request has a connection of its own. Thread-safe.

    Args:
        address: where it is.
        timeouts: how long it may take.
    """

    def __init__(self, address: LoopbackAddress, timeouts: Timeouts = DEFAULT_TIMEOUTS) -> None:
        self.address = address
        self._timeouts = timeouts

    def get(self, path: str, cancel: CancelToken | None = None) -> Any:  # noqa: ANN401
        """Return the JSON at ``path``, from the root of the server.

        Raises:
            KnownError: the server does not answer, or not with JSON.
            Cancelled: ``cancel`` was set.
        """
        with self._lines("GET", path, None, cancel) as lines:
            body = b"".join(lines)
        return self._json(body)

    def stream(
        self, path: str, body: Mapping[str, Any], cancel: CancelToken | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the messages of a stream of server-sent events, as they come.

        Raises:
            KnownError: the server does not answer, breaks off, or sends something else.
            Cancelled: ``cancel`` was set.
        """
        with self._lines("POST", path, body, cancel) as lines:
            for line in lines:
                data = line.strip()
                if data.startswith(b"{"):  # no stream: an error, or all of it at once
                    data = _DATA + data
                if not data.startswith(_DATA):
                    if data and data[:1] not in b":eir":  # comments; event:, id:, retry:
                        raise self._nonsense()
                    continue
                data = data[len(_DATA) :].strip()
                if data == _DONE:
                    return
                message = self._json(data)
                if not isinstance(message, dict):
                    raise self._nonsense()
                yield message
        raise self._broke_off("it ended the conversation in the middle")

    @contextmanager
    def _lines(
        self, method: str, path: str, body: Mapping[str, Any] | None, cancel: CancelToken | None
    ) -> Iterator[Iterator[bytes]]:
        exchange = _Exchange(self.address, self._timeouts, method, path, body)
        try:
            yield self._checked(exchange.lines(cancel))
        finally:
            exchange.close()

    def _checked(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        try:
            status = int(next(lines))
            if 300 <= status < 400:
                raise _BrokenError("it sends to another address, which is not followed")
            if status >= 400:
                raise self._told(status, b"".join(lines))
            yield from lines
        except _BrokenError as broken:
            raise self._broke_off(str(broken)) from broken

    def _told(self, status: int, body: bytes) -> KnownError:
        with contextlib.suppress(ValueError, AttributeError):
            answer = json.loads(body)
            error = answer.get("error", answer.get("message"))
            if error:
                return model_error(self.address.url, error)
        return self._broke_off(f"it answers with HTTP {status}")

    def _json(self, data: bytes) -> Any:  # noqa: ANN401
        try:
            return json.loads(data)
        except ValueError:
            raise self._nonsense() from None

    def _nonsense(self) -> KnownError:
        return self._broke_off("it does not speak as such servers do")

    def _broke_off(self, why: str) -> KnownError:
        message = (
            f"The server at {self.address.url} cannot be used: {why}. See that it runs and "
            "that its address in the settings is right."
        )
        return KnownError("The language model's server", message)


class _Exchange:
    """A request and what comes back, read in a thread so that waiting can end at any time.

    The first line that it gives is the status.
    """

    def __init__(
        self,
        address: LoopbackAddress,
        timeouts: Timeouts,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
    ) -> None:
        self._address = address
        self._timeouts = timeouts
        self._request = (method, path, None if body is None else json.dumps(body).encode())
        self._connection = http.client.HTTPConnection(
            address.ip, address.port, timeout=timeouts.connect
        )
        self._socket: socket.socket | None = None
        self._came: queue.Queue[bytes | _BrokenError | None] = queue.Queue(_MOST_WAITING)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="model server", daemon=True)
        self._thread.start()

    def lines(self, cancel: CancelToken | None) -> Iterator[bytes]:
        """Yield the status and then each line.

        Raises:
            _BrokenError: the server is silent, gone, or makes no sense.
            Cancelled: ``cancel`` was set.
        """
        heard = time.monotonic()
        while True:
            if cancel is not None:
                cancel.check()
            try:
                line = self._came.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                if time.monotonic() - heard > self._timeouts.silence:
                    raise _BrokenError(
                        f"it said nothing for {self._timeouts.silence:.0f} s"
                    ) from None
                continue
            heard = time.monotonic()
            if line is None:
                return
            if isinstance(line, _BrokenError):
                raise line
            yield line

    def close(self) -> None:
        """Hang up, which tells the server to stop; no thread is left."""
        self._ended.set()
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        try:
            self._talk()
            self._put(None)
        except _BrokenError as broken:
            self._put(broken)
        except ConnectionRefusedError:
            self._put(_BrokenError("nothing listens there"))
        except TimeoutError:
            self._put(_BrokenError("it does not answer"))
        except (OSError, http.client.HTTPException, ValueError):
            self._put(_BrokenError("it broke off"))

    def _talk(self) -> None:
        method, path, body = self._request
        self._connection.connect()
        self._socket = self._connection.sock
        self._socket.settimeout(self._timeouts.silence)
        if self._ended.is_set():
            return
        headers = {"Host": self._address.header, "Accept": "text/event-stream, application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        self._put(str(response.status).encode())
        total = 0
        while line := response.readline(_LONGEST_LINE):
            total += len(line)
            if len(line) >= _LONGEST_LINE or total > _LONGEST_BODY:
                raise _BrokenError("it sends far more than a reply")
            self._put(line)

    def _put(self, line: bytes | _BrokenError | None) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(queue.Full):
                self._came.put(line, timeout=_LOOK_SECONDS)
                return
