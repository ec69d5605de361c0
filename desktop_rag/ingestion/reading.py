"""Reading files in a child process, so that no file can take the program along."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from desktop_rag.domain.ocr import Recognition
from desktop_rag.domain.prepared import Member, PreparedDocument
from desktop_rag.foundation.cancellation import CancelToken
from desktop_rag.foundation.child import Child, ChildEnded
from desktop_rag.foundation.errors import KnownError, explain_os_error
from desktop_rag.foundation.warm_child import WarmChild
from desktop_rag.ingestion.ocr_wire import page_frames
from desktop_rag.ingestion.parsers.formats import parser_key
from desktop_rag.ingestion.parsers.libreoffice import remove_leftovers
from desktop_rag.ingestion.parsers.limits import ParseLimits
from desktop_rag.ingestion.rendering import PageRenderer, RenderedPage
from desktop_rag.ingestion.splitters.sizes import SegmentSizes
from desktop_rag.ingestion.wire import AnswerBuilder

__all__ = [
    "DocumentReader",
    "PageRenderer",
    "ReadLimits",
    "RenderedPage",
    "WorkerReader",
    "parser_key",
]

_log = logging.getLogger(__name__)

_CHECK_SECONDS = 0.05
"""How often a wait looks at the cancel token and the clock."""

_RECYCLE_FILES = 2000
_RECYCLE_BYTES = 512 * 1024 * 1024
"""After so much a child is replaced: parsers in C leak and fragment memory."""


OnMember = Callable[[Member], None]
"""Gets the members of a container; the reading waits meanwhile."""


class DocumentReader(Protocol):
    """Reads one file into what the store keeps."""

    def read(
        self,
        path: Path,
        cancel: CancelToken | None = None,
        recognition: Recognition | None = None,
        on_member: OnMember | None = None,
    ) -> PreparedDocument:
        """Parse, split and analyse a file, with what OCR has read of its pages.

        ``on_member`` gets each file that lies in it, one after the other as they are read;
        without it they are passed by.

        Raises:
            KnownError: it cannot be read; the title is short ("Needs a password").
            Cancelled: ``cancel`` was set.
            OSError: the file is gone.
        """
        ...

    def close(self) -> None:
        """Free what it holds; a read in another thread ends."""
        ...


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What one file may take: seconds of wall time, megabytes of memory, and how much is read.

    Raises:
        ValueError: a limit is not positive.
    """

    seconds: float = 120.0
    memory_mb: int = 1500
    parse: ParseLimits = field(default_factory=ParseLimits)

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.memory_mb <= 0:
            raise ValueError("limits must be greater than 0")


