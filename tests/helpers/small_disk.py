"""Disks of a test's own, where the system lets one be mounted."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted_disk(folder: Path, options: str) -> Iterator[Path]:
    """Mount a disk in memory on a new folder; skip the test where that cannot be done."""
    folder.mkdir()
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("a disk can be mounted by root alone")
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        # Lazily: what was mapped into memory may outlive the library for a moment.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
