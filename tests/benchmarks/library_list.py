"""The library's list: a hundred thousand files sorted, shown, and what they take.

    python -m tests.benchmarks.library_list [--files 100000]

``sort_ms`` is spent in the pool, ``fill_ms`` in the window's thread, ``memory_mb`` is what
the sorted list and the model add to the records that the window has anyway. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import tracemalloc

from PySide6.QtWidgets import QApplication

from desktop_rag.domain.files import FileRecord, FileStat, FileStatus, Source
from desktop_rag.gui.library.model import LibraryModel
from desktop_rag.gui.library.tree import FileFilter, build_tree
from desktop_rag.gui.library.view import LibraryView

_SOURCES = 10
_ENDINGS = ("pdf", "docx", "xlsx", "eml", "txt")


def records_of(files: int) -> list[FileRecord]:
    """Return made-up files in ten folders."""
    stat = FileStat(1000, 1, 1, 1)
    names = [f"part {n % 97}/file {n:06}.{_ENDINGS[n % len(_ENDINGS)]}" for n in range(files)]
    return [
        FileRecord(n, n % _SOURCES, name, f"/data/{n % _SOURCES}/{name}", FileStatus.READY, stat)
        for n, name in enumerate(names)
    ]


def measure(files: int) -> dict[str, float]:
    """Sort, fill and show; the memory is measured in a second pass."""
    sources = [Source(n, f"/data/{n}", True) for n in range(_SOURCES)]
    records = records_of(files)
    model = LibraryModel()
    view = LibraryView(model)
    view.resize(288, 800)
    view.show()
    began = time.perf_counter()
    tree = build_tree(sources, records, FileFilter())
    sorted_at = time.perf_counter()
    model.show_tree(tree)
    view.viewport().repaint()
    filled_at = time.perf_counter()
    tracemalloc.start()
    held = LibraryModel()
    held.show_tree(build_tree(sources, records, FileFilter()))
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "files": files,
        "sort_ms": round(1000 * (sorted_at - began), 1),
        "fill_ms": round(1000 * (filled_at - sorted_at), 1),
        "memory_mb": round(memory / 1e6, 1),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    options = parser.parse_args()
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    print(json.dumps(measure(options.files), indent=2))
    application.quit()


if __name__ == "__main__":
    main()
