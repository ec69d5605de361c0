"""One child process of this program, spoken to in frames."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import psutil

from desktop_rag.foundation.frames import Frame, FrameError, read_frame, write_frame
from desktop_rag.foundation.paths import package_dir
from desktop_rag.foundation.programs import kill_programs, programs_of

_log = logging.getLogger(__name__)

WORKER_PROGRAM = "desktop-rag-worker"
_GUI_VARIABLES = ("QT", "QML", "PYSIDE", "SHIBOKEN")
_ONE_THREAD = {
    "TOKENIZERS_PARALLELISM": "false",
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
"""The child works alone on one file; threads of libraries would only cost memory."""

_MOST_FRAMES = 64
"""Frames that wait to be taken, 16 MB at the most: a child that is ahead waits with its pipe."""

_LOOK_SECONDS = 0.1
_LAST_WORDS = 4000
"""Bytes of a child's error output that are logged when it dies."""


class ChildEnded(Exception):  # noqa: N818  - an event; whether it is an error, others say
    """The child process is gone. ``started`` tells whether it ever said hello."""

    def __init__(self, returncode: int | None, *, started: bool) -> None:
        super().__init__(f"child process ended with {returncode}")
        self.returncode = returncode
        self.started = started


class Child:
    """A running child process.

    The process is started in a thread of its own that lives exactly as long: it reads
    the child's frames, and on Linux the child asks to be killed when the thread that
    started it is gone (so a killed owner leaves no orphan even while C code runs).

    Args:
        mode: what it does: "parse", "view", "ocr" or "write".
        arguments: further arguments of the program.
        command: the program; None for this program's own worker.
    """

    def __init__(
        self, mode: str, arguments: Sequence[str] = (), command: Sequence[str] | None = None
    ) -> None:
        self._command = [*(command or worker_command()), mode, *arguments]
        self._frames: queue.Queue[Frame | None] = queue.Queue(_MOST_FRAMES)
        self._process: subprocess.Popen[bytes] | None = None
        self._spawned = threading.Event()
        self._failure: OSError | None = None
        self._ending = threading.Event()
        self._closing = threading.Lock()
        self._closed = False
        self._said_hello = False
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  - closed in close()
        self._thread = threading.Thread(target=self._run, name=f"child-{mode}", daemon=True)
        self._thread.start()

    def send(self, kind: str, payload: Any) -> None:  # noqa: ANN401
        """Send a request.

        Raises:
            ChildEnded: the child is gone.
        """
        process = self._running()
        assert process.stdin is not None  # a pipe, as asked for
        try:
            write_frame(process.stdin, kind, payload)  # type: ignore[arg-type]
        except OSError as error:
            raise self._ended() from error

    def send_all(self, frames: Iterable[Frame]) -> None:
        """Send several requests, of which the last one is answered; see ``send``."""
        for frame in frames:
            self.send(*frame)

    def receive(self, seconds: float) -> Frame | None:
        """Return the next frame, None when none came within ``seconds``.

        Raises:
            ChildEnded: the child is gone.
        """
        if self._ending.is_set():
            raise self._ended()
        try:
            frame = self._frames.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
        if frame is None:
            self._put(None)
            raise self._ended()
        if frame[0] == "hello":
            self._said_hello = True
            return None
        return frame

    def memory(self) -> int:
        """Return the child's resident memory in bytes, 0 when it is gone."""
        try:
            return int(psutil.Process(self._running().pid).memory_info().rss)
        except (psutil.Error, ChildEnded):
            return 0

    def processor_seconds(self) -> float:
        """Return how long the child has used a processor, 0 when it is gone."""
        try:
            times = psutil.Process(self._running().pid).cpu_times()
        except (psutil.Error, ChildEnded):
            return 0.0
        return float(times.user + times.system)

    def alive(self) -> bool:
        """Whether the process runs, as far as is known without waiting."""
        process = self._process
        started = self._spawned.is_set()
        return not started or (process is not None and process.poll() is None)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._running().pid

    def close(self) -> None:
        """End the process, and what it has started, at once; no thread or pipe is left.

        Thread-safe: the reader that was told to stop and the read that it ends both close.
        """
        with self._closing:
            if not self._closed:
                self._end()
                self._closed = True

    def _end(self) -> None:
        self._ending.set()
        self._spawned.wait()
        process = self._process
        if process is not None:
            _kill_all(process)
        self._thread.join()
        if process is not None:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close_quietly(pipe)
        self._errors.close()

    def last_words(self) -> str:
        """Return the end of what the child wrote to its error output."""
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _LAST_WORDS))
        return self._errors.read().decode("utf-8", "replace").strip()

    def _run(self) -> None:
        try:
            self._process = _popen(self._command, self._errors)
        except OSError as error:
            self._failure = error
            self._put(None)
            return
        finally:
            self._spawned.set()
        stdout = self._process.stdout
        assert stdout is not None  # a pipe, as asked for
        try:
            while (frame := read_frame(stdout)) is not None:  # type: ignore[arg-type]
                self._put(frame)
        except (FrameError, OSError, ValueError):
            self._process.kill()
        self._process.wait()
        self._put(None)

    def _put(self, frame: Frame | None) -> None:
        """Let a frame wait for ``receive``, once there is room; at the end nobody takes it."""
        while not self._ending.is_set():
            with contextlib.suppress(queue.Full):
                self._frames.put(frame, timeout=_LOOK_SECONDS)
                return

    def _running(self) -> subprocess.Popen[bytes]:
        self._spawned.wait()
        if self._process is None:
            raise self._ended() from self._failure
        return self._process

    def _ended(self) -> ChildEnded:
        process = self._process
        returncode = None
        if process is not None:
            try:
                returncode = process.wait(timeout=1.0)
            except subprocess.TimeoutExpired:
                process.kill()
                returncode = process.wait()
        return ChildEnded(returncode, started=self._said_hello)


def worker_command() -> list[str]:
    """Return the command of this program's child processes.

    In a frozen bundle it is the executable beside this one, else a module of the package.
    """
    if getattr(sys, "frozen", False):
        suffix = ".exe" if os.name == "nt" else ""
        return [str(Path(sys.executable).with_name(WORKER_PROGRAM + suffix))]
    return [sys.executable, "-m", "desktop_rag.worker"]


def child_environment() -> dict[str, str]:
    """Return the environment of a child: nothing of the window's, one thread a library."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith(_GUI_VARIABLES)
    }
    environment.update(_ONE_THREAD)
    home = package_dir().parent
    if home.name not in ("site-packages", "dist-packages"):
        paths = [str(home), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return environment


def _popen(command: Sequence[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    windows = os.name == "nt"
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) if windows else 0
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=child_environment(),
        start_new_session=not windows,
        creationflags=flags,
    )


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and the programs that it runs (LibreOffice), which would outlive it."""
    programs = programs_of(process.pid) if process.poll() is None else []
    process.kill()
    kill_programs(programs)


def _close_quietly(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:  # unsent bytes for a process that is gone
        _log.debug("a pipe of a dead child process was not empty")
