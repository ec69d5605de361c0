"""A command's side of the owner's socket."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from pathlib import Path
from types import TracebackType

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.json_text import decode, encode
from desktop_rag.services.owner import in_use, read_key, read_owner

OnProgress = Callable[[Mapping[str, object]], None]
"""Called with each message that a request sends ahead of its result: ``{"reading": …}``
(see ``Progress``), ``{"event": …}`` (a step of an answer) or ``{"change": …}``."""

_ANSWER_SECONDS = 15.0
"""How long an owner may take to greet: it does so from a thread that does nothing else."""

_LOOK_SECONDS = 0.1
"""How often a waiting request looks whether it was cancelled."""


class OwnerGone(ConnectionError):  # noqa: N818  - the usual end of an owner, not an error
    """The owner ended before it answered; another one will."""


class OwnerFailure(RuntimeError):  # noqa: N818  - it failed over there
    """The owner met a bug; it is in its log with all details."""


class RequestClient:
    """A connection to the owner of a data folder, for one request."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    def connect(cls, data_dir: Path) -> RequestClient | None:
        """Return a connection to the owner; None when nobody listens (any more, or yet).

        Raises:
            KnownError: a process listens and doesn't answer.
        """
        owner, key = read_owner(data_dir), read_key(data_dir)
        if owner is None or key is None:
            return None
        family = "AF_PIPE" if sys.platform == "win32" else "AF_UNIX"
        try:
            connection = Client(owner.address, family)
        except OSError:
            return None
        try:
            if not connection.poll(_ANSWER_SECONDS):
                raise in_use(data_dir)
            answer_challenge(connection, key)
            deliver_challenge(connection, key)
        except (OSError, EOFError, AuthenticationError):
            connection.close()
            return None
        except KnownError:
            connection.close()
            raise
        return cls(connection)

    @classmethod
    def show(cls, data_dir: Path, paths: tuple[str, ...]) -> bool:
        """Ask the owner to bring its window to the front; True when it has one."""
        client = cls.connect(data_dir)
        if client is None:
            return False
        with client:
            try:
                return client.request("show", {"paths": list(paths)}).get("shown") is True
            except OwnerGone:
                return False

    def request(
        self,
        command: str,
        arguments: Mapping[str, object],
        on_progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> dict[str, object]:
        """Return the result of a command that the owner runs (see ``requests``).

        Raises:
            KnownError: the command's own.
            Cancelled: ``cancel`` was set, or the owner cancelled.
            OwnerGone: the owner ended first.
            OwnerFailure: the owner met a bug.
        """
        try:
            self._connection.send_bytes(encode({"command": command, "arguments": arguments}))
            while True:
                message = self._next_message(cancel)
                progress = message.get("progress")
                if not isinstance(progress, dict):
                    return _result(message)
                if on_progress is not None:
                    on_progress(progress)
        except (OSError, EOFError) as error:
            raise OwnerGone(str(error)) from error

    def _next_message(self, cancel: CancelToken | None) -> dict[str, object]:
        while cancel is not None and not self._connection.poll(_LOOK_SECONDS):
            cancel.check()
        return decode(self._connection.recv_bytes())

    def close(self) -> None:
        """Hang up; a request that still runs is cancelled by that."""
        self._connection.close()

    def __enter__(self) -> RequestClient:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()


def _result(message: Mapping[str, object]) -> dict[str, object]:
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        return result
    if isinstance(error, dict):
        raise KnownError(error["title"], error["message"], error["path"])
    if "cancelled" in message:
        raise Cancelled
    if "gone" in message:
        raise OwnerGone("the owner is closing")
    raise OwnerFailure(str(message.get("failure", "an answer that means nothing")))
