"""Who runs a command: the process that owns the data folder, or this one as its owner."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.services.client import OnProgress, OwnerGone, RequestClient
from desktop_rag.services.owner import LASTING_COMMANDS, OwnerLock, in_use

if TYPE_CHECKING:
    from desktop_rag.services.server import OnShow
    from desktop_rag.services.services import OpenServices

_log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 30.0
"""An owner that starts or ends is out of reach for a moment: a large library is saved."""

_PAUSE_SECONDS = 0.1

_WINDOW_SECONDS = 15.0
"""How long a command that made way for a window leaves the folder to it."""


class _MadeWay(Exception):  # noqa: N818  - not an error
    """A window wants the folder; the command goes on as its guest."""


def run_command(
    data_dir: Path,
    command: str,
    arguments: Mapping[str, object],
    open_services: OpenServices,
    on_progress: OnProgress,
    cancel: CancelToken,
) -> dict[str, object]:
    """Run a command where the data folder is open, else open it here, and return its result.

    When the owner ends in the middle the command starts again, perhaps as the owner.

    Raises:
        KnownError: the command's own, or the folder cannot be used.
        Cancelled: ``cancel`` was set.
    """
    task = _Task(command, arguments, open_services, on_progress, cancel)
    keep_off_until = 0.0
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        cancel.check()
        lock = OwnerLock(data_dir)
        if time.monotonic() >= keep_off_until and lock.acquire():
            try:
                return task.run_as_owner(lock)
            except _MadeWay:
                keep_off_until = time.monotonic() + _WINDOW_SECONDS
        try:
            client = RequestClient.connect(data_dir)
            if client is not None:
                with client:
                    return client.request(command, arguments, on_progress, cancel)
        except OwnerGone:
            deadline = time.monotonic() + _PATIENCE_SECONDS
        if time.monotonic() > max(deadline, keep_off_until + _PATIENCE_SECONDS):
            raise in_use(data_dir)
        cancel.wait(_PAUSE_SECONDS)


@dataclass(frozen=True, slots=True)
class _Task:
    """A command that this process runs as the owner, should it become one."""

    command: str
    arguments: Mapping[str, object]
    open_services: OpenServices
    on_progress: OnProgress
    cancel: CancelToken

    def run_as_owner(self, lock: OwnerLock) -> dict[str, object]:
        """Open everything, run the command, serve guests meanwhile, close everything."""
        from desktop_rag.foundation.logs import Logs

        making_way, own_cancel = Event(), self.cancel.child()

        def make_way(_paths: tuple[str, ...]) -> bool:
            if self.command in LASTING_COMMANDS:
                making_way.set()
                own_cancel.cancel()
            return False

        with lock, Logs(lock.data_dir):
            try:
                return self._serve_and_run(lock.data_dir, make_way, own_cancel)
            except Cancelled:
                if making_way.is_set() and not self.cancel.cancelled:
                    raise _MadeWay from None
                raise
            except KnownError:
                raise
            except Exception:
                _log.exception("%s failed", self.command)
                raise

    def _serve_and_run(
        self, data_dir: Path, make_way: OnShow, cancel: CancelToken
    ) -> dict[str, object]:
        from desktop_rag.services.requests import run_request
        from desktop_rag.services.server import RequestServer

        saved = self._mend_first(data_dir)
        with ExitStack() as stack:
            services = self.open_services(data_dir)
            stack.callback(services.close)
            server = RequestServer(services, data_dir, on_show=make_way)
            server.start()
            stack.callback(lambda: server.close(_grace(cancel)))
            result = run_request(services, self.command, self.arguments, self.on_progress, cancel)
        found = result.get("problems")
        if saved and isinstance(found, list):
            result["problems"] = [*saved, *found]
        return result

    def _mend_first(self, data_dir: Path) -> tuple[str, ...]:
        """Mend a damaged database if that was asked for; it may be one that cannot be opened."""
        if self.command != "verify" or not self.arguments.get("repair"):
            return ()
        from desktop_rag.services.verifying import mend_database

        return mend_database(data_dir)


def _grace(cancel: CancelToken) -> float:
    """Return the seconds that guests have to finish: few when somebody waits for the end."""
    return 1.0 if cancel.cancelled else 10.0


def claim_for_window(
    data_dir: Path, paths: tuple[str, ...] = (), wait_seconds: float = _PATIENCE_SECONDS
) -> OwnerLock | None:
    """Return the lock for a window; None when one is open, which was brought forward.

    A command that owns the folder meanwhile gives it up for a window: ``index`` and
    ``watch`` go on as guests of the window, shorter ones end first.

    Args:
        data_dir: the data folder.
        paths: files and folders that an open window shall add.
        wait_seconds: how long a command in its way may take.

    Raises:
        KnownError: the folder cannot be used, or stays in use by something else.
    """
    deadline = time.monotonic() + wait_seconds
    while True:
        lock = OwnerLock(data_dir)
        if lock.acquire():
            return lock
        if RequestClient.show(data_dir, paths):
            return None
        if time.monotonic() > deadline:
            raise in_use(data_dir)
        time.sleep(_PAUSE_SECONDS)
