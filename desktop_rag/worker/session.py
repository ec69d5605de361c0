"""The loop of a child process: requests in, frames out, an end when stdin closes."""

from __future__ import annotations

import faulthandler
import os
import queue
import threading
import traceback
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn, Protocol

from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.frames import Frame, FrameError, read_frame, write_frame


class Service(Protocol):
    """Answers requests."""

    def answer(self, kind: str, payload: Any) -> Iterator[Frame]:  # noqa: ANN401
        """Yield the frames of the answer; the last one's kind is "done"."""
        ...


CANCEL = "cancel"
"""Kind of the frame that asks for the end of the request which is being answered."""


class Session:
    """Speaks with the owner.

    A thread reads stdin all the time, so that the process ends as soon as the owner is
    gone, also in the middle of a request.
    """

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._queue: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self.cancelled: Any = None
        """What the owner's last "cancel" named."""

    def start(self) -> None:
        """Say hello and begin to listen."""
        faulthandler.enable()
        threading.Thread(target=self._listen, name="owner", daemon=True).start()
        write_frame(self._answers, "hello")

    def send(self, frame: Frame) -> None:
        """Send a part of the answer that is being made; waits while the owner is busy."""
        write_frame(self._answers, *frame)

    def serve(self, service: Service, memory_mb: int) -> NoReturn:
        """Answer requests for ever; the process ends when stdin closes."""
        while True:
            kind, payload = self._queue.get()
            try:
                self._answer(service, kind, payload)
            except MemoryError:
                write_frame(self._answers, "memory", {"memory_mb": memory_mb})
            except OSError as error:
                answer = {"errno": error.errno or 0, "message": error.strerror or "unreadable"}
                write_frame(self._answers, "oserror", answer)

    def _answer(self, service: Service, kind: str, payload: Any) -> None:  # noqa: ANN401
        try:
            for frame in service.answer(kind, payload):
                self.send(frame)
        except KnownError as error:
            answer = {"title": error.title, "message": error.message}
            write_frame(self._answers, "problem", answer)
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a bug, or a file no one has thought of: the owner logs it
            write_frame(self._answers, "failed", {"trace": _trace(error)})

    def _listen(self) -> None:
        try:
            while (frame := read_frame(self._requests)) is not None:
                if frame[0] == CANCEL:
                    self.cancelled = frame[1]
                else:
                    self._queue.put(frame)
        except (FrameError, OSError, ValueError):
            _end(1)
        _end(0)


def _end(code: int) -> None:
    """End this process at once, whatever it is doing, and the programs that it runs."""
    try:
        from desktop_rag.foundation.programs import kill_programs, programs_of

        kill_programs(programs_of(os.getpid()))
    finally:
        os._exit(code)


def _trace(error: BaseException) -> str:
    """Return where an error happened, without its message, which may quote the document."""
    lines = traceback.format_tb(error.__traceback__)
    return "".join(lines)[-6000:] + type(error).__qualname__