class WorkerReader:
    """Reads files in one warm child process, one at a time; thread-safe.

    The child is started at the first read, replaced after many files, and started again
    after a crash or a file that took too long: each costs that file alone.

    Args:
        limits: of one file; may be replaced at any time, for the files to come.
        sizes: of segments and their parents.
        command: the program to run as child; None for this program's own worker.
    """

    def __init__(
        self,
        limits: ReadLimits | None = None,
        sizes: SegmentSizes | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self.limits = limits or ReadLimits()
        self._limits = self.limits
        self._sizes = sizes or SegmentSizes()
        self._reading = threading.Lock()
        self._warm = WarmChild("parse", self._arguments, command)
        self._files = 0
        self._bytes = 0

    def read(
        self,
        path: Path,
        cancel: CancelToken | None = None,
        recognition: Recognition | None = None,
        on_member: OnMember | None = None,
    ) -> PreparedDocument:
        """Read a file; see ``DocumentReader``.

        Raises:
            KnownError: also when the file took too long, needed too much memory or made
                the child process crash.
            RuntimeError: the reader is closed, or its child process does not start.
        """
        cancel = cancel or CancelToken()
        with self._reading:
            cancel.check()
            self._take_limits()
            child = self._send(path, recognition or Recognition(), on_member is not None)
            try:
                document = self._receive(child, path, cancel, on_member or _pass_by)
            except BaseException:
                self._after(path, child, keep=_is_answer(sys.exception()))
                raise
            self._after(path, child, keep=True)
            return document

    def close(self) -> None:
        """End the child at once; a read in another thread raises."""
        self._warm.close()
        remove_leftovers()

    def _take_limits(self) -> None:
        """Replace a child that was started with other limits."""
        if self._limits != self.limits:
            self._limits = self.limits
            self._warm.drop()

    def _send(self, path: Path, recognition: Recognition, members: bool) -> Child:
        """Give the file to the child; one that died while it was idle is replaced."""
        frames = [
            *page_frames(recognition.pages.values()),
        ]
        request = {"path": os.fsencode(path), "ocr": recognition.state.value, "members": members}
        return self._warm.send([*frames, ("read", request)])

    def _receive(
        self, child: Child, path: Path, cancel: CancelToken, on_member: OnMember
    ) -> PreparedDocument:
        builder = AnswerBuilder()
        deadline = time.monotonic() + self._limits.seconds
        while True:
            cancel.check()
            try:
                frame = child.receive(min(_CHECK_SECONDS, deadline - time.monotonic()))
            except ChildEnded as ended:
                raise self._crash(child, path, ended) from ended
            if frame is None:
                self._check_limits(child, path, deadline)
            elif frame[0] in _ANSWERS:
                raise _answered(frame[0], frame[1], path)
            else:
                read = builder.add(*frame)
                if isinstance(read, PreparedDocument):
                    return read
                if read is not None:
                    on_member(read)
                    # the limit is of one file, and each member is a file
                    deadline = time.monotonic() + self._limits.seconds

    def _check_limits(self, child: Child, path: Path, deadline: float) -> None:
        if time.monotonic() >= deadline:
            raise _took_too_long(path, self._limits.seconds)
        if sys.platform == "darwin" and child.memory() > self._limits.memory_mb * 1024 * 1024:
            raise _needed_too_much_memory(path, self._limits.memory_mb)

    def _crash(self, child: Child, path: Path, ended: ChildEnded) -> Exception:
        if self._warm.closed:
            return RuntimeError("the reader is closed")
        words = child.last_words()
        if not ended.started:
            return RuntimeError(f"the reading process does not start: {words}")
        _log.error("the reading process ended with %s\n%s", ended.returncode, words)
        return KnownError(
            "Could not be read",
            f"Reading “{path.name}” made the reading program stop. The file may be damaged. "
            "Open it in another program, save it again, and it will be tried again.",
            str(path),
        )

    def _after(self, path: Path, child: Child, *, keep: bool) -> None:
        self._files += 1
        self._bytes += _size_of(path)
        worn = self._files >= _RECYCLE_FILES or self._bytes >= _RECYCLE_BYTES
        if not keep or worn:
            self._warm.drop(child)
            remove_leftovers()
            self._files = self._bytes = 0
        if keep and worn and not self._warm.closed:
            self._warm.ready()

    def _arguments(self) -> list[str]:
        return [
            *("--memory-mb", str(self._limits.memory_mb)),
            *("--seconds", str(self._limits.seconds)),
            *("--pages", str(self._limits.parse.pages)),
            *("--text-bytes", str(self._limits.parse.text)),
            *("--unpacked-bytes", str(self._limits.parse.unpacked)),
            *("--depth", str(self._limits.parse.depth)),
            *("--segment-tokens", str(self._sizes.target)),
            *("--parent-tokens", str(self._sizes.parent)),
        ]


def _pass_by(_member: Member) -> None:
    """Nobody asked for members."""


_ANSWERS = frozenset({"problem", "oserror", "memory", "failed"})


class _Answered(Exception):  # noqa: N818  - marks errors after which the child is well
    """Mixed into the cause of an error that the child itself reported."""


def _is_answer(error: BaseException | None) -> bool:
    """Whether the child reported this error itself and is ready for the next file."""
    return error is not None and isinstance(error.__cause__, _Answered)


def _answered(kind: str, payload: Any, path: Path) -> Exception:  # noqa: ANN401
    error: Exception
    if kind == "problem":
        error = KnownError(payload["title"], payload["message"], str(path))
    elif kind == "oserror":
        failure = OSError(payload["errno"], payload["message"], str(path))
        error = explain_os_error(failure) or failure
    elif kind == "memory":
        return _needed_too_much_memory(path, payload["memory_mb"])
    else:
        _log.error("a parser failed: %s", payload["trace"])
        error = KnownError(
            "Could not be read",
            f"“{path.name}” is not built the way this program expects. Open it in another "
            "program, save it again, and it will be tried again.",
            str(path),
        )
    error.__cause__ = _Answered(kind)
    return error


def _took_too_long(path: Path, seconds: float) -> KnownError:
    return KnownError(
        "Took too long",
        f"Reading “{path.name}” took more than {seconds:g} seconds. Split it into smaller "
        "files, or allow more time in the settings.",
        str(path),
    )


def _needed_too_much_memory(path: Path, memory_mb: int) -> KnownError:
    return KnownError(
        "Needed too much memory",
        f"Reading “{path.name}” needed more than {memory_mb:,} MB of memory. Split it into "
        "smaller files, or allow more memory in the settings.",
        str(path),
    )


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
