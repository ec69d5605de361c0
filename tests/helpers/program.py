"""The real program in processes of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from desktop_rag.services.owner import read_owner

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 60


class Printed(NamedTuple):
    """What a run left: exit code, standard output and standard error."""

    code: int
    out: bytes
    err: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output."""
        lines = self.out.decode("utf-8").splitlines()
        assert len(lines) == 1, (self.code, lines, self.err)
        return json.loads(lines[0])


@dataclass(frozen=True)
class DesktopRag:
    """Runs ``python -m desktop_rag`` on one data folder."""

    data_dir: Path

    def command(self, *arguments: str | os.PathLike[str]) -> Sequence[str | os.PathLike[str]]:
        """The command line of a run."""
        return [sys.executable, "-m", "desktop_rag", "--data-dir", self.data_dir, *arguments]

    def __call__(self, *arguments: str | os.PathLike[str], code: int = 0) -> Printed:
        """Run to the end and check the exit code."""
        done = subprocess.run(
            self.command(*arguments), cwd=ROOT, capture_output=True, timeout=SECONDS, check=False
        )
        assert done.returncode == code, done.stderr.decode("utf-8", "replace")
        return Printed(done.returncode, done.stdout, done.stderr)

    def json(self, *arguments: str | os.PathLike[str], code: int = 0) -> dict[str, Any]:
        """Run with ``--json`` and return the object."""
        return self(*arguments, "--json", code=code).json

    @contextmanager
    def running(self, *arguments: str | os.PathLike[str]) -> Iterator[Running]:
        """Start, and end it by all means when the block is left."""
        process = subprocess.Popen(
            self.command(*arguments), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        running = Running(process)
        try:
            yield running
        finally:
            running.end()


class Running:
    """A process of the program that is still at work."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[bytes] = []
        self._readers = [
            threading.Thread(target=self._read_out),
            threading.Thread(target=self._read_err),
        ]
        for reader in self._readers:
            reader.start()

    def _read_out(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def _read_err(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(self.process.stderr)

    def next_json(self) -> dict[str, Any]:
        """The next line of standard output, as JSON."""
        return json.loads(self._lines.get(timeout=SECONDS))

    def wait_until_owner(self, data_dir: Path) -> None:
        """Wait until other runs are its guests."""
        deadline = time.monotonic() + SECONDS
        while (owner := read_owner(data_dir)) is None or owner.pid != self.process.pid:
            assert time.monotonic() < deadline, "it never became the owner"
            time.sleep(0.02)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def finish(self) -> tuple[int, str]:
        """Wait for its end; return the exit code and what stood on standard error."""
        code = self.process.wait(timeout=SECONDS)
        for reader in self._readers:
            reader.join(timeout=SECONDS)
        return code, b"".join(self._errors).decode("utf-8", "replace")

    def end(self) -> None:
        """Kill it if it still runs, and let go of everything."""
        if self.process.poll() is None:
            self.process.kill()
        self.finish()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
