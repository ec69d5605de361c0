"""The child process that runs a model file: started, asked, stopped."""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.child import Child, ChildEnded
from desktop_rag.foundation.errors import Cancelled, KnownError
from desktop_rag.foundation.frames import Frame
from desktop_rag.foundation.warm_child import WarmChild

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.02
_CANCEL_SECONDS = 0.06
"""How long a cancelled reply may go on (a token, or a batch of a question) before its process
is ended, which costs loading the model again."""

_PART = 60_000
"""Code points of a text that go in one frame; at most four bytes each in UTF-8."""

OnFrame = Callable[[Frame], None]


@dataclass(frozen=True, slots=True)
class ProcessOptions:
    """What the process is started with, and how long it may be silent, in seconds."""

    model: Path
    context: int
    threads: int
    patience_seconds: float


class GgufProcess:
    """One model in one child process; asked by one thread at a time, ended by any.

    Args:
        options: asked for whenever one is started.
        command: the program; None for this program's own worker.
    """

    def __init__(
        self, options: Callable[[], ProcessOptions], command: Sequence[str] | None = None
    ) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._warm = WarmChild("write", self._arguments, command)
        self._loading_since: float | None = None
        self._loaded_seconds: float | None = None

    @property
    def running(self) -> bool:
        """Whether there is a process."""
        return self._warm.present() is not None

    @property
    def loading_since(self) -> float | None:
        """Since when the model is being loaded (``time.monotonic``), None when it is not."""
        return self._loading_since if self.running else None

    @property
    def loaded_seconds(self) -> float | None:
        """How long loading took, None while it is not loaded."""
        return self._loaded_seconds if self.running else None

    def memory(self) -> int:
        """Return what it takes, in bytes."""
        child = self._warm.present()
        return child.memory() if child is not None else 0

    def ask(
        self,
        kind: str,
        number: int,
        text: str,
        on_frame: OnFrame,
        cancel: CancelToken | None = None,
    ) -> dict[str, Any]:
        """Have the process do something, and return its "done"; other frames are told.

        Raises:
            KnownError: it cannot, hangs, or is gone.
            Cancelled: ``cancel`` was set; whatever ``on_frame`` raises ends the reply, too.
        """
        parts: list[Frame] = [
            ("part", text[start : start + _PART]) for start in range(0, len(text), _PART)
        ]
        if not self.running:
            self._loading_since, self._loaded_seconds = time.monotonic(), None
        exchange = _Exchange(number, on_frame, cancel, self._options().patience_seconds)
        try:
            child = self._warm.send([*parts, (kind, {"id": number})])
            return self._listen(child, exchange)
        except ChildEnded as ended:
            raise self._gone(ended) from ended
        finally:
            self._loading_since = None

    def end(self) -> None:
        """End the process; the next question starts another."""
        self._warm.drop()
        self._loaded_seconds = None
        self._remove_folder()

    def close(self) -> None:
        """End the process for good."""
        self._warm.close()
        self._remove_folder()

    def _listen(self, child: Child, exchange: _Exchange) -> dict[str, Any]:
        while not exchange.over:
            frame = child.receive(_LOOK_SECONDS)
            if frame is not None and frame[0] == "loaded":
                self._loaded_seconds, self._loading_since = frame[1]["seconds"], None
            exchange.take(frame, child)
        if exchange.must_end:
            self.end()
        return exchange.result()

    def _arguments(self) -> Sequence[str]:
        options = self._options()
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="desktop-rag-")
            folder = self._folder.name
        return (
            *("--model", str(options.model), "--context", str(options.context)),
            *("--threads", str(options.threads), "--folder", folder),
        )

    def _remove_folder(self) -> None:
        with self._lock:
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _gone(self, ended: ChildEnded) -> KnownError:
        if self._warm.closed:
            return KnownError("Language model closed", "The program is being closed.")
        _log.warning("the language model's process ended with %s", ended.returncode)
        loading = self._loaded_seconds is None
        self.end()
        doing = "while it was loaded" if loading else "while it was asked"
        message = (
            f"“{self._options().model.name}” ended {doing}: it may need more memory than there "
            "is. The next question starts it again; if it happens again, choose a smaller model."
        )
        return KnownError("The language model broke off", message, str(self._options().model))


class _Exchange:
    """One request: takes what comes, and tells when it is over and how."""

    def __init__(
        self, number: int, on_frame: OnFrame, cancel: CancelToken | None, patience: float
    ) -> None:
        self._number = number
        self._on_frame = on_frame
        self._cancel = cancel
        self._patience = patience
        self._heard = time.monotonic()
        self._stopping: float | None = None
        self._done: dict[str, Any] | None = None
        self._failure: BaseException | None = None
        self.must_end = False

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self._done is not None or self.must_end

    def take(self, frame: Frame | None, child: Child) -> None:
        """Take a frame, or None when there is none just now."""
        now = time.monotonic()
        if frame is not None:
            self._heard = now
            self._look(frame)
        if self.over:
            return
        if self._stopping is None and self._wants_to_stop():
            self._stopping = now
            child.send("cancel", self._number)
        if self._stopping is not None:
            self.must_end = now - self._stopping > _CANCEL_SECONDS
        elif now - self._heard > self._patience:
            self.must_end, self._failure = True, _hangs(self._patience)

    def result(self) -> dict[str, Any]:
        """Return "done", or raise what became of it instead."""
        if self._failure is not None:
            raise self._failure
        if self._done is None or self._stopping is not None:
            raise Cancelled
        return self._done

    def _wants_to_stop(self) -> bool:
        if self._failure is not None:
            return True
        return self._cancel is not None and self._cancel.cancelled

    def _look(self, frame: Frame) -> None:
        kind, payload = frame
        if kind == "done":
            self._done = dict(payload)
        elif kind in ("problem", "failed", "memory", "oserror"):
            self.must_end, self._failure = True, _told(kind, payload)
        elif self._stopping is None:
            try:
                self._on_frame(frame)
            except BaseException as error:  # the listener's; the model must stop first
                self._failure = error


def _hangs(seconds: float) -> KnownError:
    message = (
        f"It said nothing for {seconds:.0f} seconds and was ended. The next question starts it "
        "again; if it happens again, choose a smaller model."
    )
    return KnownError("The language model hangs", message)


def _told(kind: str, payload: Any) -> Exception:  # noqa: ANN401
    if kind == "problem":
        return KnownError(payload["title"], payload["message"])
    if kind == "memory":
        message = "There was not enough memory. Close other programs or choose a smaller model."
        return KnownError("Not enough memory for the model", message)
    if kind == "oserror":
        message = f"The model could not be read ({payload['message']}). Choose its file again."
        return KnownError("Model cannot be read", message)
    return RuntimeError(f"the language model's process failed:\n{payload['trace']}")
