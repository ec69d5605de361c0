"""How much memory a model may take."""

from __future__ import annotations

from pathlib import Path

import psutil

_LIMIT = Path("/sys/fs/cgroup/memory.max")
_USED = Path("/sys/fs/cgroup/memory.current")
"""Of a container, on Linux (cgroup v2)."""


def free_memory_bytes() -> int:
    """Return what can be had without pushing other programs to the disk."""
    free = int(psutil.virtual_memory().available)
    limit, used = _number(_LIMIT), _number(_USED)
    return free if limit is None or used is None else min(free, max(0, limit - used))


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):  # not there, or "max"
        return None
